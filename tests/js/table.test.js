// The table: taps, the queue and the live channel together, as a device shows them.

import assert from "node:assert/strict";
import { test } from "node:test";
import { settled } from "./page.js";
import { FRENCH, Recorder, reload, tablePage } from "./table_page.js";

async function table(options) {
  const recorder = new Recorder();
  const page = tablePage(recorder, options);
  await page.run("table.js");
  return { recorder, page };
}

/** A table at which somebody else was quicker: their line stands in the record when ours comes. */
async function conflict(theirs, ours) {
  const { recorder, page } = await table();
  recorder.record(theirs);
  page.shown.data.version = 6;
  const { log } = await page.run("desk.js");
  log(ours);
  await settled();
  return { recorder, page, log };
}

const recorded = (recorder) => recorder.entries.map(({ told }) => told);
const sent = (page, path = "/actions") => page.requests.filter((each) => each.path.endsWith(path));

test("a word, a line and one more tap log a line once, however fast the last is tapped twice", async () => {
  const { recorder, page } = await table();
  await page.click("#taps [data-tap=gather]");
  const button = page.find("#taps button.chosen");
  assert.equal(button.dataset.line, "A gather");
  button.dispatchEvent(new page.window.MouseEvent("click", { bubbles: true }));
  button.dispatchEvent(new page.window.MouseEvent("click", { bubbles: true }));
  await settled();
  assert.deepEqual(recorded(recorder), ["A gather"]);
  assert.equal(page.document.body.dataset.queued, "0");
});

test("the newest line is in view once something was logged, wherever the record was", async () => {
  const { page } = await table();
  page.find(".record").scrollTop = 400;
  const { log } = await page.run("desk.js");
  log("A gather");
  await settled();
  assert.equal(page.find(".record").scrollTop, 0);
});

test("the second line said while the first is on its way follows it and nobody is asked", async () => {
  const { recorder, page } = await table();
  const held = [];
  page.answer = (request) => new Promise((resolve) => { held.push(() => resolve(recorder.answer(request))); });
  const { log } = await page.run("desk.js");
  log("A gather");
  log("B pass");
  await settled();
  assert.deepEqual(page.texts("#waiting li"), ["A gather", "B pass"]);
  held.shift()();
  await settled();
  held.shift()();
  await settled();
  assert.deepEqual(recorded(recorder), ["A gather", "B pass"]);
  assert.equal(page.find("#verdict.unsure"), null);
});

test("a line tapped after the answer and before the page is fetched anew is not asked about", async () => {
  const { recorder, page } = await table();
  const fetched = [];
  page.refreshed = () => new Promise((resolve) => { fetched.push(resolve); });
  const { log } = await page.run("desk.js");
  log("A gather");
  await settled();
  assert.deepEqual(recorded(recorder), ["A gather"]);
  log("B pass");
  await settled();
  assert.equal(page.find("#verdict.unsure"), null, "its own entry was called somebody else's");
  assert.deepEqual(recorded(recorder), ["A gather", "B pass"]);
});

test("what nobody answers waits, survives a reload and is sent once, in French too", async () => {
  const { recorder, page } = await table({ words: FRENCH });
  page.online = false;
  const { log } = await page.run("desk.js");
  log("A gather");
  log("B pass");
  await settled();
  assert.match(page.find("#waiting p").textContent, /Pas de connexion/);
  const fresh = await reload(recorder, page);
  await settled();
  assert.deepEqual(recorded(recorder), ["A gather", "B pass"]);
  assert.equal(fresh.storage.length, 0);
});

test("an answer that is lost is asked for again with the same key and after a pause", async () => {
  const { recorder, page } = await table();
  let lost = 2;
  page.answer = (request) => {
    const reply = recorder.answer(request);
    return lost-- > 0 ? null : reply;
  };
  const { log } = await page.run("desk.js");
  log("A gather");
  await settled();
  await page.pass(2900);
  assert.equal(sent(page).length, 1);
  await page.pass(3200);
  assert.equal(new Set(sent(page).map((each) => each.headers["Idempotency-Key"])).size, 1);
  assert.deepEqual(recorded(recorder), ["A gather"]);
  assert.equal(page.document.body.dataset.queued, "0");
});

