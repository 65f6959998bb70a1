// The regions of a board, found on its photograph by their edges: a proposal, and nothing where it does not work.

/** @typedef {{ width: number, height: number, data: ArrayLike<number> }} Pixels */
/** @typedef {{ x: number, y: number, colour: [number, number, number], touches: number[] }} Region */

/** How many times as wide as the pass between them two parts must be to be two regions. */
const NECK = 1.45;
/** Which parts of all steps from pixel to pixel are taken for edges, one after the other. */
const SHARES = [0.06, 0.09, 0.13, 0.18, 0.24, 0.3];
/** What is smaller than this part of a usual region is a picture on it. */
const LEAST = 0.22;
/** Two regions touch along so much of the side of the smaller one. */
const ALONG = 0.22;
/** So far from an edge a pixel is within a region, and not on a line between two. */
const WITHIN = 3;
/** Between two regions the colour changes so many times as much as within them: else they are no regions. */
const CLEAR = 2;
/** A proposal is made of so many of the regions that are sought, at least and at most. */
const FEWEST = 0.8;
const MOST = 1.25;

/** The middle of three rows of three, in each colour: specks go, edges stay.
 *  @param {Pixels} pixels */
function smooth({ width, height, data }) {
  const out = new Float32Array(width * height * 3);
  /** @type {number[]} */
  const around = Array.from({ length: 9 }, () => 0);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      for (let colour = 0; colour < 3; colour += 1) {
        for (let near = 0; near < 9; near += 1) {
          const [right, down] = [Math.min(width - 1, Math.max(0, x + near % 3 - 1)), Math.min(height - 1, Math.max(0, y + Math.floor(near / 3) - 1))];
          around[near] = data[(down * width + right) * 4 + colour] ?? 0;
        }
        out[(y * width + x) * 3 + colour] = around.toSorted((one, other) => one - other)[4] ?? 0;
      }
    }
  }
  return out;
}

/** How much the colour changes at each pixel.
 *  @param {Float32Array} flat @param {number} width @param {number} height */
function steps(flat, width, height) {
  const out = new Float32Array(width * height);
  const at = (/** @type {number} */ x, /** @type {number} */ y, /** @type {number} */ colour) => flat[(Math.min(height - 1, Math.max(0, y)) * width + Math.min(width - 1, Math.max(0, x))) * 3 + colour] ?? 0;
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      for (let colour = 0; colour < 3; colour += 1) {
        out[y * width + x] = (out[y * width + x] ?? 0) + Math.abs(at(x + 1, y, colour) - at(x - 1, y, colour)) + Math.abs(at(x, y + 1, colour) - at(x, y - 1, colour));
      }
    }
  }
  return out;
}

/** How far each pixel is from the next edge; beyond the picture all is edge.
 *  @param {Uint8Array} edge @param {number} width @param {number} height */
function depths(edge, width, height) {
  const deep = new Float32Array(width * height).fill(1e6);
  const look = (/** @type {number} */ x, /** @type {number} */ y, /** @type {[number, number, number][]} */ ways) => {
    let least = edge[y * width + x] ? 0 : deep[y * width + x] ?? 0;
    for (const [right, down, far] of ways) {
      const [there, below] = [x + right, y + down];
      const beyond = there < 0 || below < 0 || there >= width || below >= height;
      least = Math.min(least, (beyond ? 0 : deep[below * width + there] ?? 0) + far);
    }
    deep[y * width + x] = least;
  };
  for (let y = 0; y < height; y += 1) for (let x = 0; x < width; x += 1) look(x, y, [[-1, 0, 1], [0, -1, 1], [-1, -1, 1.4], [1, -1, 1.4]]);
  for (let y = height - 1; y >= 0; y -= 1) for (let x = width - 1; x >= 0; x -= 1) look(x, y, [[1, 0, 1], [0, 1, 1], [1, 1, 1.4], [-1, 1, 1.4]]);
  return deep;
}

/** The parts that edges divide, from their deepest pixels outward; a shallow neck parts two of them.
 *  @param {Float32Array} deep @param {number} width @param {number} height */
