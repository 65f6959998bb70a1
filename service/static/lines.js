// Any-order taps: a tap keeps the lines in which its word occurs.

/** So few lines are offered whole, each by a tap of its own. */
export const FEW = 8;

/** @param {string} line @param {string} word */
function times(line, word) {
  return line.split(" ").filter((each) => each === word).length;
}

/** The lines in which every tapped word occurs, as often as it was tapped.
 *  @param {string[]} lines @param {string[]} taps */
export function remaining(lines, taps) {
  return lines.filter((line) => taps.every((word) => times(line, word) >= times(taps.join(" "), word)));
}

/** The words that tell the remaining lines apart, and how many lines each would leave.
 *  @param {string[]} lines @param {string[]} taps @returns {Map<string, number>} */
export function telling(lines, taps) {
  const left = remaining(lines, taps);
  const found = new Map();
  for (const word of new Set(left.flatMap((line) => line.split(" ")))) {
    const count = remaining(left, [...taps, word]).length;
    if (count > 0 && count < left.length) found.set(word, count);
  }
  return found;
}

/** The small words with which nobody has to begin: whatever line has one has another word to tap.
 *  @param {string[]} lines @param {Map<string, number>} words @param {string[]} small @returns {Set<string>} */
export function joining(lines, words, small) {
  const isOffered = (/** @type {string} */ word) => words.has(word) && !small.includes(word);
  return new Set(small.filter((word) => lines.every((line) => !times(line, word) || line.split(" ").some(isOffered))));
}

/** The lines that would be as the legal ones are, but for a thing of the board that was tapped instead
 *  of another of its kind: what somebody means who taps what is not legal.
 *  @param {string[]} lines @param {string[]} taps @param {string} word @param {Set<string>} placed */
export function alike(lines, taps, word, placed) {
  const kind = (/** @type {string} */ each) => each.replace(/[A-Z]+/g, "A").replace(/[a-z]+/g, "a").replace(/\d+/g, "0");
  const made = remaining(lines, taps).flatMap((line) => {
    const words = line.split(" ");
    const first = /^[A-Z]$/.test(words[0] ?? "") ? 2 : 1;
    return words.flatMap((each, at) =>
      at >= first && each !== word && placed.has(each) && !taps.includes(each) && kind(each) === kind(word)
        ? [words.with(at, word).join(" ")] : []);
  });
  return Array.from(new Set(made)).filter((line) => !lines.includes(line))
    .sort((one, other) => one.split(" ").length - other.split(" ").length);
}

/** The lines that no further tap could single out: they say nothing but what was tapped.
 *  @param {string[]} lines @param {string[]} taps */
export function exact(lines, taps) {
  const left = remaining(lines, taps);
  const words = telling(lines, taps);
  return left.filter((line) => !line.split(" ").some((word) =>
    words.has(word) && times(line, word) > times(taps.join(" "), word)));
}

/** The words that say how many, in their order.
 *  @param {Iterable<string>} words */
export function amounts(words) {
  return Array.from(words).filter((word) => /^\d+$/.test(word)).sort((one, other) => Number(one) - Number(other));
}
