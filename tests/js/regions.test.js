// Regions of a board, found on its photograph: boards drawn with many maps, and pictures that are none.

import assert from "node:assert/strict";
import { test } from "node:test";
import { findRegions, matched } from "../../service/static/regions.js";

const WIDE = 240;
const HIGH = 180;
const COLOURS = [[60, 140, 70], [225, 215, 120], [205, 133, 63], [128, 128, 130], [40, 70, 150]];

/** Numbers that are the same each time. @param {number} seed */
function chance(seed) {
  let state = seed;
  return () => { state = (state * 1103515245 + 12345) % 2147483648; return state / 2147483648; };
}

/** A map of regions around points, each with its colour, dark lines between them, and the grain of a photograph.
 *  @param {{ x: number, y: number }[]} points @param {number} grain @param {() => number} random */
function photographed(points, grain, random) {
  const data = new Uint8ClampedArray(WIDE * HIGH * 4);
  /** @type {Set<string>} */
  const touching = new Set();
  const nearest = (/** @type {number} */ x, /** @type {number} */ y) => points.map((point, at) => ({ at, far: Math.hypot(point.x - x, point.y - y) })).sort((one, other) => one.far - other.far);
  /** @type {Map<string, number>} */
  const along = new Map();
  for (let y = 0; y < HIGH; y += 1) {
    for (let x = 0; x < WIDE; x += 1) {
      const [first, second] = nearest(x, y);
      const line = second.far - first.far < 3;
      if (line) {
        const pair = [first.at, second.at].sort((one, other) => one - other).join("-");
        along.set(pair, (along.get(pair) ?? 0) + 1);
      }
      const colour = line ? [30, 30, 30] : COLOURS[first.at % 5];
      const noise = (random() - 0.5) * grain;
      for (let each = 0; each < 3; each += 1) data[(y * WIDE + x) * 4 + each] = colour[each] + noise;
    }
  }
  for (const [pair, length] of along) if (length > 70) touching.add(pair);
  return { pixels: { width: WIDE, height: HIGH, data }, touching, some: new Set(along.keys()) };
}

/** Points in rows, moved a little. @param {number} across @param {number} down @param {number} loose @param {() => number} random */
const rows = (across, down, loose, random) => Array.from({ length: across * down }, (_, at) => ({
  x: (at % across + 0.5 + (random() - 0.5) * loose) * WIDE / across, y: (Math.floor(at / across) + 0.5 + (random() - 0.5) * loose) * HIGH / down,
}));

for (const [name, across, down, loose, grain] of /** @type {[string, number, number, number, number][]} */ ([
  ["straight rows", 5, 4, 0, 0], ["a grainy photograph", 5, 4, 0.2, 24], ["crooked regions", 5, 4, 0.5, 12], ["more of them", 6, 4, 0.4, 16], ["fewer of them", 4, 3, 0.5, 16],
])) {
  test(`the regions of a board are found: ${name}`, () => {
    const random = chance(7);
    const points = rows(across, down, loose, random);
    const { pixels, touching, some } = photographed(points, grain, random);
    const found = findRegions(pixels, points.length);
    assert.equal(found.length, points.length);
    const whose = found.map(({ x, y }) => points.map((point, at) => ({ at, far: Math.hypot(point.x - x * WIDE, point.y - y * HIGH) })).sort((one, other) => one.far - other.far)[0].at);
    assert.equal(new Set(whose).size, points.length);
    const pairs = new Set(found.flatMap(({ touches }, one) => touches.map((other) => [whose[one], whose[other]].sort((a, b) => a - b).join("-"))));
    assert.deepEqual(Array.from(touching).filter((pair) => !pairs.has(pair)), [], "long borders that were missed");
    assert.deepEqual(Array.from(pairs).filter((pair) => !some.has(pair)), [], "borders that are none");
  });
}

test("where there are no regions none are proposed", () => {
  const random = chance(3);
  const plain = { width: WIDE, height: HIGH, data: new Uint8ClampedArray(WIDE * HIGH * 4).fill(180) };
  const grain = { ...plain, data: Uint8ClampedArray.from(plain.data, () => random() * 255) };
  assert.deepEqual(findRegions(plain, 20), []);
  assert.deepEqual(findRegions(grain, 20), []);
});

test("a space is the region that looks like it and lies near", () => {
  const region = (/** @type {number} */ x, /** @type {[number, number, number]} */ colour) => ({ x, y: 0.5, colour, touches: [] });
  const [green, grey] = /** @type {[number, number, number][]} */ ([[50, 120, 60], [120, 122, 120]]);
  const spaces = [{ x: 0.1, y: 0.5, colour: green }, { x: 0.9, y: 0.5, colour: grey }, { x: 0.5, y: 0.5, colour: green }];
  assert.deepEqual(matched([region(0.2, grey), region(0.45, green), region(0.8, green)], spaces), [1, 0, 2]);
  assert.deepEqual(matched([region(0.2, grey)], spaces), [-1, 0, -1]);
});
