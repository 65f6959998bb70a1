// The second time: what was asked last is shown whichever answer comes first, nothing of a first dialog
// reaches into a second, and what is sent again has its key, other content another.

import assert from "node:assert/strict";
import { test } from "node:test";
import vm from "node:vm";
import { Page, settled } from "./page.js";
import { Recorder, WORDS, dataOf, tablePage } from "./table_page.js";

/** A script that a realm without pictures or large forms has instead of another. */
const instead = (page, name, source) => page.modules.set(name, Promise.resolve(new vm.SourceTextModule(source, { context: page.context, identifier: name })));
const PICTURES = "export const smaller = (file) => file; export const draw = async () => {}; export const encoded = async () => new Blob(['x']);";

const open = (page) => page.find("#dialog").hasAttribute("open");
const choose = (page, selector, value) => {
  page.find(selector).value = value;
  page.find(selector).dispatchEvent(new page.window.Event("change", { bubbles: true }));
};

/** A table whose page may do everything; `first` and `second` are the actions of its record. */
async function table(more = {}) {
  const page = tablePage(new Recorder(), { words: { ...WORDS, tell_here: "tell", tell_here_about: "for {name}", secret_told: "told" }, more: { may: { correct: true, "access-code": true, "access-list": true }, gives: [], ...more } });
  page.shown.body += '<div id="secrets"></div>';
  page.window.document.body.dataset.role = "t2345678";
  page.find("#moves").innerHTML = '<li class="counts" data-number="1"><span class="line">one</span><button data-do="correct" data-number="1" id="correct"></button></li>';
  page.find("#tools").innerHTML = '<button data-do="invite"></button><button data-do="devices"></button>';
  instead(page, "picture.js", PICTURES);
  await page.run("table.js");
  return page;
}

const HALL = '<p id="state"></p><p id="told" hidden></p><dialog id="dialog"></dialog><div id="cards"></div>';
const PEOPLE = ["pa", "pb"].map((player, at) => ({ player, number: at + 1, name: player, sections: [] }));

async function desk(script) {
  const page = new Page({ url: "https://referee.test/tournaments/t1/desk", shown: { body: HALL, data: { tournament: "t1", version: 1, round: 1, rounds: 1, people: PEOPLE, may: { penalise: true }, games: { g: "G" } }, words: { penalise: "Penalise", "team-set": "Team" } } });
  return { page, ...await page.run(script) };
}

const own = async () => {
  const page = await table();
  const { tellHere } = await page.run("own_entry.js");
  return { page, tellHere };
};
const offered = (seat) => ({ data: { options: [{ notation: `${seat} look 1`, label: "", secret: true }, { notation: `${seat} look 2`, label: "", secret: true }], names: {}, drawings: {} } });

