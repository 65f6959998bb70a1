// One tap is one move: when taps are taken, and which are not.

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { html, settled } from "./page.js";
import { FRENCH, Recorder, WORDS, tablePage } from "./table_page.js";
import { runs } from "./steady.js";

const FIRST = ["A gather", "A step c2", "B pass"];
const SECOND = ["A step b1", "A plant tree b1", "B pass"];
const DROPPED = "Not taken";
const { DEAD_TIME, TapGate } = await tablePage(new Recorder()).run("taps.js");

/** A device whose answers and pages come when the test says so. */
async function device({ lines = FIRST, script = "table.js", words = { ...WORDS, tap_dropped: DROPPED } } = {}) {
  const recorder = new Recorder();
  const page = tablePage(recorder, { words, more: { lines } });
  await page.run(script);
  await page.pass(1000);
  const held = { answers: [], pages: [] };
  page.answer = (request) => new Promise((resolve) => { held.answers.push(() => resolve(recorder.answer(request))); });
  page.refreshed = () => new Promise((resolve) => { held.pages.push(() => resolve({ body: html(page.shown) })); });
  const come = async (kind) => {
    for (const next of held[kind].splice(0)) next();
    await settled();
  };
  return { recorder, page, come };
}

/** A finger, or a key: a key clicks without one. */
async function tap(page, selector, detail = 1) {
  const part = typeof selector === "string" ? page.find(selector) : selector;
  for (const kind of detail ? ["pointerdown", "pointerup", "click"] : ["click"]) {
    part.dispatchEvent(new page.window.MouseEvent(kind, { bubbles: true, cancelable: true, detail }));
  }
  await settled();
}

const line = (text) => `#taps [data-line="${text}"]`;
const recorded = ({ entries }) => entries.map(({ text }) => text);
const sign = (page) => page.find("#dropped").textContent;

for (const script of ["table.js", "seat.js"]) {
  test(`${script}: from sending to the new options no tap is taken, and one that is dropped is told politely`, async () => {
    const { recorder, page, come } = await device({ script });
    page.shown.data.lines = SECOND;
    await tap(page, line("A gather"));
    await tap(page, line("B pass"));
    assert.equal(sign(page), DROPPED);
    assert.equal(page.find("#dropped").getAttribute("aria-live"), "polite");
    await come("answers");
    assert.deepEqual(recorded(recorder), ["A gather"]);
    await tap(page, line("A step c2"));
    assert.equal(page.requests.filter(({ method }) => method === "POST").length, 1, "the old options were live after the answer");
    await come("pages");
    await tap(page, line("A plant tree b1"));
    await page.pass(DEAD_TIME - 1);
    await tap(page, line("A plant tree b1"));
    assert.equal(page.document.body.dataset.queued, "0", "options that have just appeared were live");
    await page.pass(1);
    await tap(page, line("A plant tree b1"));
    await come("answers");
    assert.deepEqual(recorded(recorder), ["A gather", "A plant tree b1"]);
    assert.equal(page.find("#verdict.bad"), null);
    await page.pass(3000);
    assert.equal(sign(page), "");
  });
}

test("the picture is lit only while it takes taps, and a double tap on it is one tap", async () => {
  const { recorder, page, come } = await device({ lines: ["A step c2", "A plant tree b1", "B pass"] });
  const lit = () => page.all("#board .lit").map((part) => part.dataset.word).sort();
  assert.deepEqual(lit(), ["b1", "c2", "tree"]);
  page.shown.data.lines = ["A step b1", "A step c2", "B go c2"];
  await tap(page, '#board [data-word="c2"]');
  const chosen = page.find("#taps button.chosen");
  assert.equal(chosen.dataset.line, "A step c2");
  await tap(page, chosen);
  assert.equal(page.document.body.dataset.queued, "0", "the button that has just appeared under the finger was live");
  assert.equal(sign(page), "");
  await page.pass(DEAD_TIME);
  await tap(page, chosen);
  assert.deepEqual(lit(), []);
  await come("answers");
  await come("pages");
  assert.deepEqual(lit(), []);
  assert.equal(page.find('#board [data-word="b1"]').getAttribute("role"), "button", "keys reach it all the same");
  await page.pass(DEAD_TIME);
  assert.deepEqual(lit(), ["b1", "c2"]);
  assert.deepEqual(recorded(recorder), ["A step c2"]);
});

