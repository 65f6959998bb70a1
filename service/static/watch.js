// The watch page: live, and every moment of the game again by slider, keys, a swipe or a tap on a move.

import { announce, byId, caughtUp, data, input, meant, refresh, say } from "./common.js";
import "./board.js";
import "./ending.js";
import { attend } from "./seats.js";
import { Store } from "./store.js";

const slider = byId("slider");
const moment = input("moment");
const state = byId("state");
/** So far a finger goes across the picture to turn a page. */
const SWIPE = 60;
let at = data().at;
const store = new Store({
  shown: () => data().version,
  waiting: () => ({ count: 0, offline: false }),
  changed: ({ connection }) => {
    state.textContent = connection && say(connection);
    document.body.dataset.connected = String(connection !== "lost");
  },
});

/** The numbers of the actions that count, in the order of play; nothing stands for the opening. */
function numbers() {
  /** @type {NodeListOf<HTMLElement>} */
  const counted = document.querySelectorAll("#moves li.counts");
  return [0, ...Array.from(counted, (move) => Number(move.dataset.number)).reverse()];
}

function show() {
  const all = numbers();
  moment.max = String(all.length - 1);
  moment.value = String(at === null ? all.length - 1 : Math.max(0, all.indexOf(at)));
  const number = all[Number(moment.value)];
  moment.setAttribute("aria-valuetext", number ? `#${number}` : say("opening"));
  byId("live").setAttribute("aria-pressed", String(at === null));
  for (const move of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("#moves li"))) {
    if (Number(move.dataset.number) === at) move.setAttribute("aria-current", "step");
    else move.removeAttribute("aria-current");
  }
}

/** @param {number | null} number */
async function go(number) {
  at = number;
  history.replaceState(null, "", at === null ? location.pathname : `?at=${at}`);
  show();
  await refresh();
}

/** @param {number} by */
function step(by) {
  const all = numbers();
  const place = Math.min(all.length - 1, Math.max(0, Number(moment.value) + by));
  go(place === all.length - 1 ? null : all[place] ?? null);
}

slider.hidden = false;
slider.addEventListener("submit", (event) => event.preventDefault());
moment.addEventListener("input", () => step(0));
for (const button of /** @type {NodeListOf<HTMLElement>} */ (slider.querySelectorAll("[data-step]"))) {
  button.addEventListener("click", () => step(Number(button.dataset.step)));
}
byId("live").addEventListener("click", () => go(null));
document.addEventListener("click", (event) => {
  const link = meant(event, "#moves a.number");
  if (link === null) return;
  event.preventDefault();
  go(Number(link.closest("li")?.dataset.number));
});
addEventListener("keydown", (event) => {
  if (meant(event, "input, textarea, select") || event.altKey || event.ctrlKey || event.metaKey) return;
  if (event.key === "ArrowLeft") step(-1);
  if (event.key === "ArrowRight") step(1);
});
/** @type {Touch | null} */
let touched = null;
document.addEventListener("touchstart", (event) => {
  touched = event.touches.length === 1 && meant(event, "#board") ? event.touches[0] ?? null : null;
}, { passive: true });
document.addEventListener("touchend", (event) => {
  const end = event.changedTouches[0];
  if (touched === null || end === undefined) return;
  const across = end.clientX - touched.clientX;
  if (Math.abs(across) > SWIPE && Math.abs(across) > 2 * Math.abs(end.clientY - touched.clientY)) step(across < 0 ? 1 : -1);
  touched = null;
});
document.addEventListener("refreshed", () => {
  at = data().at;
  show();
  store.renewed();
});
if (!data().opened) {
  attend(
    (entry) => {
      store.heard(entry.entry);
      caughtUp(entry.entry);
      if (at === null) announce(entry.told);
    },
    (line) => store.connected(line),
  );
}
show();
document.body.dataset.ready = "";