for (const [status, after, early, late] of [[429, "7", 6900, 200], [503, "1", 900, 200], [503, "86400", 59_000, 1100], [429, "soon", 2900, 200]]) {
  test(`${status} with Retry-After ${after} is asked again when it says, within reason`, async () => {
    const { recorder, page } = await table();
    let busy = true;
    page.answer = (request) => (busy ? { status, body: { code: "busy" }, more: { "Retry-After": after } } : recorder.answer(request));
    const { log } = await page.run("desk.js");
    log("A gather");
    await settled();
    busy = false;
    await page.pass(early);
    assert.equal(sent(page).length, 1);
    await page.pass(late);
    assert.deepEqual(recorded(recorder), ["A gather"]);
  });
}

test("the network comes back: nobody waits for the end of the pause", async () => {
  const { recorder, page } = await table();
  page.online = false;
  const { log } = await page.run("desk.js");
  log("A gather");
  await settled();
  page.online = true;
  page.window.dispatchEvent(new page.window.Event("online"));
  await settled();
  assert.deepEqual(recorded(recorder), ["A gather"]);
});

test("a page of the WLAN instead of an answer is no answer", async () => {
  const { recorder, page } = await table();
  let portal = true;
  page.answer = (request) => (portal ? { body: "<h1>Sign in</h1>", type: "text/html" } : recorder.answer(request));
  const { log } = await page.run("desk.js");
  log("A gather");
  await settled();
  assert.equal(page.document.body.dataset.queued, "1");
  portal = false;
  await page.pass(3100);
  assert.deepEqual(recorded(recorder), ["A gather"]);
});

test("a referee that fails is told, and what was said is kept until the table decides", async () => {
  const { recorder, page } = await table();
  let failing = true;
  page.answer = (request) => (failing ? { status: 500, body: { code: "wrong", title: "Something went wrong" } } : recorder.answer(request));
  const { log } = await page.run("desk.js");
  log("A gather");
  await settled();
  assert.match(page.find("#verdict .first").textContent, /went wrong/);
  assert.deepEqual(page.texts("#waiting li"), ["A gather"]);
  failing = false;
  await page.click("#waiting [data-do=rest]");
  assert.deepEqual(recorded(recorder), ["A gather"]);
});

test("behind a conflict no tap is taken, the question comes again, and one answer is enough", async () => {
  const { recorder, page, log } = await conflict("B note", "A gather");
  assert.match(page.find("#verdict").textContent, /Somebody was quicker.*B note/s);
  await page.click("#verdict .close");
  log("B pass");
  await page.click("#tools [data-do=undo]");
  assert.match(page.find("#verdict").textContent, /Somebody was quicker/);
  assert.deepEqual(page.texts("#waiting li"), ["A gather"]);
  await page.click("#verdict [data-do=again]");
  assert.deepEqual(recorded(recorder), ["B note", "A gather"]);
  log("B pass");
  await settled();
  assert.deepEqual(recorded(recorder), ["B note", "A gather", "B pass"]);
});

test("what is forgotten at a conflict is not said; the next line is", async () => {
  const { recorder, page, log } = await conflict("B note", "A gather");
  page.shown.data.version = 7;
  await page.click("#verdict [data-do=forget]");
  await page.tell("entry", { entry: 7, kind: "noted", told: "B note" });
  log("B pass");
  await settled();
  assert.deepEqual(recorded(recorder), ["B note", "B pass"]);
});

