// What a page knows of its table, in one place: the last entry that it shows, the last that it has
// heard of, its own entries that wait, and the line to the referee. All that a page says of itself
// follows from these four, so that nothing old is ever called live.

export class Store {
  /** `shown()`: the last entry that the page shows; `waiting()`: how many own entries wait to be
   *  sent, and whether nobody answers; `changed(state)` hears of every change.
   *  @param {{ shown: () => number, waiting: () => { count: number, offline: boolean }, changed: (state: TableState) => void }} parts */
  constructor({ shown, waiting, changed }) {
    this.shown = shown;
    this.waiting = waiting;
    this.changed = changed;
    this.known = shown();
    /** @type {"live" | "lost" | "full" | ""} */
    this.line = "";
  }

  /** @returns {TableState} */
  get state() {
    const confirmed = this.shown();
    const { count, offline } = this.waiting();
    const behind = this.known > confirmed;
    const line = offline ? "lost" : this.line;
    return { confirmed, behind, pending: count, connection: line !== "lost" && behind ? "behind" : line };
  }

  /** The referee has told of an entry: by the live channel, or by an answer.
   *  @param {number} entry */
  heard(entry) {
    this.known = Math.max(this.known, entry);
    this.changed(this.state);
  }

  /** How the live channel is.
   *  @param {"live" | "lost" | "full"} line */
  connected(line) {
    this.line = line;
    this.changed(this.state);
  }

  /** Something else has changed: the page was fetched, or the queue moved. */
  renewed() {
    this.changed(this.state);
  }
}
