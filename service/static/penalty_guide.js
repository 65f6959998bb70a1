// What a player was penalised for before, and the step of the guide that comes next: shown while a penalty
// is written, at the desk and at a dispute.

import { ask, make, say } from "./common.js";

/** @param {string} tournament @param {Record<string, string>} about @returns {Promise<Reply>} */
export const nextStep = (tournament, about) => ask("GET", `/tournaments/${tournament}/penalties/next?${new URLSearchParams(about)}`);

/** Its lines, and a button that takes the step: nothing is chosen by itself.
 *  @param {Reply} reply @param {(level: string) => void} take @returns {HTMLElement[]} */
export function proposal(reply, take) {
  if (reply.status !== 200) return [];
  const { told, data: { proposed } } = reply.body;
  const button = make("button", { type: "button", "data-take": true, onclick: () => take(proposed.level) }, say("take_step", { level: proposed.level }));
  return [...told.map((/** @type {string} */ line) => make("p", {}, line)), button];
}
