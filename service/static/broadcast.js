// A broadcast and its overlay: one line tells when there is something new to see, and how many look.

import { byId, data, hear, refresh, say } from "./common.js";
import { runClock } from "./tournament.js";
import { findTables } from "./tournament_find.js";

/** Thousands who look on do not all ask in the same moment. */
const SPREAD = document.body.classList.contains("bare") ? 0 : 1500;
/** @type {ReturnType<typeof setTimeout> | null} */
let due = null;

/** Bring the page in line, unless it is: what fails is tried again.
 *  @param {string} state */
function catchUp(state) {
  if (state === data().state || due !== null) return;
  due = setTimeout(async () => {
    due = null;
    const done = await refresh();
    if (!done) setTimeout(() => catchUp(state), 4000);
  }, Math.random() * SPREAD);
}

const shown = (/** @type {"live" | "lost" | "full"} */ line) => { byId("state").textContent = say(line); };
hear(`/api/v1/tournaments/${data().tournament}/broadcast/events`, "broadcast", (told) => catchUp(String(told.state)), shown, 0, {
  viewers: (told) => { byId("viewers").textContent = say("viewers", { count: Number(told.viewers) }); },
});
runClock();
findTables();
document.body.dataset.ready = "";
