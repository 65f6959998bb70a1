// The hall: results by taps at the desk and on phones, slips, keys, the wall, what is told of other tables.

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { html, Page, settled, UNHEARD } from "./page.js";
import { runs } from "./steady.js";

const WORDS = { nobody_answers: "Nobody answers", anyway: "All the same", live: "live", lost: "lost" };
const group = (table, seats, more = "") =>
  `<div class="result-taps" data-table="${table}" data-round="2" data-how="result" data-entered="" data-seats="${seats.length}" ${more}>
  ${seats.map((seat) => `<button data-place="${seat}">${seat}</button>`).join("")}<button data-place="=">=</button>
  <button data-do="slip">…</button><button data-do="take">take</button></div>`;

function hall({ body = "", data = {}, answer } = {}) {
  const told = { tournament: "t1", version: 10, clock: null, round: 2, rounds: 2, ...data };
  const page = new Page({
    url: "https://referee.test/tournaments/t1/desk",
    shown: { body: `<p id="state"></p><p id="told" hidden></p><dialog id="dialog"></dialog>${body}`, data: told, words: WORDS },
    answer: answer ?? (() => ({ body: { data: {}, told: ["done"], warnings: [], version: 11 } })),
  });
  return page;
}

async function results(options) {
  const page = hall(options);
  const module = await page.run("tournament_results.js");
  module.takeTaps();
  module.speakForMyself();
  return { page, ...module };
}

const said = (page) => page.requests.map(({ path, body }) => [path, body]);

test("of two, a tap on the second is the second's win, and the first comes behind", async () => {
  const { page } = await results({ body: group(3, ["A", "B"]) });
  await page.click("[data-place=B]");
  assert.deepEqual(said(page), [["/tournaments/t1/tables/3/result", { places: ["B", "A"], reason: "", round: 2 }]]);
});

test("of two, a draw is one place for both", async () => {
  const { page } = await results({ body: group(3, ["A", "B"]) });
  await page.click('[data-place="="]');
  assert.deepEqual(said(page)[0][1].places, ["A=B"]);
});

test("of three, taps are places; the last tap sends them, in the order of the taps", async () => {
  const { page } = await results({ body: group(1, ["A", "B", "C"]) });
  await page.click("[data-place=C]");
  await page.click("[data-place=A]");
  assert.deepEqual(page.requests, []);
  assert.deepEqual(page.all("[data-at]").map((button) => [button.dataset.place, button.dataset.at]), [["A", "2."], ["C", "1."]]);
  await page.click("[data-place=B]");
  assert.deepEqual(said(page)[0][1].places, ["C", "A", "B"]);
});

test("of three, a second tap on the first takes the place back, and the others move up", async () => {
  const { page } = await results({ body: group(1, ["A", "B", "C"]) });
  for (const seat of ["C", "A", "C"]) await page.click(`[data-place=${seat}]`);
  assert.deepEqual(page.all("[data-at]").map((button) => [button.dataset.place, button.dataset.at]), [["A", "1."]]);
  assert.equal(page.find(".result-taps").dataset.held, "A");
  await page.click("[data-place=A]");
  assert.equal(page.find(".result-taps").dataset.held, undefined);
});

test("the second table's taps are the second table's result", async () => {
  const { page } = await results({ body: group(1, ["A", "B", "C"]) + group(2, ["A", "B", "C"]) });
  const [first, second] = page.all(".result-taps");
  await page.click(first.querySelector("[data-place=A]"));
  for (const seat of ["B", "C", "A"]) await page.click(second.querySelector(`[data-place=${seat}]`));
  assert.deepEqual(said(page), [["/tournaments/t1/tables/2/result", { places: ["B", "C", "A"], reason: "", round: 2 }]]);
  assert.equal(first.dataset.held, "A");
});

test("a result that was not taken keeps the taps before the last", async () => {
  const { page } = await results({ body: group(1, ["A", "B", "C"]), answer: () => ({ status: 409, body: { detail: "the round is over" } }) });
  for (const seat of ["B", "C", "A"]) await page.click(`[data-place=${seat}]`);
  assert.equal(page.find(".result-taps").dataset.held, "B C");
  assert.ok(page.find("#told").classList.contains("bad"));
});

