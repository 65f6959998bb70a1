// The page that opens a table.

import { ask, freshKey, say } from "./house.js";

const form = document.getElementById("opening");
const problem = document.getElementById("problem");

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const named = Array.from(form.querySelectorAll("[data-seat]"), (input) => [input.name, input.value.trim()]);
  const said = {
    game: form.dataset.engine,
    table: form.elements.line.value,
    title: form.elements.title.value,
    players: Object.fromEntries(named.filter(([, name]) => name)),
  };
  const reply = await ask("POST", "/games", said, { "Idempotency-Key": freshKey() });
  if (reply.status === 200) {
    location.assign(`/games/${reply.body.data.game}`);
    return;
  }
  problem.hidden = false;
  problem.textContent = (reply.body?.told ?? [reply.body?.detail ?? say("lost")]).join(" ");
});
document.body.dataset.ready = "";
