// Any-order taps, beside the plainest way to count; and how few of them a line takes.

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { alike, amounts, exact, inRow, joining, remaining, telling, together } from "../../service/static/lines.js";

const word = fc.constantFrom("A", "B", "C", "step", "plant", "c2", "c3", "c22", "→", "tree");
const line = fc.array(word, { minLength: 1, maxLength: 5 }).map((words) => words.join(" "));
const lines = fc.uniqueArray(line, { maxLength: 12 });
const taps = fc.array(word, { maxLength: 4 });

/** Whether a line has all these words, taking one away for each. */
function holds(text, wanted) {
  const left = text.split(" ");
  return wanted.every((each) => {
    const at = left.indexOf(each);
    if (at >= 0) left.splice(at, 1);
    return at >= 0;
  });
}

test("a small word waits until a line is begun, unless some line has no other word to tap", () => {
  const lines = ["A drop M", "A drop D", "A repair D pay E1", "A repair M pay E1", "A pass nothing", "A pass"];
  const words = telling(lines, []);
  assert.deepEqual([...joining(lines, words, ["pay", "nothing"])], ["pay", "nothing"]);
  const puts = ["A put e3", "A put e4", "A put nothing"];
  assert.deepEqual([...joining(puts, telling(puts, []), ["nothing"])], []);
});

test("a tap keeps the lines in which its word occurs, as often as it was tapped, in their order", () => {
  fc.assert(fc.property(lines, taps, (all, tapped) => {
    assert.deepEqual(remaining(all, tapped), all.filter((each) => holds(each, tapped)));
  }));
});

test("taps in another order leave the same lines", () => {
  fc.assert(fc.property(lines, taps, (all, tapped) => {
    assert.deepEqual(remaining(all, tapped.toReversed()), remaining(all, tapped));
  }));
});

test("a word tells lines apart where it leaves some of them and not all", () => {
  fc.assert(fc.property(lines, taps, (all, tapped) => {
    const left = all.filter((each) => holds(each, tapped));
    const words = new Set(left.flatMap((each) => each.split(" ")));
    const found = new Map();
    for (const each of words) {
      const count = left.filter((one) => holds(one, [...tapped, each])).length;
      if (count > 0 && count < left.length) found.set(each, count);
    }
    assert.deepEqual(telling(all, tapped), found);
  }));
});

test("every line can be reached: by words that tell it apart, or because a button says it whole", () => {
  fc.assert(fc.property(lines, (all) => {
    for (const wanted of all) {
      const tapped = [];
      for (let step = 0; step <= wanted.split(" ").length; step += 1) {
        if (remaining(all, tapped).length === 1 || exact(all, tapped).includes(wanted)) break;
        const words = telling(all, tapped);
        const next = [...words.keys()].find((each) => holds(wanted, [...tapped, each]));
        assert.ok(next !== undefined, `${wanted} cannot be reached after ${tapped}`);
        tapped.push(next);
      }
      assert.ok(remaining(all, tapped).includes(wanted));
    }
  }));
});

test("a line that says nothing but what was tapped is offered whole among longer ones", () => {
  const all = ["A pass", "A pass tree", "A pass tree tree", "B pass"];
  assert.deepEqual(exact(all, ["A", "pass"]), ["A pass"]);
  assert.deepEqual(exact(all, ["A", "tree"]), ["A pass tree"]);
  assert.deepEqual(exact(all, []), []);
});

test("no lines, no taps: nothing is left and nothing tells", () => {
  assert.deepEqual(remaining([], ["A"]), []);
  assert.deepEqual(telling([], []), new Map());
  assert.deepEqual(exact([], []), []);
});

test("what is tapped instead of a thing of its kind makes the line that was meant, and never a legal one", () => {
  const lines = ["A step c2", "A step b1", "A move c1 b1", "A plant tree b1", "A gather"];
  const placed = new Set(["a3", "b1", "c1", "c2", "tree", "bush"]);
  assert.deepEqual(alike(lines, [], "a3", placed), ["A step a3", "A move c1 a3", "A plant tree a3", "A move a3 b1"]);
  assert.deepEqual(alike(lines, [], "a3", placed, true), ["A step a3", "A move a3 b1", "A plant tree a3", "A move c1 a3"], "with a piece of one's own");
  assert.deepEqual(alike(lines, [], "bush", placed), ["A plant bush b1"], "a verb is nothing that lies there");
  assert.deepEqual(alike(lines, ["step"], "a3", placed), ["A step a3"]);
  assert.deepEqual(alike(lines, [], "c2", placed).includes("A step c2"), false);
  assert.deepEqual(alike(lines, [], "e7", new Set(["e7"])), [], "nothing of its kind can be tapped");
});

test("a number that says how many is no piece, and one that names a piece is no amount", () => {
  const counted = ["A hand 10", "A hand 2", "A hand 1", "B hand 2"];
  assert.deepEqual(amounts(counted, ["A", "10", "2", "1"], ["hand"]), ["1", "2", "10"]);
  assert.deepEqual(amounts([...counted, "A move 2 P3"], ["2", "1", "P3"], ["hand"]), ["1"]);
});

test("a row has all values of a choice, whether one of them is drawn on the board or not", () => {
  const lines = ["A hand pw fw", "A hand hw fw", "A hand mw fw", "A move p1 b1", "A move p1 out"];
  assert.deepEqual([...inRow(lines, new Set(["pw", "b1", "p1"]))].filter((word) => word !== "A").sort(), ["fw", "hand", "hw", "move", "mw", "out", "pw"]);
});

test("one tap says for all seats what each of them can only do alike", () => {
  const all = ["A draw 4", "B draw 4", "C draw 4"];
  assert.deepEqual(together(all), all);
  for (const lines of [["A draw 4"], ["A draw 4", "B draw 3"], ["A draw 4", "B draw 4", "A look t1"], ["draw 4", "B draw 4"], ["A draw 4", "A draw 4"], []]) assert.deepEqual(together(lines), []);
});
