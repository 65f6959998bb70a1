// Choosing a line: taps on the picture and on words, whole lines, or a line that is typed.
// Whatever page it is on says which lines there are, and what becomes of the one that is chosen.

import { announce, byId, input, kept, make, meant, onlyLast, say } from "./common.js";
import { FEW, alike, amounts, exact, inRow, joining, remaining, telling, together } from "./lines.js";

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

/** How the referee calls lines that it does not offer.
 *  @param {Record<string, string>} labels */
export function callLines(labels) {
  known.labels = { ...labels, ...known.labels };
}

/** What the button of a line says: what it does, and who, where several could.
 *  @param {string} line */
export function calledLine(line) {
  const label = known.labels?.[line] ?? line.split(" ").map(called).join(" ");
  const [first = line, ...others] = line.split("; ");
  if (others.length && together([first, ...others]).length) return say("for_all", { line: known.labels?.[first] ?? first });
  const whose = known.whose?.[line];
  return whose ? `${whose} · ${label}` : label;
}

/** The components that a line names, on the club's own pictures or as they are drawn: a bare number may be a place, a
 *  first letter is a seat.
 *  @param {string} line @param {{ pictures?: Record<string, string>, drawings?: Record<string, string> }} shown */
export function pictured(line, { pictures, drawings } = known) {
  const words = line.split(" ");
  const named = words.filter((word, at) => !/^\d+$/.test(word) && !(at === 0 && words.length > 1 && /^[A-H]$/.test(word)));
  const found = named.map((word) => {
    const src = pictures?.[word];
    return src === undefined ? drawing(drawings?.[word]) : make("img", { src, alt: "" });
  }).filter((part) => part !== null);
  return found.length ? make("span", { class: "line-pieces", "aria-hidden": "true" }, ...found) : null;
}

/** A component on a button: as it is drawn, with its name; its code is read aloud alone, where a drawing shows which it is.
 *  @param {string} word @param {string} [name] @param {Parameters<typeof pictured>[1]} [shown] @returns {(Element | string | null)[]} */
export function component(word, name = called(word), shown = known) {
  const drawn = pictured(word, shown);
  const isCode = word.length < 3 || /\d/.test(word);
  if (drawn === null || !isCode || !name.split(" ").includes(word)) return [drawn, name];
  return [drawn, name.replace(word, "").trim(), make("span", { class: "unseen" }, ` ${word}`)];
}

/** A drawing of the referee as a part of the page.
 *  @param {string} [svg] */
function drawing(svg) {
  if (!svg) return null;
  const drawn = document.importNode(new DOMParser().parseFromString(svg, "image/svg+xml").documentElement, true);
  for (const words of drawn.querySelectorAll("title, desc")) words.remove();
  return drawn;
}

/** The forms of the lines that cannot be listed; those that are begun in the same way once. */
function begunForms() {
  const byLabel = new Map(known.templates.map((form) => [known.labels?.[form] ?? called(verb(form)), form]));
  return [...byLabel].map(([label, form]) => ({ label, form }));
}

// the gate before taps: one tap is one move. From sending a line to the options that follow it no tap is
// taken, and options that have just appeared take none for a moment: the second half of a double tap
// would choose what nobody has read yet. The gate listens before everybody else, so that whoever takes
// taps need not know of it. Keys and screen readers click without a finger, and what is drawn or
// flicked is no second half of a double tap: they are not held up.

/** So long options that have just appeared take no tap, in milliseconds. */
export const DEAD_TIME = 300;

export class TapGate {
  /** `later(act, wait)` is the clock; `changed()` hears whenever an area may have opened or closed.
   *  @param {{ later: (act: () => void, wait: number) => unknown, changed: () => void }} parts */
  constructor({ later, changed }) {
    this.later = later;
    this.changed = changed;
    /** Whether a line of this device is on its way, or its answer is not shown yet.
     *  @type {() => boolean} */
    this.underWay = () => false;
    /** Areas that reckon with their own lines on their way, each with whether nothing else is on its way.
     *  @type {Map<string, () => boolean>} */
    this.reckoning = new Map();
    /** What each area offered when taps were last taken there.
     *  @type {Map<string, string>} */
    this.offered = new Map();
    /** What areas offer since, while a line is on its way.
     *  @type {Map<string, string>} */
    this.renewed = new Map();
    /** The areas whose options have just appeared, each with its own dead time.
     *  @type {Map<string, symbol>} */
    this.fresh = new Map();
  }

  /** An area offers these options; if they are the same as before, it goes on taking taps.
   *  @param {string} area @param {string} options */
  renew(area, options) {
    this.renewed.set(area, options);
    this.check();
  }

  /** Look again whether a line is on its way. */
  check() {
    for (const [area, options] of Array.from(this.renewed)) {
      if (this.waits(area)) continue;
      this.renewed.delete(area);
      this.compare(area, options);
    }
    this.changed();
  }

