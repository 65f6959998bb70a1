// Choosing a line: taps on the picture and on words, whole lines, or a line that is typed.
// Whatever page it is on says which lines there are, and what becomes of the one that is chosen.

import { announce, byId, input, kept, make, meant, say } from "./common.js";
import { FEW, alike, exact, joining, remaining, telling } from "./lines.js";
import { gate, whenOpened } from "./tap_guard.js";

const panel = byId("taps");
const typed = input("typed");
const fitting = byId("fitting");
const composer = /** @type {HTMLDetailsElement} */ (byId("composer"));

/** @type {string[]} */
let taps = [];
/** @type {string | null} */
let chosen = null;
/** @type {Sayable} */
let known = { lines: [], templates: [], names: {}, may_log: false };
/** @type {(line: string) => void} */
let log = () => {};
let following = listedWords;
/** @type {(word: string, lines: string[]) => unknown} */
let whyNot = () => {};

/** Begin: `chosenLine` is called with a line, `wordsAfter` finds what may follow the words so far,
 *  `notLegal` hears of a tap on what is not legal, and of the lines that may have been meant.
 *  @param {Sayable} lines @param {(line: string) => void} chosenLine @param {(prefix: string) => Promise<Following[]>} wordsAfter
 *  @param {(word: string, lines: string[]) => unknown} notLegal */
export function offer(lines, chosenLine, wordsAfter = listedWords, notLegal = () => {}) {
  known = lines;
  log = chosenLine;
  following = wordsAfter;
  whyNot = notLegal;
  draw();
}

/** The table has changed: what was begun is begun anew.
 *  @param {Sayable} lines */
export function renewLines(lines) {
  const before = known;
  known = lines;
  if (JSON.stringify(before.lines) !== JSON.stringify(known.lines)) {
    taps = [];
    chosen = null;
  }
  draw();
}

/** The words with which the listed lines go on after those that are there.
 *  @param {string} prefix @returns {Promise<Following[]>} */
async function listedWords(prefix) {
  const begun = prefix ? `${prefix} ` : "";
  const lines = [...known.lines, ...known.templates.map(verb)];
  const next = lines.filter((line) => line.startsWith(begun)).map((line) => verb(line.slice(begun.length)));
  return Array.from(new Set(next.filter(Boolean)), (word) => ({ word, name: called(word) }));
}

/** The first word of a line.
 *  @param {string} line */
function verb(line) {
  return line.split(" ")[0] ?? "";
}

/** A word as people say it.
 *  @param {string} word @returns {string} */
export function called(word) {
  return known.names[word] ?? word;
}

/** What the button of a line says: what it does, and who, where several could.
 *  @param {string} line */
export function calledLine(line) {
  const label = known.labels?.[line] ?? line.split(" ").map(called).join(" ");
  const whose = known.whose?.[line];
  return whose ? `${whose} · ${label}` : label;
}

/** The club's own pictures of the components that a line names: a bare number may be a place, a first letter is a seat.
 *  @param {string} line */
function pictured(line) {
  const words = line.split(" ");
  const named = words.filter((word, at) => !/^\d+$/.test(word) && !(at === 0 && words.length > 1 && /^[A-H]$/.test(word)));
  const found = named.map((word) => known.pictures?.[word]).filter((address) => address !== undefined);
  return found.length ? make("span", { class: "line-pieces" }, ...found.map((src) => make("img", { src, alt: "" }))) : null;
}

/** The forms of the lines that cannot be listed; those that are begun in the same way once. */
function begunForms() {
  const byLabel = new Map(known.templates.map((form) => [known.labels?.[form] ?? called(verb(form)), form]));
  return [...byLabel].map(([label, form]) => ({ label, form }));
}

// taps

/** @param {string} word */
function tap(word) {
  if (composer.open) {
    append(word);
    return;
  }
  taps = [...taps, word];
  chosen = null;
  settle();
}

function settle() {
  const left = remaining(known.lines, taps);
  if (chosen === null && left.length === 1) chosen = left[0] ?? null;
  draw();
  if (chosen === null) {
    announce(say("left", { count: left.length }));
    return;
  }
  announce(say("ready", { line: calledLine(chosen) }));
  if (taps.length && kept("referee at once") === "yes") logChosen();
}

/** A line is chosen; the next tap says it.
 *  @param {string} line */
export function choose(line) {
  chosen = line;
  taps = taps.length ? taps : [verb(line)];
  draw();
  /** @type {HTMLElement | null} */ (panel.querySelector("button.chosen"))?.focus({ preventScroll: true });
  announce(say("ready", { line: calledLine(line) }));
  if (kept("referee at once") === "yes") logChosen();
}

function back() {
  chosen = null;
  taps = taps.slice(0, -1);
  draw();
}

function logChosen() {
  const line = chosen;
  taps = [];
  chosen = null;
  if (line !== null) log(line);
  draw();
}

export function draw() {
  const left = remaining(known.lines, taps);
  const words = known.may_log && chosen === null ? telling(known.lines, taps) : new Map();
  light(words);
  const stoodOn = panel.contains(document.activeElement);
  panel.replaceChildren();
  if (known.may_log) fill(words, left);
  gate.renew("taps", offered());
  if (stoodOn) /** @type {HTMLElement | null} */ (panel.querySelector("button"))?.focus({ preventScroll: true });
}

