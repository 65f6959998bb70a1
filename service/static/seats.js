// Those who sit at the table: who is there, and the time that each has left.

import { asTime, data, follow, say } from "./common.js";

/** @type {string[]} */
let here = [];
let rendered = performance.now();

/** Follow a game: its entries, whether the line holds, and who is there.
 *  @param {(told: Told) => unknown} heard @param {(line: "live" | "lost" | "full") => void} state */
export function attend(heard, state) {
  const { game, version } = data();
  const presence = (/** @type {Told} */ { seats }) => { here = seats; showPresence(); };
  follow(game, version, heard, state, { presence });
  showTurn();
  showTime();
  setInterval(showTime, 250);
}

/** A row of many players is scrolled so that whoever is to act is in it. */
function showTurn() {
  const row = document.getElementById("seats");
  /** @type {HTMLElement | null | undefined} */
  const now = row?.querySelector("[aria-current]");
  if (row && now) row.scrollLeft = now.offsetLeft + now.offsetWidth > row.offsetLeft + row.clientWidth ? now.offsetLeft - row.offsetLeft : 0;
}

function showPresence() {
  for (const row of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("#seats [data-seat]"))) {
    const there = here.includes(row.dataset.seat ?? "");
    row.classList.toggle("here", there);
    row.title = there ? say("here") : "";
  }
}

/** What is left now, by seat: it runs down from what the page was rendered with.
 *  @returns {Record<string, number>} */
export function timeLeft() {
  /** @type {{ clock: GameClock | null }} */
  const { clock } = data();
  if (!clock) return {};
  const gone = clock.live ? (performance.now() - rendered) / 1000 : 0;
  return Object.fromEntries(Object.entries(clock.left).map(([whose, left]) =>
    [whose, clock.running.includes(whose) ? left - gone : left]));
}

function showTime() {
  const left = timeLeft();
  for (const time of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("#seats [data-time]"))) {
    const seconds = left[time.dataset.time ?? ""];
    if (seconds === undefined) continue;
    const shown = asTime(seconds);
    if (time.textContent !== shown) time.textContent = shown;
    time.classList.toggle("up", seconds < 0);
  }
}

document.addEventListener("refreshed", () => {
  rendered = performance.now();
  showPresence();
  showTurn();
  showTime();
});
