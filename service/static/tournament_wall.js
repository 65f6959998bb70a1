// The wall: as much of each list as the screen holds, leaf by leaf, by itself until it is paused.

import { byId, meant, say } from "./common.js";
import { followHall, runClock } from "./tournament.js";

const TURN = 12_000;
const wide = matchMedia("(min-width: 62rem)");
const [back, pause, on] = [byId("back"), byId("pause"), byId("on")];
const leaf = byId("leaf");
let at = 0;
let turning = !matchMedia("(prefers-reduced-motion: reduce)").matches;
/** @type {ReturnType<typeof setInterval> | undefined} */
let timer;

/** Which rows of a list fit on each leaf: under each other, or in two columns of equal rows.
 *  @param {HTMLElement} list @returns {Portion[]} */
function portions(list) {
  const heights = Array.from(list.children, (row) => row.getBoundingClientRect().height);
  const room = /** @type {HTMLElement} */ (document.querySelector(".wall-foot")).getBoundingClientRect().top - list.getBoundingClientRect().top;
  if (list.classList.contains("one")) return filled(heights, room);
  const rows = Math.max(1, Math.floor(room / Math.max(1, ...heights)));
  const count = Math.ceil(heights.length / (rows * 2));
  return Array.from({ length: count }, (_, leaf) => ({ rows, from: leaf * rows * 2, to: (leaf + 1) * rows * 2 }));
}

/** As many rows as there is room for, each as high as it is.
 *  @param {number[]} heights @param {number} room */
function filled(heights, room) {
  /** @type {Portion[]} */
  const found = [];
  let used = Infinity;
  heights.forEach((height, row) => {
    const last = found.at(-1);
    if (last === undefined || used + height > room) {
      found.push({ rows: 1, from: row, to: row + 1 });
      used = height;
      return;
    }
    used += height;
    last.rows += 1;
    last.to = row + 1;
  });
  return found;
}

/** @returns {HTMLElement[]} */
const views = () => Array.from(document.querySelectorAll("[data-view]"));
/** @param {HTMLElement} list */
const rowsOf = (list) => /** @type {HTMLElement[]} */ (Array.from(list.children));

/** Every leaf of the wall: a list, and which of its rows. */
function leaves() {
  /** @type {(Portion & { view: HTMLElement, list?: HTMLElement })[]} */
  const found = [];
  for (const view of views()) {
    /** @type {HTMLElement | null} */
    const list = view.querySelector(".wall-list");
    if (list === null) { found.push({ view, rows: 0, from: 0, to: 0 }); continue; }
    for (const each of views()) each.hidden = each !== view;
    for (const row of rowsOf(list)) row.hidden = false;
    list.style.removeProperty("--rows");
    found.push(...portions(list).map((portion) => ({ view, list, ...portion })));
  }
  return found;
}

function show() {
  const paged = wide.matches;
  document.body.classList.toggle("paged", paged);
  for (const button of [back, pause, on]) button.hidden = !paged;
  if (!paged) {
    for (const each of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-view], .wall-list > li"))) each.hidden = false;
    leaf.textContent = "";
    return;
  }
  const all = leaves();
  at = all.length ? (at + all.length) % all.length : 0;
  const shown = all[at];
  for (const each of views()) each.hidden = each !== shown?.view;
  if (shown?.list !== undefined) {
    const { list, rows, from, to } = shown;
    list.style.setProperty("--rows", String(rows));
    rowsOf(list).forEach((row, number) => { row.hidden = number < from || number >= to; });
  }
  leaf.textContent = all.length ? `${at + 1} / ${all.length}` : "";
  document.body.dataset.leaf = String(at + 1);
  document.body.dataset.leaves = String(all.length);
}

/** @param {number} by */
function turn(by) {
  at += by;
  show();
}

function wind() {
  clearInterval(timer);
  timer = turning ? setInterval(() => turn(1), TURN) : undefined;
  pause.setAttribute("aria-pressed", String(!turning));
  pause.textContent = turning ? say("pause") : say("go_on");
}

function toggle() {
  turning = !turning;
  wind();
}

pause.addEventListener("click", toggle);
back.addEventListener("click", () => { turn(-1); wind(); });
on.addEventListener("click", () => { turn(1); wind(); });
addEventListener("keydown", (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey) return;
  if (event.key === "ArrowLeft") back.click();
  if (event.key === "ArrowRight") on.click();
  if (event.key === " " && !meant(event, "button, a")) { event.preventDefault(); toggle(); }
});
addEventListener("resize", show);
document.addEventListener("refreshed", show);
document.fonts.ready.then(show);
runClock();
followHall();
wind();
show();
document.body.dataset.ready = "";