test("a list that stays the same takes the next tap as soon as it is shown again", async () => {
  const { recorder, page, come } = await device();
  await tap(page, line("A gather"));
  await come("answers");
  await come("pages");
  await tap(page, line("B pass"));
  await come("answers");
  assert.deepEqual(recorded(recorder), ["A gather", "B pass"]);
});

test("keys and screen readers are not held up: neither by a line on its way nor by new options", async () => {
  const { recorder, page, come } = await device();
  page.shown.data.lines = SECOND;
  await tap(page, line("A gather"), 0);
  await tap(page, line("B pass"), 0);
  await come("answers");
  await come("answers");
  await come("pages");
  await come("pages");
  await tap(page, line("A step b1"), 0);
  await come("answers");
  assert.deepEqual(recorded(recorder), ["A gather", "B pass", "A step b1"]);
  assert.equal(sign(page), "");
});

test("what is tapped while nobody answers waits in the queue: nothing of it is dropped, in French neither", async () => {
  const { recorder, page, come } = await device({ words: { ...FRENCH, tap_dropped: "Non pris en compte" } });
  page.online = false;
  await tap(page, line("A gather"));
  await tap(page, line("B pass"));
  await page.pass(1000);
  await tap(page, line("A step c2"));
  assert.deepEqual(page.texts("#waiting li"), ["A gather", "B pass", "A step c2"]);
  page.online = true;
  page.window.dispatchEvent(new page.window.Event("online"));
  await settled();
  for (let turn = 0; turn < 3; turn += 1) await come("answers");
  assert.deepEqual(recorded(recorder), ["A gather", "B pass", "A step c2"]);
  assert.equal(sign(page), "");
});

test("a page that cannot be fetched after an answer holds up no tap: it waits as off-line", async () => {
  const { recorder, page, come } = await device();
  page.refreshed = () => null;
  await tap(page, line("A gather"));
  await come("answers");
  await tap(page, line("B pass"));
  await come("answers");
  assert.deepEqual(recorded(recorder), ["A gather", "B pass"]);
});

test("another device was quicker: the tap is asked about as ever, and its new options are dead for a moment", async () => {
  const { recorder, page, come } = await device();
  recorder.record("B note");
  await tap(page, line("A gather"));
  await come("answers");
  await come("pages");
  assert.match(page.find("#verdict.unsure").textContent, /Somebody was quicker.*B note/s);
  assert.equal(sign(page), "");
  await tap(page, "#verdict [data-do=again]");
  assert.ok(page.find("#verdict [data-do=again]"), "a card that has just appeared was live");
  await page.pass(DEAD_TIME);
  await tap(page, "#verdict [data-do=again]");
  await come("answers");
  assert.deepEqual(recorded(recorder), ["B note", "A gather"]);
  await come("pages");
  page.shown.data.lines = SECOND;
  recorder.record("B note");
  await page.tell("entry", { entry: recorder.version, kind: "logged", told: "B note" });
  await come("pages");
  await tap(page, line("A step b1"));
  assert.equal(page.document.body.dataset.queued, "0");
  await page.pass(DEAD_TIME);
  await tap(page, line("A step b1"));
  await come("answers");
  assert.deepEqual(recorded(recorder), ["B note", "A gather", "B note", "A step b1"]);
});

test("after a refusal the options take taps again once the page is fetched", async () => {
  const { recorder, page, come } = await device({ lines: ["A illegal", "A gather", "B pass"] });
  await tap(page, line("A illegal"));
  await come("answers");
  await tap(page, line("B pass"));
  assert.equal(sign(page), DROPPED);
  await come("pages");
  await tap(page, line("B pass"));
  await come("answers");
  assert.deepEqual(recorded(recorder), ["B pass"]);
});

test("two quick taps on Undo undo once while the first is on its way", async () => {
  const { page, come } = await device();
  await tap(page, "#tools [data-do=undo]");
  await tap(page, "#tools [data-do=undo]");
  await come("answers");
  assert.equal(page.requests.filter(({ path }) => path.endsWith("/undo")).length, 1);
});