function divided(deep, width, height) {
  const order = Array.from(deep.keys()).sort((one, other) => (deep[other] ?? 0) - (deep[one] ?? 0));
  const label = new Int32Array(deep.length).fill(-1);
  /** @type {number[]} */
  const parent = [];
  /** @type {number[]} */
  const peak = [];
  const root = (/** @type {number} */ part) => {
    let found = part;
    while (parent[found] !== found) found = parent[found] ?? found;
    return found;
  };
  for (const pixel of order) {
    const here = deep[pixel] ?? 0;
    const x = pixel % width;
    const near = [x > 0 ? pixel - 1 : -1, x < width - 1 ? pixel + 1 : -1, pixel - width, pixel + width].filter((each) => each >= 0 && each < width * height);
    const parts = Array.from(new Set(near.map((each) => label[each] ?? -1).filter((part) => part >= 0).map(root)));
    parts.sort((one, other) => (peak[other] ?? 0) - (peak[one] ?? 0));
    const [first, ...others] = parts;
    if (first === undefined) {
      label[pixel] = parent.length;
      parent.push(parent.length);
      peak.push(here);
      continue;
    }
    label[pixel] = first;
    for (const other of others) if (here > 0 && (peak[other] ?? 0) < NECK * here) parent[other] = first;
  }
  return label.map((part) => (part < 0 ? part : root(part)));
}

/** @param {Int32Array} label @returns {Map<number, number>} */
function sizes(label) {
  /** @type {Map<number, number>} */
  const found = new Map();
  for (const part of label) if (part >= 0) found.set(part, (found.get(part) ?? 0) + 1);
  return found;
}

/** What is too small to be a region, and the lines between them, belong to whatever lies around them.
 *  @param {Int32Array} label @param {Float32Array} deep @param {number} width @param {number} least */
function joined(label, deep, width, least) {
  const within = label.map((part, pixel) => ((deep[pixel] ?? 0) >= WITHIN ? part : -1));
  const large = new Set(Array.from(sizes(within)).filter(([, size]) => size >= least).map(([part]) => part));
  const out = within.map((part) => (large.has(part) ? part : -1));
  let open = Array.from(out.keys()).filter((pixel) => out[pixel] !== -1);
  while (open.length) {
    /** @type {number[]} */
    const next = [];
    for (const pixel of open) {
      const x = pixel % width;
      for (const near of [x > 0 ? pixel - 1 : -1, x < width - 1 ? pixel + 1 : -1, pixel - width, pixel + width]) {
        if (out[near] !== -1) continue;
        out[near] = out[pixel] ?? -1;
        next.push(near);
      }
    }
    open = next;
  }
  return out;
}

/** Where each region lies, its colour, and which others it touches.
 *  @param {Int32Array} label @param {Float32Array} deep @param {Pixels} pixels @returns {Region[]} */
function described(label, deep, { width, height, data }) {
  const size = sizes(label);
  const parts = Array.from(size.keys());
  const sums = new Map(parts.map((part) => [part, { x: 0, y: 0, weight: 0, colours: /** @type {number[][]} */ ([[], [], []]) }]));
  /** @type {Map<string, number>} */
  const along = new Map();
  label.forEach((part, pixel) => {
    const sum = sums.get(part);
    if (!sum) return;
    const [x, y] = [pixel % width, Math.floor(pixel / width)];
    const weight = deep[pixel] ?? 0; // the middle is where a region is widest
    sum.x += x * weight;
    sum.y += y * weight;
    sum.weight += weight;
    if (weight > 2) sum.colours.forEach((all, colour) => all.push(data[pixel * 4 + colour] ?? 0));
    for (const other of [x < width - 1 ? label[pixel + 1] : part, label[pixel + width] ?? part]) {
      if (other === part || other === undefined || other < 0) continue;
      const pair = [part, other].sort((one, two) => one - two).join(" ");
      along.set(pair, (along.get(pair) ?? 0) + 1);
    }
  });
  const middle = (/** @type {number[]} */ all) => all.toSorted((one, other) => one - other)[all.length >> 1] ?? 0;
  return parts.map((part) => {
    const { x, y, weight, colours: [red, green, blue] } = sums.get(part) ?? { x: 0, y: 0, weight: 1, colours: [[], [], []] };
    const touches = parts.flatMap((other, place) => {
      const length = along.get([part, other].sort((one, two) => one - two).join(" ")) ?? 0;
      return length >= ALONG * Math.sqrt(Math.min(size.get(part) ?? 0, size.get(other) ?? 0)) ? [place] : [];
    });
    return { x: (x / weight + 0.5) / width, y: (y / weight + 0.5) / height, colour: [middle(red ?? []), middle(green ?? []), middle(blue ?? [])], touches };
  });
}

