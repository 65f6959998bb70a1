// A naive world for the queue: a referee that keeps what it has acknowledged, devices with tabs that
// share a storage, and a network that delivers, drops, or loses an answer, as it is told.

import { Queue } from "../../service/static/queue.js";

export const settled = () => new Promise((resolve) => setImmediate(resolve));

/** The storage of a browser: it may be full. */
export class Storage {
  constructor() {
    this.kept = new Map();
    this.full = false;
  }
  getItem(place) { return this.kept.get(place) ?? null; }
  setItem(place, text) {
    if (this.full) throw new Error("QuotaExceededError");
    this.kept.set(place, text);
  }
  removeItem(place) { this.kept.delete(place); }
}

/** One table: what is recorded, in order, and the answer to every key. */
export class Referee {
  constructor() {
    this.entries = [];
    this.answers = new Map();
  }
  get version() { return this.entries.length; }

  /** What another device says. */
  others() { this.entries.push({ line: `other ${this.version}`, by: "others" }); }

  hear({ path, said, headers }) {
    const key = headers["Idempotency-Key"];
    const match = headers["If-Match"];
    const before = this.answers.get(key);
    if (before) return { status: 200, body: { ...before, version: this.version } };
    const seen = match === undefined ? this.version : Number(match.slice(1, -1));
    if (seen !== this.version) {
      const missed = this.entries.slice(seen).map(({ line }, place) => ({ entry: seen + place + 1, told: line }));
      return { status: 409, body: { code: "someone_else", missed } };
    }
    if (said.illegal) return { status: 422, body: { code: "ILL-1", data: {}, told: ["no"] } };
    this.entries.push({ line: said.line, by: "own" });
    if (said.disputes) this.entries.push({ line: `${said.line} disputed`, by: "own" });
    const data = path === "/actions" ? { disputes: said.disputes ? ["d1"] : [] } : {};
    this.answers.set(key, { data, told: [], warnings: [] });
    return { status: 200, body: { ...this.answers.get(key), version: this.version } };
  }
}

/** A page with a queue; what it shows is `version`, and what it is told is kept. */
export class Tab {
  constructor(world, game) {
    this.world = world;
    this.game = game;
    this.version = world.referees[game].version;
    this.timers = [];
    this.asked = null;
    this.heard = {};
    this.queue = new Queue(`game-${game}`, {
      ask: (_method, path, said, headers) => new Promise((resolve) => {
        world.tapOf({ said }).sent += 1;
        world.requests.push({ tab: this, game, path: path.slice(`/games/game-${game}`.length), wholePath: path, said, headers, resolve });
      }),
      freshKey: () => `key-${world.keys++}`,
      version: () => this.version,
      answered: (item, reply) => world.answered(this, item, reply),
      changed: () => {},
      storage: () => world.storage,
      events: { addEventListener: (kind, heard) => { this.heard[kind] = heard; } },
      timeout: (wake, wait) => { this.timers.push({ wake, wait }); },
    });
  }
  wake() { this.timers.splice(0).forEach(({ wake }) => wake()); }
}

/** Tabs at tables; every tap is written down with what its finger knew. */
export class World {
  constructor(games) {
    this.referees = Array.from({ length: Math.max(...games) + 1 }, () => new Referee());
    this.storage = new Storage();
    this.requests = [];
    this.taps = [];
    this.keys = 0;
    this.conflicts = [];
    this.wasFull = false;
    /** Whether a page was left that had said it could not keep what waits: it no longer knows what it was told. */
    this.forgot = false;
    this.tabs = games.map((game) => new Tab(this, game));
  }

  tap(place, kind) {
    const tab = this.tabs[place];
    if (tab.queue.blocked) return;
    const line = `tap ${this.taps.length}`;
    const referee = this.referees[tab.game];
    const known = new Set(referee.entries.slice(0, tab.version).map((entry) => entry.line));
    const held = tab.queue.items.filter((item, at, all) => all.slice(0, at + 1).some((each) => each.held)).map((item) => item.said.line);
    const tap = { line, game: tab.game, kind, known, before: new Set(held), fate: "said", sent: 0 };
    this.taps.push(tap);
    const said = { line, ...(kind === "illegal" ? { illegal: true } : {}), ...(kind === "stands" ? { disputes: true } : {}) };
    const path = kind === "undo" ? "/undo" : kind === "call" ? "/disputes" : "/actions";
    tab.queue.add(path, said, line, { anyway: kind === "call" });
  }

  tapOf(item) { return this.taps.find((tap) => tap.line === item.said.line); }

  answered(tab, item, reply) {
    const tap = this.tapOf(item);
    if (reply.status === 422) tap.fate = "refused";
    tab.asked = null;
    if (reply.body.code !== "someone_else") return;
    tab.asked = { key: item.key, line: item.said.line, missed: reply.body.missed };
    this.conflicts.push({ tap, missed: reply.body.missed.map((row) => row.told), known: new Set(tap.known) });
  }