  /** Whether an area waits for what a line on its way will change.
   *  @param {string} area */
  waits(area) {
    return this.underWay() && !this.reckoning.get(area)?.();
  }

  /** @param {string} area @param {string} options */
  compare(area, options) {
    const before = this.offered.get(area);
    this.offered.set(area, options);
    if (before === undefined || before === options) return;
    const appeared = Symbol(area);
    this.fresh.set(area, appeared);
    this.later(() => {
      if (this.fresh.get(area) !== appeared) return;
      this.fresh.delete(area);
      this.changed();
    }, DEAD_TIME);
  }

  /** Why an area takes no tap; null: it takes them.
   *  @param {string} area @returns {"under way" | "fresh" | null} */
  refusal(area) {
    if (this.waits(area)) return "under way";
    return this.fresh.has(area) ? "fresh" : null;
  }
}

/** Where a tap may say a line, or take one back. */
const AREAS = {
  taps: "#taps",
  trays: "#trays",
  board: "#board svg",
  verdict: "#verdict",
  tools: "#tools :is([data-do=undo], [data-do=redo], [data-do=put-back])",
  composer: "#composer form .main",
};
/** So long a tap that was dropped is told. */
const TOLD = 2500;

export const gate = new TapGate({ later: (act, wait) => setTimeout(act, wait), changed: show });

/** What takes no tap is marked, and does not glow. */
function show() {
  const closed = Object.keys(AREAS).filter((area) => gate.refusal(area) !== null).join(" ");
  const { dataset } = document.body;
  if (closed === (dataset.closed ?? "")) return;
  if (closed) dataset.closed = closed;
  else delete dataset.closed;
  glow();
}

const sign = make("p", { id: "dropped", class: "dropped", role: "status", "aria-live": "polite" });
(document.querySelector("main") ?? document.body).append(sign);
/** @type {ReturnType<typeof setTimeout> | undefined} */
let fading;

/** @param {string} text */
function tell(text) {
  clearTimeout(fading);
  sign.textContent = text;
  if (text) fading = setTimeout(() => tell(""), TOLD);
}

/** Why what was tapped takes no tap. What only unfolds is not held up, nor a part of the picture whose
 *  word is written into a line that is typed; an open place of the picture belongs to its tray.
 *  @param {Event} event @returns {ReturnType<typeof gate.refusal>} */
function refusal(event) {
  if (meant(event, "#board .open-place")) return gate.waits("trays") ? "under way" : null;
  const area = Object.entries(AREAS).find(([, selector]) => meant(event, selector) !== null)?.[0];
  if (area === undefined || meant(event, "summary, a")) return null;
  return area === "board" && document.querySelector("#composer[open]") ? null : gate.refusal(area);
}

/** @param {Event} event */
function stop(event) {
  event.stopImmediatePropagation();
  event.preventDefault();
}

/** Why the finger that is down was not taken.
 *  @type {ReturnType<typeof refusal>} */
let pressed = null;
/** Whether the last tap was dropped: a double tap is then nothing else either. */
let dropped = false;

document.addEventListener("pointerdown", (event) => { pressed = refusal(event); }, true);
document.addEventListener("click", (event) => {
  const reason = event.detail > 0 ? pressed ?? refusal(event) : null;
  pressed = null;
  dropped = reason !== null;
  if (!dropped) return;
  stop(event);
  if (reason === "under way") tell(say("tap_dropped"));
}, true);
document.addEventListener("dblclick", (event) => { if (dropped) stop(event); }, true);

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
  light(new Map(words));
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
    const all = together(left).join("; ");
    panel.append(lineButtons(all ? [all, ...left] : left));
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
  const left = remaining(known.lines, taps);
  const button = (/** @type {[string, number]} */ [word]) =>
    make("button", { type: "button", "data-tap": word, onclick: () => tap(word) }, ...component(word, who(word, left) ?? called(word)));
  const waits = taps.length ? new Set() : joining(known.lines, words, known.small ?? []);
  const numbers = countsIn(words);
  const rowed = inRow(left, placed);
  const isFree = (/** @type {string} */ word) => !placed.has(word) || rowed.has(word) || Boolean(who(word, left));
  const free = sorted.filter(([word]) => isFree(word) && !waits.has(word) && !numbers.includes(word)).map(button);
  const there = sorted.filter(([word]) => !isFree(word) && !numbers.includes(word)).map(button);
  return make("div", {},
    taps.length ? null : make("p", { class: "quiet" }, say("tap_what")),
    ...[numbers.map((word) => button([word, 0])), free].filter((row) => row.length).map((row) => make("div", { class: "choices" }, ...row)),
    there.length
      ? make("details", { class: "placed" }, make("summary", {}, say("placed", { count: there.length })),
          make("div", { class: "choices" }, ...there))
      : null);
}

