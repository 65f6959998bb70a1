// The desk of a big hall: a table by its number or a name, tables by what they wait for, a round by keys.

import { input, make, meant, say } from "./common.js";

let filter = "";
let text = "";
/** The table that somebody works at by keys: after its result, the next open one. */
let at = 0;
/** The games that the first seat of a match has won, typed before those of the second. */
let typed = "";

/** Without accents, and in small letters: nobody types them at a desk.
 *  @param {string} words */
const plain = (words) => words.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
/** Of a long list so many rows are shown at a time: which of these leaves; at first the one with one's own row. */
let leaf = 0;

/** @param {string} selector @returns {HTMLElement[]} */
const all = (selector) => Array.from(document.querySelectorAll(selector));
/** @param {HTMLElement} row */
const number = (row) => Number(row.dataset.number);
const rows = () => all(".desk-tables > [data-number]");
const open = () => rows().filter((row) => fits(row) && row.querySelector(".result-taps button:not([data-do])") !== null);

/** @param {HTMLElement} row */
function fits(row) {
  if (filter && row.dataset.state !== filter && row.closest(".desk-tables") !== null) return false;
  const sought = plain(text.trim());
  if (/^\d+$/.test(sought) && row.dataset.number !== undefined) return row.dataset.number === sought;
  return plain(row.textContent ?? "").includes(sought);
}

/** How many rows a leaf of this list has.
 *  @param {HTMLElement} list */
const size = (list) => Number(list.dataset.window ?? Infinity);

/** The rows of a list that fit, leaf by leaf, and buttons for the leaves where there are several.
 *  @param {HTMLElement} list */
function turnTo(list) {
  const listed = /** @type {HTMLElement[]} */ (Array.from(list.children));
  const fitting = listed.filter(fits);
  const leaves = Math.max(1, Math.ceil(fitting.length / size(list)));
  leaf = Math.min(leaf, leaves - 1);
  const [from, to] = size(list) === Infinity ? [0, Infinity] : [leaf * size(list), (leaf + 1) * size(list)];
  const shown = new Set(fitting.slice(from, to));
  for (const row of listed) row.hidden = !shown.has(row);
  const whole = list.closest("table") ?? list;
  if (whole.nextElementSibling?.matches(".window")) whole.nextElementSibling.remove();
  if (leaves === 1) return;
  const called = (/** @type {number} */ at) => fitting[Math.min(at, fitting.length - 1)]?.dataset.number ?? String(Math.min(at, fitting.length - 1) + 1);
  whole.after(make("nav", { class: "window choices", "aria-label": say("leaves") }, ...Array.from({ length: leaves }, (_, at) =>
    make("button", { type: "button", "data-leaf": at, "aria-current": at === leaf ? "page" : null }, `${called(at * size(list))}–${called((at + 1) * size(list) - 1)}`))));
}

function show() {
  for (const button of all("[data-filter]")) button.setAttribute("aria-pressed", String(button.dataset.filter === filter));
  for (const list of all(".desk-tables, [data-window]")) turnTo(list);
  const found = document.getElementById("found");
  const listed = rows().length ? rows() : all("[data-window] > *");
  if (found !== null) found.textContent = text.trim() || filter ? say("found", { number: listed.filter(fits).length }) : "";
}

/** @param {HTMLElement | undefined} row */
function goTo(row) {
  if (row === undefined) return;
  at = number(row);
  const list = row.parentElement;
  if (row.hidden && list !== null) {
    leaf = Math.floor(Array.from(list.children).filter((each) => fits(/** @type {HTMLElement} */ (each))).indexOf(row) / size(list));
    show();
  }
  /** @type {HTMLElement | null} */
  const first = row.querySelector(".result-taps input, .result-taps button:not([disabled])") ?? row.querySelector("a");
  first?.focus();
  row.scrollIntoView({ block: "nearest" });
}

/** @param {number} step */
function goBy(step) {
  const listed = open();
  const later = step > 0 ? listed.find((row) => number(row) > at) : listed.findLast((row) => number(row) < at);
  goTo(later ?? (step > 0 ? listed[0] : listed.at(-1)));
}

/** The button that a key stands for: who won, there or at the next board; of a match, two figures.
 *  @param {HTMLElement} row @param {string} key @returns {HTMLButtonElement | null} */
function keyed(row, key) {
  if (/^\d$/.test(key)) {
    const games = typed ? `${typed}-${key}` : "";
    typed = typed ? "" : key;
    return games ? row.querySelector(`.result-taps [data-games="${games}"]:not([disabled])`) : null;
  }
  if (!/^[A-H=]$/.test(key)) return null;
  const board = Array.from(row.querySelectorAll(".result-taps .at-board")).find((each) => each.querySelector("[aria-pressed=true]") === null);
  return board?.querySelector(`[data-won="${key}"]:not([disabled])`) ?? row.querySelector(`.result-taps [data-place="${key}"]:not([disabled])`);
}

/** @param {KeyboardEvent} event */
function pressed(event) {
  if (event.altKey || event.ctrlKey || event.metaKey || meant(event, "dialog, textarea, select") !== null) return;
  if (event.target === document.getElementById("find")) {
    if (event.key === "Enter") { event.preventDefault(); goTo(open()[0] ?? rows().find(fits)); }
    if (event.key === "Escape") { text = ""; input("find").value = ""; show(); }
    return;
  }
  const row = meant(event, ".desk-tables > [data-number]");
  const typing = meant(event, "input") !== null;
  if (event.key === "/" && !typing && document.getElementById("find") !== null) { event.preventDefault(); input("find").focus(); input("find").select(); }
  if (row === null) return;
  if (at !== number(row)) typed = "";
  at = number(row);
  if (event.key === "ArrowDown" || event.key === "ArrowUp") { event.preventDefault(); goBy(event.key === "ArrowDown" ? 1 : -1); }
  if (event.key === "Escape") { event.preventDefault(); input("find").focus(); input("find").select(); }
  if (typing) return;
  const button = keyed(row, event.key.toUpperCase());
  if (button === null) return;
  event.preventDefault();
  button.click();
}

/** The table whose result has come by keys is done: the next one that is still open. */
function goOn() {
  show();
  const done = rows().find((row) => number(row) === at);
  if (at && (document.activeElement === null || document.activeElement === document.body) && done?.dataset.state === "done") {
    text = "";
    const field = /** @type {HTMLInputElement | null} */ (document.getElementById("find"));
    if (field !== null) field.value = "";
    show();
    goBy(1);
  }
}

export function findTables() {
  document.querySelector("#tabs [aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" });
  document.addEventListener("input", (event) => {
    if (event.target !== document.getElementById("find")) return;
    text = input("find").value;
    leaf = 0;
    show();
  });
  document.addEventListener("click", (event) => {
    const button = meant(event, "[data-filter], [data-leaf]");
    if (button === null) return;
    filter = button.dataset.filter ?? filter;
    leaf = Number(button.dataset.leaf ?? 0);
    show();
    if ("leaf" in button.dataset) /** @type {HTMLElement | null} */ (document.querySelector(`[data-leaf="${leaf}"]`))?.focus();
  });
  document.addEventListener("keydown", pressed);
  document.addEventListener("refreshed", goOn);
  const own = /** @type {HTMLElement | null} */ (document.querySelector("[data-window] > .own"));
  const list = own?.parentElement;
  if (own && list) leaf = Math.floor(Array.from(list.children).indexOf(own) / size(list));
  show();
}
