// A dispute: a remedy, a sentence, and the ruling is in the record.

import { ask, byId, freshKey, say, tellOnce } from "./common.js";
import { nextStep, proposal } from "./penalty_guide.js";

const form = /** @type {HTMLFormElement} */ (byId("ruling"));
const fields = /** @type {Record<string, HTMLInputElement>} */ (/** @type {unknown} */ (form.elements));
const answer = byId("answer");
const penalty = byId("penalty");
/** By seat, where the table is one of an event.
 *  @type {Record<string, string>} */
const players = JSON.parse(form.dataset.players ?? "{}");
let key = freshKey();

/** A reading that is settled needs no remedy besides. */
function chosen() {
  return fields.remedy?.value || (fields.fixed?.value ? "none" : "");
}

form.addEventListener("change", () => { penalty.hidden = chosen() !== "penalty"; key = freshKey(); recall(); });

/** At a table of an event: what the player was given before, for the same clause or in the same words. */
let recalled = "";
async function recall() {
  const [before, name] = [document.getElementById("before"), players[fields.seat?.value ?? ""]];
  if (before === null || name === undefined || chosen() !== "penalty") return;
  const clause = named()[0] ?? form.dataset.clause ?? "";
  const about = { name, infringement: (fields.reason?.value ?? "").trim().slice(0, 80), ...(clause ? { clause } : {}) };
  const asked = JSON.stringify(about);
  if (asked === recalled) return;
  recalled = asked;
  const reply = await nextStep(form.dataset.event ?? "", about);
  if (asked !== recalled) return;
  if (reply.status === 200) before.replaceChildren(...proposal(reply, (level) => { if (fields.level) fields.level.value = level; }));
  else recalled = "";
}

/** What is said to the referee: a correction as it was tried on this page, and shown.
 *
 *  @param {boolean} everywhere */
function ruling(everywhere) {
  const { dispute, overturns } = form.dataset;
  const [reading, value] = (fields.fixed?.value ?? "").split("=");
  return {
    dispute,
    remedy: chosen(),
    reason: fields.reason?.value.trim(),
    ...(overturns ? { overturns } : {}),
    ...(chosen() === "penalty" ? { seat: fields.seat?.value, level: (fields.level?.value || fields.other_level?.value)?.trim() } : {}),
    ...(chosen() === "corrected" ? { lines: tried() } : {}),
    ...(chosen() === "corrected" && form.dataset.stands ? { stands: true } : {}),
    ...(fields.authority?.value.trim() ? { authority: fields.authority.value.trim() } : {}),
    ...(named().length ? { clauses: named() } : {}),
    ...(cited().length ? { cite: cited() } : {}),
    ...(reading ? { readings: { [reading]: value } } : {}),
    ...(everywhere ? { scope: "tournament" } : {}),
  };
}

/** The clauses that are named instead of those in question. */
function named() {
  return (fields.clauses?.value ?? "").split(/[\s,;]+/).filter(Boolean);
}

/** The earlier rulings that this one follows. */
function cited() {
  const boxes = /** @type {NodeListOf<HTMLInputElement>} */ (document.querySelectorAll("[name=cite]:checked"));
  return Array.from(boxes, (box) => box.value);
}

function tried() {
  return (form.dataset.lines ?? "").split(";").map((line) => line.trim()).filter(Boolean);
}

fields.other_level?.addEventListener("input", () => { if (fields.level) fields.level.value = ""; });

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  if (!chosen()) { answer.textContent = say("no_remedy"); return; }
  const button = /** @type {HTMLButtonElement} */ (byId("rule"));
  button.disabled = true;
  const { game, version } = form.dataset;
  const headers = { "Idempotency-Key": key, "If-Match": `"${version}"` };
  const reply = await ask("POST", `/games/${game}/rulings`, ruling(event.submitter?.id === "rule-all"), headers);
  if (reply.status === 200) { location.reload(); return; }
  button.disabled = false;
  answer.textContent = reply.status === 0 ? say("nobody_answers") : reply.status === 409 ? say("moved_on") : reply.body.detail ?? reply.body.title;
});
for (const button of /** @type {NodeListOf<HTMLButtonElement>} */ (document.querySelectorAll("button.beside"))) {
  button.addEventListener("click", async () => {
    button.disabled = true;
    const reply = await tellOnce(button.dataset.path ?? "", { reason: fields.reason?.value.trim() ?? "" });
    if (reply.status === 200) { location.reload(); return; }
    button.disabled = false;
    answer.textContent = reply.body?.detail ?? reply.body?.title ?? say("nobody_answers");
  });
}
document.body.dataset.ready = "";
