// Telling the desk: one request, its answer on the page; and results by taps.

import { ask, caughtUp, data, freshKey, make, say } from "./house.js";
import { does, field, open } from "./dialog.js";

const keys = new Map();

/** What the desk answers; the same words told again, because nobody answered, have the same key. */
export async function tell(path, body) {
  const words = JSON.stringify([path, body]);
  if (!keys.has(words)) keys.set(words, freshKey());
  const reply = await ask("POST", `/tournaments/${data().tournament}${path}`, body, { "Idempotency-Key": keys.get(words) });
  if (reply.status !== 0) keys.delete(words);
  return reply;
}

/** The lines of an answer or of a refusal. */
export function lines(reply) {
  if (reply.status === 0) return [say("nobody_answers")];
  if (reply.status === 200) return [...reply.body.told, ...reply.body.warnings];
  return [reply.body.detail ?? reply.body.title];
}

export function show(reply) {
  const told = document.getElementById("told");
  told.hidden = false;
  told.className = reply.status === 200 ? "notice good" : "notice bad";
  told.textContent = lines(reply).join("\n");
}

/** What the desk stops at, and may be told all the same. */
const STOPPED = new Set(["disputes_are_open", "places_against_points", "points_wanted"]);

/** Tell it, show what came of it, and bring the page in line; whether it was done. */
export async function carryOut(path, body) {
  const reply = await tell(path, body);
  show(reply);
  if (STOPPED.has(reply.body?.code) && !path.endsWith("/report")) {
    const again = () => carryOut(path, { ...body, anyway: true });
    document.getElementById("told").append(" ", make("button", { type: "button", "data-anyway": true, onclick: again }, say("anyway")));
  }
  if (reply.status === 200) await caughtUp(reply.body.version);
  return reply.status === 200;
}

/** `B A`, `A=40 B=38`, `A -B`, `1 14`: places or points, who did not come, measures. */
function slip(text) {
  const words = text.split(/\s+/).filter(Boolean);
  const absent = words.filter((word) => /^-\D/.test(word));
  const measures = words.filter((word) => /^-?\d+$/.test(word));
  const places = words.filter((word) => !absent.includes(word) && !measures.includes(word));
  return {
    places,
    absent: absent.map((word) => word.slice(1)),
    ...(measures.length ? { measures: measures.map(Number) } : {}),
  };
}

/** A result that the desk enters has a reason, though it may be empty; what a player reports has none. */
function sendResult({ table, round, how, entered }, told, reason = "") {
  const path = `/tables/${table}/${entered ? "correction" : how}`;
  return carryOut(path, { ...told, ...(how === "report" ? {} : { reason }), round: Number(round) });
}

function askForSlip(group) {
  const words = field(say("slip_line"), { name: "slip", autocapitalize: "none", spellcheck: "false" });
  const reason = group.how === "report" ? null : field(say(group.entered ? "reason" : "reason_if_any"), { name: "reason", required: group.entered !== "" });
  const send = () => sendResult(group, slip(words.input.value), reason?.input.value.trim());
  open(say("slip_of", { table: group.table }), words.row, make("p", { class: "quiet" }, say("slip_about")), reason?.row ?? null, does(say("enter"), send, { class: "main" }));
}

/** A tap on somebody of two is the winner; of several, the next place. */
async function place(group, button) {
  const { seats } = group.dataset;
  const send = (places) => sendResult(group.dataset, { places });
  const all = Array.from(group.querySelectorAll("[data-place]"), (each) => each.dataset.place).filter((seat) => seat !== "=");
  const tapped = button.dataset.place;
  if (tapped === "=") { await send([all.join("=")]); return; }
  if (Number(seats) === 2) { await send([tapped, all.find((seat) => seat !== tapped)]); return; }
  const order = (group.dataset.held ?? "").split(" ").filter((seat) => seat && seat !== tapped);
  const placed = button.getAttribute("aria-pressed") === "true" ? order : [...order, tapped];
  delete group.dataset.held;
  if (placed.length === all.length) {
    if (!await send(placed)) group.dataset.held = order.join(" ");
    return;
  }
  if (placed.length) group.dataset.held = placed.join(" ");
  for (const each of group.querySelectorAll("[data-place]")) {
    const at = placed.indexOf(each.dataset.place);
    each.setAttribute("aria-pressed", String(at >= 0));
    if (at >= 0) each.dataset.at = `${at + 1}.`;
    else delete each.dataset.at;
  }
}

export function takeTaps() {
  document.addEventListener("submit", async (event) => {
    if (!event.target.matches(".result-taps form.points")) return;
    event.preventDefault();
    const scores = Array.from(new FormData(event.target), ([seat, points]) => `${seat}=${points}`);
    await sendResult(event.target.closest(".result-taps").dataset, { scores });
  });
  document.addEventListener("click", async (event) => {
    const button = event.target.closest(".result-taps button");
    if (button === null) return;
    const group = button.closest(".result-taps");
    if (button.dataset.do === "slip") askForSlip(group.dataset);
    else if (button.dataset.do === "take") await carryOut("/results", { table: Number(group.dataset.table), round: Number(group.dataset.round) });
    else await place(group, button);
  });
}

/** The buttons of the own table: confirm what somebody else has said, call a judge. */
export function speakForMyself() {
  document.addEventListener("click", async (event) => {
    const button = event.target.closest("[data-do=confirm], [data-do=call]");
    if (button === null) return;
    const { table, round } = button.dataset;
    if (button.dataset.do === "confirm") {
      await carryOut(`/tables/${table}/report`, { ...JSON.parse(button.dataset.slip), round: Number(round) });
      return;
    }
    const text = field(say("call_text"), { name: "text" });
    const send = () => carryOut(`/tables/${table}/call`, { text: text.input.value.trim(), round: Number(round) });
    open(say("call_title"), text.row, does(say("call_now"), send, { class: "main" }));
  });
}
