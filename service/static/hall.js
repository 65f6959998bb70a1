// What the pages of a tournament share: its events as they come, and its clock.

import { asTime, caughtUp, data, hear, say } from "./house.js";

/** Keep the page up to date: every event of the tournament brings it in line. */
export function followHall(heard = () => {}) {
  const { tournament, version } = data();
  const state = document.getElementById("state");
  const shown = (live) => { state.textContent = say(live ? "live" : "lost"); };
  hear(`/api/v1/tournaments/${tournament}/events`, "event", async (told) => {
    await caughtUp(told.event);
    heard(told);
  }, shown, version);
}

let rendered = performance.now();
document.addEventListener("refreshed", () => { rendered = performance.now(); });

/** The time that is left runs down from what the page was rendered with: no two clocks to agree. */
export function runClock() {
  const show = () => {
    const { clock } = data();
    const time = document.getElementById("time");
    if (clock === null || time === null) return;
    const gone = clock.state === "running" ? (performance.now() - rendered) / 1000 : 0;
    time.textContent = asTime(clock.left - gone);
    time.closest("p").classList.toggle("up", clock.left - gone < 0);
  };
  show();
  setInterval(show, 250);
  document.addEventListener("refreshed", show);
}
