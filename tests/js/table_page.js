// A table as its page shows it, small, and an API that records what is said there.

import { Page, Shelf } from "./page.js";

const BODY = `<p id="state"></p>
<ul id="seats" data-live><li data-seat="A"><b data-time="A"></b></li><li data-seat="B"><b data-time="B"></b></li><li data-seat="C"><b data-time="C"></b></li></ul>
<p id="next" data-live></p><div id="pane"><div id="board" data-live><svg viewBox="0 0 100 100"><g data-word="c2"><text>c2</text></g><g data-word="b1"><g data-word="tree"></g></g></svg></div></div>
<div id="verdict" hidden></div><div id="waiting" hidden></div><div id="taps"></div>
<details id="composer"><summary>type</summary><form><input id="typed"><div id="fitting"></div><button>log</button></form></details>
<section class="record"><ol id="moves" data-live></ol></section><div id="tools" data-live><button data-do="undo">Undo</button><button data-do="hold">Hold</button></div><div id="pending" data-live></div><div id="own" data-live><button data-do="confirm">ok</button><button data-do="seal">seal</button></div>
<input type="checkbox" id="at-once"><dialog id="dialog"></dialog>`;

export const WORDS = {
  missed: "Somebody was quicker", missed_ask: "Is {line} still so?", queue_offline: "No connection", queue_stopped: "Stopped",
  queue_sending: "Being sent", same: "The same was logged", same_ask: "Is {line} the same?", live: "live", lost: "lost", left: "{count} left", ready: "ready: {line}",
};
export const FRENCH = { ...WORDS, queue_offline: "Pas de connexion", left: "{count} possibles", ready: "prêt : {line}", missed: "Quelqu'un a été plus rapide" };
export const LINES = ["A step c2", "A step b1", "A gather", "B pass", "A step c3", "A step c4", "A step c5", "A plant tree b1", "A plant tree c2",
  "B look 6", "B look 7", "B look 8", "B look 9"];

/** What the page of a table knows; only the entries change. */
export function dataOf(version, more = {}) {
  return {
    game: "g1", version, last: version, clock: null, lines: LINES, templates: ["swap VALUE VALUE"], names: {}, may_log: true, may_dispute: true,
    may: { undo: true }, seats: { A: "Ana", B: "Bo", C: "Cy" }, places: ["A", "B", "C"], over: false, pending: [], disputes: [], claims: [], sealed: [],
    sealable: { hand: "Hand", note: "Note" }, seat: "B", mine: false, at: null, opened: false, tried: [], ...more,
  };
}

/** A referee behind the pages of one game: it keeps what it has recorded, by key. */
export class Recorder {
  constructor(version = 6) {
    this.version = version;
    this.entries = [];
    this.keys = new Map();
    this.pages = [];
  }

  /** Somebody else's entry, or one of these devices'. */
  record(text) {
    this.version += 1;
    this.entries.push({ entry: this.version, told: text, text });
    for (const page of this.pages) page.shown.data.version = this.version;
  }

  answer({ method, path, headers, body }) {
    if (method === "GET") return { body: { data: { choices: [] }, told: ["because"] } };
    const key = headers["Idempotency-Key"];
    if (this.keys.has(key)) return { body: { ...this.keys.get(key), version: this.version } };
    const match = headers["If-Match"];
    if (match !== undefined && Number(match.slice(1, -1)) !== this.version) {
      const seen = Number(match.slice(1, -1));
      return { status: 409, body: { code: "someone_else", title: "conflict", missed: this.entries.filter(({ entry }) => entry > seen) } };
    }
    const [line] = body.lines ?? [path];
    if (line.includes("illegal") && !body.stands) {
      return { status: 422, body: { code: "BEN-1", title: "illegal", data: { may_stand: true, notation: line, try: ["A gather"] }, told: [`✘ ${line}`, "BEN-1"] } };
    }
    this.record(line);
    const reply = { data: { verdict: "legal", number: this.version, stands: Boolean(body.stands), disputes: [] }, told: [`✔ ${line}`], warnings: [] };
    this.keys.set(key, reply);
    return { body: { ...reply, version: this.version } };
  }
}

/** A device at a table; `storage` is the one of its browser. */
export function tablePage(recorder, { storage = new Shelf(), words = WORDS, more = {}, answer } = {}) {
  const page = new Page({ shown: { body: BODY, data: dataOf(recorder.version, more), words }, storage, answer: answer ?? ((request) => recorder.answer(request)) });
  page.storage = storage;
  recorder.pages.push(page);
  return page;
}

/** The same device, loaded anew. */
export async function reload(recorder, page, script = "table.js") {
  recorder.pages = recorder.pages.filter((each) => each !== page);
  const fresh = tablePage(recorder, { storage: page.storage, words: page.shown.words });
  await fresh.run(script);
  return fresh;
}
