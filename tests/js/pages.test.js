// The smaller pages: opening a table, the judge, a ruling, the rulebook.

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { Page, Shelf, settled, UNHEARD } from "./page.js";
import { runs } from "./steady.js";

const OPENING = '<div id="presets"></div><form id="opening" data-engine="benevolent" data-players="3"><datalist id="known-names"></datalist><input name="A" data-seat value="Ana"><input name="B" data-seat value=" "><input name="C" data-seat value=" Cy "><input name="line" value="A=blue"><input name="title" value="T"><input name="minutes" value="0,5"><select name="per"><option value="round"></option><option value="seat"></option></select><input name="increment" value="15"><input type="checkbox" name="calls" checked><input type="checkbox" name="seats_log" checked><button type="button" id="keep-preset"></button></form><p id="problem" hidden></p>';

test("a table is opened once, however often nobody answers, with the named seats and its clock", async () => {
  let online = false;
  const page = new Page({ shown: { body: OPENING }, answer: ({ path }) => (online ? { body: { data: { game: path === "/games" ? "g9" : "" } } } : null) });
  await page.run("new_table.js");
  await page.submit("#opening");
  assert.equal(page.find("#problem").hidden, false);
  online = true;
  await page.submit("#opening");
  const [first, second, clock] = page.requests;
  assert.equal(first.headers["Idempotency-Key"], second.headers["Idempotency-Key"]);
  assert.deepEqual(second.body, { game: "benevolent", table: "A=blue", title: "T", players: { A: "Ana", C: "Cy" }, readings: {} });
  assert.deepEqual([clock.path, clock.body], ["/games/g9/clock", { seconds: 30, per: "round", increment: 0, at_zero: "judge" }]);
});

test("each player's clock grows by the seconds that are said", async () => {
  const page = new Page({ shown: { body: OPENING }, answer: () => ({ body: { data: { game: "g9" } } }) });
  await page.run("new_table.js");
  page.find("[name=per]").value = "seat";
  await page.submit("#opening");
  assert.deepEqual(page.requests[1].body, { seconds: 30, per: "seat", increment: 15, at_zero: "judge" });
});

const CHOSEN = `<div id="presets"></div><form id="opening" data-engine="forest" data-players="2"><datalist id="known-names"></datalist>
<b data-badge="A"></b><input name="A" data-seat><select data-piece data-seat-of="A"><option value="A=red@a1" data-colour="red" selected></option><option value="A=blue@a1" data-colour="blue"></option></select>
<b data-badge="B"></b><input name="B" data-seat><select data-piece data-seat-of="B"><option value="B=red@e5" data-colour="red"></option><option value="B=blue@e5" data-colour="blue" selected></option></select>
<select data-piece data-about="first"><option value="first A" selected></option><option value="first B"></option><option value="" data-lot></option></select>
<input type="checkbox" data-piece value="hard"><input type="checkbox" data-piece value="blocking">
<fieldset data-pieces="variants"><input type="checkbox" value="storm"><input type="checkbox" value="hill"></fieldset><input data-number="removed">
<input type="radio" name="reading.hands" value="no" checked data-usual><input type="radio" name="reading.hands" value="yes">
<input name="line"><input name="title"><input name="minutes"><input name="per"><input name="increment"><input type="checkbox" name="calls"><input type="checkbox" name="seats_log" checked><button type="button" id="keep-preset"></button></form><p id="problem" hidden></p>`;

test("what is chosen becomes the opening line, and the next table can be as the last", async () => {
  const storage = new Shelf();
  const page = new Page({ shown: { body: CHOSEN }, storage, answer: () => ({ body: { data: { game: "g9" } } }) });
  await page.run("new_table.js");
  const change = (selector, value) => {
    page.find(selector).value = value;
    page.find(selector).dispatchEvent(new page.window.Event("input", { bubbles: true }));
  };
  change("[data-about=first]", "first B");
  change("[name=A]", "Ana");
  for (const each of ["[value=hard]", "[value=storm]", "[value=hill]", "[value=yes]"]) page.find(each).checked = true;
  page.find("[data-number]").value = "3";
  assert.equal(page.find("[data-badge=B]").className, "seat piece-blue");
  await page.submit("#opening");
  const { body } = page.requests[0];
  assert.equal(body.table, "A=red@a1 B=blue@e5 first B hard variants storm hill removed 3");
  assert.deepEqual([body.readings, body.players], [{ hands: "yes" }, { A: "Ana" }]);
  const again = new Page({ shown: { body: CHOSEN }, storage, answer: () => ({ body: { data: { game: "g10" } } }) });
  await again.run("new_table.js");
  assert.equal(again.find("#presets").childElementCount, 2);
  await again.click("[data-preset-last]");
  await again.submit("#opening");
  assert.deepEqual(again.requests[0].body, body);
});

