// The gate before taps: one tap is one move. From sending a line to the options that follow it no tap
// is taken, and options that have just appeared take none for a moment: the second half of a double
// tap would choose what nobody has read yet.

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
