// The wall: as much of each list as the screen holds, leaf by leaf, by itself until it is paused.

import { say } from "./house.js";
import { followHall, runClock } from "./hall.js";

const TURN = 12_000;
const wide = matchMedia("(min-width: 62rem)");
const [back, pause, on] = ["back", "pause", "on"].map((id) => document.getElementById(id));
const leaf = document.getElementById("leaf");
let at = 0;
let turning = !matchMedia("(prefers-reduced-motion: reduce)").matches;
let timer = null;

/** Which rows of a list fit on each leaf: under each other, or in two columns of equal rows. */
function portions(list) {
  const heights = Array.from(list.children, (row) => row.getBoundingClientRect().height);
  const room = document.querySelector(".wall-foot").getBoundingClientRect().top - list.getBoundingClientRect().top;
  if (list.classList.contains("one")) return filled(heights, room);
  const rows = Math.max(1, Math.floor(room / Math.max(1, ...heights)));
  const count = Math.ceil(heights.length / (rows * 2));
  return Array.from({ length: count }, (_, leaf) => ({ rows, from: leaf * rows * 2, to: (leaf + 1) * rows * 2 }));
}

/** As many rows as there is room for, each as high as it is. */
function filled(heights, room) {
  const found = [];
  let used = Infinity;
  heights.forEach((height, row) => {
    if (used + height > room) { found.push({ rows: 0, from: row, to: row }); used = 0; }
    used += height;
    const last = found.at(-1);
    last.rows += 1;
    last.to = row + 1;
  });
  return found;
}

/** Every leaf of the wall: a list, and which of its rows. */
function leaves() {
  const found = [];
  for (const view of document.querySelectorAll("[data-view]")) {
    const list = view.querySelector(".wall-list");
    if (list === null) { found.push({ view, from: 0, to: 0 }); continue; }
    for (const each of document.querySelectorAll("[data-view]")) each.hidden = each !== view;
    for (const row of list.children) row.hidden = false;
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
    for (const each of document.querySelectorAll("[data-view], .wall-list > li")) each.hidden = false;
    leaf.textContent = "";
    return;
  }
  const all = leaves();
  at = (at + all.length) % all.length;
  const { view, list, rows, from, to } = all[at];
  for (const each of document.querySelectorAll("[data-view]")) each.hidden = each !== view;
  if (list !== undefined) {
    list.style.setProperty("--rows", rows);
    Array.from(list.children).forEach((row, number) => { row.hidden = number < from || number >= to; });
  }
  leaf.textContent = `${at + 1} / ${all.length}`;
  document.body.dataset.leaf = String(at + 1);
  document.body.dataset.leaves = String(all.length);
}

function turn(by) {
  at += by;
  show();
}

function wind() {
  clearInterval(timer);
  timer = turning ? setInterval(() => turn(1), TURN) : null;
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
  if (event.key === " " && !event.target.closest("button, a")) { event.preventDefault(); toggle(); }
});
addEventListener("resize", show);
document.addEventListener("refreshed", show);
document.fonts.ready.then(show);
runClock();
followHall();
wind();
show();
document.body.dataset.ready = "";
