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

/** What counts, in the order of play: numbers, and whose each was. The opening comes first, once. */
function played() {
  /** @type {NodeListOf<HTMLElement>} */
  const counted = document.querySelectorAll("#moves li.counts");
  const moves = Array.from(counted, (move) => ({ number: Number(move.dataset.number), seat: move.dataset.seat })).reverse();
  return [{ number: 0, seat: undefined }, ...moves.filter((move) => move.number > 0)];
}

function numbers() {
  return played().map((move) => move.number);
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
  const column = document.querySelector(".record");
  const current = /** @type {HTMLElement | null} */ (document.querySelector("#moves [aria-current]"));
  if (column && current && column.scrollHeight > column.clientHeight) {
    column.scrollTop += current.getBoundingClientRect().top - column.getBoundingClientRect().top - column.clientHeight / 3;
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

/** To where the next turn begins, or this one, or the one before it.
 *  @param {number} by */
function turn(by) {
  const all = played();
  const here = Number(moment.value);
  const begins = all.flatMap(({ seat }, place) => (place === 0 || seat !== all[place - 1]?.seat ? [place] : []));
  const wanted = by > 0 ? begins.find((place) => place > here) ?? all.length - 1 : begins.findLast((place) => place < here) ?? 0;
  step(wanted - here);
}

/** Whether a page walks through something else at the moment: a variation.
 *  @param {number} by */
function walks(by) {
  return !document.dispatchEvent(new CustomEvent("walk", { detail: by, cancelable: true }));
}

const player = byId("autoplay");
/** So long a moment is shown while the game plays itself. */
const A_MOMENT = 1500;
/** @type {number | undefined} */
let playing;
/** @param {boolean} on */
function play(on) {
  clearInterval(playing);
  playing = on ? window.setInterval(() => {
    if (at === null) play(false);
    else step(1);
  }, A_MOMENT) : undefined;
  player.setAttribute("aria-pressed", String(on));
  if (on && at === null) go(0);
}
player.addEventListener("click", () => play(playing === undefined));

slider.hidden = false;
slider.addEventListener("submit", (event) => event.preventDefault());
moment.addEventListener("input", () => step(0));
for (const button of /** @type {NodeListOf<HTMLElement>} */ (slider.querySelectorAll("[data-step]"))) {
  button.addEventListener("click", () => walks(Number(button.dataset.step)) || step(Number(button.dataset.step)));
}
for (const button of /** @type {NodeListOf<HTMLElement>} */ (slider.querySelectorAll("[data-turn]"))) {
  button.addEventListener("click", () => turn(Number(button.dataset.turn)));
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
  const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (by !== undefined && event.shiftKey) turn(by);
  else if (by !== undefined) walks(by) || step(by);
  if (event.key === "Home") go(0);
  if (event.key === "End") go(null);
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
