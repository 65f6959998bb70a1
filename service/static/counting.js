// What reads many games once: it says how far it is, and the page comes when it is done.

import { byId, inRole, make, meant, say } from "./common.js";
import { received } from "./progress.js";

/** @param {HTMLElement} place where it is told @param {string} then */
async function count(place, then) {
  const bar = /** @type {HTMLProgressElement} */ (make("progress", { "aria-label": place.textContent ?? "" }));
  const told = make("span", {});
  place.after(make("p", { class: "told-bar", role: "status" }, told, bar));
  try {
    const asked = await fetch(place.dataset.counts ?? "", { credentials: "same-origin", headers: { ...inRole(), Prefer: "progress" } });
    await received(asked, (done, total) => {
      if (total === 0) return;
      bar.max = total;
      bar.value = done;
      told.textContent = say("counting", { done, total });
    });
  } finally {
    location.assign(then);
  }
}

document.addEventListener("click", (event) => {
  const link = meant(event, "a[data-counts]");
  if (!(link instanceof HTMLAnchorElement) || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  event.stopPropagation();
  if (link.ariaBusy !== "true") count(link, link.href);
  link.ariaBusy = "true";
}, true);

const first = document.querySelector("p[data-counts]");
if (first instanceof HTMLElement) count(first, /** @type {HTMLAnchorElement} */ (byId("then")).href);
