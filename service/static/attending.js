// A judge says that they go to a table, or leaves it to others: on the list of calls, and at a dispute.

import { meant, refresh, say, tellOnce } from "./common.js";

document.addEventListener("submit", async (event) => {
  const form = meant(event, ".attending");
  if (form === null) return;
  event.preventDefault();
  const button = /** @type {HTMLButtonElement} */ (form.querySelector("button"));
  button.disabled = true;
  const reply = await tellOnce(form.dataset.path ?? "", { off: form.dataset.off === "yes" });
  button.disabled = false;
  if (reply.status === 200) refresh();
  else /** @type {HTMLElement} */ (form.querySelector("[role=status]")).textContent = reply.body?.detail ?? reply.body?.title ?? say("nobody_answers");
});
