// Downloads that take a while: the page shows how far they are, and they can be cancelled. Without this script they are plain links.

import { byId, meant } from "./common.js";
import { received } from "./progress.js";

/** @type {AbortController | null} */
let running = null;

/** @param {Headers} headers @param {string} otherwise */
function fileName(headers, otherwise) {
  const found = /filename\*=UTF-8''([^;]+)/.exec(headers.get("Content-Disposition") ?? "");
  return found ? decodeURIComponent(found[1]) : otherwise;
}

/** @param {Blob} content @param {string} name */
function save(content, name) {
  const address = URL.createObjectURL(content);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

/** @param {HTMLAnchorElement} link */
async function download(link) {
  running?.abort();
  const own = running = new AbortController();
  const shown = byId("exporting");
  const bar = /** @type {HTMLProgressElement} */ (shown.querySelector("progress"));
  const problem = byId("export-problem");
  problem.hidden = true;
  bar.removeAttribute("value");
  bar.setAttribute("aria-label", link.textContent ?? "");
  /** @type {HTMLElement} */ (shown.querySelector("span")).textContent = link.textContent;
  shown.hidden = false;
  try {
    const asked = await fetch(link.href, { credentials: "same-origin", headers: { Prefer: "progress" }, signal: own.signal });
    const reply = await received(asked, (done, total) => {
      if (running !== own || total === 0) return;
      bar.max = total;
      bar.value = done;
    });
    if (reply.status === 200) save(reply.content, fileName(reply.headers, "game"));
    else throw new Error(JSON.parse(await reply.content.text()).detail);
  } catch (error) {
    if (!own.signal.aborted) {
      problem.textContent = error instanceof TypeError || !(error instanceof Error) ? problem.dataset.failed ?? "" : error.message;
      problem.hidden = false;
    }
  }
  if (running !== own) return;
  running = null;
  shown.hidden = true;
}

document.addEventListener("click", (event) => {
  const link = /** @type {HTMLAnchorElement | null} */ (meant(event, ".exports a[download]"));
  if (link === null || event.defaultPrevented) return;
  event.preventDefault();
  download(link);
});
byId("exporting").querySelector("button")?.addEventListener("click", () => running?.abort());
