// The watch page: live, and every moment of the game again by slider, keys, a swipe or a tap on a move.

import { announce, caughtUp, data, refresh, say } from "./house.js";
import { attend } from "./seats.js";

const slider = document.getElementById("slider");
const moment = document.getElementById("moment");
const state = document.getElementById("state");
/** So far a finger goes across the picture to turn a page. */
const SWIPE = 60;
let at = data().at;

/** The numbers of the actions that count, in the order of play; nothing stands for the opening. */
function numbers() {
  const counted = document.querySelectorAll("#moves li.counts");
  return [0, ...Array.from(counted, (move) => Number(move.dataset.number)).reverse()];
}

function show() {
  const all = numbers();
  moment.max = all.length - 1;
  moment.value = at === null ? all.length - 1 : Math.max(0, all.indexOf(at));
  const number = all[Number(moment.value)];
  moment.setAttribute("aria-valuetext", number ? `#${number}` : say("opening"));
  document.getElementById("live").setAttribute("aria-pressed", String(at === null));
  for (const move of document.querySelectorAll("#moves li")) {
    if (Number(move.dataset.number) === at) move.setAttribute("aria-current", "step");
    else move.removeAttribute("aria-current");
  }
}

async function go(number) {
  at = number;
  history.replaceState(null, "", at === null ? location.pathname : `?at=${at}`);
  show();
  await refresh();
}

function step(by) {
  const all = numbers();
  const place = Math.min(all.length - 1, Math.max(0, Number(moment.value) + by));
  go(place === all.length - 1 ? null : all[place]);
}

slider.hidden = false;
slider.addEventListener("submit", (event) => event.preventDefault());
moment.addEventListener("input", () => step(0));
for (const button of slider.querySelectorAll("[data-step]")) {
  button.addEventListener("click", () => step(Number(button.dataset.step)));
}
document.getElementById("live").addEventListener("click", () => go(null));
document.addEventListener("click", (event) => {
  const link = event.target.closest("#moves a.number");
  if (link === null) return;
  event.preventDefault();
  go(Number(link.closest("li").dataset.number));
});
addEventListener("keydown", (event) => {
  if (event.target.closest("input, textarea, select") || event.altKey || event.ctrlKey || event.metaKey) return;
  if (event.key === "ArrowLeft") step(-1);
  if (event.key === "ArrowRight") step(1);
});
let touched = null;
document.addEventListener("touchstart", (event) => {
  touched = event.touches.length === 1 && event.target.closest("#board") ? event.touches[0] : null;
}, { passive: true });
document.addEventListener("touchend", (event) => {
  if (touched === null) return;
  const end = event.changedTouches[0];
  const across = end.clientX - touched.clientX;
  if (Math.abs(across) > SWIPE && Math.abs(across) > 2 * Math.abs(end.clientY - touched.clientY)) step(across < 0 ? 1 : -1);
  touched = null;
});
document.addEventListener("refreshed", () => { at = data().at; show(); });
if (!data().opened) {
  attend(
    (entry) => { caughtUp(entry.entry); if (at === null) announce(entry.told); },
    (well) => { state.textContent = well ? say("live") : say("lost"); },
  );
}
show();
document.body.dataset.ready = "";
