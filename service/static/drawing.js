// Pointing at the picture: a tap rings a space, a stroke from one to another is an arrow.

import { announce, make, say } from "./common.js";
import { Pointing, nearest, picture, points } from "./spaces.js";

const SVG = "http://www.w3.org/2000/svg";
const INK = "#b00020";
const pointing = /** @type {HTMLElement} */ (document.getElementById("pointing"));
const pen = new Pointing(document.getElementById("draw"));
const list = /** @type {HTMLElement} */ (document.getElementById("drawn"));

/** What is drawn: `[space]` is a ring, `[start, end]` an arrow. */
let drawn = /** @type {string[][]} */ ([]);
/** @type {string | null | undefined} */
let begun = null;

/** @param {string[]} shape */
function toggle(shape) {
  const same = (/** @type {string[]} */ other) => other.join(" ") === shape.join(" ");
  drawn = drawn.some(same) ? drawn.filter((other) => !same(other)) : [...drawn, shape];
  announce(told(shape));
  show();
}

/** @param {string[]} shape */
function told(shape) {
  return shape.join(" → ");
}

/** What a note says of it. */
export function pointed() {
  return { marks: drawn.filter((shape) => shape.length === 1).flat(), arrows: drawn.filter((shape) => shape.length === 2) };
}

/** A new sheet; nothing is drawn on it, and it can be drawn on if it is the board as played.
 *  @param {boolean} possible */
export function clearDrawing(possible) {
  drawn = [];
  pointing.hidden = !possible;
  if (!possible) pen.turn(false);
  show();
}

function show() {
  list.replaceChildren(...drawn.map((shape) => make("li", {},
    make("button", { type: "button", onclick: () => toggle(shape) }, `${told(shape)} ✕`, make("span", { class: "unseen" }, ` ${say("take_off")}`)))));
  const names = points().map(({ space }) => space);
  for (const choice of pointing.querySelectorAll("select")) {
    if (Array.from(choice.options, (option) => option.value).join(" ") === ["", ...names].join(" ")) continue;
    choice.replaceChildren(...["", ...names].map((space) => make("option", { value: space }, space || "–")));
  }
  picture()?.querySelector(".drawing")?.remove();
  const board = picture();
  if (drawn.length && board) board.append(overlay(board));
}

/** @param {SVGSVGElement} board */
function overlay(board) {
  const { width, height } = board.viewBox.baseVal;
  const size = Math.max(10, Math.min(width, height) / 30);
  const places = Object.fromEntries(points().map((point) => [point.space, point]));
  const layer = shape("g", { class: "drawing", "pointer-events": "none", fill: "none", stroke: INK, "stroke-linecap": "round" });
  for (const spaces of drawn) {
    const [from, to] = spaces.map((space) => /** @type {Point | undefined} */ (places[space]));
    if (from === undefined || (spaces.length === 2 && to === undefined)) continue;
    layer.append(to === undefined
      ? shape("circle", { cx: from.x, cy: from.y, r: size, "stroke-width": size / 4 })
      : shape("path", { d: arrow(from, to, size), "stroke-width": size / 3 }));
  }
  return layer;
}

/** @param {Point} from @param {Point} to @param {number} size */
function arrow(from, to, size) {
  const angle = Math.atan2(to.y - from.y, to.x - from.x);
  const barb = (/** @type {number} */ turn) => `${to.x - size * Math.cos(angle + turn)} ${to.y - size * Math.sin(angle + turn)}`;
  return `M${from.x} ${from.y}L${to.x} ${to.y}M${barb(0.5)}L${to.x} ${to.y}L${barb(-0.5)}`;
}

/** @param {string} tag @param {Record<string, string | number>} attributes */
function shape(tag, attributes) {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
  return made;
}

document.addEventListener("pointerdown", (event) => {
  begun = pen.hears(event) ? nearest(event) : null;
}, true);
document.addEventListener("pointerup", (event) => {
  if (begun === null || begun === undefined || picture() === null) return;
  const end = nearest(event);
  toggle(end === undefined || end === begun ? [begun] : [begun, end]);
  begun = null;
}, true);
document.addEventListener("pointercancel", () => { begun = null; });
document.getElementById("point")?.addEventListener("click", () => {
  const [from, to] = Array.from(pointing.querySelectorAll("select"), (choice) => choice.value);
  if (from) toggle(to && to !== from ? [from, to] : [from]);
});
if (pointing !== null) document.addEventListener("refreshed", show);
