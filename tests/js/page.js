// A page without a browser: its scripts in a realm of their own, with a document, a clock that is
// turned by hand, a network that answers as the test says, and a live channel that the test speaks on.

import { readFile } from "node:fs/promises";
import vm from "node:vm";
import { Window } from "happy-dom";

const STATIC = new URL("../../service/static/", import.meta.url);
/** What live pages share with the exported one. */
const SHARED = { "stepping.js": new URL("../../replays/exports/stepping.js", import.meta.url) };
const settledOnce = () => new Promise((resolve) => setImmediate(resolve));

/** Whatever was begun and waits for nobody has come to its end. */
export async function settled() {
  for (let turn = 0; turn < 8; turn += 1) await settledOnce();
}

export class Shelf {
  constructor() { this.kept = new Map(); }
  get length() { return this.kept.size; }
  getItem(place) { return this.kept.get(place) ?? null; }
  setItem(place, text) {
    this.kept.set(place, String(text));
    this[place] = String(text); // as a browser lists it
  }
  removeItem(place) {
    this.kept.delete(place);
    delete this[place];
  }
}

/** Where the referee has not spoken: nobody answers, it asks for patience, somebody between us and it does. */
export const UNHEARD = [null, ...[408, 429, 502, 503, 504].flatMap((status) => [
  { status, body: { code: "later", detail: "Later." } }, { status, body: "<h1>Later</h1>", type: "text/html" },
])];

const json = (value) => JSON.stringify(value).replaceAll("<", "\\u003c");

/** The HTML of a page: its live parts, and what its scripts know. */
export function html({ body = "", data = {}, words = {}, roles = "" }) {
  return `<!doctype html><html><head><title>Page</title></head><body${roles}>${body}
<div id="announced"></div>
<script type="application/json" id="words">${json(words)}</script>
<script type="application/json" id="data" data-live>${json(data)}</script></body></html>`;
}

export class Page {
  /**
   * `shown`: what `html` makes the page of, and anew at each refresh; `answer(request)`: what the API
   * says, null where nobody answers.
   */
  constructor({ shown, answer = () => null, url = "https://referee.test/games/g1", storage = new Shelf(), media = () => false }) {
    this.shown = shown;
    this.answer = answer;
    this.online = true;
    this.requests = [];
    this.refreshes = [];
    this.sources = [];
    this.timers = [];
    this.now = 0;
    this.window = new Window({ url, settings: { enableJavaScriptEvaluation: false } });
    const { window } = this;
    const page = this;
    const parts = {
      localStorage: storage,
      fetch: (address, options = {}) => this.fetch(String(address), options),
      setTimeout: (act, wait = 0) => this.later(act, wait),
      setInterval: (act, wait) => this.later(act, wait, wait),
      clearTimeout: (id) => { this.timers = this.timers.filter((timer) => timer.id !== id); },
      clearInterval: (id) => { this.timers = this.timers.filter((timer) => timer.id !== id); },
      performance: { now: () => this.now },
      matchMedia: (query) => ({ matches: media(query), addEventListener() {} }),
      EventSource: class {
        static CLOSED = 2;
        constructor(address) {
          this.address = address;
          this.readyState = 1;
          this.heard = new Map();
          page.sources.push(this);
        }
        addEventListener(kind, act) { this.heard.set(kind, act); }
        close() { this.readyState = 2; }
      },
    };
    for (const [name, value] of Object.entries(parts)) Object.defineProperty(window, name, { value, configurable: true, writable: true });
    window.AbortSignal.timeout = () => undefined;
    window.document.write(html(shown));
    Object.defineProperty(window.document, "fonts", { value: { ready: Promise.resolve() }, configurable: true });
    this.context = vm.createContext(window);
    this.modules = new Map();
  }

  get document() { return this.window.document; }

  /** The first part that fits. */
  find(selector) { return this.document.querySelector(selector); }
  all(selector) { return Array.from(this.document.querySelectorAll(selector)); }
  texts(selector) { return this.all(selector).map((part) => part.textContent.trim()); }

  /** The page runs a script; what it exports. */
  async run(name) {
    const module = await this.module(name);
    if (module.status === "unlinked") await module.link((wanted) => this.module(wanted.replace("./", "")));
    await module.evaluate();
    await settled();
    return module.namespace;
  }

  module(name) {
    if (!this.modules.has(name)) {
      this.modules.set(name, readFile(SHARED[name] ?? new URL(name, STATIC), "utf8").then((source) =>
        new vm.SourceTextModule(source, { context: this.context, identifier: name })));
    }
    return this.modules.get(name);
  }

  later(act, wait, every = null) {
    const timer = { id: Symbol("timer"), at: this.now + wait, act, every };
    this.timers.push(timer);
    return timer.id;
  }

  /** So much time goes by. */
  async pass(milliseconds) {
    const end = this.now + milliseconds;
    for (;;) {
      const [next] = this.timers.filter(({ at }) => at <= end).sort((one, other) => one.at - other.at);
      if (next === undefined) break;
      this.now = next.at;
      if (next.every === null) this.timers = this.timers.filter((timer) => timer !== next);
      else next.at += next.every;
      next.act();
      await settled();
    }
    this.now = end;
  }

  async fetch(address, { method = "GET", headers = {}, body }) {
    const api = address.startsWith("/api/v1");
    const request = { method, path: api ? address.slice("/api/v1".length) : address, headers, body: body === undefined ? undefined : api ? JSON.parse(body) : body };
    (api ? this.requests : this.refreshes).push(request);
    if (!this.online) throw new TypeError("Failed to fetch");
    const said = await (api ? this.answer(request) : this.refreshed(request));
    if (said === null) throw new TypeError("Failed to fetch");
    const { status = 200, body: content, type = api ? "application/json" : "text/html", more = {} } = said;
    const told = { "Content-Type": type, ...more };
    const text = typeof content === "string" ? content : JSON.stringify(content);
    // what comes from the network is of the page's own realm
    const read = async () => vm.runInContext(`(${text ?? "null"})`, this.context);
    return { ok: status < 400, status, headers: { get: (name) => told[name] ?? null }, text: async () => text, json: read };
  }

  /** What the page is when it is fetched again; a test may change it. */
  refreshed() { return { body: html(this.shown) }; }

  /** The live channel tells something. */
  async tell(kind, told, id = told.entry ?? told.event) {
    const source = this.sources.at(-1);
    source.heard.get(kind)?.({ data: JSON.stringify(told), lastEventId: String(id) });
    await settled();
  }

  /** The live channel opens, breaks, or is refused. */
  async channel(kind, { refused = false } = {}) {
    const source = this.sources.at(-1);
    if (refused) source.readyState = 2;
    source.heard.get(kind)?.({});
    await settled();
  }

  async click(selector) {
    const part = typeof selector === "string" ? this.find(selector) : selector;
    if (part === null) throw new Error(`nothing to tap: ${selector}`);
    part.dispatchEvent(new this.window.MouseEvent("click", { bubbles: true, cancelable: true }));
    await settled();
  }

  async key(key, part = this.document.body) {
    part.dispatchEvent(new this.window.KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
    await settled();
  }

  async type(selector, text) {
    const field = this.find(selector);
    field.value = text;
    field.dispatchEvent(new this.window.Event("input", { bubbles: true }));
    await settled();
  }

  async submit(form) {
    const part = typeof form === "string" ? this.find(form) : form;
    part.dispatchEvent(new this.window.Event("submit", { bubbles: true, cancelable: true }));
    await settled();
  }
}
