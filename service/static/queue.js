// What is said goes into a queue in the browser first, and is sent in order, each with its key:
// neither a lost network nor a reload loses it, and nothing is recorded twice. The first answer
// that is not a yes stops the queue, and the table decides.

import { ask, freshKey } from "./house.js";

const PAUSE = 3;
const LONGEST_PAUSE = 60;

/** Seconds before a try again: as long as `Retry-After` says, which is not taken to be for ever. */
export const pauseAfter = (reply) => Math.min(reply.wait || PAUSE, LONGEST_PAUSE);

export class Queue {
  /** `answered(item, reply)` hears of everything that was sent; `changed()` of every change. */
  constructor(game, { answered, changed }) {
    this.game = game;
    this.place = `referee ${game}`;
    this.answered = answered;
    this.changed = changed;
    this.sending = false;
    this.stopped = null;
    this.offline = false;
    addEventListener("online", () => this.send());
    addEventListener("storage", (event) => { if (event.key === this.place) this.changed(); });
  }

  get items() {
    try {
      return JSON.parse(localStorage.getItem(this.place)) ?? [];
    } catch {
      return [];
    }
  }

  set items(items) {
    if (items.length) localStorage.setItem(this.place, JSON.stringify(items));
    else localStorage.removeItem(this.place);
    this.changed();
  }

  /** Say something: `path` below the game, `said` its body, `version` the last entry seen. */
  add(path, said, version, told) {
    this.items = [...this.items, { key: freshKey(), path, said, version, told }];
    return this.send();
  }

  drop(key) {
    this.items = this.items.filter((item) => item.key !== key);
  }

  clear() {
    this.stopped = null;
    this.items = [];
  }

  /** Go on after a stop. With a version: the first is said again to a table that has moved on. */
  resume(version) {
    this.stopped = null;
    if (version !== undefined) {
      this.items = this.items.map((item, place) => (place === 0 ? { ...item, version } : item));
    }
    return this.send();
  }

  async send() {
    if (this.sending || this.stopped) return;
    this.sending = true;
    try {
      while (this.items.length && !this.stopped) await this.sendFirst();
    } finally {
      this.sending = false;
      this.changed();
    }
  }

  async sendFirst() {
    const item = this.items[0];
    const headers = { "Idempotency-Key": item.key };
    if (item.version !== null) headers["If-Match"] = `"${item.version}"`;
    const reply = await ask("POST", `/games/${this.game}${item.path}`, item.said, headers);
    if (reply.status === 0 || reply.status === 429 || reply.status === 503) {
      this.offline = true;
      this.changed();
      await new Promise((resolve) => setTimeout(resolve, 1000 * pauseAfter(reply)));
      return;
    }
    this.offline = false;
    if (reply.status === 200) {
      const version = reply.body.version;
      this.items = this.items
        .filter((each) => each.key !== item.key)
        .map((each) => (each.version === null ? each : { ...each, version }));
    } else if (reply.body?.code === "someone_else") {
      this.stopped = { item, reply };
    } else {
      this.drop(item.key);
      if (this.items.length) this.stopped = { item, reply };
    }
    await this.answered(item, reply);
  }
}
