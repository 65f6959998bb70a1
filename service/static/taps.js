// Choosing a line: taps on the picture and on words, whole lines, or a line that is typed.
// Whatever page it is on says which lines there are, and what becomes of the one that is chosen.

import { announce, make, say } from "./house.js";
import { FEW, exact, remaining, telling } from "./lines.js";

const panel = document.getElementById("taps");
const typed = document.getElementById("typed");
const fitting = document.getElementById("fitting");
const composer = document.getElementById("composer");

let taps = [];
let chosen = null;
let known = { lines: [], templates: [], names: {}, may_log: false };
let log = () => {};
let following = listedWords;

/** Begin: `chosenLine` is called with a line, `wordsAfter` finds what may follow the words so far. */
export function offer(lines, chosenLine, wordsAfter = listedWords) {
  known = lines;
  log = chosenLine;
  following = wordsAfter;
  draw();
}

/** The table has changed: what was begun is begun anew. */
export function renewLines(lines) {
  const before = known;
  known = lines;
  if (JSON.stringify(before.lines) !== JSON.stringify(known.lines)) {
    taps = [];
    chosen = null;
  }
  draw();
}

/** The words with which the listed lines go on after those that are there. */
async function listedWords(prefix) {
  const begun = prefix ? `${prefix} ` : "";
  const lines = [...known.lines, ...known.templates.map((form) => form.split(" ")[0])];
  const next = lines.filter((line) => line.startsWith(begun)).map((line) => line.slice(begun.length).split(" ")[0]);
  return Array.from(new Set(next.filter(Boolean)), (word) => ({ word, name: called(word) }));
}

/** A word as people say it. */
export function called(word) {
  return known.names[word] ?? word;
}

/** A line as people say it. */
export function calledLine(line) {
  return line.split(" ").map(called).join(" ");
}

// taps

function tap(word) {
  if (composer.open) return append(word);
  taps = [...taps, word];
  chosen = null;
  settle();
}

function settle() {
  const left = remaining(known.lines, taps);
  if (chosen === null && left.length === 1) chosen = left[0];
  draw();
  if (chosen === null) {
    announce(say("left", { count: left.length }));
    return;
  }
  announce(say("ready", { line: calledLine(chosen) }));
  if (taps.length && localStorage.getItem("referee at once") === "yes") logChosen();
}

/** A line is chosen; the next tap says it. */
export function choose(line) {
  chosen = line;
  taps = taps.length ? taps : [line.split(" ")[0]];
  draw();
  panel.querySelector("button.chosen")?.focus({ preventScroll: true });
  announce(say("ready", { line: calledLine(line) }));
  if (localStorage.getItem("referee at once") === "yes") logChosen();
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
  log(line);
  draw();
}

export function draw() {
  const left = remaining(known.lines, taps);
  const words = known.may_log && chosen === null ? telling(known.lines, taps) : new Map();
  light(words);
  panel.replaceChildren();
  if (!known.may_log) return;
  const only = chosen ?? (left.length === 1 ? left[0] : null);
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
    panel.append(make("div", { class: "choices" }, ...known.templates.map((form) =>
      make("button", { type: "button", "data-form": form, onclick: () => begin(form) },
        `${calledLine(form.split(" ")[0])} …`))));
  }
}

function lineButtons(lines) {
  return make("div", { class: "choices" }, ...lines.map((line) =>
    make("button", { type: "button", "data-line": line, onclick: () => choose(line) }, calledLine(line))));
}

function tapped(left) {
  return make("p", { class: "tapped" },
    ...taps.map((word) => make("span", { class: "tap" }, called(word))),
    make("span", { class: "quiet" }, say("left", { count: left.length })),
    make("button", { type: "button", class: "plain", onclick: back }, say("back")));
}