/** What the panel offers, and where: buttons that have moved are other buttons to a finger. */
function offered() {
  const buttons = Array.from(panel.querySelectorAll("button"), ({ dataset: { line, tap: word, form } }) => line ?? word ?? form ?? "");
  return [Math.round(panel.getBoundingClientRect().top), ...buttons].join("\n");
}

/** @param {Map<string, number>} words @param {string[]} left */
function fill(words, left) {
  const only = chosen ?? (left.length === 1 ? left[0] ?? null : null);
  if (taps.length || chosen) panel.append(tapped(left));
  if (only !== null) {
    chosen = only;
    panel.append(
      make("button", { class: "main chosen", type: "button", "data-line": only, onclick: logChosen },
        make("span", {}, calledLine(only)), make("small", {}, say("log"))),
    );
  } else if (left.length && left.length <= FEW) {
    panel.append(lineButtons(left));
  } else if (left.length) {
    const alone = taps.length ? exact(known.lines, taps) : [];
    if (alone.length) panel.append(lineButtons(alone));
    panel.append(wordButtons(words));
  }
  if (!taps.length && known.templates.length) {
    panel.append(make("div", { class: "choices" }, ...begunForms().map(({ label, form }) =>
      make("button", { type: "button", "data-form": form, onclick: () => begin(form) }, `${label} …`))));
  }
}

/** A button says the whole line: tapping it is logging it.
 *  @param {string[]} lines */
function lineButtons(lines) {
  return make("div", { class: "choices" }, ...lines.map((line) =>
    make("button", { type: "button", "data-line": line, onclick: () => logWhole(line) }, pictured(line), calledLine(line))));
}

/** The second of two quick taps on the same button is the same tap. */
const TWICE = 400;
let last = { line: "", at: 0 };

/** @param {string} line */
function logWhole(line) {
  if (line === last.line && Date.now() - last.at < TWICE) return;
  last = { line, at: Date.now() };
  chosen = line;
  logChosen();
}

/** @param {string[]} left */
function tapped(left) {
  return make("p", { class: "tapped" },
    ...taps.map((word) => make("span", { class: "tap" }, called(word))),
    make("span", { class: "quiet" }, say("left", { count: left.length })),
    make("button", { type: "button", class: "plain", onclick: back }, say("back")));
}

/** Words without a place first, those that leave the fewest lines before the others.
 *  @param {Map<string, number>} words */
function wordButtons(words) {
  const placed = onBoard();
  const sorted = [...words].sort((one, other) => one[1] - other[1]);
  const button = (/** @type {[string, number]} */ [word]) =>
    make("button", { type: "button", "data-tap": word, onclick: () => tap(word) }, pictured(word), called(word));
  const waits = taps.length ? new Set() : joining(known.lines, words, known.small ?? []);
  const free = sorted.filter(([word]) => !placed.has(word) && !waits.has(word)).map(button);
  const there = sorted.filter(([word]) => placed.has(word)).map(button);
  return make("div", {},
    taps.length ? null : make("p", { class: "quiet" }, say("tap_what")),
    free.length ? make("div", { class: "choices" }, ...free) : null,
    there.length
      ? make("details", { class: "placed" }, make("summary", {}, say("placed", { count: there.length })),
          make("div", { class: "choices" }, ...there))
      : null);
}

/** @param {string} selector @param {ParentNode} whole @returns {NodeListOf<SVGElement>} */
function parts(selector, whole = document) {
  return whole.querySelectorAll(selector);
}

/** The words that have a place on the board. */
function onBoard() {
  return new Set(Array.from(parts("#board [data-word]"), wordOf));
}

/** The word of a part of the picture.
 *  @param {SVGElement} part */
function wordOf(part) {
  return part.dataset.word ?? "";
}

/** The part of the picture around another that has a word.
 *  @param {Element | null} part @returns {SVGElement | null} */
function around(part, selector = "[data-word]") {
  return part?.parentElement?.closest(selector) ?? null;
}

/** The words of the parts that can come next.
 *  @type {Map<string, number>} */
let shining = new Map();

/** A part glows while it can be tapped. */
function glow() {
  const open = gate.refusal("board") === null;
  for (const part of parts("#board svg [data-word]")) part.classList.toggle("lit", open && shining.has(wordOf(part)));
}

/** The parts of the picture that can come next can be tapped; keys reach the innermost ones.
 *  @param {Map<string, number>} words */
function light(words) {
  shining = words;
  gate.renew("board", Array.from(words.keys()).sort().join(" "));
  glow();
  /** @type {SVGSVGElement | null} */
  const svg = document.querySelector("#board svg");
  if (svg === null) return;
  svg.setAttribute("role", words.size ? "group" : "img");
  svg.setAttribute("aria-label", say("board"));
  if (!svg.dataset.spaced) for (const text of svg.querySelectorAll("text")) text.after(" ");
  svg.dataset.spaced = "so that what stands on a part is read as words";
  for (const part of parts("[data-word]", svg)) {
    const reached = words.has(wordOf(part)) && !Array.from(parts("[data-word]", part)).some((inner) => words.has(wordOf(inner)))
      && around(part, '[data-word][role="button"]') === null;
    for (const [name, value] of Object.entries({ tabindex: "0", role: "button", "aria-label": labelled(part) })) {
      if (reached) part.setAttribute(name, value);
      else part.removeAttribute(name);
    }
  }
}

