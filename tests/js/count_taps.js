// How many taps lines take on the page, without the one that logs them: `[[lines, line], …]` is read,
// the numbers are written.

import { text } from "node:stream/consumers";
import { FEW, exact, remaining, telling } from "../../service/static/lines.js";

/** Whether a button says the whole line. */
function offeredWhole(lines, taps, line) {
  return remaining(lines, taps).length <= FEW || (taps.length > 0 && exact(lines, taps).includes(line));
}

/** Taps that lead to a line, the most telling word first; the line itself, where it is offered whole. */
function path(lines, line) {
  const taps = [];
  while (remaining(lines, taps).length > 1) {
    if (offeredWhole(lines, taps, line)) return [...taps, line];
    const words = [...telling(lines, taps)].filter(([word]) => remaining([line], [...taps, word]).length === 1);
    taps.push(words.sort((one, other) => one[1] - other[1])[0][0]);
  }
  return taps;
}

/** The least, where none or one word and a whole line are enough. */
function needed([lines, line]) {
  if (lines.length === 1) return 0;
  if (offeredWhole(lines, [], line)) return 1;
  const words = line.split(" ");
  if (words.some((word) => remaining(lines, [word]).length === 1)) return 1;
  if (words.some((word) => offeredWhole(lines, [word], line))) return 2;
  return path(lines, line).length;
}

console.log(JSON.stringify(JSON.parse(await text(process.stdin)).map(needed)));
