// Choosing a line by taps on the picture, on words, on whole lines, or by typing.

import assert from "node:assert/strict";
import { test } from "node:test";
import vm from "node:vm";
import fc from "fast-check";
import { Recorder, FRENCH, LINES, tablePage } from "./table_page.js";
import { runs } from "./steady.js";

async function taps({ lines = LINES, names = {}, templates = [], may_log = true, words, at_once } = {}) {
  const page = tablePage(new Recorder(), { words });
  if (at_once) page.storage.setItem("referee at once", "yes");
  const { offer, renewLines } = await page.run("taps.js");
  const said = [];
  const known = { lines, names, templates, may_log };
  offer(known, (line) => said.push(line));
  return { page, said, renew: (more) => renewLines({ ...known, ...more }) };
}

const wordsOf = (page) => page.all("#taps [data-tap]").map((button) => button.dataset.tap);

test("words without a place stand before those on the picture, the most telling first", async () => {
  const { page } = await taps();
  const free = page.all("#taps > div > .choices [data-tap]").map((button) => button.dataset.tap);
  assert.ok(!free.includes("c2") && !free.includes("b1") && !free.includes("tree"));
  assert.deepEqual(free.slice(0, 2), ["gather", "pass"]);
  assert.deepEqual(page.all("#taps details [data-tap]").map((button) => button.dataset.tap).sort(), ["b1", "c2", "tree"]);
});

test("taps narrow, few lines are offered whole, and a button that says the line logs it, once", async () => {
  const { page, said } = await taps();
  await page.click("#taps [data-tap=plant]");
  assert.deepEqual(page.all("#taps [data-line]").map((button) => button.dataset.line), ["A plant tree b1", "A plant tree c2"]);
  const button = page.find('#taps [data-line="A plant tree c2"]');
  button.click();
  button.click();
  assert.deepEqual(said, ["A plant tree c2"], "two quick taps are one");
  assert.ok(wordsOf(page).length > 3, "the next line begins with all words");
});

test("of quick taps only the same one again is the same tap: every other line is logged", async () => {
  const lines = ["A gather", "B pass", "A step c2"];
  const tapped = fc.array(fc.tuple(fc.constantFrom(...lines), fc.constantFrom(0, 80, 399, 400, 1000)), { maxLength: 8 });
  await fc.assert(fc.asyncProperty(tapped, async (series) => {
    const { page, said } = await taps({ lines });
    vm.runInContext("Date", page.context).now = () => 1e6 + page.now;
    const counted = [];
    for (const [line, wait] of series) {
      page.now += wait;
      page.find(`#taps [data-line="${line}"]`).click();
      const [before, at] = counted.at(-1) ?? ["", 0];
      if (line !== before || page.now - at >= 400) counted.push([line, page.now]);
    }
    assert.deepEqual(said, counted.map(([line]) => line));
  }), { numRuns: runs(40) });
});

test("back takes the last tap away, not all of them", async () => {
  const { page } = await taps({ lines: [...LINES, ...Array.from({ length: 9 }, (_, at) => `A step x${at}`), ...Array.from({ length: 9 }, (_, at) => `B step y${at}`)] });
  await page.click("#taps [data-tap=step]");
  await page.click("#taps [data-tap=B]");
  assert.deepEqual(page.texts("#taps .tap"), ["step", "B"]);
  await page.click("#taps .tapped button");
  assert.deepEqual(page.texts("#taps .tap"), ["step"]);
  await page.key("Escape");
  assert.deepEqual(page.texts("#taps .tap"), []);
});

test("the picture is lit where a tap would tell, and the part around a part is tapped where the inner says nothing", async () => {
  const { page } = await taps({ lines: ["A step b1", "A step c2", ...Array.from({ length: 9 }, (_, at) => `A go x${at}`)] });
  assert.deepEqual(page.all("#board .lit").map((part) => part.dataset.word), ["c2", "b1"]);
  await page.click('#board [data-word="tree"]');
  assert.equal(page.find("#taps button.chosen").dataset.line, "A step b1");
});

test("keys reach the picture: Enter on the second part is a tap on it", async () => {
  const { page } = await taps({ lines: ["A step b1", "A step c2", ...Array.from({ length: 9 }, (_, at) => `A go x${at}`)] });
  assert.equal(page.find('#board [data-word="b1"]').getAttribute("tabindex"), "0");
  await page.key("Enter", page.find('#board [data-word="b1"]'));
  assert.equal(page.find("#taps button.chosen").dataset.line, "A step b1");
});

test("at once: the last tap says the line; one that stands alone from the start is never said by itself", async () => {
  const { page, said } = await taps({ at_once: true });
  await page.click("#taps [data-tap=gather]");
  assert.deepEqual(said, ["A gather"]);
  const alone = await taps({ at_once: true, lines: ["B pass"] });
  assert.deepEqual(alone.said, []);
  assert.equal(alone.page.find("#taps button.chosen").dataset.line, "B pass");
});

test("words and lines are called as people say them, in French too; what is said stays the notation", async () => {
  const names = { gather: "récolter", A: "Ana", B: "Bo" };
  const { page, said } = await taps({ names, words: FRENCH });
  assert.equal(page.find("#taps [data-tap=gather]").textContent, "récolter");
  await page.click("#taps [data-tap=gather]");
  assert.match(page.find("#taps button.chosen").textContent, /^Ana récolter/);
  assert.equal(page.find("#announced").textContent, "prêt : Ana récolter");
  await page.click("#taps button.chosen");
  assert.deepEqual(said, ["A gather"]);
});

test("who may not log is offered nothing, and the picture says nothing", async () => {
  const { page, said } = await taps({ may_log: false });
  await page.click('#board [data-word="c2"]');
  assert.equal(page.all("#taps button").length, 0);
  assert.deepEqual(said, []);
});

test("no lines at all: nothing is offered, and forms that cannot be listed still are", async () => {
  const { page } = await taps({ lines: [], templates: ["swap VALUE VALUE", "draw VALUE"] });
  assert.deepEqual(page.texts("#taps button"), ["swap …", "draw …"]);
  await page.click('#taps [data-form="draw VALUE"]');
  assert.equal(page.find("#typed").value, "draw ");
});

test("what was begun is begun anew when the lines change, and kept when they do not", async () => {
  const { page, renew } = await taps();
  await page.click("#taps [data-tap=plant]");
  renew({ names: { A: "Ana" } });
  assert.deepEqual(page.texts("#taps .tap"), ["plant"]);
  renew({ lines: LINES.slice(1) });
  assert.deepEqual(page.texts("#taps .tap"), []);
});

test("typing: words that fit by notation or by name, the second begun word too", async () => {
  const { page, said } = await taps({ names: { tree: "arbre" } });
  page.find("#composer").open = true;
  await page.type("#typed", "A pl");
  assert.deepEqual(page.texts("#fitting button"), ["plant"]);
  await page.click("#fitting button");
  assert.equal(page.find("#typed").value, "A plant ");
  await page.type("#typed", "A plant ar");
  assert.deepEqual(page.all("#fitting button").map((button) => button.dataset.fits), ["tree"]);
  await page.type("#typed", "A plant tree b1");
  await page.submit("#composer form");
  assert.deepEqual(said, ["A plant tree b1"]);
  assert.equal(page.find("#typed").value, "");
});

test("while a line is typed, taps on the picture write its words", async () => {
  const { page, said } = await taps();
  page.find("#composer").open = true;
  await page.type("#typed", "A step");
  await page.click('#board [data-word="c2"]');
  assert.equal(page.find("#typed").value, "A step c2 ");
  assert.deepEqual(said, []);
});
