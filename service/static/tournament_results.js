// Telling the desk: one request, its answer on the page; and results by taps.

import { ask, byId, caughtUp, data, freshKey, keep, kept, make, meant, say, tellOnce } from "./common.js";
import { does, field, open } from "./dialog.js";
import { pauseAfter, unheard } from "./retry.js";

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

/** So many lines are said in the bar; where an answer has more, the page itself shows them. */
const IN_THE_BAR = 3;

/** The lines of an answer, or the first of many and what it warns of.
 *  @param {Reply} reply @returns {string[]} */
function briefly(reply) {
  const all = lines(reply);
  return reply.status === 200 && all.length > IN_THE_BAR ? [...reply.body.told.slice(0, 1), ...reply.body.warnings] : all;
}

/** What came of it stands in a bar that stays in view, wherever on the page somebody works.
 *  @param {Reply} reply @param {string} text */
export function show(reply, text = briefly(reply).join("\n"), told = byId("told")) {
  told.hidden = false;
  told.className = `notice bar ${reply.status === 200 ? "good" : "bad"}`;
  told.replaceChildren(make("span", {}, text), make("button", { type: "button", class: "plain dismiss", "aria-label": say("dismiss"), onclick: () => { told.hidden = true; } }, "✕"));
}

/** What the desk stops at, and may be told all the same. */
const STOPPED = new Set(["disputes_are_open", "places_against_points", "result_of_absent", "points_below_zero", "points_wanted", "match_unfinished", "nobody_at_board", "apart_meet_bracket", "apart_meet_robin", "apart_meet_top_table", "apart_meet_nothing_else"]);

/** Where a refusal is shown and what is done with it, and what happens once it is taken.
 *  @typedef {{ told?: HTMLElement, refused?: (reply: Reply) => void, taken?: () => void }} Asking */

/** Tell it, show what came of it, and bring the page in line; whether it was done.
 *  @param {string} path @param {object} body @param {Asking} asking @returns {Promise<boolean>} */
export async function carryOut(path, body, asking = {}) {
  const reply = await tell(path, body);
  const done = reply.status === 200;
  if (done) asking.taken?.();
  told(path, body, reply, asking);
  if (done) await caughtUp(reply.body.version);
  return done;
}

/** @param {string} path @param {object} body @param {Reply} reply @param {Asking} asking */
function told(path, body, reply, asking = {}) {
  const where = reply.status === 200 || !asking.told ? byId("told") : asking.told;
  show(reply, undefined, where);
  if (STOPPED.has(reply.body?.code) && !path.endsWith("/report")) {
    const seed = reply.body.facts?.seed; // the draw that was told, and no other
    const again = () => carryOut(path, { ...body, anyway: true, ...(seed === undefined ? {} : { seed }) }, asking);
    where.lastElementChild?.before(make("button", { type: "button", "data-anyway": true, onclick: again }, say("anyway")));
  }
  if (reply.status !== 200) asking.refused?.(reply);
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
    A correction says which result it means: another that came meanwhile is not overwritten unseen.
 *  @param {DOMStringMap} group @param {Result} told */
async function sendResult({ table = "", round, how, entered, event }, told, reason = "") {
  const path = `/tables/${table}/${entered ? "correction" : how}`;
  const body = { ...told, ...(how === "report" ? {} : { reason }), ...(entered && event ? { corrects: Number(event) } : {}), round: Number(round) };
  return deliver({ path, body, key: freshKey(), table, round: Number(round), result: shortly(told) });
}

/** @param {Result} told */
const shortly = ({ places = [], scores = [], measures = [], absent = [], games = "" }) => [games, ...places, ...scores, ...measures, ...absent.map((seat) => `-${seat}`)].filter((word) => word !== "").join(" ");

/** What waits for the server: kept in this browser, shown at its table, sent until it is answered.
 *  @returns {Unsent[]} */
const waiting = () => JSON.parse(kept(shelf()) ?? "[]");
const shelf = () => `referee unsent ${data().tournament} as ${document.body.dataset.role ?? ""}`;
/** @param {Unsent[]} items */
const hold = (items) => keep(shelf(), items.length ? JSON.stringify(items) : null);
/** @type {ReturnType<typeof setTimeout> | undefined} */
let again;

/** Show at its table that a result is on its way, or waits; then nobody taps another one over it.
 *  @param {Unsent} item @param {"sending" | "unsent" | null} state */
function mark({ table, round, result }, state) {
  for (const group of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(`.result-taps[data-table="${table}"][data-round="${round}"]`))) {
    const row = group.closest("li") ?? group;
    row.toggleAttribute("data-waits", state !== null);
    row.classList.toggle("unsent", state === "unsent");
    row.querySelector(".on-its-way")?.remove();
    if (state !== null) group.append(make("span", { class: "on-its-way" }, say(state, { result })));
    for (const button of /** @type {NodeListOf<HTMLButtonElement>} */ (group.querySelectorAll("button"))) button.disabled = state !== null;
  }
}

