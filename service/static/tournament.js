// What the pages of a tournament share: its events as they come, and its clock.

import { asTime, byId, caughtUp, data, hear, say } from "./common.js";

const LATER = { least: 4_000, most: 12_000 };
/** @type {ReturnType<typeof setTimeout> | null} */
let due = null;
let latest = -1;

/** What is told of other tables can wait: a hall full of phones does not ask all at once.
 *  @param {number} version */
function catchUpLater(version) {
  const { least, most } = LATER;
  latest = Math.max(latest, version);
  due ??= setTimeout(() => { due = null; caughtUp(latest); }, least + Math.random() * (most - least));
}

/** Whoever was taken off the list is signed out: the page itself says so, instead of what it last knew. */
async function leaveIfRefused() {
  const reply = await fetch(location.href, { headers: { Accept: "text/html" }, credentials: "same-origin" }).catch(() => null);
  if (reply?.status === 401 && document.body.dataset.leaving === undefined) location.reload();
}

/** Keep the page up to date: every event of the tournament brings it in line, at once if it is of
    all tables or of the one that the page is about.
    @param {(told: Told) => void} heard */
export function followHall(heard = () => {}) {
  const { tournament, version } = data();
  const state = byId("state");
  const shown = (/** @type {"live" | "lost" | "full"} */ line) => {
    state.textContent = say(line);
    if (line === "lost") leaveIfRefused();
  };
  hear(`/api/v1/tournaments/${tournament}/events`, "event", async (told) => {
    const { table } = data();
    if (table !== undefined && told.table !== null && told.table !== table) {
      catchUpLater(told.event);
      return;
    }
    await caughtUp(told.event);
    heard(told);
  }, shown, version);
}

let rendered = performance.now();
document.addEventListener("refreshed", () => { rendered = performance.now(); });

/** The time that is left runs down from what the page was rendered with: no two clocks to agree. */
export function runClock() {
  const show = () => {
    /** @type {{ clock: HallClock | null }} */
    const { clock } = data();
    const time = document.getElementById("time");
    if (clock === null || time === null) return;
    const waits = clock.wait - (performance.now() - rendered) / 1000;
    const gone = clock.state === "running" ? Math.max(0, -waits) : 0;
    document.querySelector("[data-waits]")?.toggleAttribute("hidden", waits <= 0);
    time.textContent = asTime(clock.left - gone);
    for (const each of document.querySelectorAll("[data-time]")) each.textContent = time.textContent;
    time.closest("p")?.classList.toggle("up", clock.left - gone < 0);
  };
  show();
  setInterval(show, 250);
  document.addEventListener("refreshed", show);
}
