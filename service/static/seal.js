// Secrets of a seat: hashed here, kept here, told when the seat says so. Only the hash is sent.

import { freshKey, keep, kept as keptAt } from "./common.js";
import { sha256 } from "./sha256.js";

const place = (/** @type {string} */ game) => `referee sealed ${game} as ${document.body.dataset.role ?? ""}`;

/** The hash that the record gets: it names game and seat, so that nobody can seal a copy of it.
 *  @param {string} game @param {string} seat @param {string} what @param {string} salt @param {string[]} words */
export function digest(game, seat, what, salt, words) {
  const bytes = (salt.match(/../g) ?? []).map((pair) => parseInt(pair, 16));
  const text = JSON.stringify([game, seat, what, words]);
  return sha256(new Uint8Array([...bytes, ...new TextEncoder().encode(text)]));
}

/** A new secret of these words; it stays in this browser until it is told.
 *  @param {string} game @param {string} seat @param {string} what @param {string[]} words */
export function seal(game, seat, what, words) {
  const salt = freshKey();
  const made = digest(game, seat, what, salt, words);
  store(game, { ...kept(game), [made]: { salt, words } });
  return { digest: made, salt };
}

/** What is kept here, by digest.
 *  @param {string} game @returns {Record<string, { salt: string, words: string[] }>} */
export function kept(game) {
  return JSON.parse(keptAt(place(game)) ?? "{}");
}

/** @param {string} game @param {string} made */
export function forget(game, made) {
  const { [made]: _, ...others } = kept(game);
  store(game, others);
}

/** @param {string} game @param {Record<string, { salt: string, words: string[] }>} secrets */
function store(game, secrets) {
  keep(place(game), Object.keys(secrets).length ? JSON.stringify(secrets) : null);
}
