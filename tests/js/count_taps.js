// How many taps lines take on the page, with the one that logs them: `[[lines, line], …]` is read, the
// numbers are written.

import { text } from "node:stream/consumers";
import { FEW, exact, remaining, telling } from "../../service/static/lines.js";

/** Whether a button says the whole line. */
function offeredWhole(lines, taps, line) {
  const left = remaining(lines, taps);
  return left.length <= FEW || (taps.length > 0 && exact(lines, taps).includes(line));
}

/** Taps that lead to the button of a line, the most telling word first. */
function path(lines, line) {
  const taps = [];
  while (!offeredWhole(lines, taps, line)) {
    const words = [...telling(lines, taps)].filter(([word]) => remaining([line], [...taps, word]).length === 1);
    taps.push(words.sort((one, other) => one[1] - other[1])[0][0]);
  }
  return taps;
}

/** The least, where none or one word are enough; the last tap is on the button that logs the line. */
function needed([lines, line]) {
  if (offeredWhole(lines, [], line)) return 1;
  if (line.split(" ").some((word) => offeredWhole(lines, [word], line))) return 2;
  return path(lines, line).length + 1;
}

console.log(JSON.stringify(JSON.parse(await text(process.stdin)).map(needed)));