/** Who a word is, where several could act: they are chosen by name, wherever their pieces lie.
 *  @param {string} word @param {string[]} lines */
function who(word, lines) {
  const own = lines.find((line) => line.startsWith(`${word} `));
  return own && known.whose?.[own];
}

/** @param {string} selector @param {ParentNode} whole @returns {NodeListOf<SVGElement>} */
function parts(selector, whole = document) {
  return whole.querySelectorAll(selector);
}

/** The words that say how many.
 *  @param {Map<string, number>} words */
function countsIn(words) {
  return amounts(remaining(known.lines, taps), words.keys(), known.amounts ?? []);
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

/** What belongs to a seat lies in a part with its letter. */
const OF_SEAT = Array.from("ABCDEFGH", (seat) => `[data-word=${seat}]`).join();

/** The part of the picture around another that has a word.
 *  @param {Element | null} part @returns {SVGElement | null} */
function around(part, selector = "[data-word]") {
  return part?.parentElement?.closest(selector) ?? null;
}

/** The parts that can come next.
 *  @type {Set<SVGElement>} */
let shining = new Set();

/** The parts of the picture that some words name. Of pieces of one name those of another player are not
 *  meant, where whoever acts has such a piece, or it lies there for all.
 *  @param {Map<string, number>} words */
function named(words) {
  const owner = (/** @type {SVGElement} */ part) => around(part, OF_SEAT)?.dataset.word;
  const found = Array.from(parts("#board svg [data-word]")).filter((part) => words.has(wordOf(part)));
  const left = remaining(known.lines, taps).map((line) => line.split(" "));
  return new Set(Array.from(new Set(found.map(wordOf))).flatMap((word) => {
    const alike = found.filter((part) => wordOf(part) === word);
    const acting = new Set(left.filter((line) => line.includes(word)).flat());
    const own = alike.filter((part) => acting.has(owner(part) ?? word));
    return own.length ? own : alike;
  }));
}

/** A part glows while it can be tapped. */
function glow() {
  const open = gate.refusal("board") === null;
  for (const part of parts("#board svg [data-word]")) part.classList.toggle("lit", open && shining.has(part));
}

/** The parts of the picture that can come next can be tapped; keys reach the innermost ones.
 *  @param {Map<string, number>} words */
function light(words) {
  for (const word of countsIn(words)) words.delete(word);
  shining = named(words);
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
    const reached = shining.has(part) && !Array.from(parts("[data-word]", part)).some((inner) => shining.has(inner))
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
/** What is smaller than so many pixels is tapped as if it were so large, whatever lies around it. */
const TARGET = 24;

/** What can be tapped and is nearest to a finger, if it is near enough; of small things (`within`) the one in
 *  whose target it is.
 *  @param {MouseEvent} event */
function nearestLit({ clientX, clientY }, within = false) {
  const near = Array.from(parts("#board .lit"), (part) => {
    const { left, top, width, height } = part.getBoundingClientRect();
    const [x, y] = [Math.abs(clientX - left - width / 2), Math.abs(clientY - top - height / 2)];
    const far = within ? Math.hypot(x, y) : Math.hypot(Math.max(0, x - width / 2), Math.max(0, y - height / 2));
    const hit = within ? width > 0 && Math.min(width, height) < TARGET && x <= Math.max(width, TARGET) / 2 && y <= Math.max(height, TARGET) / 2 : far <= FINGER;
    return { part, far, hit };
  }).filter(({ hit }) => hit);
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
  for (const word of amounts(remaining(known.lines, begun), words.keys(), known.amounts ?? [])) words.delete(word);
  /** @type {SVGElement | null} */
  let part = nearestLit(event, true) ?? innermost;
  while (part && !words.has(wordOf(part))) part = around(part);
  if (part) taps = begun;
  part ??= nearestLit(event);
  if (part) tap(wordOf(part));
  else if (innermost && event.detail < 2) {
    const owner = around(innermost, OF_SEAT)?.dataset.word;
    const own = owner !== undefined && remaining(known.lines, begun).some((line) => line.startsWith(`${owner} `));
    whyNot(wordOf(innermost), alike(known.lines, begun, wordOf(innermost), onBoard(), own));
  }
}

/** The innermost part with a word where the picture was tapped.
 *  @param {Event} event @returns {SVGElement | null} */
function wordPart(event) {
  return /** @type {Element} */ (event.target).closest("[data-word]");
}

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

const suggested = onlyLast();

async function suggest() {
  const text = typed.value;
  const prefix = text.endsWith(" ") ? text.trim() : text.split(" ").slice(0, -1).join(" ");
  const started = text.endsWith(" ") ? "" : (text.split(" ").at(-1) ?? "").toLowerCase();
  const found = await suggested(following(prefix));
  if (found === null) return;
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
