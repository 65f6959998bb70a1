// What lies ready is tapped or drawn over the board: each thing on one place, and never more than there are.

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { html, settled } from "./page.js";
import { Recorder, tablePage } from "./table_page.js";
import { runs } from "./steady.js";

const PLACES = ["p0", "p1", "p2", "p3", "p4", "p5"];
const FITS = { tree: PLACES, rock: ["p0", "p2", "p4"], pond: PLACES };

/** A tray as the page shows it after the lines that are recorded: what is left, and the open places. */
function shownAfter(lines, there) {
  const laid = lines.map((line) => line.split(" "));
  const open = PLACES.filter((place) => !laid.some(([, on]) => on === place));
  const places = open.map((word) => ({ word, name: word, fits: Object.keys(FITS).filter((thing) => FITS[thing].includes(word)) }));
  const things = Object.entries(there).map(([word, count]) => [word, count - laid.filter(([, , thing]) => thing === word).length]).filter(([, left]) => left > 0);
  return `<div id="trays" data-live>${open.length && things.length ? `<details class="tray" open data-verb="lay" data-count="1"><summary>Lay</summary><span class="where"></span>
<div class="things">${things.map(([word, left]) => `<button data-thing="${word}" data-left="${left}">${word}</button>`).join("")}</div>
<script type="application/json" class="places">${JSON.stringify(places)}</script></details>` : ""}</div>`;
}

const BOARD = `<div id="board"><svg>${PLACES.map((word) => `<g data-word="${word}"></g>`).join("")}</svg></div>`;

function point(page, kind, part, at) {
  const event = new page.window.MouseEvent(kind, { bubbles: true, cancelable: true, clientX: at, clientY: 0 });
  part.dispatchEvent(event);
}

test("whatever is drawn and tapped, and however late it is answered, each place gets one thing that fits and no thing is laid too often", async () => {
  const stroke = fc.record({ what: fc.constant("draw"), thing: fc.constantFrom(...Object.keys(FITS)), over: fc.array(fc.nat(PLACES.length - 1), { maxLength: 5 }) });
  const tap = fc.record({ what: fc.constant("tap"), thing: fc.constantFrom(...Object.keys(FITS)), on: fc.nat(PLACES.length - 1) });
  const steps = fc.array(fc.oneof({ arbitrary: stroke, weight: 3 }, tap, fc.constant({ what: "answers" })), { minLength: 1, maxLength: 6 });
  const counts = fc.record({ tree: fc.integer({ min: 1, max: 4 }), rock: fc.integer({ min: 1, max: 2 }), pond: fc.integer({ min: 1, max: 2 }) });
  await fc.assert(fc.asyncProperty(counts, steps, async (there, does) => {
    const recorder = new Recorder();
    const held = [];
    const answer = (request) => new Promise((resolve) => held.push(() => resolve(recorder.answer(request))));
    const page = tablePage(recorder, { answer, more: { may_undo: true } });
    const rest = page.shown.body.replace(/<div id="board".*?<\/svg><\/div>/s, BOARD);
    const lines = () => recorder.entries.map(({ text }) => text);
    Object.defineProperty(page.shown, "body", { get: () => rest + shownAfter(lines(), there) });
    page.document.documentElement.innerHTML = html(page.shown).replace(/^.*?<html>|<\/html>$/gs, "");
    page.document.elementFromPoint = (x) => page.find(`#board [data-word="p${x}"]`);
    await page.run("trays.js");
    const answers = async () => {
      while (held.length) {
        const [first] = held.splice(0, 1);
        first();
        await settled();
        await page.pass(10);
      }
    };
    const expected = [];
    const lies = (place) => expected.some((line) => line.split(" ")[1] === place);
    const lay = (thing, place) => {
      const used = expected.filter((line) => line.split(" ")[2] === thing).length;
      if (!lies(place) && FITS[thing].includes(place) && used < there[thing]) expected.push(`lay ${place} ${thing}`);
    };
    for (const { what, thing, over = [], on } of does) {
      if (what === "answers") {
        await answers();
        continue;
      }
      if (what === "tap" && !lies(`p${on}`)) await page.click(`#board [data-word="p${on}"]`);
      const button = page.find(`#trays [data-thing="${thing}"]`);
      if (button === null || button.hidden) continue;
      if (what === "tap") {
        const before = PLACES.find((place) => !lies(place));
        lay(thing, lies(`p${on}`) ? before : `p${on}`);
        await page.click(button);
        continue;
      }
      point(page, "pointerdown", button, -1);
      for (const at of over) {
        point(page, "pointermove", page.document.body, at);
        lay(thing, `p${at}`);
      }
      point(page, "pointerup", page.document.body, over.at(-1) ?? -1);
      await settled();
    }
    await answers();
    assert.deepEqual(lines(), expected);
  }), { numRuns: runs(20) });
});
