// The desk of a big hall: a table by its number or a name, tables by what they wait for, a round by keys.

import { byId, input, meant, say } from "./common.js";

let filter = "";
let text = "";
/** The table that somebody works at by keys: after its result, the next open one. */
let at = 0;
/** The games that the first seat of a match has won, typed before those of the second. */
let typed = "";

/** Without accents, and in small letters: nobody types them at a desk.
 *  @param {string} words */
const plain = (words) => words.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
/** @param {string} selector @returns {HTMLElement[]} */
const all = (selector) => Array.from(document.querySelectorAll(selector));
/** @param {HTMLElement} row */
const number = (row) => Number(row.dataset.number);
const rows = () => all(".desk-tables > [data-number]");
const open = () => rows().filter((row) => !row.hidden && row.querySelector(".result-taps button:not([data-do])") !== null);

/** @param {HTMLElement} row */
function fits(row) {
  if (filter && row.dataset.state !== filter) return false;
  const sought = plain(text.trim());
  if (/^\d+$/.test(sought) && row.dataset.number !== undefined) return row.dataset.number === sought;
  return plain(row.textContent ?? "").includes(sought);
}

function show() {
  const field = document.getElementById("find");
  if (field === null) return;
  for (const button of all("[data-filter]")) button.setAttribute("aria-pressed", String(button.dataset.filter === filter));
  for (const row of all(".desk-tables > li:not([data-number])")) row.hidden = filter !== "" || !fits(row);
  for (const row of rows()) row.hidden = !fits(row);
  for (const row of all("#players li")) row.hidden = text.trim() !== "" && !plain(row.textContent ?? "").includes(plain(text.trim()));
  byId("found").textContent = text.trim() || filter ? say("found", { number: rows().filter((row) => !row.hidden).length }) : "";
}

/** @param {HTMLElement | undefined} row */
function goTo(row) {
  if (row === undefined) return;
  at = number(row);
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
    if (event.key === "Enter") { event.preventDefault(); goTo(open()[0] ?? rows().find((row) => !row.hidden)); }
    if (event.key === "Escape") { text = ""; input("find").value = ""; show(); }
    return;
  }
  const row = meant(event, ".desk-tables > [data-number]");
  const typing = meant(event, "input") !== null;
  if (event.key === "/" && !typing) { event.preventDefault(); input("find").focus(); input("find").select(); }
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
  document.addEventListener("input", (event) => {
    if (event.target !== document.getElementById("find")) return;
    text = input("find").value;
    show();
  });
  document.addEventListener("click", (event) => {
    const button = meant(event, "[data-filter]");
    if (button === null) return;
    filter = button.dataset.filter ?? "";
    show();
  });
  document.addEventListener("keydown", pressed);
  document.addEventListener("refreshed", goOn);
  show();
}
