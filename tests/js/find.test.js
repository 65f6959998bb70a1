// The desk of a big hall by keys: tables by number, name and state, and from one open table to the next.

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { Page } from "./page.js";
import { runs } from "./steady.js";

const NAMES = ["Zoé", "Émile", "Ana", "Bo", "José", "Eve"];
const taps = '<div class="result-taps"><button data-place="A">A</button><button data-place="B">B</button><button data-do="slip">…</button></div>';
const listed = ({ number, names, state }) =>
  `<li data-number="${number}" data-state="${state}"><a href="#">${number}</a> ${names.join(" – ")} ${state === "done" ? "" : taps}</li>`;

async function desk(tables, players = NAMES) {
  const body = `<input id="find"><p id="found"></p>
<button data-filter="">all</button><button data-filter="open">open</button><button data-filter="done">done</button>
<ul class="desk-tables" data-window="40">${tables.map(listed).join("")}<li>bye: Ana</li></ul>
<ul id="players" data-window="60">${players.map((name) => `<li>${name}</li>`).join("")}</ul>`;
  const page = new Page({ url: "https://referee.test/tournaments/t1/desk", shown: { body, words: { found: "{number} found" } } });
  for (const row of page.all("li")) row.scrollIntoView = () => {};
  (await page.run("tournament_find.js")).findTables();
  return page;
}

const shown = (page, selector = ".desk-tables > [data-number]") => page.all(selector).filter((row) => !row.hidden);
const numbers = (page) => shown(page).map((row) => Number(row.dataset.number));
const where = (page) => Number(page.document.activeElement?.closest("[data-number]")?.dataset.number ?? 0);

/** What a reader without accents would call the same letters. */
const PLAIN = { é: "e", É: "e" };
const small = (words) => words.replace(/[éÉ]/g, (letter) => PLAIN[letter]).toLowerCase();

const halls = fc.uniqueArray(fc.integer({ min: 1, max: 23 }), { minLength: 2, maxLength: 8 }).chain((found) =>
  fc.tuple(...found.sort((one, other) => one - other).map((number) => fc.record({
    number: fc.constant(number),
    names: fc.constantFrom(["Zoé", "Bo"], ["Ana", "Émile"], ["José", "Eve"]),
    state: fc.constantFrom("open", "open", "done"),
  }))));

test("a number is that table and no other, a word is a part of a name however it is typed, within the state that is chosen", async () => {
  await fc.assert(fc.asyncProperty(halls, fc.constantFrom("", "1", "2", "12", " 3 ", "zoe", "É", "an", "OSÉ", "x"), fc.constantFrom("", "open", "done"), async (tables, text, state) => {
    const page = await desk(tables);
    await page.click(`[data-filter="${state}"]`);
    await page.type("#find", text);
    const sought = text.trim();
    const fits = tables.filter((table) => (state === "" || table.state === state)
      && (/^\d+$/.test(sought) ? table.number === Number(sought) : small(`${table.names}`).includes(small(sought))));
    assert.deepEqual(numbers(page), fits.map(({ number }) => number));
    assert.equal(page.find("#found").textContent, sought || state ? `${fits.length} found` : "");
    assert.deepEqual(page.all("[aria-pressed=true]").map((button) => button.dataset.filter), [state]);
    assert.deepEqual(shown(page, "#players li").map((row) => row.textContent), NAMES.filter((name) => small(name).includes(small(sought))));
    assert.equal(shown(page, ".desk-tables > li:not([data-number])").length, Number(state === "" && small("bye: Ana").includes(small(sought))));
  }), { numRuns: runs(60) });
});

test("arrows go from one open table to the next, past those that are done, and round the ends", async () => {
  await fc.assert(fc.asyncProperty(halls, fc.array(fc.constantFrom("ArrowDown", "ArrowUp"), { maxLength: 12 }), fc.nat(), async (tables, keys, start) => {
    const open = tables.filter(({ state }) => state === "open").map(({ number }) => number);
    fc.pre(open.length > 0);
    const page = await desk(tables);
    let at = tables[start % tables.length].number;
    page.find(`[data-number="${at}"] a`).focus();
    for (const key of keys) {
      await page.key(key, page.document.activeElement);
      at = key === "ArrowDown" ? open.find((number) => number > at) ?? open[0] : open.findLast((number) => number < at) ?? open.at(-1);
      assert.equal(where(page), at);
    }
  }), { numRuns: runs(60) });
});

test("letters are taps of the table that has the focus, the second as the second", async () => {
  const page = await desk([{ number: 4, names: ["Ana", "Bo"], state: "open" }, { number: 7, names: ["Eve", "José"], state: "open" }]);
  const tapped = [];
  for (const button of page.all("[data-place]")) button.addEventListener("click", () => tapped.push([Number(button.closest("[data-number]").dataset.number), button.dataset.place]));
  await page.key("b", page.find('[data-number="7"] a'));
  await page.key("A", page.find('[data-number="4"] a'));
  await page.key("h", page.find('[data-number="4"] a'));
  assert.deepEqual(tapped, [[7, "B"], [4, "A"]]);
});

test("in the field, Enter goes to the first open table that fits, and Escape shows all again", async () => {
  const page = await desk([{ number: 1, names: ["Ana", "Bo"], state: "done" }, { number: 2, names: ["Ana", "Eve"], state: "open" }, { number: 3, names: ["Eve", "Ana"], state: "open" }]);
  await page.type("#find", "ana");
  await page.key("Enter", page.find("#find"));
  assert.equal(where(page), 2);
  await page.type("#find", "3");
  await page.key("Enter", page.find("#find"));
  assert.equal(where(page), 3);
  await page.type("#find", "1");
  await page.key("Enter", page.find("#find"));
  assert.equal(where(page), 1, "none is open: the one that fits");
  await page.key("Escape", page.find("#find"));
  assert.deepEqual(numbers(page), [1, 2, 3]);
  assert.equal(page.find("#find").value, "");
});

test("when the result of a table has come, the next open one behind it has the focus", async () => {
  const page = await desk([2, 5, 9].map((number) => ({ number, names: ["Ana", "Bo"], state: "open" })));
  await page.key("Escape", page.find('[data-number="5"] a'));
  const row = page.find('[data-number="5"]');
  row.dataset.state = "done";
  row.querySelector(".result-taps").remove();
  page.document.activeElement?.blur();
  page.document.dispatchEvent(new page.window.Event("refreshed"));
  assert.equal(where(page), 9);
});

test("a hall of many tables is shown part by part, and search and keys reach every table", async () => {
  const tables = Array.from({ length: 100 }, (_, at) => ({ number: at + 1, names: ["Ana", "Bo"], state: "open" }));
  const page = await desk(tables);
  assert.deepEqual([numbers(page).length, numbers(page).at(-1)], [40, 40]);
  await page.type("#find", "40");
  await page.key("Enter", page.find("#find"));
  await page.type("#find", "");
  await page.key("ArrowDown", page.document.activeElement);
  assert.deepEqual([where(page), numbers(page)[0]], [41, 41]);
  await page.click('[data-leaf="2"]');
  assert.deepEqual([numbers(page)[0], numbers(page).at(-1)], [81, 100]);
  await page.type("#find", "7");
  assert.deepEqual(numbers(page), [7]);
});