test("what is already entered is corrected; what a player reports has no reason", async () => {
  const { page } = await results({ body: group(4, ["A", "B"]).replace('data-entered=""', 'data-entered="yes"') + group(5, ["A", "B"]).replace('data-how="result"', 'data-how="report"') });
  const [desk, phone] = page.all(".result-taps");
  await page.click(desk.querySelector("[data-place=A]"));
  await page.click(phone.querySelector("[data-place=A]"));
  assert.deepEqual(said(page).map(([path]) => path), ["/tournaments/t1/tables/4/correction", "/tournaments/t1/tables/5/report"]);
  assert.ok(!("reason" in said(page)[1][1]));
});

test("the same words told again after nobody answered have the same key; after an answer a new one", async () => {
  let online = false;
  const { page, tell } = await results({ answer: () => (online ? { body: { told: [], warnings: [], version: 11 } } : null) });
  const key = () => page.requests.at(-1).headers["Idempotency-Key"];
  await tell("/round/start", { round: 2 });
  const first = key();
  await tell("/round/start", { round: 3 });
  assert.notEqual(key(), first);
  online = true;
  await tell("/round/start", { round: 2 });
  assert.equal(key(), first);
  await tell("/round/start", { round: 2 });
  assert.notEqual(key(), first);
});

test("what the desk stops at may be told all the same; a phone's report may not", async () => {
  let stops = true;
  const answer = () => (stops ? { status: 409, body: { code: "points_wanted", detail: "points?" } } : { body: { told: ["done"], warnings: ["!"], version: 11 } });
  const { page, carryOut } = await results({ answer });
  await carryOut("/tables/1/report", { places: ["A", "B"] });
  assert.equal(page.find("[data-anyway]"), null);
  await carryOut("/tables/1/result", { places: ["A", "B"] });
  stops = false;
  await page.click("[data-anyway]");
  assert.deepEqual(said(page).at(-1)[1], { places: ["A", "B"], anyway: true });
  assert.equal(page.find("#told span").textContent, "done\n!");
});

test("points of three seats are sent as scores of their table", async () => {
  const form = '<form class="points"><input name="A" value="12"><input name="B" value="-3"><input name="C" value="40"><button>ok</button></form>';
  const { page } = await results({ body: group(7, ["A", "B", "C"]).replace("</div>", `${form}</div>`) });
  await page.submit("form.points");
  assert.deepEqual(said(page), [["/tournaments/t1/tables/7/result", { scores: ["A=12", "B=-3", "C=40"], reason: "", round: 2 }]]);
});

test("a result that somebody else reported is confirmed as it was reported", async () => {
  const slip = JSON.stringify({ places: ["B", "A"] }).replaceAll('"', "&quot;");
  const { page } = await results({ body: `<button data-do="confirm" data-table="2" data-round="2" data-slip="${slip}">ok</button>` });
  await page.click("[data-do=confirm]");
  assert.deepEqual(said(page), [["/tournaments/t1/tables/2/report", { places: ["B", "A"], round: 2 }]]);
});

test("an event of another table can wait, and then the latest is what is fetched; one's own cannot", async () => {
  const page = hall({ data: { table: 2 } });
  const { followHall } = await page.run("tournament.js");
  const heard = [];
  followHall((told) => heard.push(told.event));
  page.shown.data.version = 12;
  await page.tell("event", { event: 11, table: 1 });
  await page.tell("event", { event: 12, table: 3 });
  assert.equal(page.refreshes.length, 0);
  await page.pass(12_100);
  assert.equal(page.refreshes.length, 1);
  page.shown.data.version = 14;
  await page.tell("event", { event: 13, table: 2 });
  await page.tell("event", { event: 14, table: null });
  assert.deepEqual(heard, [13, 14]);
});

test("later events of other tables are not forgotten for the first of them", async () => {
  const page = hall({ data: { table: 2 } });
  const { followHall } = await page.run("tournament.js");
  followHall();
  await page.tell("event", { event: 11, table: 1 });
  page.shown.data.version = 11;
  await page.tell("event", { event: 11, table: null });
  await page.tell("event", { event: 12, table: 3 });
  page.shown.data.version = 12;
  await page.pass(12_100);
  assert.equal((await page.run("common.js")).data().version, 12);
});