/** The word and what stands on the part itself.
 *  @param {SVGElement} part */
function labelled(part) {
  const word = called(wordOf(part));
  const shown = Array.from(part.querySelectorAll("text"), (text) => text.textContent?.trim()).filter(Boolean).join(" ");
  return shown.toLowerCase().split(" ").includes(word.toLowerCase()) ? shown : `${word} ${shown}`.trim();
}

/** A finger is so wide: what can be tapped and is smaller is found beside it. */
const FINGER = 22;

/** What can be tapped and is nearest to a finger, if it is near enough.
 *  @param {MouseEvent} event */
function nearestLit({ clientX, clientY }) {
  const away = (/** @type {SVGElement} */ part) => {
    const { left, right, top, bottom } = part.getBoundingClientRect();
    return Math.hypot(Math.max(left - clientX, 0, clientX - right), Math.max(top - clientY, 0, clientY - bottom));
  };
  const near = Array.from(parts("#board .lit"), (part) => ({ part, far: away(part) })).filter(({ far }) => far <= FINGER);
  return near.sort((one, other) => one.far - other.far)[0]?.part ?? null;
}

/** @param {SVGElement | null} innermost @param {MouseEvent} event */
function tapPicture(innermost, event) {
  if (composer.open) {
    if (innermost) tap(wordOf(innermost));
    return;
  }
  const begun = chosen === null ? taps : [];
  const words = telling(known.lines, begun);
  for (let part = innermost; part; part = around(part)) {
    if (!words.has(wordOf(part))) continue;
    taps = begun;
    tap(wordOf(part));
    return;
  }
  const near = nearestLit(event);
  if (near) tap(wordOf(near));
  else if (innermost && event.detail < 2) whyNot(wordOf(innermost), alike(known.lines, begun, wordOf(innermost), onBoard()));
}

/** The innermost part with a word where the picture was tapped.
 *  @param {Event} event @returns {SVGElement | null} */
function wordPart(event) {
  return /** @type {Element} */ (event.target).closest("[data-word]");
}

whenOpened(glow);
document.addEventListener("click", (event) => {
  if (known.may_log && meant(event, "#board svg")) tapPicture(wordPart(event), event);
});
document.addEventListener("keydown", (event) => {
  const part = meant(event, "#board svg") && wordPart(event);
  if (part && (event.key === "Enter" || event.key === " ")) {
    event.preventDefault();
    tap(wordOf(part));
  } else if (event.key === "Escape" && taps.length && !document.querySelector("dialog[open]")) {
    back();
  }
});

// a line that is typed, with the words that fit

/** On a touch screen the keyboard comes up only for whoever taps into the line: it would cover the words. */
const hasKeyboard = matchMedia("(hover: hover)");

/** Begin a line that cannot be listed: its verb stands, the values are asked for.
 *  @param {string} form */
function begin(form) {
  composer.open = true;
  write(`${verb(form)} `);
  if (hasKeyboard.matches) typed.focus({ preventScroll: true });
}

/** A line that was not understood comes back, to be mended.
 *  @param {string} line */
export function retype(line) {
  composer.open = true;
  write(line);
}

/** @param {string} word */
function append(word) {
  write(`${typed.value.trimEnd()} ${word} `.trimStart());
}

/** Whoever types on does so behind what was tapped.
 *  @param {string} text */
function write(text) {
  typed.value = text;
  typed.setSelectionRange(text.length, text.length);
  suggest();
}

let suggesting = 0;

async function suggest() {
  const mine = ++suggesting;
  const text = typed.value;
  const prefix = text.endsWith(" ") ? text.trim() : text.split(" ").slice(0, -1).join(" ");
  const started = text.endsWith(" ") ? "" : (text.split(" ").at(-1) ?? "").toLowerCase();
  const found = await following(prefix);
  if (mine !== suggesting) return;
  const fits = found.filter(({ word, name }) =>
    word.toLowerCase().startsWith(started) || name.toLowerCase().startsWith(started));
  fitting.replaceChildren(...fits.slice(0, 60).map(({ word, name }) =>
    make("button", { type: "button", "data-fits": word, onclick: () => replaceLast(prefix, word) }, name)));
  fitting.dataset.after = text;
}

/** @param {string} prefix @param {string} word */
function replaceLast(prefix, word) {
  write(`${prefix} ${word} `.trimStart());
}

composer.addEventListener("toggle", () => { if (composer.open) suggest(); });
typed.addEventListener("input", suggest);
typed.form?.addEventListener("submit", (event) => {
  event.preventDefault();
  const line = typed.value.trim();
  if (!line) return;
  typed.value = "";
  fitting.replaceChildren();
  composer.open = false;
  log(line);
});
