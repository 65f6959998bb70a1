// This device lies on the table: for this game it takes the role of the table beside those it has.

import { ask } from "./common.js";

/** Whether it is so now; `role` is the one that lays it there, if it is not the page's.
 *  @param {string} game @param {string} [role] */
export async function lieOnTable(game, role) {
  const made = await ask("POST", "/access/codes", { role: "table", scope: game }, role ? { "Referee-Role": role } : {});
  const code = made.body?.data?.code;
  if (!code) return false;
  return (await ask("POST", "/join", { code })).status === 200;
}