test("the clock of a hall runs only while it runs, and says when time is up", async () => {
  const page = hall({ body: '<p><b id="time"></b></p>', data: { clock: { state: "running", left: 61, wait: 0 } } });
  const { runClock } = await page.run("tournament.js");
  runClock();
  await page.pass(1000);
  assert.equal(page.find("#time").textContent, "1:00");
  await page.pass(61_000);
  assert.equal(page.find("#time").textContent, "−0:01");
  assert.ok(page.find("p:has(#time)").classList.contains("up"));
  const waits = hall({ body: '<p><b id="time"></b><i data-waits></i></p>', data: { clock: { state: "running", left: 60, wait: 30 } } });
  (await waits.run("tournament.js")).runClock();
  await waits.pass(29_000);
  assert.deepEqual([waits.find("#time").textContent, waits.find("[data-waits]").hidden], ["1:00", false]);
  await waits.pass(31_000);
  assert.deepEqual([waits.find("#time").textContent, waits.find("[data-waits]").hidden], ["0:30", true]);
  const paused = hall({ body: '<p><b id="time"></b></p>', data: { clock: { state: "paused", left: 3725, wait: 0 } } });
  (await paused.run("tournament.js")).runClock();
  await paused.pass(5000);
  assert.equal(paused.find("#time").textContent, "1:02:05");
});

const rows = (count) => Array.from({ length: count }, (_, at) => `<li>row ${at + 1}</li>`).join("");
const foot = '<div class="wall-foot"><button id="back"></button><button id="pause"></button><button id="on"></button><span id="leaf"></span></div>';

/** A wall of 100 px above its foot; in the letters that are wanted there is room for two columns of
 *  three rows of 30 px, where rows say nothing else. */
async function wall(views, media = (query) => query.includes("min-width"), data = {}) {
  const page = hall({ body: `${views}${foot}`, data });
  page.window.matchMedia = (query) => ({ matches: media(query), addEventListener() {} });
  page.window.HTMLElement.prototype.getBoundingClientRect = function box() {
    return this.classList.contains("wall-foot") ? { top: 100, height: 20 } : { top: 0, width: 700, height: this.tagName === "LI" ? 1.5 * Number(this.dataset.height ?? 30) : 0 };
  };
  await page.run("tournament_wall.js");
  return page;
}
const seen = (page) => page.all("[data-view]:not([hidden]) li:not([hidden])").map((row) => row.textContent);

test("the wall turns through two columns, leaf by leaf, and comes back to the first", async () => {
  const page = await wall(`<section data-view><ol class="wall-list">${rows(14)}</ol></section>`);
  assert.equal(page.find("#leaf").textContent, "1 / 3");
  assert.equal(seen(page).length, 6);
  await page.pass(12_000);
  assert.deepEqual([seen(page)[0], seen(page).at(-1)], ["row 7", "row 12"]);
  await page.click("#on");
  assert.deepEqual(seen(page), ["row 13", "row 14"]);
  await page.click("#on");
  assert.equal(seen(page)[0], "row 1");
  await page.click("#back");
  assert.deepEqual(seen(page), ["row 13", "row 14"]);
});

test("every list has leaves of its own, and every row is on exactly one of them", async () => {
  const page = await wall(`<section data-view="tables"><ol class="wall-list">${rows(7)}</ol></section><section data-view><ol class="wall-list">${rows(2)}</ol></section>`);
  const leaves = [];
  for (let leaf = 0; leaf < 3; leaf += 1) {
    leaves.push(seen(page));
    await page.click("#on");
  }
  assert.deepEqual(leaves.slice(0, 2).flat(), Array.from({ length: 7 }, (_, at) => `row ${at + 1}`));
  assert.deepEqual(leaves[2], ["row 1", "row 2"]);
});

for (const [what, tall] of Object.entries({ "the first": 0, "one in the middle": 4, "the last": 11, none: -1 })) {
  test(`in columns as many rows stand as the tallest leaves room for: ${what}`, async () => {
    const made = Array.from({ length: 12 }, (_, at) => `<li data-height="${at === tall ? 45 : 20}">row ${at + 1}</li>`).join("");
    const page = await wall(`<section data-view><ol class="wall-list">${made}</ol></section>`);
    const inColumn = tall < 0 ? 4 : 2;
    const leaves = [];
    for (let leaf = 0; leaf < Math.ceil(12 / (2 * inColumn)); leaf += 1) {
      assert.equal(page.find(".wall-list").style.getPropertyValue("--rows"), String(inColumn));
      leaves.push(seen(page));
      await page.click("#on");
    }
    assert.deepEqual(leaves.flat(), Array.from({ length: 12 }, (_, at) => `row ${at + 1}`));
  });
}

