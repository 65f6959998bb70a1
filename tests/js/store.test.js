// What a page says of itself, and what comes of it on bad lines: kills, drops, 1.5 s of latency,
// double taps, two tablets that say the same.

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { Store } from "../../service/static/store.js";
import { settled } from "./page.js";
import { Recorder, tablePage, WORDS } from "./table_page.js";

function store({ shown = 6, count = 0, offline = false } = {}) {
  const page = { shown, count, offline };
  const heard = [];
  const made = new Store({ shown: () => page.shown, waiting: () => page, changed: (state) => heard.push(state) });
  return { made, page, heard };
}

test("whatever happens in whatever order, live means that the last known entry is shown and the line holds", () => {
  const steps = fc.array(fc.oneof(
    fc.tuple(fc.constant("heard"), fc.nat({ max: 20 })),
    fc.tuple(fc.constant("connected"), fc.constantFrom("live", "lost", "full")),
    fc.tuple(fc.constant("fetched"), fc.nat({ max: 20 })),
    fc.tuple(fc.constant("offline"), fc.boolean()),
  ), { maxLength: 30 });
  fc.assert(fc.property(steps, (said) => {
    const { made, page, heard } = store();
    let [known, line] = [6, ""];
    for (const [what, how] of said) {
      if (what === "fetched") page.shown = Math.max(page.shown, how);
      if (what === "offline") page.offline = how;
      if (what === "heard") known = Math.max(known, how);
      if (what === "connected") line = how;
      if (what === "heard" || what === "connected") made[what](how);
      else made.renewed();
      const { connection, behind, confirmed } = heard.at(-1);
      assert.equal(confirmed, page.shown);
      assert.equal(behind, known > page.shown);
      assert.equal(connection === "live", line === "live" && !page.offline && known <= page.shown);
      assert.equal(connection === "lost", line === "lost" || page.offline);
    }
  }));
});

/** A device whose requests take a while, there and back. */
async function slow(recorder, latency) {
  const page = tablePage(recorder, { words: { ...WORDS, behind: "behind" } });
  const late = (answer) => new Promise((resolve) => { page.later(() => resolve(answer()), latency); });
  page.answer = (request) => late(() => recorder.answer(request));
  const refreshed = page.refreshed.bind(page);
  page.refreshed = () => late(refreshed);
  await page.run("table.js");
  await page.channel("open");
  return page;
}

const recorded = (recorder) => recorder.entries.map(({ told }) => told);

test("with 1.5 s of latency a move is logged once, is never somebody else's, and is not live before it is shown", async () => {
  const recorder = new Recorder();
  const page = await slow(recorder, 1500);
  await page.click("#taps [data-tap=gather]");
  const button = page.find("#taps button.chosen");
  for (const _ of [1, 2]) await page.click(button);
  await page.pass(1600);
  assert.deepEqual(recorded(recorder), ["A gather"]);
  assert.equal(page.find("#state").textContent, "behind");
  assert.equal(page.document.body.dataset.behind, "true");
  await page.pass(3200);
  assert.equal(page.find("#state").textContent, "live");
  assert.equal(page.find("#verdict.unsure"), null);
  assert.equal(page.document.body.dataset.queued, "0");
});

for (const at of [100, 1600, 2900]) {
  test(`a network that is cut ${at} ms after the tap and comes back leaves each line once and the page live`, async () => {
    const recorder = new Recorder();
    const page = await slow(recorder, 1500);
    const { log } = await page.run("desk.js");
    log("A gather");
    await page.pass(at);
    page.online = false;
    await page.channel("error");
    assert.equal(page.find("#state").textContent, "lost");
    await page.pass(6000);
    page.online = true;
    await page.channel("open");
    await page.pass(60_000);
    assert.deepEqual(recorded(recorder), ["A gather"]);
    assert.equal(page.find("#state").textContent, "live");
  });
}

test("a referee that is killed before it answers is asked again, with the same key", async () => {
  const recorder = new Recorder();
  const page = await slow(recorder, 50);
  const answer = page.answer;
  let killed = 1;
  page.answer = async (request) => {
    const reply = await answer(request);
    return request.method === "POST" && killed-- > 0 ? null : reply;
  };
  const { log } = await page.run("desk.js");
  log("A gather");
  await page.pass(20_000);
  assert.deepEqual(recorded(recorder), ["A gather"]);
  const keys = page.requests.filter(({ method }) => method === "POST").map(({ headers }) => headers["Idempotency-Key"]);
  assert.equal(new Set(keys).size, 1);
  assert.ok(keys.length > 1);
});

test("two tablets that say the same at the same moment log it once, and one is asked", async () => {
  const recorder = new Recorder();
  const [one, other] = [await slow(recorder, 300), await slow(recorder, 800)];
  for (const page of [one, other]) (await page.run("desk.js")).log("A gather");
  await one.pass(1000);
  other.shown.data.version = 6;
  await other.pass(1000);
  assert.deepEqual(recorded(recorder), ["A gather"]);
  assert.match(other.find("#verdict.unsure").textContent, /The same was logged/);
  await other.click("#verdict [data-do=forget]");
  await other.pass(5000);
  await settled();
  assert.deepEqual(recorded(recorder), ["A gather"]);
});
