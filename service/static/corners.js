// Four marks on a photograph: dragged by a finger, or moved by the arrow keys.

import { byId, meant } from "./common.js";

const SVG = "http://www.w3.org/2000/svg";
export const WIDE = 1000;
/** Places are told in ten-thousandths of the picture's width and height. */
export const SCALE = 10_000;
export const STEP = 50;
export const LEAP = 500;
export const ARROWS = /** @type {Record<string, [number, number]>} */ ({ ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] });
/** Where the marks lie before anybody has moved them.
 *  @returns {[number, number][]} */
export const START = () => [[500, 500], [9500, 500], [9500, 9500], [500, 9500]];

/** @param {string} tag @param {Record<string, string | number>} attributes @param {(Node | string)[]} children */
export function shape(tag, attributes, ...children) {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
  made.append(...children);
  return made;
}

/** @param {number} part */
export const bounded = (part) => Math.min(SCALE, Math.max(0, Math.round(part)));

/** Where a finger is on a picture, in ten-thousandths of it.
 *  @param {PointerEvent} event @param {string} id */
export function parts(event, id) {
  const svg = byId(id).querySelector("svg");
  const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg?.getScreenCTM()?.inverse());
  return svg ? { x: at.x / WIDE * SCALE, y: at.y / svg.viewBox.baseVal.height * SCALE } : { x: -1, y: -1 };
}

/** The corners of what is on a photograph, from the upper left one clockwise. */
export class Corners {
  /** @param {string} id where it is drawn @param {(number: number) => string} name what a mark is called */
  constructor(id, name) {
    this.id = id;
    this.name = name;
    /** @type {[number, number][]} */
    this.points = START();
    /** @type {number | null} */
    this.held = null;
    document.addEventListener("pointerdown", (event) => {
      const mark = meant(event, `#${id} [data-corner]`);
      this.held = mark ? Number(mark.dataset.corner) : null;
    });
    document.addEventListener("pointermove", (event) => { if (this.held !== null) this.move(this.held, parts(event, id)); });
    for (const end of ["pointerup", "pointercancel"]) document.addEventListener(end, () => { this.held = null; });
    document.addEventListener("keydown", (event) => {
      const [mark, arrow] = [meant(event, `#${id} [data-corner]`), ARROWS[event.key]];
      if (!mark || !arrow) return;
      const step = event.shiftKey ? LEAP : STEP;
      const [x, y] = this.points[Number(mark.dataset.corner)] ?? [0, 0];
      this.move(Number(mark.dataset.corner), { x: x + arrow[0] * step, y: y + arrow[1] * step });
      event.preventDefault();
    });
  }

  /** @param {string} href @param {[number, number][]} points */
  async show(href, points) {
    this.points = points;
    const picture = new Image();
    picture.src = href;
    await picture.decode();
    const high = WIDE * picture.naturalHeight / picture.naturalWidth;
    byId(this.id).replaceChildren(shape("svg", { viewBox: `0 0 ${WIDE} ${high}`, role: "group" },
      shape("image", { href, width: WIDE, height: high }),
      shape("polygon", { points: "", class: "outline" }),
      ...points.map((_, index) => shape("g", { "data-corner": index, tabindex: 0, role: "button", class: "corner", "aria-label": this.name(index + 1) },
        shape("circle", { r: 40, class: "around" }), shape("circle", { r: 16 })))));
    points.forEach(([x, y], index) => this.move(index, { x, y }));
  }

  /** @param {number} index @param {{ x: number, y: number }} at */
  move(index, at) {
    const svg = byId(this.id).querySelector("svg");
    if (!svg) return;
    this.points[index] = [bounded(at.x), bounded(at.y)];
    const high = svg.viewBox.baseVal.height;
    const drawn = this.points.map(([x, y]) => [x / SCALE * WIDE, y / SCALE * high]);
    svg.querySelector(`[data-corner="${index}"]`)?.setAttribute("transform", `translate(${drawn[index]?.join(" ")})`);
    svg.querySelector(".outline")?.setAttribute("points", drawn.map((each) => each.join(",")).join(" "));
  }
}