test("behind a refusal the rest is held, over a reload too, and what happened instead goes before it", async () => {
  const { recorder, page } = await table();
  page.online = false;
  const { log } = await page.run("desk.js");
  log("A illegal");
  log("B pass");
  await settled();
  page.online = true;
  await page.pass(3100);
  assert.match(page.find("#verdict.bad").textContent, /BEN-1/);
  assert.deepEqual(page.texts("#waiting li"), ["B pass"]);
  const fresh = await reload(recorder, page);
  assert.deepEqual(recorded(recorder), []);
  assert.match(fresh.find("#waiting p").textContent, /Stopped/);
  const desk = await fresh.run("desk.js");
  desk.log("A illegal", true);
  await settled();
  assert.deepEqual(recorded(recorder), ["A illegal"]);
  await fresh.click("#waiting [data-do=rest]");
  assert.deepEqual(recorded(recorder), ["A illegal", "B pass"]);
});

test("what is refused alone holds nothing up, and a line near to it is chosen by a tap", async () => {
  const { recorder, page } = await table();
  const { log } = await page.run("desk.js");
  log("A illegal");
  await settled();
  assert.equal(page.document.body.dataset.queued, "0");
  await page.click('#verdict .near [data-line="A gather"]');
  await page.click("#taps button.chosen");
  assert.deepEqual(recorded(recorder), ["A gather"]);
});

test("a browser that keeps nothing says so, and sends all the same", async () => {
  const recorder = new Recorder();
  const refuse = () => { throw new Error("SecurityError"); };
  const page = tablePage(recorder, { storage: { getItem: refuse, setItem: refuse, removeItem: refuse }, words: { queue_unkept: "leave this page open" } });
  await page.run("table.js");
  page.online = false;
  const { log } = await page.run("desk.js");
  log("A gather");
  log("B pass");
  await settled();
  assert.match(page.find("#waiting").textContent, /leave this page open/);
  page.online = true;
  await page.pass(3100);
  assert.deepEqual(recorded(recorder), ["A gather", "B pass"]);
});

