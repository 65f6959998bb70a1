// The wall: as much of each list as the screen holds, leaf by leaf, by itself until it is paused.

import { byId, data, meant, say } from "./common.js";
import { followHall, runClock } from "./tournament.js";

/** So long a leaf stays, and so long everybody waits at most until their own comes again. */
const TURN = 12_000;
const ROUND_TRIP = 60_000;
/** The shortest a leaf is shown, however many there are. */
const LEAST = 5000;
/** How large letters are, in parts of the screen's width: those that ten metres want, those below which
 *  leaves are shown for a shorter time instead, and the smallest and largest of all. */
const LETTERS = { wanted: 0.026, kept: 0.02, least: 0.0135, most: 0.06 };
/** A list is measured in letters of so many pixels: all of it grows with them. */
const RULER = 40;
/** Letters do not grow quite as their size does. */
const SPARE = 1.03;
/** A name of more letters than this is written in smaller ones, so that it decides for nobody else. */
const [LONG, SMALLEST] = [18, 0.6];
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

/** @param {HTMLElement} list */
function fitNames(list) {
  for (const name of list.querySelectorAll("bdi")) {
    const letters = name.textContent.length;
    name.style.fontSize = letters > LONG ? `${Math.max(SMALLEST, LONG / letters)}em` : "";
  }
}

/** How much a list needs for each pixel of its letters, while its names are whole and what may give
 *  way to them does; and the room that the screen has for it.
 *  @param {HTMLElement} view @param {HTMLElement} list @param {boolean} plain @returns {Measured} */
function measured(view, list, plain) {
  for (const each of views()) each.hidden = each !== view;
  for (const row of rowsOf(list)) row.hidden = false;
  list.toggleAttribute("data-plain", plain);
  fitNames(list);
  for (const laid of ["--rows", "--columns"]) list.style.removeProperty(laid);
  list.style.fontSize = `${RULER}px`;
  list.dataset.measured = "";
  const rows = rowsOf(list);
  const height = Math.max(1, ...rows.map((row) => row.getBoundingClientRect().height)) / RULER;
  const { width, top } = list.getBoundingClientRect();
  delete list.dataset.measured;
  const head = /** @type {HTMLElement | null} */ (list.querySelector("[data-head]"));
  const room = { width: /** @type {HTMLElement} */ (list.parentElement).clientWidth || innerWidth, height: footTop() - top };
  return { view, list, count: rows.length - (head ? 1 : 0), head: head ? 1 : 0, width: (width / RULER) * SPARE, height, room };
}
const footTop = () => /** @type {HTMLElement} */ (document.querySelector(".wall-foot")).getBoundingClientRect().top;

/** How many columns, rows and leaves a list has in letters of so many pixels.
 *  @param {Measured} of @param {number} letters */
function laid({ count, head, width, height, room }, letters) {
  const rows = Math.max(1, Math.floor(room.height / (height * letters)) - head);
  const fit = Math.max(1, Math.floor(room.width / Math.max(1, width * letters)));
  const columns = Math.min(fit, Math.max(1, Math.ceil(count / rows)));
  return { rows, columns, leaves: Math.ceil(count / (rows * columns)) };
}

/** As large as the letters can be, so that no more leaves are needed.
 *  @param {Measured} of @param {number} letters */
function largest(of, letters) {
  const { leaves: needed } = laid(of, letters);
  const whole = Math.max(letters, of.room.width / Math.max(0.01, of.width));
  for (let size = Math.min(LETTERS.most * innerWidth, whole); size > letters; size *= 0.97) {
    if (laid(of, size).leaves <= needed) return size;
  }
  return letters;
}

/** The leaves of a list in letters of so many pixels.
 *  @param {Measured} of @param {number} least */
function portions(of, least) {
  const letters = largest(of, least);
  const { rows, columns, leaves } = laid(of, letters);
  const even = leaves === 1 ? Math.ceil(of.count / columns) : rows;
  return Array.from({ length: leaves }, (_, leaf) => ({
    view: of.view, list: of.list, rows: even, columns, letters, from: leaf * rows * columns, to: (leaf + 1) * rows * columns,
  }));
}

/** The leaves of what is prose: as many rows as there is room for, each as high as it is.
 *  @param {HTMLElement} view @param {HTMLElement} list @returns {Leaf[]} */
function filled(view, list) {
  const letters = LETTERS.wanted * innerWidth;
  for (const each of views()) each.hidden = each !== view;
  for (const row of rowsOf(list)) row.hidden = false;
  list.style.fontSize = `${letters}px`;
  const room = footTop() - list.getBoundingClientRect().top;
  /** @type {Leaf[]} */
  const found = [];
  let used = Infinity;
  rowsOf(list).forEach((row, number) => {
    const { height } = row.getBoundingClientRect();
    const last = found.at(-1);
    if (last === undefined || used + height > room) {
      found.push({ view, list, rows: 1, columns: 1, letters, from: number, to: number + 1 });
      used = height;
      return;
    }
    used += height;
    last.rows += 1;
    last.to = number + 1;
  });
  return found;
}

/** The leaves of a bracket: as few as its letters allow. It is read downwards, half a match of the leaf
 *  before and after beside its own, so that each match stands whole on the leaf that has its middle.
 *  @param {HTMLElement} view @param {HTMLElement} tree @returns {Leaf[]} */
