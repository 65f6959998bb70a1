// Deals: what every table draws, in the same order. They are made, kept and opened on this computer alone.

import { make, say } from "./common.js";

/** A deal, or the digest of one that is published.
 *  @typedef {{ name: string, game?: string, piles?: Record<string, string[]>, seed?: null, digest?: string }} Deal */

/** Pieces as people write them: `M1 M2*3`, the second three times.
 *  @param {string} text */
export function pieces(text) {
  return text.split(/[\s,;]+/).filter(Boolean).flatMap((each) => {
    const [, item = each, times = "1"] = /^(.+)[*×](\d{1,3})$/.exec(each) ?? [];
    return Array(Number(times)).fill(item);
  });
}

/** @template T @param {T[]} items @returns {T[]} */
export function shuffled(items) {
  const found = [...items];
  for (let last = found.length - 1; last > 0; last -= 1) {
    // Of 2³² numbers the rest that does not divide evenly is drawn again.
    const [size, draw] = [last + 1, new Uint32Array(1)];
    do crypto.getRandomValues(draw); while ((draw[0] ?? 0) >= 2 ** 32 - (2 ** 32 % size));
    const at = (draw[0] ?? 0) % size;
    [found[last], found[at]] = [/** @type {T} */ (found[at]), /** @type {T} */ (found[last])];
  }
  return found;
}

/** @param {Deal} deal */
export const dealFile = (deal) => make("a", { download: `${deal.name}.deal.json`, href: URL.createObjectURL(new Blob([JSON.stringify(deal, null, 1)], { type: "application/json" })) }, say("deal_save"));

/** @param {File} file @returns {Promise<Deal | null>} */
export async function readDeal(file) {
  try {
    const deal = JSON.parse(await file.text());
    return deal?.piles && deal.name ? deal : null;
  } catch {
    return null;
  }
}
