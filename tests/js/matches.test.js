// Matches at the desk and on phones: a tap or two keys are a result, and a choice a board.

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { Page } from "./page.js";
import { runs } from "./steady.js";

const OFFERED = ["2-0", "2-1", "1-2", "0-2"];
const LATE = ["1-0", "1-1", "0-1"];
const match = (table, how = "result") =>
  `<li data-number="${table}" data-state="open"><div class="result-taps" data-table="${table}" data-round="1" data-how="${how}" data-entered="" data-seats="2">
  ${OFFERED.map((games) => `<button data-games="${games}">${games}</button>`).join("")}
  ${LATE.map((games) => `<button data-games="${games}" data-late>${games}</button>`).join("")}<button data-do="slip">…</button></div></li>`;
const boards = (table, count) =>
  `<li data-number="${table}" data-state="open"><div class="result-taps" data-table="${table}" data-round="1" data-how="result" data-entered="" data-seats="2">
  ${Array.from({ length: count }, (_, at) => `<span class="at-board">${["A", "=", "B"].map((won) => `<button data-board="${at + 1}" data-won="${won}" aria-pressed="false">${won}</button>`).join("")}</span>`).join("")}
  <button data-do="slip">…</button></div></li>`;

async function desk(body, answer) {
  const page = new Page({
    url: "https://referee.test/tournaments/t1/desk",
    shown: {
      body: `<p id="state"></p><p id="told" hidden></p><dialog id="dialog"></dialog><input id="find"><span id="found"></span><ol class="desk-tables">${body}</ol>`,
      data: { tournament: "t1", version: 10, clock: null, round: 1, rounds: 1, match: { games: 3, boards: false } },
      words: { anyway: "Record anyway", nobody_answers: "nobody" },
    },
    answer: answer ?? (() => ({ body: { data: {}, told: ["done"], warnings: [], version: 10 } })),
  });
  (await page.run("tournament_results.js")).takeTaps();
  (await page.run("tournament_find.js")).findTables();
  return page;
}

const said = (page) => page.requests.map(({ path, body }) => [path, body]);

test("one tap is the result of a match, and says so when time ran out", async () => {
  const page = await desk(match(3) + match(4, "report"));
  const [first, second] = page.all(".result-taps");
  await page.click(first.querySelector('[data-games="2-1"]'));
  await page.click(second.querySelector('[data-games="1-1"]'));
  assert.deepEqual(said(page), [
    ["/tournaments/t1/tables/3/result", { games: "2-1", reason: "", round: 1 }],
    ["/tournaments/t1/tables/4/report", { games: "1-1", timed_out: true, round: 1 }],
  ]);
});

test("a match that is not finished is asked about, and may be recorded all the same", async () => {
  let stops = true;
  const page = await desk(match(3), () => (stops ? { status: 409, body: { code: "match_unfinished", detail: "goes on?" } } : { body: { told: ["done"], warnings: [], version: 10 } }));
  await page.click('[data-games="2-0"]');
  stops = false;
  await page.click("[data-anyway]");
  assert.deepEqual(said(page).at(-1)[1], { games: "2-0", reason: "", round: 1, anyway: true });
});

test("the boards of a match are told when each is told, in the order of the boards", async () => {
  await fc.assert(fc.asyncProperty(fc.integer({ min: 2, max: 4 }), fc.array(fc.tuple(fc.nat(3), fc.constantFrom("A", "=", "B")), { maxLength: 12 }), async (count, taps) => {
    const page = await desk(boards(1, count), () => ({ status: 409, body: { detail: "no" } }));
    const told = new Map();
    const expected = [];
    for (const [at, won] of taps) {
      const board = (at % count) + 1;
      await page.click(`[data-board="${board}"][data-won="${won}"]`);
      if (told.get(board) === won) told.delete(board);
      else told.set(board, won);
      if (told.size === count) {
        expected.push(Array.from({ length: count }, (_, each) => told.get(each + 1)).join(""));
        told.delete(board); // it was refused: the last tap is taken back
      }
    }
    assert.deepEqual(said(page).map(([, body]) => body.games), expected);
    const pressed = page.all("[aria-pressed=true]").map((each) => `${each.dataset.board}${each.dataset.won}`);
    assert.deepEqual(pressed, [...told].sort().map(([board, won]) => `${board}${won}`));
  }), { numRuns: runs(30) });
});

test("two figures are a result of the table that somebody stands at, and others are nothing", async () => {
  await fc.assert(fc.asyncProperty(fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 8 }), async (keys) => {
    const page = await desk(match(1), () => ({ status: 409, body: { detail: "no" } }));
    const expected = [];
    for (let at = 0; at + 1 < keys.length; at += 2) {
      const games = `${keys[at]}-${keys[at + 1]}`;
      if ([...OFFERED, ...LATE].includes(games)) expected.push(games);
    }
    for (const key of keys) await page.key(String(key), page.find("[data-do=slip]"));
    assert.deepEqual(said(page).map(([, body]) => body.games), expected);
  }), { numRuns: runs(40) });
});

test("figures begin anew at another table; letters go from board to board", async () => {
  const page = await desk(match(1) + match(2) + boards(3, 3));
  const [first, second, third] = page.all("[data-do=slip]");
  await page.key("2", first);
  await page.key("2", second);
  await page.key("0", second);
  for (const key of ["a", "=", "b"]) await page.key(key, third);
  assert.deepEqual(said(page).map(([path, body]) => [path.split("/").at(-2), body.games]), [["2", "2-0"], ["3", "A=B"]]);
});
