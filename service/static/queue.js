// What is said goes into a queue in the browser first, and is sent in order, each with its key:
// neither a lost network nor a reload loses it, and nothing is recorded twice. The first answer
// that is not a yes stops the queue, and the table decides.

import { pauseAfter, unheard } from "./retry.js";

/** Own entries that the page may not show yet: so many answers are remembered. */
const REMEMBERED = 20;

/** What waits, in the browser's storage; where that is full or forbidden, in this page alone. */
class Kept {
  /** @param {string} place @param {() => Storage} storage */
  constructor(place, storage) {
    this.place = place;
    this.storage = storage;
    /** What could not be stored, and what the storage had then: another tab may change it meanwhile.
     *  @type {{ items: QueueItem[], beside: QueueItem[] } | null} */
    this.here = null;
  }

  /** @returns {QueueItem[]} */
  stored() {
    try {
      const found = JSON.parse(this.storage().getItem(this.place) ?? "[]");
      return Array.isArray(found) ? found : [];
    } catch {
      return [];
    }
  }

  /** @returns {QueueItem[]} */
  read() {
    const stored = this.stored();
    if (this.here === null) return stored;
    const { items, beside } = this.here;
    return [...items.filter((item) => !has(beside, item) || has(stored, item)),
      ...stored.filter((item) => !has(beside, item) && !has(items, item))];
  }

  /** @param {QueueItem[]} items */
  write(items) {
    try {
      if (items.length) this.storage().setItem(this.place, JSON.stringify(items));
      else this.storage().removeItem(this.place);
      this.here = null;
    } catch {
      this.here = { items, beside: this.stored() };
    }
  }
}

/** @param {QueueItem[]} items @param {QueueItem} item */
function has(items, { key }) {
  return items.some((each) => each.key === key);
}

/** How many entries an answer stands for: an action, that a camera proposed it, and each dispute
 *  that it has opened.
 *  @param {ApiBody} body @param {any} said */
function written(body, said) {
  /** @type {{ disputes?: string[] }[]} */
  const heard = body.data?.lines?.length ? body.data.lines : [body.data ?? {}];
  return heard.reduce((sum, { disputes }) => sum + (said.by_sight ? 2 : 1) + (disputes?.length ?? 0), 0);
}

export class Queue {
  /**
   * `answered(item, reply)` hears of everything that was answered, `changed()` of every change;
   * `version()` is the last entry that the page shows; what waits is its `owner`'s.
   * @param {string} game
   * @param {QueueParts} parts
   */
  constructor(game, {
    ask, freshKey, version, answered, changed, owner = "",
    storage = () => localStorage, events = globalThis, timeout = (wake, wait) => setTimeout(wake, wait),
  }) {
    this.game = game;
    this.kept = new Kept(`referee ${game} as ${owner}`, storage);
    this.ask = ask;
    this.freshKey = freshKey;
    this.version = version;
    this.answered = answered;
    this.changed = changed;
    this.timeout = timeout;
    this.offline = false;
    /** Whether a line is being sent to somebody who answers, as far as we know. */
    this.underWay = false;
    /** @type {Promise<void> | null} */
    this.sending = null;
    /** What the table decides on: somebody else was quicker, or the referee has failed.
     *  @type {string | null} */
    this.asking = null;
    /** Which entries are own ones: those behind `from`, up to `to`.
     *  @type {{ from: number, to: number }[]} */
    this.own = [];
    this.wake = () => {};
    events.addEventListener("online", () => this.send());
    events.addEventListener("storage", (event) => {
      const { key } = /** @type {StorageEvent} */ (event);
      if (key === this.kept.place || key === null) this.changed();
    });
  }

  get items() {
    return this.kept.read();
  }

  set items(items) {
    this.kept.write(items);
    this.changed();
  }

  /** Whether what waits would survive a reload. */
  get safe() {
    return this.kept.here === null || this.items.length === 0;
  }

  /** Whether the table is asked before anything more is sent. */
  get stopped() {
    return this.blocked || this.items[0]?.held === true;
  }

  /** Whether nothing more should be said before the table has decided on what was said first. */
  get blocked() {
    const first = this.items[0];
    return first !== undefined && first.key === this.asking;
  }

  /**
   * Say something: `path` below the game, `said` its body, `told` how people say it. `anyway`: it
   * holds whatever others have said meanwhile. What is said after a refusal stands in its place:
   * before the rest, which is held. `key`: by which it is known in its answer.
   * @param {string} path @param {object} said @param {string} told
   * @param {{ anyway?: boolean, key?: string }} how
   */
  add(path, said, told, { anyway = false, key = this.freshKey() } = {}) {
    const items = this.items;
    const seen = this.reached(this.version());
    const item = { key, path, said, version: anyway ? null : seen, seen, told };
    const held = items.findIndex((each) => each.held);
    this.items = held < 0 ? [...items, item] : [...items.slice(0, held), item, ...items.slice(held)];
    return this.send();
  }

