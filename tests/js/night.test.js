// What colours are by night: whatever was readable on a ground stays so, and things keep theirs.

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { byNight, seen } from "../../service/static/night.js";

const lightness = (colour) => Number(/^oklab\(([\d.]+)/.exec(colour)[1]);
const hex = fc.integer({ min: 0, max: 0xffffff }).map((each) => `#${each.toString(16).padStart(6, "0")}`);

test("a pale or grey colour is mirrored: what was lighter is darker, and letters stay apart from their ground", () => {
  fc.assert(fc.property(hex, hex, (ground, letters) => {
    const [under, over] = [byNight(ground, "area"), byNight(letters, "line")];
    fc.pre(under !== null && over !== null && seen(ground)[0] > 0.8 && seen(letters)[0] < 0.5);
    return lightness(over) - lightness(under) > 0.25;
  }));
});

for (const [colour, use, is] of [
  ["#fdfcf8", "area", "dark"], ["#bfdcae", "area", "dark"], ["#f6e7a6", "area", "dark"],
  ["#222222", "line", "light"], ["#222", "shape", "light"], ["black", "line", "light"], ["#0072b2", "line", "light"],
  ["#c43e1c", "shape", "own"], ["#8dbb6a", "area", "own"], ["#27432f", "area", "own"], ["#2b2b2b", "area", "own"],
  ["none", "line", "own"], ["url(#hatching)", "area", "own"], ["currentcolor", "line", "own"],
]) {
  test(`${colour} as ${use} is ${is}`, () => {
    const found = byNight(colour, use);
    assert.equal(found === null ? "own" : lightness(found) < 0.5 ? "dark" : "light", is);
  });
}
