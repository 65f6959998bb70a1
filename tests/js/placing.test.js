// A position, set up by taps.

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { Page, html, settled } from "./page.js";
import { runs } from "./steady.js";

const FIELDS = [
  { path: "position.pawns.A", kind: "word", value: "b1" }, { path: "position.pawns.B", kind: "word", value: "c2" },
  { path: "position.trees", kind: "words", value: "b1 c2" }, { path: "position.stock.A", kind: "number", value: "3" },
  { path: "position.stock.B", kind: "number", value: "5" }, { path: "position.night", kind: "yes", value: "no" },
  { path: "position.tiles.b1", kind: "word", value: "forest" }, { path: "position.tiles.c2", kind: "word", value: "lake" },
].map((field) => ({ ...field, label: field.path.replace("position.", "") }));
const BOARD = '<div id="board" data-live><svg><g data-word="b1"></g><g data-word="c2"></g><g data-word="d3"></g><g data-word="e4"></g></svg></div><div id="unread" data-live></div><section id="placing" hidden><button id="place" aria-pressed="false"></button><p id="place-about"></p><div id="here"></div></section>';

async function placing(fields = FIELDS, words = { carry: "carry {word}", take_off: "off" }) {
  const page = new Page({ url: "https://referee.test/situation", shown: { body: BOARD, data: { version: 0, position: "P0", fields }, words } });
  page.changes = [];
  page.refreshed = ({ path }) => {
    const asked = Object.fromEntries(new URL(path, "https://referee.test").searchParams);
    page.changes.push(asked);
    page.shown.data = { ...page.shown.data, position: `P${page.changes.length}` };
    return { body: html(page.shown) };
  };
  await page.run("placing.js");
  await page.click("#place");
  const choose = async (name) => {
    const choice = page.find("#here select");
    choice.value = name;
    choice.dispatchEvent(new page.window.Event("change"));
    await settled();
  };
  return { page, choose };
}

test("a place shows the fields that speak of it, the one whose value names it first", async () => {
  const { page, choose } = await placing();
  await choose("c2");
  assert.deepEqual(page.texts("#here li > b"), ["pawns.B", "trees", "tiles.c2"]);
});

test("what stands at the second place is carried to a third, and nothing else changes", async () => {
  const { page, choose } = await placing();
  await choose("c2");
  await page.click(page.all("#here li button").find((button) => button.textContent === "carry c2"));
  await choose("d3");
  assert.deepEqual(page.changes, [{ position: "P0", "set.position.pawns.B": "d3" }]);
});

test("a tile is carried as a whole: it is dropped where it was and put where it goes", async () => {
  const { page, choose } = await placing();
  await choose("c2");
  await page.click(page.all("#here li button").find((button) => button.textContent === "carry lake"));
  await choose("d3");
  assert.deepEqual(page.changes, [{ position: "P0", "drop.position.tiles.c2": "", "put.position.tiles.d3": "lake" }]);
});

/** A row may have the same word more than once, as a pile has: each button is of the one that it stands at. */
test("one word of a row is taken away or carried elsewhere, the others stay in their order", async () => {
  const row = fc.array(fc.constantFrom("b1", "c2", "d3"), { minLength: 1, maxLength: 5 });
  await fc.assert(fc.asyncProperty(row, fc.nat(), fc.boolean(), async (words, number, carried) => {
    const { page, choose } = await placing([{ path: "position.trees", kind: "words", value: words.join(" ") }]);
    const place = words[number % words.length];
    await choose(place);
    const label = carried ? `carry ${place}` : `off ${place}`;
    const buttons = page.all("#here li button").filter((button) => button.getAttribute("aria-label") === label);
    const places = words.flatMap((word, at) => (word === place ? [at] : []));
    assert.equal(buttons.length, places.length);
    const which = number % places.length;
    await page.click(buttons[which]);
    if (carried) await choose("e4");
    const left = words.toSpliced(places[which], 1, ...(carried ? ["e4"] : [])).join(" ");
    assert.deepEqual(page.changes, [{ position: "P0", "set.position.trees": left }]);
  }), { numRuns: runs(60) });
});

test("changes that are tapped fast come one after another, each to what the one before has made", async () => {
  const { page, choose } = await placing([{ path: "position.c2.stock", kind: "number", value: "3" }]);
  await choose("c2");
  const plus = page.all("#here li button").find((button) => button.textContent === "+");
  plus.dispatchEvent(new page.window.MouseEvent("click", { bubbles: true }));
  page.shown.data = { ...page.shown.data, fields: [{ path: "position.c2.stock", kind: "number", value: "4" }] };
  plus.dispatchEvent(new page.window.MouseEvent("click", { bubbles: true }));
  await settled();
  await settled();
  assert.deepEqual(page.changes, [{ position: "P0", "set.position.c2.stock": "4" }, { position: "P1", "set.position.c2.stock": "5" }]);
});

test("a place of which nothing is said offers what could be put there; no fields offer nothing", async () => {
  const { page, choose } = await placing();
  await choose("d3");
  assert.deepEqual(page.texts("#here li"), []);
  assert.deepEqual(page.texts("#here details button"), ["pawns.A", "pawns.B", "trees +", "forest", "lake"]);
  await page.click(page.all("#here details button").find((button) => button.textContent === "pawns.B"));
  assert.deepEqual(page.changes, [{ position: "P0", "set.position.pawns.B": "d3" }]);
  const empty = await placing([]);
  await empty.choose("d3");
  assert.equal(empty.page.all("#here details").length, 0);
});

test("a position that no table can show is told, and goes back to what it was", async () => {
  const { page, choose } = await placing();
  await choose("c2");
  const bodies = [BOARD.replace("<svg>", "<p>").replace('<div id="unread" data-live></div>', '<div id="unread" data-live><p class="notice">two pawns on c2</p></div>'), BOARD];
  const refreshed = page.refreshed;
  page.refreshed = (request) => {
    page.shown.body = bodies.shift() ?? BOARD;
    const reply = refreshed(request);
    page.shown.data.position = "P0";
    return reply;
  };
  await page.click(page.all("#here li button").find((button) => button.textContent === "carry c2"));
  await choose("b1");
  assert.equal(page.find("#here [role=alert]").textContent, "two pawns on c2");
  assert.deepEqual(page.changes.map((each) => Object.keys(each)), [["position", "set.position.pawns.B"], ["position"]]);
});