/** Whether the colour changes where they meet, and little within them.
 *  @param {Int32Array} label @param {Float32Array} change @param {number} width */
function isClear(label, change, width) {
  const sums = { within: 0, between: 0 };
  const counts = { within: 0, between: 0 };
  label.forEach((part, pixel) => {
    const ways = [1, width, -1, -width];
    const between = ways.some((way) => label[pixel + 2 * way] !== part);
    if (!between && ways.some((way) => label[pixel + 4 * way] !== part)) return;
    const most = between ? Math.max(...ways.map((way) => change[pixel + way] ?? 0), change[pixel] ?? 0) : Math.max(...ways.map((way) => change[pixel + way] ?? 0));
    const where = between ? "between" : "within";
    sums[where] += most;
    counts[where] += 1;
  });
  return sums.between * counts.within >= CLEAR * sums.within * counts.between;
}

/** About so many regions as are sought, or none: nothing is proposed that has to be taken off again.
 *  @param {Pixels} pixels @param {number} sought @returns {Region[]} */
export function findRegions(pixels, sought) {
  const { width, height } = pixels;
  const flat = smooth(pixels);
  const change = steps(flat, width, height);
  const sorted = change.toSorted();
  /** @type {Region[]} */
  let best = [];
  for (const share of SHARES) {
    const least = Math.max(12, sorted[Math.floor((1 - share) * (sorted.length - 1))] ?? 0);
    const edge = Uint8Array.from(change, (each) => Number(each >= least));
    const deep = depths(edge, width, height);
    const usual = width * height / sought;
    const label = joined(divided(deep, width, height), deep, width, LEAST * usual);
    if (!isClear(label, change, width)) continue;
    const found = described(label, deep, pixels);
    if (Math.abs(found.length - sought) < Math.abs(best.length - sought)) best = found;
    if (best.length === sought) break;
  }
  return best.length >= FEWEST * sought && best.length <= MOST * sought ? best : [];
}

/** @param {[number, number, number]} colour @returns {{ hue: number, strong: number }} */
function hueOf([red, green, blue]) {
  const [most, least] = [Math.max(red, green, blue), Math.min(red, green, blue)];
  const hue = Math.atan2(Math.sqrt(3) * (green - blue), 2 * red - green - blue);
  return { hue, strong: most ? (most - least) / most : 0 };
}

/** How unlike two colours are: grey is like grey, however light; else the hue counts.
 *  @param {[number, number, number]} one @param {[number, number, number]} other */
function unlike(one, other) {
  const [a, b] = [hueOf(one), hueOf(other)];
  if (Math.min(a.strong, b.strong) < 0.09) return Math.min(1, Math.abs(a.strong - b.strong) * 3);
  const apart = Math.abs(a.hue - b.hue);
  return Math.min(apart, 2 * Math.PI - apart) / Math.PI;
}

/** Which space is which region: by where it was thought to lie, and by what it looks like.
 *  @param {Region[]} regions @param {{ x: number, y: number, colour: [number, number, number] | null }[]} spaces
 *  @returns {number[]} the region of each space; -1: none */
export function matched(regions, spaces) {
  const cost = (/** @type {number} */ space, /** @type {number} */ region) => {
    const [one, other] = [spaces[space], regions[region]];
    if (!one || !other) return 2;
    return Math.hypot(one.x - other.x, one.y - other.y) + (one.colour ? 20 * unlike(one.colour, other.colour) : 0);
  };
  const pairs = spaces.flatMap((_, space) => regions.map((__, region) => ({ space, region, far: cost(space, region) }))).sort((one, other) => one.far - other.far);
  const found = spaces.map(() => -1);
  for (const { space, region } of pairs) if (found[space] === -1 && !found.includes(region)) found[space] = region;
  for (let better = true; better;) {
    better = false;
    for (let one = 0; one < found.length; one += 1) {
      for (let other = 0; other < one; other += 1) {
        const [a, b] = [found[one] ?? -1, found[other] ?? -1];
        if (cost(one, b) + cost(other, a) < cost(one, a) + cost(other, b) - 1e-9) {
          [found[one], found[other]] = [b, a];
          better = true;
        }
      }
    }
  }
  return found;
}
