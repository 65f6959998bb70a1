// Any-order taps: a tap keeps the lines in which its word occurs.

/** So few lines are offered whole, each by a tap of its own. */
export const FEW = 12;

/** @param {string} line @param {string} word */
function times(line, word) {
  return line.split(" ").filter((each) => each === word).length;
}

/** What words look alike that name things of a kind.
 *  @param {string} word */
const kind = (word) => word.replace(/[A-Z]+/g, "A").replace(/[a-z]+/g, "a").replace(/\d+/g, "0");

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
 *  of another of its kind: what somebody means who taps what is not legal. A place is where one wants to go,
 *  what has a piece of one's own (`own`) is what one wants to go with.
 *  @param {string[]} lines @param {string[]} taps @param {string} word @param {Set<string>} placed */
export function alike(lines, taps, word, placed, own = false) {
  /** @type {Map<string, number>} */
  const made = new Map();
  for (const line of remaining(lines, taps)) {
    const words = line.split(" ");
    const first = /^[A-Z]$/.test(words[0] ?? "") ? 2 : 1;
    const fits = words.flatMap((each, at) => at >= first && each !== word && placed.has(each) && !taps.includes(each) && kind(each) === kind(word) ? [at] : []);
    for (const at of fits) made.set(words.with(at, word).join(" "), at === (own ? fits[0] : fits.at(-1)) ? words.length : words.length + 100);
  }
  return Array.from(made).filter(([line]) => !lines.includes(line)).sort((one, other) => one[1] - other[1]).map(([line]) => line);
}

/** The lines that no further tap could single out: they say nothing but what was tapped.
 *  @param {string[]} lines @param {string[]} taps */
export function exact(lines, taps) {
  const left = remaining(lines, taps);
  const words = telling(lines, taps);
  return left.filter((line) => !line.split(" ").some((word) =>
    words.has(word) && times(line, word) > times(taps.join(" "), word)));
}

/** The lines, where all that can be done is one thing that several seats do alike, each for itself.
 *  @param {string[]} lines */
export function together(lines) {
  const said = lines.map((line) => /^([A-H]) (.+)$/.exec(line));
  const seats = new Set(said.map((each) => each?.[1]));
  const words = new Set(said.map((each) => each?.[2]));
  return lines.length > 1 && seats.size === lines.length && words.size === 1 && !seats.has(undefined) ? lines : [];
}

/** The verb of a line: what follows the seat, or begins it.
 *  @param {string[]} words */
function verbOf(words) {
  return (/^[A-H]$/.test(words[0] ?? "") ? words[1] : words[0]) ?? "";
}

/** The words that say how many, in their order: no piece of that name is meant.
 *  @param {string[]} lines @param {Iterable<string>} words @param {string[]} [counting] the verbs that count; without them every number does */
export function amounts(lines, words, counting) {
  const others = new Set(counting ? lines.map((line) => line.split(" ")).filter((line) => !counting.includes(verbOf(line))).flat() : []);
  return Array.from(words).filter((word) => /^\d+$/.test(word) && !others.has(word)).sort((one, other) => Number(one) - Number(other));
}

/** The words that are offered in a row though they have a place: most of their kind, which stand where
 *  they stand in a line, have none.
 *  @param {string[]} lines @param {Set<string>} placed @returns {Set<string>} */
export function inRow(lines, placed) {
  /** @type {Map<string, Set<string>>} */
  const slots = new Map();
  for (const words of lines.map((line) => line.split(" "))) {
    words.forEach((word, at) => {
      const slot = `${verbOf(words)} ${at} ${kind(word)}`;
      slots.set(slot, (slots.get(slot) ?? new Set()).add(word));
    });
  }
  const most = (/** @type {Set<string>} */ slot) => 3 * Array.from(slot).filter((word) => placed.has(word)).length <= slot.size;
  return new Set(Array.from(slots.values()).filter(most).flatMap((slot) => [...slot]));
}
