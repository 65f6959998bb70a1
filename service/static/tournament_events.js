// The list of events: the form that publishes one more, and files of events from elsewhere.

import { ask, byId, freshKey, say, tellOnce } from "./common.js";

const form = /** @type {HTMLFormElement | null} */ (document.getElementById("new"));
/** @param {Reply} reply */
function refused(reply) {
  const problem = byId("problem");
  problem.hidden = false;
  problem.textContent = reply.status === 0 ? say("nobody_answers") : reply.body.detail ?? reply.body.title;
}

form?.addEventListener("submit", async (event) => {
  event.preventDefault();
  const { name, game, format, rounds } = /** @type {Record<"name" | "game" | "format" | "rounds", HTMLInputElement>} */ (/** @type {unknown} */ (form.elements));
  const said = { name: name.value.trim(), game: game.value, format: format.value, rounds: Number(rounds.value) };
  const reply = await tellOnce("/tournaments", said);
  if (reply.status === 200) { location.assign(`/tournaments/${reply.body.data.tournament}/desk`); return; }
  refused(reply);
});
document.getElementById("file")?.addEventListener("change", async (event) => {
  const target = /** @type {HTMLInputElement} */ (event.target);
  const file = target.files?.[0];
  if (file === undefined) return;
  const reply = await ask("POST", "/tournaments/records", file, { "Idempotency-Key": freshKey() });
  target.value = "";
  if (reply.status === 200) location.assign(`/tournaments/${reply.body.data.tournament}`);
  else refused(reply);
});
document.body.dataset.ready = "";