test("heads stand above each column of a leaf, and tie-breaks give way where a minute has no room for all", async () => {
  const head = '<li data-head>points</li>';
  const page = await wall(`<section data-view="standings"><ol class="wall-list ranked">${head}${rows(14)}</ol></section>`);
  assert.equal(page.all("li:not([hidden])").filter((row) => row.textContent === "points").length, 2);
  assert.equal(page.find(".wall-list").hasAttribute("data-plain"), false);
  const full = await wall(`<section data-view="standings"><ol class="wall-list ranked">${head}${rows(400)}</ol></section>`);
  assert.equal(full.find(".wall-list").hasAttribute("data-plain"), true);
});

test("a wall that is paused stays, by button and by key, and goes on", async () => {
  const page = await wall(`<section data-view><ol class="wall-list">${rows(14)}</ol></section>`);
  await page.key(" ");
  await page.pass(60_000);
  assert.equal(page.find("#leaf").textContent, "1 / 3");
  await page.key("ArrowRight");
  assert.equal(page.find("#leaf").textContent, "2 / 3");
  await page.click("#pause");
  await page.pass(12_000);
  assert.equal(page.find("#leaf").textContent, "3 / 3");
});

/** What the desk tells the screens holds for those that are there and for those that come while they
 *  stand still; what somebody does at a screen holds for it alone. Where motion is unwelcome, nothing but
 *  the screen's own key makes it turn. On paper: a leaf, and whether it turns. */
test("a screen shows the leaf that time, its keys, the desk and a reload leave it at", async () => {
  const step = fc.oneof(
    { weight: 3, arbitrary: fc.record({ what: fc.constant("desk"), paused: fc.boolean(), leaf: fc.nat({ max: 2 }) }) },
    { weight: 3, arbitrary: fc.constant({ what: "time" }) },
    { weight: 3, arbitrary: fc.record({ what: fc.constant("key"), key: fc.constantFrom(" ", "ArrowLeft", "ArrowRight") }) },
    { weight: 2, arbitrary: fc.constant({ what: "reload" }) },
  );
  await fc.assert(fc.asyncProperty(fc.array(step, { maxLength: 10 }), fc.boolean(), async (steps, calm) => {
    const media = (query) => query.includes("min-width") || (calm && query.includes("reduced-motion"));
    const load = (data) => wall(`<section data-view><ol class="wall-list">${rows(14)}</ol></section>`, media, data);
    let [told, version] = [{ paused: false, leaf: 0 }, 10];
    let page = await load({ remote: told });
    let [at, turns] = [0, !calm];
    for (const { what, key, ...said } of steps) {
      if (what === "desk") {
        version += 1;
        const news = told.paused !== said.paused || told.leaf !== said.leaf;
        told = said;
        if (news) [at, turns] = [told.leaf, !told.paused && !calm];
        page.shown.data = { ...page.shown.data, version, remote: told };
        await page.tell("event", { event: version, table: null });
      } else if (what === "time") {
        at += turns ? 1 : 0;
        await page.pass(12_000);
      } else if (what === "key") {
        if (key === " ") turns = !turns;
        else at += key === "ArrowRight" ? 1 : 2;
        await page.key(key);
      } else {
        [at, turns] = told.paused ? [told.leaf, false] : [0, !calm];
        page = await load({ version, remote: told });
      }
      at %= 3;
      assert.equal(page.find("#leaf").textContent, `${at + 1} / 3`, what);
    }
  }), { numRuns: runs(40) });
});

