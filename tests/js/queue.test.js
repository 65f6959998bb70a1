// The queue must not lose a move: driven at random against a naive world, and case by case.

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { Queue } from "../../service/static/queue.js";
import { Shelf } from "./page.js";
import { FATES, World, settled } from "./queue_world.js";
import { runs } from "./steady.js";

const RUNS = runs(400);
const KINDS = ["action", "action", "action", "undo", "call", "stands", "illegal"];

function steps(tabs) {
  const tab = fc.nat({ max: tabs - 1 });
  const fates = ["delivered", "delivered", "delivered", "late", ...Object.keys(FATES)];
  return fc.array(fc.oneof(
    { weight: 5, arbitrary: fc.tuple(fc.constant("tap"), tab, fc.constantFrom(...KINDS)) },
    { weight: 6, arbitrary: fc.tuple(fc.constant("network"), fc.nat({ max: 3 }), fc.constantFrom(...fates)) },
    { weight: 2, arbitrary: fc.tuple(fc.constant("wake"), tab) },
    { weight: 1, arbitrary: fc.tuple(fc.constant("others"), tab) },
    { weight: 2, arbitrary: fc.tuple(fc.constant("refresh"), tab) },
    { weight: 1, arbitrary: fc.tuple(fc.constant("reload"), tab) },
    { weight: 2, arbitrary: fc.tuple(fc.constant("decide"), tab, fc.constantFrom("again", "again", "forget", "clear")) },
    { weight: 1, arbitrary: fc.tuple(fc.constant("full"), fc.boolean()) },
    { weight: 1, arbitrary: fc.tuple(fc.constant("scene"), tab, fc.constantFrom(...Object.keys(SCENES))) },
  ), { maxLength: 45 });
}

/** What several steps in a row make, which chance alone seldom finds; some of them in the tab beside. */
const SCENES = {
  "others write before a lost answer is given again": [["tap", "action"], ["tap", "action"], ["network", "answer lost"], ["others"], ["wake"], ["network", "delivered"]],
  "something newer goes before what is held": [["tap", "illegal"], ["tap", "action"], ["network", "delivered"], ["others"], ["refresh"], ["tap", "action"], ["others"]],
  "what another tab has seen to is answered here too": [["tap", "action"], ["others"], ["network", "delivered"], ["tap", "action", "beside"], ["network", "delivered"],
    ["decide", "again", "beside"], ["network", "delivered"], ["decide", "forget"], ["network", "dropped"]],
};

async function carryOut(world, [what, place, how]) {
  if (what === "scene") {
    for (const [each, way, beside] of SCENES[how]) {
      const tab = beside ? (place + 1) % world.tabs.length : place;
      await carryOut(world, [each, each === "network" ? 0 : tab, way]);
      await settled();
    }
  } else if (what === "others") world.referees[world.tabs[place].game].others();
  else if (what === "wake") world.tabs[place].wake();
  else if (what === "full") world.fill(place);
  else world[what](place, how);
}

/** What must hold once everything has come to rest. */
function check(world, { tabsOfOneTable }) {
  for (const tap of world.taps) {
    const times = world.lines(tap.game).filter((line) => line === tap.line).length;
    assert.ok(times <= 1, `${tap.line} was recorded ${times} times`);
    if (tap.fate === "said") assert.equal(times, 1, `${tap.line} was lost`);
    if (tap.fate === "refused") assert.equal(times, 0, `${tap.line} was refused and recorded`);
    const elsewhere = world.referees.filter((_, game) => game !== tap.game).some((referee) => referee.entries.some(({ line }) => line === tap.line));
    assert.ok(!elsewhere, `${tap.line} was recorded at another table`);
  }
  if (!(tabsOfOneTable && world.wasFull)) world.referees.forEach((_, game) => {
    const lines = world.lines(game);
    const said = world.taps.filter((tap) => tap.game === game);
    said.forEach((early, at) => said.slice(at + 1).forEach((late) => {
      if (late.before.has(early.line) || !lines.includes(early.line) || !lines.includes(late.line)) return;
      assert.ok(lines.indexOf(early.line) < lines.indexOf(late.line), `${late.line} was recorded before ${early.line}`);
    }));
  });
  if (tabsOfOneTable || world.forgot) return;
  for (const { tap, missed, known } of world.conflicts) {
    const others = missed.filter((line) => (line.startsWith("other") && !known.has(line)) || world.cannotBeKnown(line));
    assert.ok(others.length > 0, `${tap.line}: nobody was quicker than its own device (${missed})`);
  }
}