  /** What becomes of a request on its way. */
  network(number, fate) {
    if (!this.requests.length) return;
    const [request] = this.requests.splice(number % this.requests.length, 1);
    if (fate === "late") { this.requests.push(request); return; }
    const carriedOut = fate === "delivered" || fate === "answer lost" ? this.carryOut(request) : null;
    if (fate === "signed out") request.tab.queue.items.forEach((item) => this.giveUp(item));
    if (fate === "delivered") request.resolve(carriedOut);
    else request.resolve(FATES[fate] ?? { status: 0, body: null });
  }

  carryOut(request) {
    const referee = this.referees[request.game];
    const before = referee.version;
    const reply = referee.hear(request);
    if (referee.version > before) this.recorded(request, before);
    return reply;
  }

  /** Nothing is recorded over what its finger did not know. */
  recorded(request, before) {
    const tap = this.taps.find(({ line }) => line === request.said.line);
    if (request.headers["If-Match"] === undefined) return;
    const unseen = this.referees[request.game].entries.slice(0, before).filter(({ line, by }) => by === "others" && !tap.known.has(line));
    if (unseen.length) throw new Error(`${tap.line} was recorded over ${unseen.map(({ line }) => line)}, which nobody has seen`);
  }

  refresh(place) { this.tabs[place].version = this.referees[this.tabs[place].game].version; }

  /** A page that is loaded again knows what the storage has; its requests go on without it. */
  reload(place) {
    const old = this.tabs[place];
    const unsafe = old.queue.safe ? [] : old.queue.items;
    for (const request of this.requests) if (request.tab === old) request.resolve = () => {};
    this.tabs[place] = new Tab(this, old.game);
    const kept = new Set(this.tabs[place].queue.items.map((item) => item.key));
    for (const item of unsafe) if (!kept.has(item.key)) this.tapOf(item).fate = "not kept, and told so";
    this.forgot ||= !old.queue.safe;
    old.queue.ask = () => new Promise(() => {});
    old.queue.kept.write = () => {};
    this.tabs[place].queue.send();
  }

  /** The table answers what the page asks; or a question that still stands there, though another tab has
   *  seen to what it was about. */
  decide(place, how) {
    const tab = this.tabs[place];
    const { queue, asked } = tab;
    const stale = asked !== null && !queue.items.some((item) => item.key === asked.key);
    if (!queue.stopped && !stale) return;
    tab.asked = null;
    const question = stale || (queue.blocked && asked?.key === queue.items[0].key) ? asked : null;
    if (how === "clear") {
      queue.items.forEach((item) => this.giveUp(item));
      queue.clear();
    } else if (question === null) {
      queue.resume();
    } else if (how === "again") {
      for (const item of queue.items) question.missed.forEach((row) => this.tapOf(item).known.add(row.told));
      queue.again(question.missed.at(-1)?.entry ?? tab.version);
    } else {
      if (!stale) this.giveUp(queue.items[0]);
      queue.forget(question.key);
    }
  }

  /** Whether a device cannot know that an entry is its own: it holds wherever it was recorded and its
   *  answer was lost, the table gave it up before an answer came, or the browser could not keep it over
   *  a reload, and has said so. */
  cannotBeKnown(line) {
    const tap = this.taps.find((each) => each.line === line);
    return tap !== undefined && ((tap.kind === "call" && tap.sent > 1) || ["given up", "not kept, and told so"].includes(tap.fate));
  }

  /** Two tabs that can store nothing know nothing of each other: theirs is the one order that is not kept. */
  fill(full) {
    this.storage.full = full;
    this.wasFull ||= full;
  }

  giveUp(item) { this.tapOf(item).fate = "given up"; }

  lines(game) { return this.referees[game].entries.filter(({ by, line }) => by === "own" && !line.endsWith("disputed")).map(({ line }) => line); }

  /** Everything works again, and the table says "again" to every question. */
  async heal() {
    this.storage.full = false;
    for (let round = 0; round < 200; round += 1) {
      this.tabs.forEach((tab, place) => {
        this.refresh(place);
        tab.queue.send();
        tab.wake();
        this.decide(place, "again");
      });
      while (this.requests.length) this.network(0, "delivered");
      await settled();
      if (this.tabs.every((tab) => tab.queue.items.length === 0) && !this.requests.length) return;
    }
    throw new Error("it never came to rest");
  }
}

/** What comes instead of an answer of the referee. */
export const FATES = {
  dropped: { status: 0, body: null },
  "answer lost": { status: 0, body: null },
  "too often": { status: 429, body: { code: "too_often" }, after: 7 },
  busy: { status: 503, body: { code: "unavailable" }, after: 1 },
  "bad gateway": { status: 502, body: "<h1>502</h1>" },
  portal: { status: 200, body: "<h1>Welcome to our WLAN</h1>" },
  failed: { status: 500, body: { code: "wrong", title: "…" } },
  "signed out": { status: 401, body: { code: "unknown", title: "…" } },
};