/** Words without a place first, those that leave the fewest lines before the others. */
function wordButtons(words) {
  const placed = new Set(Array.from(document.querySelectorAll("#board [data-word]"), (part) => part.dataset.word));
  const sorted = [...words].sort((one, other) => one[1] - other[1]);
  const button = ([word]) =>
    make("button", { type: "button", "data-tap": word, onclick: () => tap(word) }, called(word));
  const free = sorted.filter(([word]) => !placed.has(word)).map(button);
  const there = sorted.filter(([word]) => placed.has(word)).map(button);
  return make("div", {},
    taps.length ? null : make("p", { class: "quiet" }, say("tap_what")),
    free.length ? make("div", { class: "choices" }, ...free) : null,
    there.length
      ? make("details", { class: "placed" }, make("summary", {}, say("placed", { count: there.length })),
          make("div", { class: "choices" }, ...there))
      : null);
}

/** The parts of the picture that can come next can be tapped; keys reach the innermost ones. */
function light(words) {
  const svg = document.querySelector("#board svg");
  if (svg === null) return;
  svg.setAttribute("role", words.size ? "group" : "img");
  svg.setAttribute("aria-label", say("board"));
  if (!svg.dataset.spaced) for (const text of svg.querySelectorAll("text")) text.after(" ");
  svg.dataset.spaced = "so that what stands on a part is read as words";
  for (const part of svg.querySelectorAll("[data-word]")) {
    const lit = words.has(part.dataset.word);
    part.classList.toggle("lit", lit);
    const reached = lit && !Array.from(part.querySelectorAll("[data-word]")).some((inner) => words.has(inner.dataset.word))
      && part.parentElement.closest('[data-word][role="button"]') === null;
    for (const [name, value] of [["tabindex", "0"], ["role", "button"], ["aria-label", labelled(part)]]) {
      if (reached) part.setAttribute(name, value);
      else part.removeAttribute(name);
    }
  }
}

/** The word and what stands on the part itself. */
function labelled(part) {
  const word = called(part.dataset.word);
  const shown = Array.from(part.querySelectorAll("text"), (text) => text.textContent.trim()).filter(Boolean).join(" ");
  return shown.toLowerCase().split(" ").includes(word.toLowerCase()) ? shown : `${word} ${shown}`.trim();
}

function tapPicture(target) {
  const words = composer.open ? null : telling(known.lines, taps);
  for (let part = target.closest("[data-word]"); part; part = part.parentElement.closest("[data-word]")) {
    if (words === null || (chosen === null && words.has(part.dataset.word))) {
      tap(part.dataset.word);
      return;
    }
  }
}

document.addEventListener("click", (event) => {
  if (known.may_log && event.target.closest("#board svg")) tapPicture(event.target);
});
document.addEventListener("keydown", (event) => {
  const part = event.target.closest?.("#board [data-word]");
  if (part && (event.key === "Enter" || event.key === " ")) {
    event.preventDefault();
    tap(part.dataset.word);
  } else if (event.key === "Escape" && taps.length && !document.querySelector("dialog[open]")) {
    back();
  }
});

// a line that is typed, with the words that fit

/** Begin a line that cannot be listed: its verb stands, the values are asked for. */
function begin(form) {
  composer.open = true;
  write(`${form.split(" ")[0]} `);
  typed.focus({ preventScroll: true });
}

function append(word) {
  write(`${typed.value.trimEnd()} ${word} `.trimStart());
}

/** Whoever types on does so behind what was tapped. */
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
  const started = text.endsWith(" ") ? "" : text.split(" ").at(-1).toLowerCase();
  const found = await following(prefix);
  if (mine !== suggesting) return;
  const fits = found.filter(({ word, name }) =>
    word.toLowerCase().startsWith(started) || name.toLowerCase().startsWith(started));
  fitting.replaceChildren(...fits.slice(0, 60).map(({ word, name }) =>
    make("button", { type: "button", "data-fits": word, onclick: () => replaceLast(prefix, word) }, name)));
  fitting.dataset.after = text;
}

function replaceLast(prefix, word) {
  write(`${prefix} ${word} `.trimStart());
}

composer?.addEventListener("toggle", () => { if (composer.open) suggest(); });
typed?.addEventListener("input", suggest);
typed?.form.addEventListener("submit", (event) => {
  event.preventDefault();
  const line = typed.value.trim();
  if (!line) return;
  typed.value = "";
  fitting.replaceChildren();
  composer.open = false;
  log(line);
});
