// The rulebook's own sentence of a clause: typed, photographed, or taken away again.

import { ask, byId, say } from "./common.js";
import { smaller } from "./picture.js";

const form = /** @type {HTMLFormElement} */ (byId("wording"));
const { engine, clause = "" } = form.dataset;
const photo = `/engines/${engine}/box/photo?page=${clause}`;

/** @param {ReturnType<typeof ask>} asked */
async function settle(asked) {
  const reply = await asked;
  if (reply.status === 200) return location.reload();
  const problem = byId("problem");
  problem.textContent = reply.body?.detail ?? say("lost");
  problem.hidden = false;
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  const said = String(new FormData(form).get("said"));
  settle(ask("POST", `/engines/${engine}/box/wording`, { clause, said }));
});
form.querySelector("input")?.addEventListener("change", async ({ target }) => {
  const file = /** @type {HTMLInputElement} */ (target).files?.[0];
  if (file) settle(ask("POST", photo, await smaller(file)));
});
form.querySelector("[data-do=erase]")?.addEventListener("click", () => settle(ask("DELETE", photo)));
