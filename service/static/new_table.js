// The page that opens a table.

import { byId, say, tellOnce } from "./common.js";
import { lieOnTable } from "./on_table.js";

const form = /** @type {HTMLFormElement} */ (byId("opening"));
const fields = /** @type {Record<"line" | "title" | "minutes" | "per" | "calls" | "on_table", HTMLInputElement>} */ (/** @type {unknown} */ (form.elements));
const problem = byId("problem");

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  /** @type {NodeListOf<HTMLInputElement>} */
  const seats = form.querySelectorAll("[data-seat]");
  const named = Array.from(seats, (input) => [input.name, input.value.trim()]);
  const said = {
    game: form.dataset.engine,
    table: fields.line.value,
    title: fields.title.value,
    players: Object.fromEntries(named.filter(([, name]) => name)),
  };
  const reply = await tellOnce("/games", said);
  if (reply.status === 200) {
    const { game } = reply.body.data;
    await setClock(game);
    if (fields.on_table?.checked) await lieOnTable(game);
    location.assign(`/games/${game}`);
    return;
  }
  problem.hidden = false;
  problem.textContent = (reply.body?.told ?? [reply.body?.detail ?? say("lost")]).join(" ");
});
/** Where minutes are said, the table begins with a clock.
 *  @param {string} game */
async function setClock(game) {
  const { minutes, per, calls } = fields;
  const seconds = Math.round(Number(minutes.value.replace(",", ".")) * 60);
  if (!seconds) return;
  const said = { seconds, per: per.value, at_zero: calls.checked ? "judge" : "nothing" };
  await tellOnce(`/games/${game}/clock`, said);
}

document.body.dataset.ready = "";
