// This device lies on the table: for this game it takes the role of the table beside those it has.

import { ask } from "./common.js";

/** Whether it is so now.
 *  @param {string} game */
export async function lieOnTable(game) {
  const made = await ask("POST", "/access/codes", { role: "table", scope: game });
  const code = made.body?.data?.code;
  if (!code) return false;
  return (await ask("POST", "/join", { code })).status === 200;
}