/** Sections have what is left of a minute, and all of them their turn; nobody's own row comes later for it. */
test("standings of sections fill the minute, in turn where they are too many", async () => {
  const view = (name, count) => `<section data-view="standings" data-section="${name}"><ol class="wall-list">${Array.from({ length: count }, (_, at) => `<li>${name || "all"} ${at + 1}</li>`).join("")}</ol></section>`;
  await fc.assert(fc.asyncProperty(fc.integer({ min: 1, max: 60 }), fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 20 }), async (everybody, sizes) => {
    const sections = sizes.map((size, at) => [`S${at}`, size]);
    const page = await wall(view("", everybody) + sections.map(([name, size]) => view(name, size)).join(""), (query) => query.includes("min-width") || query.includes("reduced-motion"), { shows: "", section: "" });
    const all = [["all", everybody], ...sections].flatMap(([name, size]) => Array.from({ length: size }, (_, at) => `${name} ${at + 1}`));
    const found = new Set();
    let fewest = Infinity;
    for (let lap = 0; lap < 70 && found.size < all.length; lap += 1) {
      const leaves = Number(page.document.body.dataset.leaves);
      fewest = Math.min(fewest, leaves);
      assert.ok(leaves * Number(page.document.body.dataset.pace) <= 60_000);
      const now = new Set();
      for (let leaf = 0; leaf < leaves; leaf += 1) {
        assert.equal(page.find("#leaf").textContent, `${leaf + 1} / ${leaves}`);
        for (const row of seen(page)) { now.add(row); found.add(row); }
        await page.click("#on");
      }
      for (let row = 1; row <= everybody; row += 1) assert.ok(now.has(`all ${row}`), "in every minute");
    }
    assert.deepEqual([...found].sort(), all.sort());
    if (sizes.length === 0) return;
    const [name, size] = sections[sizes.length >> 1];
    for (const [section, rows] of [[name, size], ["gone", everybody]]) {
      const chosen = await wall(view("", everybody) + sections.map(([one, count]) => view(one, count)).join(""), undefined, { shows: "standings", section });
      const shown = new Set();
      for (let leaf = Number(chosen.document.body.dataset.leaves); leaf > 0; leaf -= 1) {
        seen(chosen).forEach((row) => shown.add(row));
        await chosen.click("#on");
      }
      assert.equal(shown.size, rows);
      assert.ok([...shown].every((row) => row.startsWith(section === "gone" ? "all " : `${section} `)));
    }
  }), { numRuns: runs(6) });
});

test("a wall with nothing, or with an empty list, shows that and no wrong leaf", async () => {
  const empty = await wall('<section data-view><p>nobody yet</p></section><section data-view><ol class="wall-list"></ol></section>');
  assert.equal(empty.find("#leaf").textContent, "1 / 1");
  const nothing = await wall("");
  assert.equal(nothing.find("#leaf").textContent, "");
});

test("a narrow wall is one page", async () => {
  const page = await wall(`<section data-view><ol class="wall-list">${rows(14)}</ol></section><section data-view><ol class="wall-list">${rows(3)}</ol></section>`, () => false);
  assert.equal(seen(page).length, 17);
  assert.ok(page.find("#on").hidden);
});

test("a refused list stays as it was typed, its first bad line selected; the others are recorded without the bad ones", async () => {
  const listed = "1 A B\nrubbish\n2 B A\n9 A B";
  const answer = ({ body }) => (body.rest
    ? { body: { data: {}, told: ["done"], warnings: [], version: 11 } }
    : { status: 400, body: { code: "line_of_results", detail: "Line 2: rubbish.", line: 2, facts: { lines: [2, 4] } } });
  const page = hall({ body: '<div class="column"><button data-do="result-list"></button></div>', data: { people: [], hears_calls: false }, answer });
  await page.run("tournament_desk.js");
  await page.click("[data-do=result-list]");
  const area = page.find("#dialog textarea");
  area.value = listed;
  await page.click("#dialog button.main");
  assert.ok(page.find("#dialog").open);
  assert.equal(area.value, listed);
  assert.equal(area.value.slice(area.selectionStart, area.selectionEnd), "rubbish");
  assert.match(page.find("#dialog [role=alert]").textContent, /Line 2/);
  await page.click("#dialog [data-rest]");
  assert.deepEqual(said(page).at(-1), ["/tournaments/t1/results/list", { lines: listed, round: 2, rest: true }]);
  assert.equal(area.value, "rubbish\n9 A B");
  assert.ok(page.find("#dialog").open, "what was wrong is still to be mended");
});