for (const [name, games] of [["one table", [0]], ["two tables in one browser", [0, 1]], ["two tabs of one table", [0, 0]]]) {
  test(`nothing is lost, recorded twice, out of order or over what nobody has seen: ${name}`, async () => {
    await fc.assert(fc.asyncProperty(steps(games.length), async (said) => {
      const world = new World(games);
      for (const step of said) {
        await carryOut(world, step);
        await settled();
      }
      await world.heal();
      check(world, { tabsOfOneTable: new Set(games).size < games.length });
    }), { numRuns: RUNS });
  });
}

test("a device that writes alone is never told that somebody was quicker", async () => {
  const fates = fc.constantFrom("delivered", "delivered", "answer lost", "dropped", "busy", "bad gateway");
  const alone = fc.array(fc.oneof(
    { weight: 4, arbitrary: fc.tuple(fc.constant("tap"), fc.constant(0), fc.constantFrom("action", "action", "call", "undo", "stands")) },
    { weight: 6, arbitrary: fc.tuple(fc.constant("network"), fc.constant(0), fates) },
    { weight: 3, arbitrary: fc.tuple(fc.constant("wake"), fc.constant(0)) },
  ), { minLength: 6, maxLength: 40 });
  const shown = [["tap", 0, "action"], ["network", 0, "delivered"], ["refresh", 0]];
  await fc.assert(fc.asyncProperty(fc.constantFrom(0, 0, 0, 25), alone, async (evening, said) => {
    const world = new World([0]);
    for (const step of [...Array.from({ length: evening }, () => shown).flat(), ...said]) {
      await carryOut(world, step);
      await settled();
    }
    await world.heal();
    assert.deepEqual(world.conflicts.map(({ tap, missed }) => `${tap.line}: ${missed}`), []);
    check(world, { tabsOfOneTable: false });
  }), { numRuns: RUNS });
});

test("an answer that another tab has made is not taken for the entry that this tab asked for", async () => {
  const world = new World([0, 0]);
  const lost = "others write before a lost answer is given again";
  const steps = [["scene", 0, lost], ["scene", 0, lost], ["tap", 1, "action"], ["decide", 0, "again"], ["network", 3, "delivered"], ["tap", 0, "action"]];
  for (const step of steps) {
    await carryOut(world, step);
    await settled();
  }
  await world.heal();
  check(world, { tabsOfOneTable: true });
});

/** A queue of a role, and what it has sent. */
function queueOf(owner, storage, status = 200) {
  const sent = [];
  const queue = new Queue("g1", {
    ask: async (_method, _path, said) => { sent.push(said.lines[0]); return { status, body: { data: {}, version: 1, code: "unknown" } }; },
    freshKey: () => `${owner} ${sent.length}`, version: () => 0, answered: () => {}, changed: () => {}, owner,
    storage: () => storage, events: { addEventListener() {} }, timeout: () => {},
  });
  return { queue, sent };
}

test("what one role has said waits for it alone, and goes when the referee knows that role no more", async () => {
  const storage = new Shelf();
  const ana = queueOf("tana", storage, 0);
  ana.queue.add("/actions", { lines: ["A take 1"] }, "A take 1");
  await settled();
  assert.deepEqual([ana.queue.items.length, storage.length], [1, 1]);
  const bo = queueOf("tbo", storage);
  bo.queue.add("/actions", { lines: ["B take 2"] }, "B take 2");
  await bo.queue.send();
  assert.deepEqual(bo.sent, ["B take 2"]);
  assert.equal(ana.queue.items.length, 1);
  const gone = queueOf("tana", storage, 401);
  await gone.queue.send();
  assert.deepEqual([gone.sent, gone.queue.items, storage.length], [["A take 1"], [], 0]);
});
