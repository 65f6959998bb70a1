// A dispute: a remedy, a sentence, and the ruling is in the record.

import "./attending.js";
import { ask, byId, freshKey, make, meant, say, tellOnce } from "./common.js";
import { does, open } from "./dialog.js";
import { nextStep, proposal } from "./penalty_guide.js";

const form = /** @type {HTMLFormElement} */ (byId("ruling"));
const fields = /** @type {Record<string, HTMLInputElement>} */ (/** @type {unknown} */ (form.elements));
const answer = byId("answer");
const penalty = byId("penalty");
/** By seat, where the table is one of an event.
 *  @type {Record<string, string>} */
const players = JSON.parse(form.dataset.players ?? "{}");
const reason = make("textarea", { id: "reason", rows: 3, maxlength: 2000, required: true });
const before = make("div", { id: "before", class: "why", role: "status", hidden: true });
reason.addEventListener("change", () => recall());
let key = freshKey();

/** A reading that is settled needs no remedy besides. */
function chosen() {
  return fields.remedy?.value || (fields.fixed?.value ? "none" : "");
}

/** @param {{ target: EventTarget | null }} event */
function changed({ target }) {
  penalty.hidden = chosen() !== "penalty";
  const remedy = /** @type {HTMLInputElement} */ (target);
  if (remedy.name === "remedy") byId("rule").textContent = say("rule_as", { remedy: remedy.closest("label")?.querySelector("b")?.textContent?.replace("…", "").toLowerCase() ?? "" });
  key = freshKey();
}
document.addEventListener("change", changed);

/** At a table of an event: what the player was given before, for the same clause or in the same words. */
let recalled = "";
async function recall() {
  const name = players[fields.seat?.value ?? ""];
  before.hidden = form.dataset.event === undefined || name === undefined || chosen() !== "penalty";
  if (before.hidden || name === undefined) return;
  const clause = named()[0] ?? form.dataset.clause ?? "";
  const about = { name, infringement: reason.value.trim().slice(0, 80), ...(clause ? { clause } : {}) };
  const asked = JSON.stringify(about);
  if (asked === recalled) return;
  recalled = asked;
  const reply = await nextStep(form.dataset.event ?? "", about);
  if (asked !== recalled) return;
  if (reply.status === 200) before.replaceChildren(...proposal(reply, (level) => { if (fields.level) fields.level.value = level; confirmed(); }));
  else recalled = "";
}

/** What is said to the referee: a correction as it was tried on this page, and shown. */
function ruling() {
  const { dispute, overturns } = form.dataset;
  const [reading, value] = (fields.fixed?.value ?? "").split("=");
  return {
    dispute,
    remedy: chosen(),
    reason: reason.value.trim(),
    ...(overturns ? { overturns } : {}),
    ...(chosen() === "penalty" ? { seat: fields.seat?.value, level: level() } : {}),
    ...(chosen() === "corrected" ? { lines: tried() } : {}),
    ...(chosen() === "corrected" && form.dataset.stands ? { stands: true } : {}),
    ...(fields.authority?.value.trim() ? { authority: fields.authority.value.trim() } : {}),
    ...(named().length ? { clauses: named() } : {}),
    ...(cited().length ? { cite: cited() } : {}),
    ...(reading ? { readings: { [reading]: value } } : {}),
    ...(fields.everywhere?.checked ? { scope: "tournament" } : {}),
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

function level() {
  return fields.level?.value ?? "";
}

/** Asked once, by name: what is decided about which move or whom, what it changes, and why. */
function confirmed() {
  const remedy = chosen();
  const label = document.querySelector(`[name=remedy][value=${remedy}]`)?.closest("label");
  const name = form.querySelector("[name=seat]:checked")?.closest("label")?.querySelector("bdi")?.textContent ?? "";
  const lines = remedy === "penalty" ? [] : Array.from(label?.querySelectorAll("small") ?? [], (line) => make("li", {}, line.textContent ?? ""));
  const fixed = document.querySelector("[name=fixed]:checked:not([value=''])")?.closest("label")?.textContent?.trim();
  open(say(`rule_${remedy}`, { about: form.dataset.about ?? "", name, level: level() }),
    make("ul", { class: "effects" }, ...lines, fixed ? make("li", {}, fixed) : null), before,
    make("label", {}, say("reason"), reason),
    does(say("rule"), decide, { class: "main", "data-do": "rule" }));
  recall();
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  if (!chosen()) answer.textContent = say("no_remedy");
  else if (chosen() === "penalty" && !(fields.seat?.value && level())) answer.textContent = say("no_seat");
  else { answer.textContent = ""; confirmed(); }
});

async function decide() {
  const button = /** @type {HTMLButtonElement} */ (byId("rule"));
  button.disabled = true;
  const { game, version } = form.dataset;
  const headers = { "Idempotency-Key": key, "If-Match": `"${version}"` };
  const reply = await ask("POST", `/games/${game}/rulings`, ruling(), headers);
  if (reply.status === 200) { location.assign(location.pathname); return; }
  button.disabled = false;
  answer.textContent = reply.status === 0 ? say("nobody_answers") : reply.status === 409 ? say("moved_on") : reply.body.detail ?? reply.body.title;
}

/** On a phone the picture shows what was moved, and what lies around it; a tap shows the whole board. */
function frame() {
  const [figure, svg] = [document.querySelector(".pics .board"), document.querySelector(".pics .board svg")];
  const moved = /** @type {SVGGElement | null} */ (svg?.querySelector("[data-moved]") ?? null);
  if (!(svg instanceof SVGSVGElement) || moved === null || !matchMedia("(max-width: 48rem)").matches) return;
  const [whole, near] = [svg.getAttribute("viewBox") ?? "", moved.getBBox()];
  if (!near.width) return;
  const { width, height } = svg.viewBox.baseVal;
  const side = Math.min(width, height, Math.max(near.width, near.height) + 0.45 * Math.min(width, height));
  const [x, y] = [near.x + near.width / 2 - side / 2, near.y + near.height / 2 - side / 2];
  const close = [Math.max(0, Math.min(x, width - side)), Math.max(0, Math.min(y, height - side)), side, side].join(" ");
  svg.setAttribute("viewBox", close);
  figure?.addEventListener("click", () => svg.setAttribute("viewBox", figure.classList.toggle("whole") ? whole : close));
}

/** Where a link leads to what is folded, it unfolds. */
function unfold() {
  const folded = document.querySelector(`details${location.hash || ":not(*)"}`);
  if (folded) { folded.setAttribute("open", ""); folded.scrollIntoView(); }
}
addEventListener("hashchange", unfold);
document.addEventListener("click", async (event) => {
  if (meant(event, `a[href="${location.hash}"]`)) unfold();
  if (meant(event, "[data-do=photo]") === null) return;
  const { photograph } = await import("./photo.js");
  photograph({ dispute: form.dataset.dispute ?? "" }, () => location.reload());
});

for (const button of /** @type {NodeListOf<HTMLButtonElement>} */ (document.querySelectorAll("button.beside"))) {
  button.addEventListener("click", async () => {
    button.disabled = true;
    const reply = await tellOnce(button.dataset.path ?? "", { reason: reason.value.trim() });
    if (reply.status === 200) { location.reload(); return; }
    button.disabled = false;
    answer.textContent = reply.body?.detail ?? reply.body?.title ?? say("nobody_answers");
  });
}
const checked = document.querySelector("[name=remedy]:checked");
if (checked) changed({ target: checked });
frame();
unfold();
document.body.dataset.ready = "";