/** Where somebody asks twice: how, what the API says to each, and what stands there in the end. */
const ASKED = {
  "an own entry on the table is of the seat that was pressed last": async () => {
    const { page, tellHere } = await own();
    return { page, ask: tellHere, each: ["A", "B"], answer: ({ headers }) => offered(headers["Referee-Role"].split(":")[1]), shown: () => page.find("#dialog p").textContent, last: "for Bo" };
  },
  "the code that is shown is of the seat that was invited last": async () => {
    const page = await table();
    await page.click("[data-do=invite]");
    return { page, ask: (seat) => page.click(`[data-do=invite-${seat}]`), each: ["A", "B"], answer: ({ body }) => ({ data: { code: body.role } }), shown: () => page.find("#dialog .code").textContent, last: "seat:B" };
  },
  "whoever is invited to the club has the role that was tapped last": async () => {
    const page = new Page({ shown: { body: '<dialog id="dialog"></dialog><button data-invite="organiser"></button><button data-invite="spectator"></button>', words: {} } });
    await page.run("home.js");
    return { page, ask: (role) => page.click(`[data-invite=${role}]`), each: ["organiser", "spectator"], answer: ({ body }) => ({ data: { code: body.role } }), shown: () => page.find("#dialog .code").textContent, last: "spectator" };
  },
  "a correction that is looked at is the one that was chosen last": async () => {
    const page = await table();
    page.answer = () => ({ body: { data: { options: [{ notation: "A gather" }, { notation: "B pass" }] } } });
    await page.click("#correct");
    return { page, ask: (line) => page.click(`[data-legal="${line}"]`), each: ["A gather", "B pass"], answer: ({ body }) => ({ data: { judged_again: 0 }, told: body.lines }), shown: () => page.find("#preview p").textContent, last: "B pass" };
  },
  "why a tap is not legal is told of the last one": async () => {
    const page = await table();
    const { answerWhy } = await page.run("desk.js");
    return { page, ask: (word) => answerWhy(word, [word]), each: ["c2", "b1"], answer: ({ body }) => ({ data: { accepted: false }, told: body.lines }), shown: () => page.find("#verdict .first").textContent, last: "b1" };
  },
  "the form of a team is of the team that was asked for last": async () => {
    const { page, openRoster } = await desk("tournament_teams.js");
    return { page, ask: openRoster, each: ["pa", "pb"], answer: ({ path }) => ({ data: { boards: 2, round: 1, teams: [{ name: path.at(-1), members: [], captain: null, line_up: [] }] } }), shown: () => page.find("#dialog h2").textContent, last: "Team · b" };
  },
  "a penalty is written for the player who was asked for last": async () => {
    const { page, forms } = await desk("tournament_forms.js");
    const ask = async (player) => { forms.more({ dataset: { player } }); await page.click("[data-of=penalise]"); };
    return { page, ask, each: ["pa", "pb"], answer: () => ({ told: [], data: { guide: [], before: [], others: [], proposed: { level: "x" } } }), shown: () => page.find("#dialog h2").textContent, last: "Penalise · pb" };
  },
  "the step of a penalty is that of the words that were written last": async () => {
    const { page, forms } = await desk("tournament_forms.js");
    page.answer = () => ({ body: { told: [], data: { guide: [], before: [], others: [], proposed: { level: "" } } } });
    forms.more({ dataset: { player: "pa" } });
    await page.click("[data-of=penalise]");
    const ask = async (what) => choose(page, "#dialog [name=infringement]", what);
    return { page, ask, each: ["late", "loud"], answer: ({ path }) => ({ told: [new URLSearchParams(path.split("?")[1]).get("infringement")], data: { proposed: { level: "" } } }), shown: () => page.find("#dialog .why p").textContent, last: "loud" };
  },
  "a new event has the rules of the event that was chosen last": async () => {
    const page = new Page({ shown: { body: '<p id="problem" hidden></p><form id="new"><div id="all-rules"></div><input id="rounds"><input id="people"><select id="like"><option value=""></option><option>t1</option><option>t2</option></select></form>', data: {}, words: {} } });
    instead(page, "tournament_rules.js", "export const live = () => {}; export const told = () => ({}); export const fill = (form, plan) => { form.dataset.filled = plan; };");
    await page.run("tournament_events.js");
    return { page, ask: async (event) => choose(page, "#like", event), each: ["t1", "t2"], answer: ({ path }) => ({ data: { plan: path } }), shown: () => page.find("#new").dataset.filled, last: "/tournaments/t2" };
  },
};

for (const [what, made] of Object.entries(ASKED)) {
  for (const order of [[0, 1], [1, 0]]) {
    test(`${what}, answered ${order[0] ? "last first" : "in order"}`, async () => {
      const { page, ask, each, answer, shown, last } = await made();
      const held = [];
      page.answer = (request) => new Promise((resolve) => { held.push(() => resolve({ body: answer(request) })); });
      const asked = [];
      for (const one of each) { asked.push(ask(one)); await settled(); }
      assert.equal(held.length, 2);
      for (const one of order) { held[one](); await settled(); }
      await Promise.all(asked);
      assert.equal(shown(), last);
    });
  }
}

