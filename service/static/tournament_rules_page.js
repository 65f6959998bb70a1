// The rules of an event that has not begun: they can still be published anew.

import { byId, data, input, say, tellOnce } from "./common.js";
import { fill, live, told } from "./tournament_rules.js";

const form = /** @type {HTMLFormElement} */ (byId("revise"));
live(form);
fill(form, data().plan);
document.body.dataset.ready = "";
form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const rules = told(form);
  const reply = await tellOnce(`/tournaments/${data().tournament}/plan`, { rules, reason: input("reason").value.trim() });
  if (reply.status === 200) { location.reload(); return; }
  const problem = byId("problem");
  problem.hidden = false;
  problem.textContent = reply.status === 0 ? say("nobody_answers") : reply.body.detail ?? reply.body.title;
});