const CALLS = (count) => `<p id="state"></p><button id="sound"></button><ul id="calls" data-live>${Array.from({ length: count }, (_, at) =>
  `<li><a href="#${at}">call</a><form class="answering" data-path="/tournaments/t1/calls/${at + 1}/answer" id="c${at + 1}"><input value=" coming "><button></button><p role="status"></p></form></li>`).join("")}</ul>`;

test("the judge's title counts the calls, a new one is announced, and the second is answered as the second", async () => {
  const page = new Page({ shown: { body: CALLS(0), data: { version: 1 } }, answer: () => ({ status: 409, body: { detail: "answered already" } }) });
  await page.run("judge.js");
  assert.equal(page.document.title, "Page");
  page.shown = { ...page.shown, body: CALLS(2) };
  await page.tell("call", { told: "table 2 calls" }, 5);
  assert.equal(page.document.title, "(2) Page");
  assert.equal(page.find("#announced").textContent, "table 2 calls");
  await page.submit("#c2");
  assert.deepEqual([page.requests[0].path, page.requests[0].body], ["/tournaments/t1/calls/2/answer", { text: "coming" }]);
  assert.equal(page.find("#c2 [role=status]").textContent, "answered already");
});

const RULING = '<form id="ruling" data-game="g1" data-dispute="d2" data-version="9" data-overturns="" data-lines="A gather; B pass" data-stands="yes"><input type="radio" name="remedy" value="none"><input type="radio" name="remedy" value="corrected"><input type="radio" name="remedy" value="penalty"><select name="seat"><option>A</option><option selected>B</option></select><input name="level" value="warning"><input id="correct" value="typed but not tried"><button id="rule"></button></form><div id="penalty" hidden></div><p id="answer"></p><dialog id="dialog"></dialog>';

for (const [remedy, more] of [["none", {}], ["penalty", { seat: "B", level: "warning" }], ["corrected", { lines: ["A gather", "B pass"], stands: true }]]) {
  test(`a ruling says what belongs to its remedy and nothing else: ${remedy}`, async () => {
    const page = new Page({ shown: { body: RULING, words: { moved_on: "moved on" } }, answer: () => ({ status: 409, body: {} }) });
    await page.run("dispute.js");
    page.find(`[value=${remedy}]`).checked = true;
    page.find("#ruling").dispatchEvent(new page.window.Event("change", { bubbles: true }));
    assert.equal(page.find("#penalty").hidden, remedy !== "penalty");
    await page.submit("#ruling");
    assert.equal(page.requests.length, 0);
    page.find("#dialog #reason").value = " so ";
    await page.click("#dialog [data-do=rule]");
    const { path, body, headers } = page.requests[0];
    assert.deepEqual([path, headers["If-Match"]], ["/games/g1/rulings", '"9"']);
    assert.deepEqual(body, { dispute: "d2", remedy, reason: "so", ...more });
    assert.equal(page.find("#answer").textContent, "moved on");
  });
}

/** Whatever is changed while an answer is on its way, in whatever order the answers come: what is shown at last
 *  is of the player, clause and words that stand in the form. */