test("a late answer opens no dialog over one that was opened since", async () => {
  const { page, tellHere } = await own();
  let give;
  page.answer = () => new Promise((resolve) => { give = () => resolve({ body: offered("A") }); });
  tellHere("A");
  await settled();
  await page.click("[data-do=invite]");
  give();
  await settled();
  assert.ok(page.find("[data-do=invite-A]"));
  assert.equal(page.find("#secret-line"), null);
});

/** A phone that is laid away while the answer is on its way shows no secret afterwards. */
for (const event of ["visibilitychange", "pagehide"]) {
  test(`an own entry that is left before its answer comes is not opened: ${event}`, async () => {
    const { page, tellHere } = await own();
    let give;
    page.answer = () => new Promise((resolve) => { give = () => resolve({ body: offered("A") }); });
    tellHere("A");
    await settled();
    (event === "pagehide" ? page.window : page.document).dispatchEvent(new page.window.Event(event));
    give();
    await settled();
    assert.equal(open(page), false);
  });
}

test("each own entry stays open for its whole minute, whenever the one before it was left", async () => {
  const { page, tellHere } = await own();
  page.answer = () => ({ body: offered("B") });
  for (const wait of [50_000, 20_000, 40_000, 59_000]) {
    await tellHere("B");
    await page.pass(wait);
    assert.ok(open(page), `after ${wait / 1000} seconds`);
  }
  await page.pass(1000);
  assert.equal(open(page), false);
});

/** Two calls in the same words, each with its photograph: none is lost, and each goes to its own dispute. */
test("photographs of two calls in the same words go each to its own dispute", async () => {
  const page = await table();
  const { callJudge } = await page.run("judge_call.js");
  const made = [];
  page.answer = ({ path }) => {
    if (path.endsWith("/disputes")) made.push(path);
    return { body: { data: { id: `d${made.length}`, disputes: [] }, told: [], warnings: [], version: 6 } };
  };
  page.fetch = ((fetch) => function sent(address, options) { return fetch.call(this, address, options?.body instanceof page.window.Blob ? { ...options, body: JSON.stringify(options.body.size) } : options); })(page.fetch);
  const { queue } = await page.run("desk.js");
  queue.offline = true;
  page.online = false;
  for (const size of [1, 2]) {
    callJudge("call", { number: 1 }, { title: "judge" });
    Object.defineProperty(page.find("#dispute-photo"), "files", { value: [new page.window.Blob(["x".repeat(size)])] });
    await page.click("#dialog [data-do=send]");
  }
  page.online = true;
  await page.pass(4000);
  await settled();
  const photos = page.requests.filter(({ path }) => path.includes("/photos")).map(({ path, body }) => [path.split("=")[1], body]);
  assert.deepEqual(photos, [["d1", 1], ["d2", 2]]);
});

test("a photograph that nobody answered has its key again, another photograph or other words have another", async () => {
  const page = new Page({ shown: { body: '<dialog id="dialog"></dialog>', data: dataOf(6), words: {} } });
  instead(page, "picture.js", PICTURES);
  const { photograph } = await page.run("photo.js");
  photograph({});
  const take = async () => {
    Object.defineProperty(page.find("#photo-file"), "files", { value: [{}], configurable: true });
    page.find("#photo-file").dispatchEvent(new page.window.Event("change"));
    await settled();
  };
  const sent = async () => { await page.click("[data-do=photo-send]"); return page.requests.at(-1).headers["Idempotency-Key"]; };
  page.fetch = ((fetch) => function told(address, options) { return fetch.call(this, address, { ...options, body: "{}" }); })(page.fetch);
  await take();
  const keys = [await sent(), await sent()];
  await take();
  keys.push(await sent());
  for (const part of ["#photo-caption", "#photo-about", "#photo-whose"]) { choose(page, part, part === "#photo-whose" ? "B" : "words"); keys.push(await sent()); }
  assert.equal(keys[0], keys[1]);
  assert.equal(new Set(keys).size, keys.length - 1);
});
