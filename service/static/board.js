// The board in its pane: as large as it fits, or as it must be to be read; enlarged by buttons, two
// fingers or a double tap, and moved by scrolling.

import { byId, data, keep, kept, make, meant, say } from "./common.js";

/** No label is smaller than so many CSS pixels, except on a phone before it is enlarged. */
const LEGIBLE = 10;
/** Labels may grow by so much beside their drawing, before the whole picture must; not what was made
 *  smaller and broken in two lines to fit where it stands, as a long name is. */
const GROWN = 1.5;
const STEP = 1.5;
const MOST = 5;

/**
 * The scale at which a picture is shown by itself: never wider than its pane. Beside the log it is whole,
 * or scrolled down if it must be larger to be read; above it the picture has all the width there is, and
 * the page is scrolled.
 * @param {{ width: number, height: number }} picture @param {{ width: number, height: number }} pane
 * @param {number} smallest how large the smallest label can be written, at scale 1
 * @param {boolean} beside
 */
export function fitting(picture, pane, smallest, beside) {
  const across = pane.width / picture.width;
  const legible = LEGIBLE / smallest;
  const whole = Math.min(across, pane.height / picture.height);
  return beside ? Math.min(across, Math.max(whole, legible)) : across;
}

/** How much smaller it may be made: until the whole picture is in sight.
 *  @param {{ width: number, height: number }} picture @param {{ width: number, height: number }} pane @param {number} scale */
export function least(picture, pane, scale) {
  return Math.min(1, pane.width / picture.width / scale, pane.height / picture.height / scale);
}

const pane = byId("pane");
const beside = matchMedia("(min-width: 62rem)");
let enlarged = 1;
let shown = 1;
/** So small it may be made. */
let smallestShown = 1;

/** @returns {SVGSVGElement | null} */
const picture = () => pane.querySelector("svg");

/** The labels and how large they would be if the picture were shown in its own size.
 *  @param {SVGSVGElement} svg */
function labels(svg) {
  const whole = svg.getCTM?.()?.a || 1;
  /** @type {NodeListOf<SVGTextElement>} */
  const found = svg.querySelectorAll("text:not(:has(tspan))");
  return Array.from(found, (label) => {
    label.dataset.size ??= label.getAttribute("font-size") ?? String(LEGIBLE);
    const own = label.getCTM?.();
    return { label, size: Number(label.dataset.size), drawn: own ? Math.hypot(own.a, own.b) / whole : 1 };
  });
}

/** What would be too small to be read is written a little larger.
 *  @param {ReturnType<typeof labels>} found @param {number} scale */
function write(found, scale) {
  for (const { label, size, drawn } of found) {
    const wanted = Math.min(size * GROWN, Math.max(size, LEGIBLE / (scale * drawn)));
    label.setAttribute("font-size", wanted.toFixed(2));
  }
}

/** How much room the picture has: above the log, what the bar at the lower edge leaves; where that is
 *  low, as on a page that is zoomed, the page is scrolled instead. */
function room() {
  const bar = document.querySelector(".saying")?.getBoundingClientRect().height ?? 0;
  document.documentElement.style.setProperty("--covered", `${bar}px`);
  const low = innerHeight - (document.querySelector(".top")?.getBoundingClientRect().height ?? 0) - bar;
  return { width: pane.clientWidth, height: beside.matches ? pane.clientHeight : Math.max(low, pane.clientWidth) };
}

/** Draw it as large as it should be; what was in the middle stays there. */
function draw() {
  const svg = picture();
  const { width, height } = svg?.viewBox?.baseVal ?? {};
  if (!svg || !width || !height || !pane.clientWidth) return;
  const found = labels(svg);
  const smallest = Math.min(2 * LEGIBLE, ...found.map(({ size, drawn }) => size * drawn * GROWN));
  const fits = fitting({ width, height }, room(), smallest, beside.matches);
  smallestShown = least({ width, height }, room(), fits);
  enlarged = Math.max(enlarged, smallestShown);
  ready();
  const scale = fits * enlarged;
  write(found, scale);
  const grown = scale / shown;
  const middle = { x: pane.scrollLeft + pane.clientWidth / 2, y: pane.scrollTop + pane.clientHeight / 2 };
  shown = scale;
  pane.style.setProperty("--board", `${Math.floor(width * scale)}px`);
  if (grown === 1) return;
  pane.scrollLeft = middle.x * grown - pane.clientWidth / 2;
  if (pane.scrollHeight > pane.clientHeight) pane.scrollTop = middle.y * grown - pane.clientHeight / 2;
}

/** @param {number} factor */
function enlarge(factor) {
  const past = (factor < 1) !== (enlarged < 1) && factor !== 1;
  enlarged = past && enlarged !== 1 ? 1 : Math.min(MOST, Math.max(smallestShown, factor)); // its own size is on the way
  draw();
}

function ready() {
  for (const button of buttons) button.disabled = button.dataset.enlarge === "less" ? enlarged <= smallestShown : enlarged === MOST;
}

/** How much larger than its own it is shown.
 *  @returns {number} */
export function enlargement() {
  return enlarged;
}

/** @type {HTMLButtonElement[]} */
const buttons = [
  make("button", { type: "button", "data-enlarge": "less", "aria-label": say("shrink"), disabled: true, onclick: () => enlarge(enlarged / STEP) }, "−"),
  make("button", { type: "button", "data-enlarge": "more", "aria-label": say("enlarge"), onclick: () => enlarge(enlarged * STEP) }, "+"),
];
byId("state").before(make("div", { class: "enlarging" }, ...buttons));

/** @type {{ apart: number, enlarged: number } | null} */
let pinched = null;
/** @param {TouchEvent} event */
const apart = ({ touches: [one, other] }) => (one && other ? Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY) : 0);
pane.addEventListener("touchstart", (event) => {
  pinched = event.touches.length === 2 ? { apart: apart(event), enlarged } : null;
}, { passive: true });
pane.addEventListener("touchmove", (event) => {
  if (pinched === null || event.touches.length !== 2) return;
  event.preventDefault();
  enlarge(pinched.enlarged * apart(event) / pinched.apart);
}, { passive: false });
pane.addEventListener("dblclick", (event) => {
  if (event.target instanceof Element && event.target.closest(".lit")) return;
  enlarge(enlarged > 1 ? 1 : STEP * STEP);
});

/** What is new on the board comes softly. */
let before = new Set();
function softly() {
  const parts = Array.from(picture()?.querySelectorAll("[data-word]") ?? []);
  const now = new Map(parts.map((part) => [`${part.getAttribute("data-word")} ${part.textContent}`, part]));
  if (before.size) for (const [key, part] of now) part.classList.toggle("came", !before.has(key) && !part.querySelector("[data-word]"));
  before = new Set(now.keys());
}

document.addEventListener("refreshed", () => { draw(); softly(); });
addEventListener("resize", draw);
if ("ResizeObserver" in globalThis) {
  const watched = new ResizeObserver(draw);
  for (const part of [pane, document.querySelector(".saying")]) if (part) watched.observe(part);
}
draw();
softly();

// what judges have decided since the last action: the newest in view, earlier ones folded, gone once read

const decided = () => document.getElementById("decided");
const read = () => `read.${data().game}`;

function showDecided() {
  const shown = decided();
  if (shown) shown.hidden = Number(kept(read()) ?? -1) >= Number(shown.dataset.entry);
}

document.addEventListener("click", (event) => {
  if (meant(event, "#decided [data-do=read]") === null) return;
  keep(read(), decided()?.dataset.entry ?? null);
  showDecided();
});
document.addEventListener("refreshed", showDecided);
showDecided();
