// The list of events: the form that publishes one more, and files of events from elsewhere.

import { ask, byId, data, freshKey, input, onlyLast, say, tellOnce } from "./common.js";
import { fill, live, told } from "./tournament_rules.js";

const form = /** @type {HTMLFormElement | null} */ (document.getElementById("new"));
/** @param {Reply} reply */
function refused(reply) {
  const problem = byId("problem");
  problem.hidden = false;
  problem.textContent = reply.status === 0 ? say("nobody_answers") : reply.body.detail ?? reply.body.title;
  problem.scrollIntoView({ block: "nearest" });
}

/** So many rounds are usual for so many: until one is left, or everybody has met everybody.
 *  @param {string} format @param {number} people */
const roundsFor = (format, people) => (format === "round_robin" ? people - 1 + (people % 2) : TO_THE_LAST.includes(format) ? Math.ceil(Math.log2(people)) : null);
const TO_THE_LAST = ["swiss", "knockout", "double_elimination"];

if (form !== null) {
  input("all-rules").querySelectorAll("[name=unplayed_rounds]").forEach((each) => { /** @type {HTMLSelectElement} */ (each).value = data().edition ?? "fide_2026"; });
  live(form);
  let chosen = false;
  input("rounds").addEventListener("input", () => { chosen = true; });
  form.addEventListener("change", () => {
    const people = Number(input("people").value);
    const usual = people >= 2 ? roundsFor(String(new FormData(form).get("format")), people) : null;
    if (usual !== null && usual <= 99 && !chosen) input("rounds").value = String(usual);
  });
}
const chosenLast = onlyLast();
document.getElementById("like")?.addEventListener("change", async () => {
  const { value } = input("like");
  const reply = await chosenLast(value ? ask("GET", `/tournaments/${value}`) : Promise.resolve(null));
  if (form === null || reply === null) return;
  if (reply.status !== 200) { refused(reply); return; }
  fill(form, reply.body.data.plan);
  byId("all-rules").toggleAttribute("open", true);
});
form?.addEventListener("submit", async (event) => {
  event.preventDefault();
  const said = { name: input("name").value.trim(), ...told(form) };
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
