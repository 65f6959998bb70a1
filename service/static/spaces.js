// The spaces of the picture, and pages on which it is pointed at instead of tapped for a line.

export function picture() {
  return document.querySelector("#board svg");
}

/** Every space that the picture names, and where it lies. */
export function points() {
  return Array.from(picture()?.querySelectorAll("[data-space]") ?? [], (point) => ({
    space: point.dataset.space,
    x: point.cx.baseVal.value,
    y: point.cy.baseVal.value,
  }));
}

/** The space that is nearest to a finger. */
export function nearest(event) {
  const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(picture().getScreenCTM().inverse());
  const away = ({ x, y }) => Math.hypot(x - at.x, y - at.y);
  return points().sort((one, other) => away(one) - away(other))[0]?.space;
}

/** A button turns pointing on and off: while it is on, neither a line is tapped nor a page turned. */
export class Pointing {
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

  turn(on) {
    this.button.setAttribute("aria-pressed", String(on));
    document.body.classList.toggle("pointed", on);
    if (on) picture()?.scrollIntoView({ block: "nearest" });
  }

  hears(event) {
    return this.on && event.target.closest?.("#board svg") !== null;
  }
}