test("earlier penalties that are shown are those of the player and the words in the form", async () => {
  const change = fc.oneof(
    fc.record({ field: fc.constant("[name=seat]"), to: fc.constantFrom("A", "B") }),
    fc.record({ field: fc.constant("#reason"), to: fc.constantFrom("", "late", " late ", "loud") }),
    fc.record({ field: fc.constant("[name=clauses]"), to: fc.constantFrom("", "X-1, X-2", "X-3") }),
  );
  await fc.assert(fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 8 }), fc.infiniteStream(fc.nat({ max: 9 })), async (changes, picks) => {
    const waiting = [];
    const body = RULING.replace('data-stands="yes"', `data-event="t1" data-players='{"A":"pa","B":"pb"}' data-clause="X-9"`)
      .replace('<input name="level"', '<input name="clauses"><input name="level"');
    const page = new Page({
      shown: { body, words: { take_step: "Take: {level}" } },
      answer: ({ path }) => new Promise((resolve) => { waiting.push(() => resolve({ body: { told: [path.split("?")[1]], data: { proposed: { level: "serious" } } } })); }),
    });
    await page.run("dispute.js");
    page.find("[value=penalty]").checked = true;
    const changed = (part) => part.dispatchEvent(new page.window.Event("change", { bubbles: true }));
    changed(page.find("[value=penalty]"));
    await page.submit("#ruling");
    for (const { field, to } of changes) {
      if (field !== "#reason") await page.click("#dialog [data-do=cancel]");
      page.find(field).value = to;
      changed(page.find(field));
      if (field !== "#reason") await page.submit("#ruling");
      await settled();
      if (waiting.length && picks.next().value > 4) { waiting.splice(picks.next().value % waiting.length, 1)[0](); await settled(); }
    }
    while (waiting.length) { waiting.splice(picks.next().value % waiting.length, 1)[0](); await settled(); }
    const shown = new URLSearchParams(page.texts("#before p")[0]);
    const value = (field) => page.find(field).value.trim();
    assert.deepEqual(Object.fromEntries(shown), { name: `p${value("[name=seat]").toLowerCase()}`, infringement: value("#reason"), clause: value("[name=clauses]").split(",")[0] || "X-9" });
    await page.click("[data-take]");
    assert.equal(page.find("[name=level]").value, "serious");
  }), { numRuns: runs(25) });
});

test("a rulebook is searched without accents and capitals; headings with nothing left go", async () => {
  const body = '<form id="search"><input id="wanted"></form><p id="count"></p>' + ["Épées et forêt", "Une forêt", "Rien"].map((text, at) =>
    `<section class="heading"><div class="clauses"><p id="X-${at}" data-words="${text}">${text}</p></div></section>`).join("");
  const page = new Page({ shown: { body, words: { none: "nothing", one: "one", many: "{count} clauses" } } });
  await page.run("rulebook.js");
  await page.type("#wanted", "FORET");
  assert.equal(page.find("#count").textContent, "2 clauses");
  assert.deepEqual(page.all(".heading:not([hidden]) p").map((clause) => clause.id), ["X-0", "X-1"]);
  await page.type("#wanted", "foret epees");
  assert.equal(page.find("#count").textContent, "one");
  await page.type("#wanted", "zzz");
  assert.equal(page.find("#count").textContent, "nothing");
  await page.type("#wanted", " ");
  assert.equal(page.all(".heading:not([hidden])").length, 3);
});

test("what was told of a board's photograph waits until the referee has heard it, and what is told behind it waits too", async () => {
  const board = { board: "map", title: "Map", photo: null, flat: null, width: 4, height: 3, corners: [], spaces: [], new: [], left: 0, declared: false, conflicts: [], problems: [], flaw: null };
  const ids = ["corners-step", "step-corners", "spaces-step", "step-spaces", "problem", "spaces", "doubts", "left", "chosen-space", "tray"];
  await fc.assert(fc.asyncProperty(fc.array(fc.constantFrom(...UNHEARD), { maxLength: 4 }), async (unheard) => {
    const answers = [...unheard];
    const heard = [];
    const answer = ({ body }) => {
      if (answers.length) return answers.shift();
      heard.push(body);
      return { body: { data: board } };
    };
    const page = new Page({ shown: { body: `<div id="photo-board" data-engine="toy" data-may><svg id="corners"></svg>${ids.map((id) => `<div id="${id}"></div>`).join("")}<button data-do="declare"></button></div>`, data: { board } }, answer });
    await page.run("box_board.js");
    await page.click("[data-do=declare]");
    await page.click("[data-do=declare]");
    await page.pass(20_000);
    assert.deepEqual(JSON.parse(JSON.stringify(heard)), [{ board: "map", declare: true }, { board: "map", declare: true }]);
    assert.equal("saving" in page.find("#photo-board").dataset, false);
  }), { numRuns: runs(40) });
});
