// Judge my situation: lines tried from a position that is declared; the address is what is shared.

import { data, meant, refresh } from "./common.js";
import { offer, renewLines } from "./taps.js";
import { takeFiles } from "./upload.js";

/** The same position with these lines tried.
 *  @param {string[]} lines */
async function attempt(lines) {
  const asked = new URLSearchParams({ position: data().position });
  if (lines.length) asked.set("try", lines.join(";"));
  history.pushState(null, "", `?${asked}`);
  await refresh();
}

takeFiles("position");
document.addEventListener("click", (event) => {
  /** @type {HTMLInputElement | null} */ (meant(event, "#link"))?.select();
});
addEventListener("popstate", () => location.reload());
document.addEventListener("refreshed", () => renewLines(data()));
offer(data(), (line) => attempt([...data().tried, line]));
document.body.dataset.ready = "";