for (const [how, body, shown] of [["is late", { lines: "1: 100 €" }, "1: 100 €"], ["cannot be had", null, ""]]) {
  test(`a form opened while the page ${how} shows the newest that there is`, async () => {
    const known = { people: [], hears_calls: false, prizes: { lines: "", several: false } };
    const page = hall({ body: '<div class="column"><button data-do="prizes-set"></button></div>', data: known });
    await page.run("tournament_desk.js");
    await page.click("[data-do=prizes-set]");
    let arrive;
    const late = new Promise((resolve) => { arrive = resolve; });
    page.refreshed = () => late;
    await page.click("#dialog button.main");
    assert.ok(!page.find("#dialog").open);
    await page.click("[data-do=prizes-set]");
    assert.ok(!page.find("#dialog").open, "the page is on its way");
    const now = { ...page.shown, data: { ...page.shown.data, version: 11, prizes: { ...body, several: false } } };
    arrive(body && { body: html(now) });
    await settled();
    assert.equal(page.find("#dialog textarea").value, shown);
  });
}

test("players are read a line each: club and rating where they are known, tabs or semicolons; what is no rating is left to be refused", async () => {
  const page = hall({ body: '<div class="column"></div>', data: { people: [], hears_calls: false } });
  const { entries } = await page.run("tournament_desk.js");
  assert.deepEqual(JSON.parse(JSON.stringify(entries("Ana; North; 1500\n\n Bo\t\t12a\nCy"))), [
    { name: "Ana", club: "North", rating: 1500 }, { name: "Bo", club: "", rating: "12a" }, { name: "Cy", club: "", rating: 0 },
  ]);
});

test("two are picked to swap, three can only be seated; the second pick is the second name", async () => {
  const picks = ["p1", "p2", "p3"].map((player) => `<button class="pick" data-player="${player}">${player}</button>`).join("");
  const body = `<div class="column repair"><button data-do="swap"></button><button data-do="seat"></button>${picks}</div>`;
  const page = hall({ body, data: { people: [], hears_calls: false } });
  await page.run("tournament_desk.js");
  await page.click("[data-player=p3]");
  await page.click("[data-player=p1]");
  assert.ok(!page.find("[data-do=swap]").disabled);
  await page.click("[data-do=swap]");
  assert.deepEqual(said(page).at(-1), ["/tournaments/t1/round/swap", { a: "p1", b: "p3", round: 2, dry_run: true }]);
  await page.click("[data-player=p2]");
  assert.ok(page.find("[data-do=swap]").disabled);
  assert.ok(!page.find("[data-do=seat]").disabled);
  await settled();
});

test("a correction says which result it means", async () => {
  const { page } = await results({ body: group(2, ["A", "B"], 'data-event="41"').replace('data-entered=""', 'data-entered="1. A"') });
  await page.click("[data-place=B]");
  assert.equal(said(page)[0][1].corrects, 41);
});

test("a result that nobody has heard is kept, shown at its table, and sent with its key until somebody does, not before they like", async () => {
  await fc.assert(fc.asyncProperty(fc.constantFrom(...UNHEARD), fc.option(fc.nat({ max: 90 })), async (unheard, after) => {
    const pause = unheard && after ? Math.min(after, 60) * 1000 : 3000;
    let away = true;
    const answer = () => (away ? unheard && { ...unheard, more: after === null ? {} : { "Retry-After": `${after}` } } : { body: { told: ["done"], warnings: [], version: 10 } });
    const { page } = await results({ body: `<ol><li>${group(3, ["A", "B"])}</li></ol>`, answer });
    await page.click("[data-place=B]");
    const row = page.find("li");
    assert.ok(row.classList.contains("unsent") && row.hasAttribute("data-waits"));
    assert.ok(page.find("[data-place=A]").disabled);
    away = false;
    await page.pass(pause - 1);
    assert.equal(page.requests.length, 1);
    await page.pass(1);
    assert.equal(row.hasAttribute("data-waits"), false);
    assert.equal(new Set(page.requests.map(({ headers }) => headers["Idempotency-Key"])).size, 1);
    assert.equal(page.requests.length, 2);
  }), { numRuns: runs(60) });
});