function branches(view, tree) {
  for (const each of views()) each.hidden = each !== view;
  const frame = /** @type {HTMLElement} */ (tree.parentElement);
  fitNames(tree);
  frame.style.height = "";
  tree.style.fontSize = `${RULER}px`;
  tree.dataset.measured = "";
  const { width, height, top } = tree.getBoundingClientRect();
  const high = (/** @type {string} */ what) => Math.max(1, ...Array.from(tree.querySelectorAll(what), (each) => each.getBoundingClientRect().height));
  const [head, match] = [high("h3"), high("li li") * SPARE];
  delete tree.dataset.measured;
  const room = { width: frame.clientWidth || innerWidth, height: footTop() - top };
  const widest = (RULER * room.width) / (width * SPARE);
  const least = Math.min(widest, LETTERS.least * innerWidth);
  for (let count = 1; ; count += 1) {
    const needed = head + (height - head) / count + (count > 1 ? match : 0);
    const highest = (RULER * room.height) / needed;
    if (highest < least && count * match < height) continue;
    const size = Math.min(widest, highest, LETTERS.wanted * innerWidth);
    const step = (((height - head) / count) * size) / RULER;
    return Array.from({ length: count }, (_, leaf) => ({
      view, frame, rows: 0, columns: 1, letters: size, from: leaf * step - (count > 1 ? (match * size) / RULER / 2 : 0), to: room.height,
    }));
  }
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

/** In the largest letters in which everybody sees their own row within a minute; tie-breaks give way
 *  before names do. The standings of sections fill what is left of the minute; where they are too
 *  many, in turn from lap to lap. */
function leaves() {
  for (const row of document.querySelectorAll(".again")) row.remove();
  const ruled = lists(false);
  const small = LETTERS.least * innerWidth;
  const ways = /** @type {const} */ ([[ruled, LETTERS.wanted, LETTERS.kept, TURN], [ruled, LETTERS.kept, LETTERS.least, LEAST]]);
  for (const [found, from, to, turn] of ways) {
    for (let letters = from * innerWidth; letters >= to * innerWidth; letters *= 0.97) {
      const made = leavesIn(found, letters);
      const others = made.filter(({ view }) => !view.dataset.section).length;
      if ((others || made.length) * turn <= ROUND_TRIP) return inTurn(made);
    }
  }
  const plain = lists(true);
  for (let letters = LETTERS.kept * innerWidth; ; letters *= 0.97) {
    const made = leavesIn(plain, Math.max(small, letters));
    if (letters <= small || made.filter(({ view }) => !view.dataset.section).length * LEAST <= ROUND_TRIP) return inTurn(made);
  }
}

/** @param {Leaf[]} found */
function inTurn(found) {
  const sections = found.filter(({ view }) => view.dataset.section);
  const others = found.length - sections.length;
  const room = Math.max(1, Math.floor(ROUND_TRIP / LEAST) - others);
  const from = (lap % Math.max(1, Math.ceil(sections.length / room))) * room;
  const due = sections.slice(from, from + room);
  return found.filter((each) => !each.view.dataset.section || due.includes(each));
}

/** What is to be shown: lists as measured, prose as it fills leaves, and pictures as they are.
 *  @param {boolean} plain whether tie-breaks are left out @returns {(Measured | Leaf[])[]} */
const lists = (plain) => views().map((view) => {
  /** @type {HTMLElement | null} */
  const list = view.querySelector(".wall-list");
  /** @type {HTMLElement | null} */
  const tree = view.querySelector(".bracket");
  if (tree !== null) return branches(view, tree);
  if (list === null) return [{ view, rows: 0, columns: 1, letters: 0, from: 0, to: 0 }];
  return list.classList.contains("rules") ? filled(view, list) : measured(view, list, plain);
});

/** @param {(Measured | Leaf[])[]} found @param {number} letters @returns {Leaf[]} */
const leavesIn = (found, letters) => found.flatMap((each) => (Array.isArray(each) ? each : portions(each, letters)));

/** The heads of a list stand above each of its columns.
 *  @param {HTMLElement} list @param {HTMLElement} head @param {Leaf} leaf */
function headed(list, head, { rows, columns, from }) {
  const own = rowsOf(list).filter((row) => row !== head);
  list.insertBefore(head, own[from] ?? null);
  for (let column = 1; column < columns && from + column * rows < own.length; column += 1) {
    const again = /** @type {HTMLElement} */ (head.cloneNode(true));
    again.classList.add("again");
    list.insertBefore(again, own[from + column * rows] ?? null);
  }
}

function show() {
  const paged = wide.matches;
  document.body.classList.toggle("paged", paged);
  for (const button of [back, pause, on]) button.hidden = !paged;
  if (!paged) {
    for (const tree of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-view] .bracket"))) {
      tree.style.fontSize = /** @type {HTMLElement} */ (tree.parentElement).style.height = "";
    }
    for (const each of [...views(), .../** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".wall-list > li"))]) each.hidden = false;
    leaf.textContent = "";
    return;
  }
  let all = leaves();
  if (all.length && at >= all.length) { at -= all.length; lap += 1; all = leaves(); }
  at = all.length ? (at + all.length) % all.length : 0;
  const shown = all[at];
  for (const each of views()) each.hidden = each !== shown?.view;
  if (shown?.frame !== undefined) {
    const { frame, letters, from, to } = shown;
    /** @type {HTMLElement} */ (frame.firstElementChild).style.fontSize = `${letters}px`;
    frame.style.height = `${to}px`;
    frame.scrollTop = from;
  }
  if (shown?.list !== undefined) {
    const { list, rows, columns, letters, from, to } = shown;
    /** @type {HTMLElement | null} */
    const head = list.querySelector("[data-head]");
    list.style.fontSize = `${letters}px`;
    list.style.setProperty("--rows", String(rows + (head ? 1 : 0)));
    list.style.setProperty("--columns", String(columns));
    rowsOf(list).filter((row) => row !== head).forEach((row, number) => { row.hidden = number < from || number >= to; });
    if (head) headed(list, head, shown);
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