/** One result, on its way until somebody answers; whether it was recorded.
 *  @param {Unsent} item @returns {Promise<boolean>} */
async function deliver(item) {
  const { path, body, key, table } = item;
  mark(item, "sending");
  const reply = await ask("POST", `/tournaments/${data().tournament}${path}`, body, { "Idempotency-Key": key });
  const others = waiting().filter((each) => each.key !== key);
  if (unheard(reply)) {
    hold([...others, item]);
    mark(item, "unsent");
    show(reply, say("unsent_told", { table }));
    clearTimeout(again);
    again = setTimeout(deliverAgain, pauseAfter(reply));
    return false;
  }
  hold(others);
  mark(item, null);
  told(path, body, reply);
  if (reply.status === 200) await caughtUp(reply.body.version);
  return reply.status === 200;
}

async function deliverAgain() {
  for (const item of waiting()) if (!await deliver(item) && waiting().some(({ key }) => key === item.key)) return;
}

/** @param {DOMStringMap} group */
function askForSlip(group) {
  const words = field(say("slip_line"), { name: "slip", autocapitalize: "none", spellcheck: "false" });
  const reason = group.how === "report" ? null : field(say(group.entered ? "reason" : "reason_if_any"), { name: "reason", required: group.entered !== "" });
  const late = field(say("timed_out"), { name: "timed_out", type: "checkbox" });
  late.row.className = "check";
  const { timed, measures } = data();
  const send = () => sendResult(group, { ...slip(words.input.value), ...(late.input.checked ? { timed_out: true } : {}) }, reason?.input.value.trim());
  const match = group.seats === "2" ? data().match : null;
  const kind = match ? (match.boards ? "slip_boards" : "slip_match") : "slip_about";
  const about = measures?.length ? say("slip_measures", { measures: measures.join(", ") }) : say(kind, { first: group.first ?? "A", second: group.second ?? "B" });
  const now = group.entered ? make("p", {}, say("corrects", { result: group.entered })) : null;
  open(say("slip_of", { table: group.table ?? "" }), now, words.row, make("p", { class: "quiet" }, about), timed ? late.row : null, reason?.row ?? null, does(say("enter"), send, { class: "main" }));
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

/** Who won at a board: once every board is told, so is the match.
 *  @param {HTMLElement} group @param {HTMLElement} button */
async function tapBoard(group, button) {
  /** @type {HTMLElement[]} */
  const buttons = Array.from(group.querySelectorAll("[data-board]"));
  const again = button.getAttribute("aria-pressed") === "true";
  for (const each of buttons) if (each.dataset.board === button.dataset.board) each.setAttribute("aria-pressed", String(each === button && !again));
  const told = buttons.filter((each) => each.getAttribute("aria-pressed") === "true");
  if (told.length) group.dataset.held = told.map(({ dataset }) => `${dataset.board}${dataset.won}`).join(" ");
  else delete group.dataset.held;
  if (told.length < new Set(buttons.map(({ dataset }) => dataset.board)).size) return;
  delete group.dataset.held;
  if (await sendResult(group.dataset, { games: told.map(({ dataset }) => dataset.won).join("") })) return;
  button.setAttribute("aria-pressed", "false");
  group.dataset.held = told.filter((each) => each !== button).map(({ dataset }) => `${dataset.board}${dataset.won}`).join(" ");
}

export function takeTaps() {
  const marked = () => waiting().forEach((item) => mark(item, "unsent"));
  document.addEventListener("refreshed", marked);
  marked();
  deliverAgain();
  document.addEventListener("submit", async (event) => {
    const form = /** @type {HTMLFormElement} */ (event.target);
    /** @type {HTMLElement | null} */
    const group = form.closest(".result-taps");
    if (group === null || !form.matches("form.points")) return;
    event.preventDefault();
    const given = Array.from(new FormData(form));
    if ("measures" in form.dataset) await sendResult(group.dataset, { measures: given.map(([, value]) => Number(value)) });
    else await sendResult(group.dataset, { scores: given.map(([seat, points]) => `${seat}=${points}`) });
  });
  document.addEventListener("click", async (event) => {
    const [button, group] = [meant(event, ".result-taps button"), meant(event, ".result-taps")];
    if (button === null || group === null) return;
    if (button.dataset.do === "slip") askForSlip(group.dataset);
    else if (button.dataset.do === "take") await carryOut("/results", { table: Number(group.dataset.table), round: Number(group.dataset.round) });
    else if (button.dataset.games) await sendResult(group.dataset, { games: button.dataset.games, ...("late" in button.dataset ? { timed_out: true } : {}) });
    else if (button.dataset.board) await tapBoard(group, button);
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
