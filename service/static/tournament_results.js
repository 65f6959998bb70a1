// Telling the desk: one request, its answer on the page; and results by taps.

import { byId, caughtUp, data, make, meant, say, tellOnce } from "./common.js";
import { does, field, open } from "./dialog.js";

/** What the desk answers.
 *  @param {string} path @param {object} body */
export function tell(path, body) {
  return tellOnce(`/tournaments/${data().tournament}${path}`, body);
}

/** The lines of an answer or of a refusal.
 *  @param {Reply} reply @returns {string[]} */
export function lines(reply) {
  if (reply.status === 0) return [say("nobody_answers")];
  if (reply.status === 200) return [...reply.body.told, ...reply.body.warnings];
  return [reply.body.detail ?? reply.body.title];
}

/** @param {Reply} reply */
export function show(reply) {
  const told = byId("told");
  told.hidden = false;
  told.className = reply.status === 200 ? "notice good" : "notice bad";
  told.textContent = lines(reply).join("\n");
}

/** What the desk stops at, and may be told all the same. */
const STOPPED = new Set(["disputes_are_open", "places_against_points", "points_wanted"]);

/** Tell it, show what came of it, and bring the page in line; whether it was done.
 *  @param {string} path @param {object} body @returns {Promise<boolean>} */
export async function carryOut(path, body) {
  const reply = await tell(path, body);
  show(reply);
  if (STOPPED.has(reply.body?.code) && !path.endsWith("/report")) {
    const again = () => carryOut(path, { ...body, anyway: true });
    byId("told").append(" ", make("button", { type: "button", "data-anyway": true, onclick: again }, say("anyway")));
  }
  if (reply.status === 200) await caughtUp(reply.body.version);
  return reply.status === 200;
}

/** `B A`, `A=40 B=38`, `A -B`, `1 14`: places or points, who did not come, measures.
 *  @param {string} text */
export function slip(text) {
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

/** A result that the desk enters has a reason, though it may be empty; what a player reports has none.
 *  @param {DOMStringMap} group @param {object} told */
function sendResult({ table, round, how, entered }, told, reason = "") {
  const path = `/tables/${table}/${entered ? "correction" : how}`;
  return carryOut(path, { ...told, ...(how === "report" ? {} : { reason }), round: Number(round) });
}

/** @param {DOMStringMap} group */
function askForSlip(group) {
  const words = field(say("slip_line"), { name: "slip", autocapitalize: "none", spellcheck: "false" });
  const reason = group.how === "report" ? null : field(say(group.entered ? "reason" : "reason_if_any"), { name: "reason", required: group.entered !== "" });
  const send = () => sendResult(group, slip(words.input.value), reason?.input.value.trim());
  open(say("slip_of", { table: group.table ?? "" }), words.row, make("p", { class: "quiet" }, say("slip_about", { first: group.first ?? "A", second: group.second ?? "B" })), reason?.row ?? null, does(say("enter"), send, { class: "main" }));
}

/** A tap on somebody of two is the winner; of several, the next place.
 *  @param {HTMLElement} group @param {HTMLElement} button */
async function place(group, button) {
  const { seats } = group.dataset;
  const send = (/** @type {(string | undefined)[]} */ places) => sendResult(group.dataset, { places });
  /** @type {HTMLElement[]} */
  const buttons = Array.from(group.querySelectorAll("[data-place]"));
  const all = buttons.map((each) => each.dataset.place).filter((seat) => seat !== "=");
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
  for (const each of buttons) {
    const at = placed.indexOf(each.dataset.place);
    each.setAttribute("aria-pressed", String(at >= 0));
    if (at >= 0) each.dataset.at = `${at + 1}.`;
    else delete each.dataset.at;
  }
}

export function takeTaps() {
  document.addEventListener("submit", async (event) => {
    const form = /** @type {HTMLFormElement} */ (event.target);
    /** @type {HTMLElement | null} */
    const group = form.closest(".result-taps");
    if (group === null || !form.matches("form.points")) return;
    event.preventDefault();
    const scores = Array.from(new FormData(form), ([seat, points]) => `${seat}=${points}`);
    await sendResult(group.dataset, { scores });
  });
  document.addEventListener("click", async (event) => {
    const [button, group] = [meant(event, ".result-taps button"), meant(event, ".result-taps")];
    if (button === null || group === null) return;
    if (button.dataset.do === "slip") askForSlip(group.dataset);
    else if (button.dataset.do === "take") await carryOut("/results", { table: Number(group.dataset.table), round: Number(group.dataset.round) });
    else await place(group, button);
  });
}

/** The buttons of the own table: confirm what somebody else has said, call a judge. */
export function speakForMyself() {
  document.addEventListener("click", async (event) => {
    const button = meant(event, "[data-do=confirm], [data-do=call]");
    if (button === null) return;
    const { table, round } = button.dataset;
    if (button.dataset.do === "confirm") {
      await carryOut(`/tables/${table}/report`, { ...JSON.parse(button.dataset.slip ?? "{}"), round: Number(round) });
      return;
    }
    const text = field(say("call_text"), { name: "text" });
    const send = () => carryOut(`/tables/${table}/call`, { text: text.input.value.trim(), round: Number(round) });
    open(say("call_title"), text.row, does(say("call_now"), send, { class: "main" }));
  });
}