test("two tables in one browser keep their lines apart", async () => {
  const [first, second] = [new Recorder(), new Recorder()];
  const one = tablePage(first);
  const other = tablePage(second, { storage: one.storage, more: { game: "g2" } });
  await one.run("table.js");
  await other.run("table.js");
  one.online = other.online = false;
  (await one.run("desk.js")).log("A gather");
  (await other.run("desk.js")).log("B pass");
  await settled();
  assert.deepEqual([one.texts("#waiting li"), other.texts("#waiting li")], [["A gather"], ["B pass"]]);
  one.online = other.online = true;
  await one.pass(3100);
  assert.deepEqual([recorded(first), recorded(second)], [["A gather"], []]);
  await other.pass(3100);
  assert.deepEqual(recorded(second), ["B pass"]);
  assert.match(other.requests.at(-1).path, /^\/games\/g2\//);
});

test("another tab of the same browser shows what waits", async () => {
  const recorder = new Recorder();
  const one = tablePage(recorder);
  const other = tablePage(recorder, { storage: one.storage });
  await one.run("table.js");
  await other.run("table.js");
  one.online = other.online = false;
  (await one.run("desk.js")).log("A gather");
  await settled();
  other.window.dispatchEvent(new other.window.StorageEvent("storage", { key: "referee g1 as " }));
  assert.deepEqual(other.texts("#waiting li"), ["A gather"]);
});

test("a refresh that fails is tried until the page shows the entry", async () => {
  const { recorder, page } = await table();
  recorder.record("B pass");
  page.online = false;
  await page.tell("entry", { entry: 7, kind: "logged", told: "B pass" });
  assert.equal(page.refreshes.length, 1);
  await page.pass(2100);
  assert.equal(page.refreshes.length, 2);
  page.online = true;
  await page.pass(4100);
  const { data } = await page.run("common.js");
  assert.equal(data().version, 7);
  await page.pass(60_000);
  assert.equal(page.refreshes.length, 3);
});

test("entries that come at once are fetched together, and the last of them is shown", async () => {
  const { recorder, page } = await table();
  const before = page.refreshes.length;
  for (const entry of [7, 8, 9, 10]) {
    recorder.record(`B ${entry}`);
    page.sources.at(-1).heard.get("entry")({ data: JSON.stringify({ entry, kind: "logged", told: "" }), lastEventId: String(entry) });
  }
  await settled();
  assert.equal(page.refreshes.length - before, 2, "one for the first, one for those that came meanwhile");
  assert.equal((await page.run("common.js")).data().version, 10);
});

test("a channel that is refused is opened again after the last entry that was heard", async () => {
  const { page } = await table();
  assert.equal(page.sources.at(-1).address, "/api/v1/games/g1/events?after=6");
  await page.channel("open");
  assert.equal(page.find("#state").textContent, "live");
  await page.tell("entry", { entry: 8, kind: "logged", told: "" });
  await page.channel("error", { refused: true });
  assert.equal(page.find("#state").textContent, "lost");
  await page.pass(2100);
  assert.equal(page.sources.length, 2);
  assert.equal(page.sources.at(-1).address, "/api/v1/games/g1/events?after=8");
});

test("a correction is undone where it is told, as one thing", async () => {
  const { page } = await table({ more: { may: { correct: true, undo: true } } });
  const { queue } = await page.run("desk.js");
  queue.add("/corrections", { number: 4, lines: ["A gather"] }, "correct #4");
  await settled();
  await page.click("[data-do=put-back-it]");
  await settled();
  assert.deepEqual(sent(page, "/corrections").map(({ body }) => body), [{ number: 4, lines: ["A gather"] }, { number: 4, back: true }]);
  assert.equal(page.all("[data-do=put-back-it]").length, 0);
});

test("somebody else sits down: the record says so, and the phones of whoever has left are signed out", async () => {
  const tokens = [{ id: "t1", role: "seat:B", scope: "g1" }, { id: "t2", role: "seat:B", scope: "g2" }, { id: "t3", role: "seat:A", scope: "g1" }];
  const answer = ({ path }) => ({ body: { version: 6, told: ["Cleo now plays B"], data: path === "/access" ? { tokens } : {} } });
  const { page } = await table({ more: { may: { correct: true, "access-list": true } }, answer });
  page.find("#tools").insertAdjacentHTML("beforeend", '<button data-do="replace">Replace</button>');
  await page.click("[data-do=replace]");
  page.find("#replaced").value = "B";
  page.find("#replacing").value = " Cleo ";
  await page.click("#dialog [data-do=send]");
  await settled();
  const told = page.requests.filter(({ method }) => method !== "GET").map(({ method, path, body }) => [method, path, body]);
  assert.deepEqual(told, [["POST", "/games/g1/corrections", { number: 0, seats: { B: "Cleo" } }], ["DELETE", "/access/t1", undefined]]);
});

test("the third player's clock runs, is up, and a judge is called once for whose time it was", async () => {
  const clock = { left: { A: 60, B: 60, C: 1 }, running: ["C"], live: true, seconds: 60, per: "seat", at_zero: "judge", set_by: 4, round: null };
  const { page } = await table({ more: { clock, may: { "dispute-open": true } } });
  await page.pass(500);
  assert.deepEqual(page.texts("[data-time]"), ["1:00", "1:00", "0:01"]);
  await page.pass(5000);
  assert.deepEqual(page.all("[data-time].up").map((time) => time.dataset.time), ["C"]);
  const calls = sent(page, "/disputes");
  assert.deepEqual(calls.map((call) => call.headers["Idempotency-Key"]), ["clock-4-C-0"]);
});

test("a clock runs from the page that was fetched last, however often one is", async () => {
  const of = (left, running) => ({ left, running, live: running.length > 0, seconds: 60, per: "seat", at_zero: "none", set_by: 4, round: null });
  const { recorder, page } = await table({ more: { clock: of({ A: 60, B: 60, C: 60 }, ["A"]) } });
  const stops = [[of({ A: 50, B: 60, C: 60 }, ["B"]), "0:50 0:53 1:00"], [of({ A: 50, B: 40, C: 60 }, []), "0:50 0:40 1:00"], [of({ A: 50, B: 40, C: 30 }, ["C", "A"]), "0:43 0:40 0:23"]];
  for (const [clock, shown] of stops) {
    await page.pass(10_000);
    recorder.record("B pass");
    page.shown.data.clock = clock;
    await page.tell("entry", { entry: recorder.version, kind: "logged", told: "B pass" });
    await settled();
    await page.pass(7000);
    assert.equal(page.texts("[data-time]").join(" "), shown);
  }
});

test("who is there is shown at each seat, the second and the third too", async () => {
  const { page } = await table();
  await page.tell("presence", { seats: ["B", "C"] });
  assert.deepEqual(page.all("#seats .here").map((row) => row.dataset.seat), ["B", "C"]);
  await page.tell("presence", { seats: [] });
  assert.equal(page.all("#seats .here").length, 0);
});

test("why is asked when it is unfolded, once, and of the action that was logged", async () => {
  const { page } = await table();
  const { log } = await page.run("desk.js");
  log("B pass");
  await settled();
  const why = page.find("#verdict details.why");
  const asked = () => page.requests.filter(({ path }) => path.includes("/why"));
  assert.equal(asked().length, 0);
  for (const open of [true, false, true]) {
    why.open = open;
    await settled();
  }
  assert.deepEqual(asked().map(({ path }) => path), ["/games/g1/why?line=7"]);
});

test("two devices that log the same event are asked whether it is the same, and one tap says so", async () => {
  const { recorder, page } = await conflict("A gather", "gather");
  assert.match(page.find("#verdict .first").textContent, /The same was logged/);
  assert.ok(page.find("#verdict button.main").matches("[data-do=forget]"), "the likely answer is the main one");
  await page.click("#verdict [data-do=forget]");
  assert.deepEqual(recorded(recorder), ["A gather"]);
  assert.equal(page.document.body.dataset.queued, "0");
});

test("the same words of another seat are not taken for the same", async () => {
  const { recorder, page } = await conflict("B gather", "A gather");
  assert.match(page.find("#verdict .first").textContent, /quicker/);
  await page.click("#verdict [data-do=again]");
  assert.deepEqual(recorded(recorder), ["B gather", "A gather"]);
});

test("a conflict is asked about once, at one place, and no tap is taken before it is answered", async () => {
  const { recorder, page, log } = await conflict("B pass", "A gather");
  assert.equal(page.find("#waiting [data-do=rest]"), null, "the same is asked twice");
  await page.click("#verdict .close");
  log("A step c2");
  await page.click("#tools [data-do=undo]");
  assert.ok(page.find("#verdict [data-do=again]"), "the question is put again instead");
  assert.deepEqual(page.texts("#waiting li"), ["A gather"]);
  await page.click("#verdict .close");
  await page.click("#waiting [data-do=question]");
  await page.click("#verdict [data-do=again]");
  assert.deepEqual(recorded(recorder), ["B pass", "A gather"]);
});

test("what stands though it is illegal asks a judge, whether the referee has called one by itself or not", async () => {
  for (const called of [true, false]) {
    const { recorder, page } = await table({ more: { judges: !called } });
    const answer = page.answer;
    page.answer = (request) => {
      const reply = answer(request);
      if (called && request.body?.stands) reply.body.data.disputes = ["d1"];
      return reply;
    };
    const { log } = await page.run("desk.js");
    log("A illegal step");
    await settled();
    await page.click("#verdict [data-do=stands]");
    assert.deepEqual(sent(page, "/disputes").map(({ body }) => body.number), called ? [] : [recorder.version - 1]);
  }
});

test("whatever the referee answers, no card says null or undefined", async () => {
  const facts = { verdict: [undefined, null, "legal", "undecided"], number: [undefined, null, 7], stands: [undefined, false, true], disputes: [undefined, [], ["d1"]] };
  let shapes = [{}];
  for (const [name, values] of Object.entries(facts)) shapes = shapes.flatMap((shape) => values.map((value) => ({ ...shape, [name]: value })));
  const done = shapes.map((data) => ({ body: { data, told: ["done"], warnings: [], version: 7 } }));
  const refused = [undefined, [], ["A gather"]].flatMap((near) => [false, true].flatMap((stand) => [undefined, "A gather"].flatMap((notation) => [[], ["no"]].map((told) =>
    ({ status: 422, body: { code: "BEN-1", title: "illegal", data: { try: near, may_stand: stand, notation }, told } })))));
  const others = [
    { status: 409, body: { code: "someone_else", title: "conflict" } },
    { status: 409, body: { code: "someone_else", title: "conflict", missed: [{ entry: 7, told: "x", text: null }] } },
    { status: 403, body: { code: "role_may_not", title: "no" } }, { status: 403, body: { code: "x" } }, { status: 404, body: {} }, { status: 500, body: { title: "wrong", detail: null } },
  ];
  for (const [path, said] of [["/actions", { lines: ["A gather"] }], ["/hold", {}]]) {
    // what is done is told one after the other at one table; after a refusal a queue may stand still
    for (const replies of [[done[0]], done.slice(1), ...[...refused, ...others].map((each) => [each])]) {
      const { page } = await table({ more: { may_dispute: replies[0] !== done[0] } });
      const { queue } = await page.run("desk.js");
      let asked = 0;
      for (const reply of replies) {
        page.answer = () => (asked += 1, structuredClone(reply));
        queue.add(path, said, "what was said");
        await settled();
        const shown = `${page.find("#verdict").textContent} ${page.find("#waiting").textContent} ${page.find("#announced").textContent}`;
        assert.doesNotMatch(shown, /null|undefined|NaN|\[object/, JSON.stringify(reply));
      }
      assert.ok(asked >= replies.length);
    }
  }
});

test("every request of a page says in which role of the device it was made", async () => {
  const { page } = await table();
  page.document.body.dataset.role = "tabc";
  const { log } = await page.run("desk.js");
  log("A gather");
  await settled();
  assert.equal(sent(page)[0].headers["Referee-Role"], "tabc");
});

test("a legal move is told briefly, with an undo, and goes by itself", async () => {
  const { page } = await table({ more: { may_undo: true } });
  const { log } = await page.run("desk.js");
  log("A gather");
  await settled();
  assert.equal(page.all("#verdict.brief p").length, 1);
  await page.click("#verdict [data-do=undo-it]");
  assert.equal(sent(page, "/undo").length, 1);
  log("A gather");
  await settled();
  await page.pass(9000);
  assert.equal(page.find("#verdict").hidden, true);
});

test("of several moves in one line the last one is told, unless one before it needs a look", async () => {
  const legal = { verdict: "legal", disputes: [] };
  for (const [first, brief] of [[legal, true], [{ ...legal, verdict: "undecided" }, false], [{ ...legal, disputes: ["d1"] }, false]]) {
    const { page } = await table({ more: { may_undo: true } });
    const { queue } = await page.run("desk.js");
    const lines = [{ ...first, number: 7 }, { ...legal, number: 8 }];
    page.answer = () => ({ body: { data: { ...lines[1], lines }, told: ["✔ #7 A steps", "  next: A", "✔ #8 A gathers"], warnings: [], version: 8 } });
    queue.add("/actions", { lines: ["A step; A gather"] }, "what was said");
    await settled();
    assert.deepEqual(page.all("#verdict > p").map((line) => line.textContent), brief ? ["✔ #8 A gathers"] : ["✔ #7 A steps", "next: A", "✔ #8 A gathers"]);
  }
});

test("a refusal is gone when somebody else's move is shown, and a question is not", async () => {
  const { recorder, page } = await table();
  const { log } = await page.run("desk.js");
  log("A illegal");
  await settled();
  assert.equal(page.find("#verdict").className, "verdict bad");
  recorder.record("B pass");
  await page.tell("entry", { entry: recorder.version, kind: "logged", told: "B pass" });
  assert.equal(page.find("#verdict").hidden, true);
  recorder.record("B pass");
  page.shown.data.version = 7;
  log("A gather");
  await settled();
  assert.equal(page.find("#verdict").className, "verdict unsure");
  recorder.record("B step c3");
  await page.tell("entry", { entry: recorder.version, kind: "logged", told: "B step c3" });
  assert.equal(page.find("#verdict").hidden, false);
});

test("a line that was not understood stands there again, to be mended", async () => {
  const { page } = await table({ answer: ({ method }) => (method === "GET" ? { body: { data: { choices: [] } } } : { status: 422, body: { code: "unknown_word", title: "not understood", detail: "x", told: ["?"], data: {} } }) });
  const { log } = await page.run("desk.js");
  log("tile 03e 09s 11n");
  await settled();
  assert.equal(page.find("#typed").value, "tile 03e 09s 11n");
  assert.equal(page.find("#composer").open, true);
});

test("a tap on what is not legal asks the referee about the line that was meant, and records nothing", async () => {
  const { recorder, page } = await table({ more: { lines: ["A step c2", "A gather"] } });
  page.answer = ({ path, body }) => (path.endsWith("/check") ? { body: { data: { accepted: false, verdict: "illegal", may_stand: true, try: ["A step c2"] }, told: [`✘ ${body.lines[0]}`] } } : recorder.answer({ path, body }));
  page.find('#board [data-word="b1"]').dispatchEvent(new page.window.MouseEvent("click", { bubbles: true, clientX: 500, clientY: 500 }));
  await settled();
  assert.deepEqual(sent(page, "/check").map(({ body }) => body.lines), [["A step b1"]]);
  assert.match(page.find("#verdict.bad").textContent, /A step b1/);
  assert.ok(page.find("#verdict [data-do=stands]"));
  assert.deepEqual(recorder.entries, []);
});

test("a thing that no line would name is asked about by itself, and says what it is for", async () => {
  const { recorder, page } = await table({ more: { lines: ["A gather", "A end"] } });
  page.answer = ({ path, body }) => (path.includes("/why") ? { status: 400, body: { detail: "“b1” takes part in: “place a step”" } } : recorder.answer({ path, body }));
  page.find('#board [data-word="b1"]').dispatchEvent(new page.window.MouseEvent("click", { bubbles: true, clientX: 500, clientY: 500 }));
  await settled();
  assert.match(page.find("#verdict").textContent, /takes part in: “place a step”/);
  assert.deepEqual(recorder.entries, []);
});

test("a thing with which only one thing can be done is refused with the clause that forbids it alone", async () => {
  const { recorder, page } = await table({ more: { lines: ["A gather", "A end"] } });
  const told = { "/why": ["✔ meets SETUP-1", "✘ breaks TURN-2"], "/check": ["✘ TURN-2"] };
  page.answer = ({ path, body }) => {
    const asked = Object.keys(told).find((each) => path.includes(each));
    return asked ? { body: { data: { accepted: false, notation: "A step b1", verdict: "illegal" }, told: told[asked].map((line) => `${line} ${body?.lines ?? ""}`) } } : recorder.answer({ path, body });
  };
  page.find('#board [data-word="b1"]').dispatchEvent(new page.window.MouseEvent("click", { bubbles: true, clientX: 500, clientY: 500 }));
  await settled();
  assert.match(page.find("#verdict.bad").textContent, /✘ TURN-2 A step b1/);
  assert.doesNotMatch(page.find("#verdict").textContent, /SETUP-1/);
  assert.deepEqual(recorder.entries, []);
});