test("a tray reckons with its own lines: what stays the same takes every tap, what changes waits a moment", async () => {
  const { recorder, page, come } = await device();
  const things = (words) => words.map((word) => `<button data-thing="${word}" data-left="9">${word}</button>`).join("");
  const tray = (words) => `<div id="trays" data-live><details class="tray" open data-verb="lay" data-count="1"><summary>Lay</summary><span class="where"></span>
<div class="things">${things(words)}</div><script type="application/json" class="places">[]</script></details></div>`;
  const rest = page.shown.body;
  page.shown.body = rest + tray(["cloud", "rain"]);
  page.find("#verdict").insertAdjacentHTML("beforebegin", tray(["cloud", "rain"]));
  await page.run("trays.js");
  for (let count = 0; count < 3; count += 1) await tap(page, "[data-thing=cloud]");
  for (let count = 0; count < 3; count += 1) await come("answers");
  await tap(page, "[data-thing=rain]");
  await come("answers");
  for (let count = 0; count < 3; count += 1) await come("pages");
  await tap(page, "[data-thing=cloud]");
  page.shown.body = rest + tray(["rain", "cloud"]);
  await come("answers");
  await come("pages");
  await tap(page, "[data-thing=rain]");
  assert.equal(page.document.body.dataset.queued, "0", "another order under the finger was live");
  await page.pass(DEAD_TIME);
  await tap(page, "[data-thing=rain]");
  await come("answers");
  assert.deepEqual(recorded(recorder), ["lay cloud", "lay cloud", "lay cloud", "lay rain", "lay cloud", "lay rain"]);
  assert.equal(sign(page), "");
});

test("a tray that comes with the new page is dead for a moment, as options are", async () => {
  const { recorder, page, come } = await device();
  page.find("#verdict").insertAdjacentHTML("beforebegin", '<div id="trays" data-live></div>');
  await page.run("trays.js");
  page.shown.body += `<div id="trays" data-live><details class="tray" open data-verb="lay" data-count="1"><summary>Lay</summary><span class="where"></span>
<button data-thing="cloud" data-left="9">cloud</button><script type="application/json" class="places">[]</script></details></div>`;
  await tap(page, line("A gather"));
  await come("answers");
  await come("pages");
  await tap(page, "[data-thing=cloud]");
  await page.pass(DEAD_TIME);
  await tap(page, "[data-thing=cloud]");
  await come("answers");
  assert.deepEqual(recorded(recorder), ["A gather", "lay cloud"]);
});

test("whatever happens in whatever order, a tap is taken only on options that were there long enough", () => {
  const area = fc.constantFrom("taps", "board");
  const step = fc.oneof(
    fc.record({ what: fc.constant("renew"), area, options: fc.constantFrom("x", "y", "z") }),
    fc.record({ what: fc.constant("pass"), wait: fc.constantFrom(1, 40, 120, 180, 299, 300, 450) }),
    fc.record({ what: fc.constantFrom("send", "shown") }));
  fc.assert(fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
    let [now, sending] = [0, false];
    let timers = [];
    const gate = new TapGate({ later: (act, wait) => timers.push({ at: now + wait, act }), changed: () => {} });
    gate.underWay = () => sending;
    const areas = { taps: null, board: null };
    const accept = () => {
      for (const each of Object.values(areas)) {
        if (each === null || sending || each.now === each.taken) continue;
        if (each.taken !== null) each.since = now;
        each.taken = each.now;
      }
    };
    for (const { what, ...more } of steps) {
      if (what === "renew") {
        areas[more.area] = { taken: null, since: -Infinity, ...areas[more.area], now: more.options };
        gate.renew(more.area, more.options);
      } else if (what === "pass") {
        now += more.wait;
        const due = timers.filter(({ at }) => at <= now);
        timers = timers.filter(({ at }) => at > now);
        for (const { act } of due) act();
      } else {
        sending = what === "send";
        gate.check();
      }
      accept();
      for (const name of ["taps", "board"]) {
        const expected = sending ? "under way" : now - (areas[name]?.since ?? -Infinity) < DEAD_TIME ? "fresh" : null;
        assert.equal(gate.refusal(name), expected);
      }
    }
  }), { numRuns: runs(300) });
});
