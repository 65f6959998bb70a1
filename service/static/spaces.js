// The spaces of the picture, and pages on which it is pointed at instead of tapped for a line.

import { meant } from "./common.js";

/** @returns {SVGSVGElement | null} */
export function picture() {
  return document.querySelector("#board svg");
}

/** Every space that the picture names, and where it lies.
 *  @returns {Point[]} */
export function points() {
  /** @type {NodeListOf<SVGCircleElement> | undefined} */
  const found = picture()?.querySelectorAll("[data-space]");
  return Array.from(found ?? [], (point) => ({
    space: point.dataset.space ?? "",
    x: point.cx.baseVal.value,
    y: point.cy.baseVal.value,
  }));
}

/** The space that is nearest to a finger.
 *  @param {PointerEvent} event */
export function nearest(event) {
  const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(picture()?.getScreenCTM()?.inverse());
  const away = (/** @type {Point} */ { x, y }) => Math.hypot(x - at.x, y - at.y);
  return points().sort((one, other) => away(one) - away(other))[0]?.space;
}

/** A button turns pointing on and off: while it is on, neither a line is tapped nor a page turned. */
export class Pointing {
  /** @param {HTMLElement | null} button */
  constructor(button) {
    this.button = button;
    button?.addEventListener("click", () => this.turn(!this.on));
    for (const kind of ["click", "touchstart", "touchend"]) {
      document.addEventListener(kind, (event) => { if (this.hears(event)) event.stopPropagation(); }, { capture: true, passive: true });
    }
  }

  get on() {
    return this.button?.getAttribute("aria-pressed") === "true";
  }

  /** @param {boolean} on */
  turn(on) {
    this.button?.setAttribute("aria-pressed", String(on));
    document.body.classList.toggle("pointed", on);
    if (on) picture()?.scrollIntoView({ block: "nearest" });
  }

  /** @param {Event} event */
  hears(event) {
    return this.on && meant(event, "#board svg") !== null;
  }
}
