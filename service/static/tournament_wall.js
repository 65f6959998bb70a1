// The wall: as much of each list as the screen holds, leaf by leaf, by itself until it is paused.

import { byId, data, meant, say } from "./common.js";
import { followHall, runClock } from "./tournament.js";

/** So long a leaf stays, and so long everybody waits at most until their own comes again. */
const TURN = 12_000;
const ROUND_TRIP = 60_000;
/** The shortest a leaf is shown, however many there are. */
const LEAST = 5000;
/** Bigger halls have more columns of smaller rows: how many columns a list has, level by level. */
const COLUMNS = { tables: [1, 2, 2], names: [2, 3, 4], standings: [2, 2, 3], rules: [1, 1, 1] };
const wide = matchMedia("(min-width: 62rem)");
const [back, pause, on] = [byId("back"), byId("pause"), byId("on")];
const leaf = byId("leaf");
let at = 0;
/** How often all leaves have been shown. */
let lap = 0;
let turnAfter = TURN;
let turning = !matchMedia("(prefers-reduced-motion: reduce)").matches;
/** @type {ReturnType<typeof setInterval> | undefined} */
let timer;

/** Which rows of a list fit on each leaf: under each other, or in two columns of equal rows.
 *  @param {HTMLElement} list @returns {Portion[]} */
function portions(list) {
  const heights = Array.from(list.children, (row) => row.getBoundingClientRect().height);
  const room = /** @type {HTMLElement} */ (document.querySelector(".wall-foot")).getBoundingClientRect().top - list.getBoundingClientRect().top;
  const columns = Number(list.style.getPropertyValue("--columns"));
  if (columns === 1) return filled(heights, room);
  const rows = Math.max(1, Math.floor(room / Math.max(1, ...heights)));
  const count = Math.ceil(heights.length / (rows * columns));
  return Array.from({ length: count }, (_, leaf) => ({ rows, from: leaf * rows * columns, to: (leaf + 1) * rows * columns }));
}

/** The leaves of a list in so many columns: one that is short enough has one, and room for long names.
 *  @param {HTMLElement} list @param {number} columns */
function portioned(list, columns) {
  list.dataset.columns = String(columns);
  list.style.setProperty("--columns", String(columns));
  return portions(list);
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

/** The standings of a section, else those of everybody.
 *  @param {HTMLElement[]} chosen @param {string | undefined} section */
const ofSection = (chosen, section) => {
  const own = chosen.filter((view) => view.dataset.section === section);
  return own.length ? own : chosen.slice(0, 1);
};

/** @returns {HTMLElement[]} */
const views = () => {
  /** @type {HTMLElement[]} */
  const all = Array.from(document.querySelectorAll("[data-view]"));
  const { shows, section } = data();
  const chosen = all.filter((view) => view.dataset.view === shows);
  const wanted = shows === "standings" ? ofSection(chosen, section) : chosen;
  for (const each of wanted.length ? all : []) if (!wanted.includes(each)) each.hidden = true;
  return wanted.length ? wanted : all;
};
/** @param {HTMLElement} list */
const rowsOf = (list) => /** @type {HTMLElement[]} */ (Array.from(list.children));

/** The least crowded level at which everybody sees their own row within a minute. The standings of
 *  sections fill what is left of the minute; where they are too many, in turn from lap to lap. */
function leaves() {
  for (let level = 0; ; level += 1) {
    document.body.dataset.dense = String(level);
    const found = leavesAt(level);
    const sections = found.filter(({ view }) => view.dataset.section);
    const others = found.length - sections.length;
    if (level < 2 && (others || sections.length) * TURN > ROUND_TRIP) continue;
    const room = Math.max(1, Math.floor(ROUND_TRIP / LEAST) - others);
    const from = (lap % Math.max(1, Math.ceil(sections.length / room))) * room;
    const due = sections.slice(from, from + room);
    return found.filter((each) => !each.view.dataset.section || due.includes(each));
  }
}

/** Every leaf of the wall: a list, and which of its rows.
 *  @param {number} level */
function leavesAt(level) {
  /** @type {(Portion & { view: HTMLElement, list?: HTMLElement })[]} */
  const found = [];
  for (const view of views()) {
    /** @type {HTMLElement | null} */
    const list = view.querySelector(".wall-list");
    if (list === null) { found.push({ view, rows: 0, from: 0, to: 0 }); continue; }
    for (const each of views()) each.hidden = each !== view;
    for (const row of rowsOf(list)) row.hidden = false;
    list.style.removeProperty("--rows");
    const usual = COLUMNS[/** @type {"tables"} */ (view.dataset.view)]?.[level] ?? 2;
    const inOne = level === 0 ? portioned(list, 1) : [];
    const shown = inOne.length === 1 ? inOne : portioned(list, usual);
    found.push(...shown.map((portion) => ({ view, list, ...portion })));
  }
  return found;
}

function show() {
  const paged = wide.matches;
  document.body.classList.toggle("paged", paged);
  for (const button of [back, pause, on]) button.hidden = !paged;
  if (!paged) {
    for (const each of [...views(), .../** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".wall-list > li"))]) each.hidden = false;
    leaf.textContent = "";
    return;
  }
  let all = leaves();
  if (all.length && at >= all.length) { at -= all.length; lap += 1; all = leaves(); }
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
  const pace = Math.max(LEAST, Math.min(TURN, Math.floor(ROUND_TRIP / Math.max(1, all.length))));
  if (pace !== turnAfter) { turnAfter = pace; wind(); }
}

/** @param {number} by */
function turn(by) {
  at += by;
  show();
}

function wind() {
  clearInterval(timer);
  timer = turning ? setInterval(() => turn(1), turnAfter) : undefined;
  document.body.dataset.pace = String(turnAfter);
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
/** What the desk has told the big screens, where it is news: whether they stand still, and at which leaf. */
let heard = "";
function obey() {
  const { remote } = data();
  const told = JSON.stringify(remote ?? null);
  if (told === heard) return;
  const first = heard === "";
  heard = told;
  if (!remote || (first && !remote.paused)) return;
  turning = !remote.paused && !matchMedia("(prefers-reduced-motion: reduce)").matches;
  at = remote.leaf;
  wind();
}

addEventListener("resize", show);
document.addEventListener("refreshed", () => { obey(); show(); });
document.fonts.ready.then(show);
runClock();
followHall();
wind();
obey();
show();
document.body.dataset.ready = "";