  clear() {
    this.asking = null;
    this.items = [];
  }

  /** What somebody else was quicker than is said again with all that was said behind it, to a table
   *  that is now known up to an entry.
   *  @param {number} version */
  again(version) {
    const asked = this.items[0]?.version ?? version;
    this.raise((seen) => (seen < asked ? seen : Math.max(seen, version)));
    return this.resume();
  }

  /** What somebody else was quicker than is not said; the rest is.
   *  @param {string} key */
  forget(key) {
    this.items = this.items.filter((item) => item.key !== key);
    return this.resume();
  }

  /** Go on after a stop. */
  resume() {
    this.asking = null;
    this.items = this.items.map(({ held: _, ...item }) => item);
    return this.send();
  }

  /** Send what waits; over when nothing waits any more or the table is asked. */
  send() {
    this.wake();
    this.sending ??= this.sendAll().finally(() => {
      this.sending = null;
      this.underWay = false;
      this.changed();
    });
    return this.sending;
  }

  async sendAll() {
    while (this.items.length && !this.stopped) await this.sendFirst(/** @type {QueueItem} */ (this.items[0]));
  }

  /** @param {QueueItem} item */
  async sendFirst(item) {
    this.underWay = !this.offline;
    this.items = this.items.map((each) => (each.key === item.key ? { ...each, tries: (each.tries ?? 0) + 1 } : each));
    /** @type {Record<string, string>} */
    const headers = { "Idempotency-Key": item.key };
    if (item.version !== null) headers["If-Match"] = `"${item.version}"`;
    const reply = await this.ask("POST", `/games/${this.game}${item.path}`, item.said, headers);
    this.offline = unheard(reply);
    if (this.offline) {
      this.underWay = false;
      this.changed();
      await this.pause(pauseAfter(reply));
      return;
    }
    if (reply.status === 200) this.acknowledge(item, reply.body);
    else if (reply.status === 401) this.clear();
    else if (reply.body.code === "someone_else" || reply.status >= 500) this.asking = item.key;
    else this.refuse(item);
    if (this.blocked) this.underWay = false; // what the table is asked can be answered
    this.changed();
    await this.answered(item, reply);
    this.underWay = false;
  }

  /** Nothing is asked for a while, unless the network comes back.
   *  @param {number} wait */
  pause(wait) {
    return new Promise((resolve) => {
      this.wake = () => resolve(undefined);
      this.timeout(resolve, wait);
    });
  }

  /** @param {QueueItem} item @param {ApiBody} body */
  acknowledge(item, body) {
    this.remember(item, body);
    this.items = this.items.filter((each) => each.key !== item.key);
    this.raise((seen) => this.reached(seen));
  }

  /** Whoever said what waits knows more of the table by now.
   *  @param {(seen: number) => number} known */
  raise(known) {
    this.items = this.items.map((item) => ({ ...item, version: item.version === null ? null : known(item.version), seen: known(item.seen) }));
  }

  /**
   * Which entries were written by this: what follows in the queue was said by somebody who knows of
   * them. Others may have written behind them before the answer was made, or before it was given
   * again because the first was lost. Another tab may have said it meanwhile behind more entries, or
   * have heard the answer: then this one does not know which entries they are.
   * @param {QueueItem} sent @param {ApiBody} body
   */
  remember(sent, body) {
    const item = this.items.find(({ key }) => key === sent.key);
    if (item === undefined) return;
    const count = written(body, item.said);
    const once = item.tries === 1;
    const counted = item.path === "/actions" || !once;
    if (item.version !== null) this.own.push({ from: item.version, to: counted ? Math.min(body.version, item.version + count) : body.version });
    else if (once || body.version === item.seen + count) this.own.push({ from: body.version - count, to: body.version });
    this.own = this.own.slice(-REMEMBERED);
  }

  /** The last entry that somebody knows who has seen one: own ones that follow need not be seen.
   *  @param {number} version */
  reached(version) {
    return this.own.reduce((seen, { from, to }) => (from <= seen && seen < to ? to : seen), version);
  }

  /** What the referee has refused goes; the rest is held.
   *  @param {QueueItem} item */
  refuse(item) {
    const rest = this.items.filter((each) => each.key !== item.key);
    this.items = rest.map((each, place) => (place === 0 ? { ...each, held: true } : each));
  }
}
