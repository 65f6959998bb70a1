// A dispute: a remedy, a sentence, and the ruling is in the record.

import { ask, freshKey, say } from "./house.js";

const form = document.getElementById("ruling");
const answer = document.getElementById("answer");
const penalty = document.getElementById("penalty");
let key = freshKey();

/** A reading that is settled needs no remedy besides. */
function chosen() {
  return form.elements.remedy.value || (form.elements.fixed?.value ? "none" : "");
}

form.addEventListener("change", () => { penalty.hidden = chosen() !== "penalty"; key = freshKey(); });

/** What is said to the referee. */
function ruling(everywhere) {
  const { dispute, overturns } = form.dataset;
  const [reading, value] = (form.elements.fixed?.value ?? "").split("=");
  return {
    dispute,
    remedy: chosen(),
    reason: form.elements.reason.value.trim(),
    ...(overturns ? { overturns } : {}),
    ...(chosen() === "penalty" ? { seat: form.elements.seat.value, level: form.elements.level.value.trim() } : {}),
    ...(chosen() === "corrected" ? { lines: tried() } : {}),
    ...(reading ? { readings: { [reading]: value } } : {}),
    ...(everywhere ? { scope: "tournament" } : {}),
  };
}

function tried() {
  return document.getElementById("correct").value.split(";").map((line) => line.trim()).filter(Boolean);
}

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  if (!chosen()) { answer.textContent = say("no_remedy"); return; }
  const button = document.getElementById("rule");
  button.disabled = true;
  const { game, version } = form.dataset;
  const headers = { "Idempotency-Key": key, "If-Match": `"${version}"` };
  const reply = await ask("POST", `/games/${game}/rulings`, ruling(event.submitter?.id === "rule-all"), headers);
  if (reply.status === 200) { location.reload(); return; }
  button.disabled = false;
  answer.textContent = reply.status === 0 ? say("nobody_answers") : reply.status === 409 ? say("moved_on") : reply.body.detail ?? reply.body.title;
});
document.body.dataset.ready = "";