test("of several results on their way at once none is lost and none is told as another, however the answers come", async () => {
  const tables = ["1", "2", "3"];
  const steps = fc.array(fc.record({
    tap: fc.constantFrom(...tables), answer: fc.nat({ max: 2 }), reached: fc.boolean(), unheard: fc.option(fc.constantFrom(...UNHEARD.map((_, at) => at))),
  }), { maxLength: 8 });
  await fc.assert(fc.asyncProperty(steps, async (told) => {
    /** @type {{ request: object, give: (reply: object | null) => void }[]} */
    const pending = [];
    const recorded = new Map();
    let patient = true;
    const answer = (request) => (patient ? new Promise((give) => { pending.push({ request, give }); }) : heard(request));
    const heard = ({ path, headers }) => {
      const [, table] = path.match(/tables\/(\d)\//);
      recorded.set(headers["Idempotency-Key"], table);
      return { body: { data: {}, told: ["done"], warnings: [], version: 10 } };
    };
    const { page } = await results({ body: tables.map((table) => group(table, ["A", "B"])).join(""), answer });
    const tapped = new Set();
    for (const { tap, answer: which, reached, unheard } of told) {
      const button = page.find(`[data-table="${tap}"] [data-place=B]`);
      if (!tapped.has(tap)) { button.click(); tapped.add(tap); }
      await settled();
      const [next] = pending.splice(which, 1);
      const reply = next && (unheard === null || reached) ? heard(next.request) : null;
      next?.give(unheard === null ? reply : UNHEARD[unheard]);
      await settled();
    }
    patient = false;
    for (const { request, give } of pending) give(heard(request));
    await settled();
    await page.pass(60_000);
    assert.equal(page.window.localStorage.length, 0);
    assert.deepEqual([...recorded.values()].sort(), [...tapped].sort());
    assert.equal(page.all("[data-waits]").length, 0);
  }), { numRuns: runs(40) });
});

test("a slip is typed with a reason at the desk, which a correction must have, and without one on a phone", async () => {
  const groups = group(1, ["A", "B"]) + group(2, ["A", "B"]).replace('data-entered=""', 'data-entered="yes"') + group(3, ["A", "B"]).replace('data-how="result"', 'data-how="report"');
  const { page } = await results({ body: groups });
  const found = [];
  for (const each of page.all(".result-taps")) {
    await page.click(each.querySelector("[data-do=slip]"));
    found.push(page.find("#dialog [name=reason]")?.required);
    page.find("#dialog [name=slip]").value = "B A 7";
    const reason = page.find("#dialog [name=reason]");
    if (reason) reason.value = " late ";
    await page.click("#dialog button.main");
  }
  assert.deepEqual(found, [false, true, undefined]);
  const slip = { places: ["B", "A"], absent: [], measures: [7] };
  assert.deepEqual(said(page), [
    ["/tournaments/t1/tables/1/result", { ...slip, reason: "late", round: 2 }],
    ["/tournaments/t1/tables/2/correction", { ...slip, reason: "late", round: 2 }],
    ["/tournaments/t1/tables/3/report", { ...slip, round: 2 }],
  ]);
  assert.equal(page.find("#told").hidden, false);
});

// finding a table at the desk

const SEATED = ["Ana 3", "Zoé", "Bo Ånä", "12 Monkeys"];
const found = (page) => page.all(".desk-tables > li").filter((row) => !row.hidden).map((row) => row.dataset.number ?? "bye");

test("a number finds its table alone, other words whoever they name, and Enter goes to the first that is open", async () => {
  const sought = fc.constantFrom("", " ", "1", "2", "10", "11", "12", "3", "99", "ana", "ANA", "zoe", " Zoé ", "bo a", "monk", "12 m", "x");
  const rows = fc.uniqueArray(fc.record({
    table: fc.constantFrom(1, 2, 3, 10, 11, 12, 100), who: fc.constantFrom(...SEATED), done: fc.boolean(), state: fc.constantFrom("done", "open", "disputed"),
  }), { selector: ({ table }) => table, minLength: 1, maxLength: 6 });
  await fc.assert(fc.asyncProperty(rows, fc.array(fc.tuple(sought, fc.constantFrom("", "open", "done")), { minLength: 1, maxLength: 4 }), async (tables, asked) => {
    const listed = tables.toSorted((one, other) => one.table - other.table);
    const body = `<input id="find"><p id="found"></p>${["", "open", "done"].map((each) => `<button data-filter="${each}"></button>`).join("")}
<ol class="desk-tables">${listed.map(({ table, who, done, state }) => `<li data-number="${table}" data-state="${state}"><a href="#t">${who}</a>${done ? "" : group(table, ["A", "B"])}</li>`).join("")}
<li>Bye: Zoé</li></ol><ul id="players"></ul>`;
    const page = hall({ body });
    for (const part of page.all(".desk-tables > li")) part.scrollIntoView = () => {};
    (await page.run("tournament_find.js")).findTables();
    for (const [text, filter] of asked) {
      await page.click(`[data-filter="${filter}"]`);
      await page.type("#find", text);
      const words = text.trim().toLowerCase().replaceAll("é", "e");
      const named = (who) => who.toLowerCase().replaceAll("é", "e").replaceAll("å", "a").replaceAll("ä", "a").includes(words);
      const expected = listed.filter(({ table, who, state }) => (!filter || state === filter) && (/^[0-9]+$/.test(words) ? `${table}` === words : named(who)));
      const byes = !filter && named("bye: zoe") ? ["bye"] : [];
      assert.deepEqual(found(page), [...expected.map(({ table }) => `${table}`), ...byes]);
      page.find("#find").focus();
      await page.key("Enter", page.find("#find"));
      const first = expected.find(({ done }) => !done) ?? expected[0];
      const there = page.document.activeElement.closest?.("[data-number]")?.dataset.number;
      assert.equal(there, first && `${first.table}`);
    }
  }), { numRuns: runs(40) });
});

// teams

const TEAM = { name: "Rook", members: [{ player: "pa", name: "Ana", captain: true, away: false }, { player: "pb", name: "Bo", captain: false, away: true }, { player: "pc", name: "Cy", captain: false, away: false }], captain: { player: "pa", name: "Ana" }, line_up: [{ player: "pa", name: "Ana" }, { player: "pc", name: "Cy" }] };

const plain = (told) => JSON.parse(JSON.stringify(told));

async function teams() {
  const page = hall({ answer: ({ method }) => ({ body: method === "GET" ? { data: { boards: 3, round: 4, teams: [TEAM] } } : { data: {}, told: ["done"], warnings: [], version: 11 } }) });
  return { page, ...await page.run("tournament_teams.js") };
}

test("a roster is read as it was written: a name a line, a star for who is not there", async () => {
  const { roster, rosterLines } = await teams();
  const name = fc.string({ minLength: 1, maxLength: 20 }).map((each) => each.replace(/[*\s]+/g, " ").trim()).filter(Boolean);
  fc.assert(fc.property(fc.uniqueArray(fc.record({ name, away: fc.boolean() }), { selector: (each) => each.name }), (members) => {
    const read = plain(roster(rosterLines({ ...TEAM, members })));
    assert.deepEqual(read, { members: members.map((each) => each.name), away: members.filter((each) => each.away).map((each) => each.name) });
  }));
  assert.deepEqual(plain(roster("\n Ana \n*\n\nBo*\n")), { members: ["Ana", "Bo"], away: ["Bo"] });
});

test("the desk tells a roster as a whole, and a line-up without the boards that stay empty", async () => {
  const { page, openRoster, openLineUp } = await teams();
  await openRoster("prook");
  assert.equal(page.document.querySelector("dialog textarea").value, "Ana\nBo *\nCy");
  page.document.querySelector("dialog textarea").value = "Cy\nAna";
  await page.click("dialog button.main");
  await openLineUp("prook");
  const selects = [...page.document.querySelectorAll("dialog select")];
  assert.deepEqual(selects.map((each) => each.value), ["pa", "pc", ""]);
  selects[0].value = "";
  await page.click("dialog button.main");
  assert.deepEqual(said(page).filter(([, body]) => body), [
    ["/tournaments/t1/teams", { team: "prook", members: ["Cy", "Ana"], away: [], captain: "Ana", namesake: false }],
    ["/tournaments/t1/teams/line-up", { team: "prook", round: 4, names: ["pc"] }],
  ]);
});

test("a schedule names each day once, and is read as it is written", async () => {
  const page = hall({ body: '<div class="column"></div>', data: { people: [], hears_calls: false } });
  const { asLines, items } = await page.run("tournament_broadcast.js");
  const written = "2026-11-21 09:30 Round 1\n12:30 Lunch\n2026-11-22 09:00 Round 2\n10:45 Round 3";
  assert.equal(asLines(items(`\n ${written.replace("\n", "\n\n")} \n`)), written);
  assert.match(asLines(items("9:05 Today")), /^\d{4}-\d\d-\d\d 09:05 Today$/);
  for (const bad of ["Round 2", "25:00 Round 2", "2026-13-40 10:00 Round 2", "10:00"]) assert.equal(items(`${written}\n${bad}`), 5, bad);
});
