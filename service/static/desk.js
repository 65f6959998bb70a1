// Saying what happened: a line is chosen, sent and judged. The tablet beside the board and a phone
// in a hand use the same desk.

import { announce, ask, byId, caughtUp, data, freshKey, make, onlyLast, refresh, say } from "./common.js";
import { Queue } from "./queue.js";
import { attend } from "./seats.js";
import { Store } from "./store.js";
import { callLines, calledLine, choose, gate, offer, renewLines, retype } from "./taps.js";

const DECISIONS = ["ruled", "penalised", "penalty_cancelled"];
/** @type {Record<string, string>} */
const TONES = { legal: "good", illegal: "bad", undecided: "unsure" };

const verdict = byId("verdict");
const waiting = byId("waiting");
/** So long a legal move is told, with what undoes it. */
const BRIEFLY = 8000;
/** The last entry that what is told there knows of: after another it is gone. */
let toldUpTo = -1;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let fading;
const { game } = data();
/** @type {((item: QueueItem, reply: Reply) => void)[]} */
const after = [];
/** Puts the question again that the table has to answer before anything else. */
let askAgain = () => {};
/** The entry whose card asks that question: it is asked there, and nowhere else.
 *  @type {string | null} */
let questioned = null;

/** The last own entry that the referee has answered with: until the page shows it, its options are old. */
let answeredUpTo = -1;

export const queue = new Queue(game, { ask, freshKey, version: () => data().version, answered, changed: drawQueue, owner: document.body.dataset.role });
const store = new Store({
  shown: () => data().version,
  waiting: () => ({ count: queue.items.length, offline: queue.offline }),
  changed: drawState,
});

/** @param {TableState} state */
function drawState({ connection, behind }) {
  byId("state").textContent = connection && say(connection);
  document.body.dataset.connected = String(connection !== "lost");
  document.body.dataset.behind = String(behind);
}

/** Whoever wants to know when something was said: called with what was sent and its answer.
 *  @param {(item: QueueItem, reply: Reply) => void} listener */
export function whenAnswered(listener) {
  after.push(listener);
}

/** Whether anything may be said: behind a question that the table has not answered nothing piles up. */
export function maySpeak() {
  if (queue.blocked) askAgain();
  return !queue.blocked;
}

/** Log a line; `stands`: it happened, whatever the rules say.
 *  @param {string} line */
export function log(line, stands = false) {
  if (!maySpeak()) return;
  hideVerdict();
  meantLast(Promise.resolve(null));
  queue.add("/actions", { lines: [line], stands }, calledLine(line));
}

/** Undo what was logged last. */
export function undo() {
  if (maySpeak()) queue.add("/undo", {}, say("undo"));
}

/** Undo the last correction as one thing; `number` is where it was made.
 *  @param {number} number */
export function putBack(number) {
  if (maySpeak()) queue.add("/corrections", { number, back: true }, say("undo_correction"));
}

/** @param {string} prefix @returns {Promise<Following[]>} */
async function wordsAfter(prefix) {
  const reply = await ask("GET", `/games/${game}/choices?prefix=${encodeURIComponent(prefix)}`);
  return reply.status === 200 ? reply.body.data.choices : [];
}

/** The line of an action of the record.
 *  @param {number} number */
export function lineOf(number) {
  return document.querySelector(`#moves li[data-number="${number}"] .line`)?.textContent ?? "";
}

/** How it is recorded, to be typed again.
 *  @param {number} number */
export function notationOf(number) {
  const row = document.querySelector(`#moves li[data-number="${number}"]`);
  return row?.querySelector(".notation")?.textContent?.trim() || (row?.querySelector(".line")?.getAttribute("data-notation") ?? "");
}

// the verdict

export function hideVerdict() {
  clearTimeout(fading);
  for (const part of document.querySelectorAll("#board .asked")) part.classList.remove("asked");
  verdict.hidden = true;
  verdict.replaceChildren();
  gate.renew("verdict", "");
}

/** What the referee says, large enough for the table: the first line is what it is about.
 *  @param {string} tone @param {string[]} lines @param {Child[]} more */
export function show(tone, lines, ...more) {
  const [first, ...others] = lines;
  clearTimeout(fading);
  toldUpTo = data().version;
  verdict.hidden = false;
  verdict.className = `verdict ${tone}`;
  verdict.replaceChildren(...[
    make("p", { class: "first" }, first?.replaceAll("   ", " · ")), // columns on a terminal
    ...others.map((line) => make("p", {}, line.trim())),
    ...more,
    make("button", { type: "button", class: "plain close", onclick: hideVerdict }, say("close")),
  ].filter((part) => part !== null && part !== undefined));
  gate.renew("verdict", lines.join("\n"));
  announce(lines.join(". "));
}

/** What is told stays, whatever happens at the table. */
export function untilClosed() {
  toldUpTo = Infinity;
}

/** What was done as it should be is told in a line that goes by itself, not with the page as it was.
 *  @param {string} line @param {number} version @param {Child[]} more */
export function showBriefly(line, version, ...more) {
  show("good brief", [line], ...more);
  verdict.querySelector(".close")?.remove();
  toldUpTo = Math.max(toldUpTo, version);
  fading = setTimeout(hideVerdict, BRIEFLY);
}

/** @param {string} line */
function why(line) {
  const inside = make("div", {});
  const unfold = async (/** @type {{ target: HTMLDetailsElement }} */ event) => {
    if (!event.target.open || inside.childElementCount) return;
    const reply = await ask("GET", `/games/${game}/why?line=${encodeURIComponent(line)}`);
    /** @type {string[]} */
    const told = reply.body?.told ?? [reply.body?.detail ?? say("lost")];
    inside.replaceChildren(...told.map((each) => make("p", {}, each.trim())));
  };
  return make("details", { class: "why", ontoggle: unfold }, make("summary", {}, say("why")), inside);
}

/** @param {QueueItem} item @param {Reply} reply */
async function answered(item, reply) {
  if (reply.status === 200) {
    const heard = reply.body.data;
    const outcome = heard.stands ? "illegal" : heard.verdict ?? "legal";
    const reasons = heard.number && heard.verdict ? why(String(heard.number)) : null;
    /** @type {{ verdict?: string, disputes?: string[] }[]} */
    const each = heard.lines?.length ? heard.lines : [heard];
    const usual = item.path === "/actions" && outcome === "legal" && !reply.body.warnings.length
      && each.every(({ verdict, disputes }) => (verdict ?? "legal") === "legal" && !disputes?.length);
    // of several the last one is told: that is what the button undoes
    /** @type {string[]} */
    const told = reply.body.told;
    const undoing = data().may_undo ? make("button", { type: "button", "data-do": "undo-it", onclick: undo }, `↶ ${say("undo")}`) : null;
    if (usual) showBriefly(told.find((line) => line.includes(`#${heard.number} `)) ?? told[0] ?? "", reply.body.version, undoing, reasons);
    else show(TONES[outcome] ?? "good", [...reply.body.told, ...reply.body.warnings], reasons, undoes(item));
    toldUpTo = Math.max(toldUpTo, reply.body.version);
    if (heard.stands && !heard.disputes?.length && data().judges) callJudgeFor(heard.number, item.told);
  } else if (reply.status === 422) {
    refuse(item, reply.body);
  } else if (reply.body?.code === "someone_else") {
    askAgain = () => missed(item, reply.body);
    questioned = item.key;
    askAgain();
    drawQueue();
  } else {
    askAgain = () => show("bad", [reply.body?.title ?? say("lost"), reply.body?.detail ?? ""]);
    askAgain();
  }
  if (reply.status === 200) {
    document.getElementById("rare")?.removeAttribute("open"); // the menu is over the board
    answeredUpTo = Math.max(answeredUpTo, reply.body.version);
    store.heard(reply.body.version);
    caughtUp(reply.body.version);
  } else await refresh();
  if (reply.status !== 200 && toldUpTo < Infinity) toldUpTo = data().version;
  if (isUnread(item, reply)) retype(item.said.lines[0]);
  for (const listener of after) listener(item, reply);
}

/** A correction that is seen to be wrong is undone where it is told.
 *  @param {QueueItem} item */
function undoes({ path, said }) {
  if (path !== "/corrections" || said.keep || said.back) return null;
  return make("button", { type: "button", "data-do": "put-back-it", onclick: () => { hideVerdict(); putBack(said.number); } }, `↶ ${say("undo_correction")}`);
}

/** Whether a line was not understood: it was not judged.
 *  @param {QueueItem} item @param {Reply} reply */
function isUnread(item, { status, body }) {
  const asked = item.path === "/actions" && item.said.lines?.length === 1;
  return asked && status >= 400 && status < 500 && !body?.data?.verdict && body?.code !== "someone_else" && ![401, 403].includes(status);
}

/** @param {QueueItem} item @param {ApiBody} problem */
function refuse(item, problem) {
  /** @type {{ data: ApiBody, told: string[] }} */
  const { data: heard, told } = problem;
  callLines(heard.labels ?? {});
  /** @type {HTMLElement[]} */
  const near = (heard.try ?? []).map((/** @type {string} */ line) =>
    make("button", { type: "button", "data-line": line, onclick: () => { hideVerdict(); choose(line); } }, calledLine(line)));
  /** @type {string | undefined} */
  const line = item.said.lines?.[0];
  const listed = [heard.try ?? [], near.map((each) => each.textContent)].map((each) => each.join(" · "));
  const first = told[0] ?? problem.title;
  show("bad", [first, ...told.slice(1).filter((each) => !near.length || !listed.some((lines) => each.includes(lines)))],
    near.length ? make("div", { class: "near" }, make("p", {}, say("nearest")), make("div", { class: "choices" }, ...near)) : null,
    make("div", { class: "choices" },
      heard.may_stand && line ? make("button", { type: "button", "data-do": "stands", onclick: () => log(line, true) }, say(heard.both ? "both" : "stands")) : null,
      ...(line ? heard.forgotten ?? [] : []).filter((/** @type {string} */ what) => !what.includes("…")).map((/** @type {string} */ what) =>
        make("button", { type: "button", "data-do": "forgotten", onclick: () => log(`${what}; ${line}`) }, say("forgotten", { what: calledLine(what) }))),
      data().may_dispute && data().last
        ? make("button", { type: "button", "data-do": "judge", onclick: () => callJudge(item.told) }, say("judge"))
        : null),
    askedOfBox(heard.doubts ?? [], () => { hideVerdict(); if (line) log(line); }),
    data().assumed && heard.doubts?.length ? make("p", { class: "quiet assumed" }, say("assumed_here"), " ", make("a", { href: `/box/${data().engine}` }, say("assumed_more"))) : null,
    line ? why(line) : null);
}

/** What the referee only assumes of the box is asked; what that needs comes with the first question.
 *  @param {{ datum: string, provenance: string }[]} doubts @param {() => void} again */
function askedOfBox(doubts, again) {
  const assumed = doubts.filter(({ provenance }) => provenance === "assumed").map(({ datum }) => datum);
  if (!assumed.length) return null;
  const place = make("div", { class: "box-questions" });
  import("./box_question.js").then((box) => box.fill(place, assumed, again), () => show("bad", [say("lost")]));
  return place;
}

/** Something was tapped that is not legal now: the referee says why, of what was most likely meant.
 *  @param {string} word @param {string[]} lines */
async function notLegal(word, lines) {
  if (!maySpeak()) return;
  hideVerdict();
  const part = document.querySelector(`#board [data-word="${CSS.escape(word)}"]`);
  part?.classList.add("asked");
  await answerWhy(word, lines);
  setTimeout(() => part?.scrollIntoView?.({ block: "nearest", inline: "nearest" }), 100); // once the card has its room
}

/** The card that says why a line is not legal; null where it is.
 *  @param {string} line @returns {Promise<(() => void) | null>} */
async function refusal(line) {
  const said = { lines: [line] };
  const reply = line ? await ask("POST", `/games/${game}/check`, said) : null;
  if (reply?.body?.data?.accepted !== false) return null;
  return () => refuse({ key: "", path: "/actions", said, version: null, seen: 0, told: calledLine(line) }, reply.body);
}

const meantLast = onlyLast();
/** @param {string} word @param {string[]} lines */
export async function answerWhy(word, lines) {
  (await meantLast(meaning(word, lines)))?.();
}

/** What the card says of the line that was most likely meant.
 *  @param {string} word @param {string[]} lines @returns {Promise<() => void>} */
async function meaning(word, lines) {
  for (const line of lines.slice(0, 3)) {
    const refused = await refusal(line);
    if (refused) return refused;
  }
  const seat = /^[A-H](?= )/.exec(data().lines[0] ?? "")?.[0] ?? "A";
  const laying = Array.from(document.querySelectorAll("#trays .places")).some(({ textContent }) => textContent !== "[]"); // a tap on the board is the tray's
  const reply = laying ? null : await ask("GET", `/games/${game}/why?line=${encodeURIComponent(`${seat} ${word}`)}`);
  const refused = reply?.status === 200 ? await refusal(reply.body.data?.notation ?? "") : null;
  if (refused) return refused;
  const meant = reply?.status === 200 ? reply.body.told : [reply?.body?.detail ?? ""];
  return () => show("", [say("not_now"), ...meant.filter(Boolean), byId("next").textContent ?? ""]);
}

/** @param {string} line */
function callJudge(line) {
  hideVerdict();
  queue.add("/disputes", { number: data().last, text: say("refused_line", { line }) }, say("judge"), { anyway: true });
}

/** What stands though it is illegal is a judge's, whoever has logged it: where the referee has not
 *  called one by itself, because a judge's device logged it, the page does.
 *  @param {number} number @param {string} line */
function callJudgeFor(number, line) {
  if (data().may_dispute) queue.add("/disputes", { number, text: say("refused_line", { line }) }, say("judge"), { anyway: true });
}

/** Somebody was quicker: what was missed is shown, and the table is asked. What another device has
 *  just logged in the same words is most likely the same: then that is what is asked.
 *  @param {QueueItem} item @param {ApiBody} problem */
function missed(item, problem) {
  /** @type {MissedEntry[]} */
  const rows = problem.missed ?? [];
  const same = sameAs(item, rows);
  const again = () => { hideVerdict(); queue.again(rows.at(-1)?.entry ?? data().version); };
  const forget = () => { hideVerdict(); queue.forget(item.key); };
  const log = make("button", { type: "button", class: same ? "" : "main", "data-do": "again", onclick: again }, say(same ? "same_again" : "again"));
  const drop = make("button", { type: "button", class: same ? "main" : "", "data-do": "forget", onclick: forget }, say(same ? "same_forget" : "forget"));
  show("unsure", [say(same ? "same" : "missed"), ...(same ? [same.told] : rows.map((row) => row.told))],
    make("p", {}, say(same ? "same_ask" : "missed_ask", { line: item.told })),
    make("div", { class: "choices" }, ...(same ? [drop, log] : [log, drop])));
}

/** An entry that says the same as what waits; with its seat or without.
 *  @param {QueueItem} item @param {MissedEntry[]} rows */
function sameAs(item, rows) {
  /** @type {string[]} */
  const lines = item.path === "/actions" ? item.said.lines : [];
  const bare = (/** @type {string} */ line) => line.trim().toLowerCase().replace(/\s+/g, " ").replace(/^[a-h] /, "");
  const seat = (/** @type {string} */ line) => /^([a-h]) /i.exec(line.trim())?.[1]?.toUpperCase();
  return lines.length !== 1 ? undefined : rows.find(({ text }) => text && bare(text) === bare(lines[0] ?? "")
    && (seat(text) ?? seat(lines[0] ?? "")) === (seat(lines[0] ?? "") ?? seat(text)));
}

// what waits to be sent

function drawQueue() {
  store.renewed();
  gate.check();
  const items = queue.items;
  waiting.hidden = items.length === 0;
  document.body.dataset.queued = String(items.length);
  if (!items.length) {
    waiting.replaceChildren();
    return;
  }
  const state = queue.stopped ? say("queue_stopped") : queue.offline ? say("queue_offline") : say("queue_sending");
  waiting.replaceChildren(...[
    make("p", {}, state),
    queue.safe ? null : make("p", { class: "notice bad" }, say("queue_unkept")),
    make("ol", {}, ...items.map((item) => make("li", {}, item.told))),
    queue.blocked && items[0]?.key === questioned
      ? make("button", { type: "button", "data-do": "question", onclick: () => askAgain() }, say("question"))
      : queue.stopped
      ? make("div", { class: "choices" },
          make("button", { type: "button", "data-do": "rest", onclick: () => queue.resume() }, say("send_rest")),
          make("button", { type: "button", "data-do": "forget-all", onclick: () => queue.clear() }, say("forget_rest")))
      : null,
  ].filter((part) => part !== null));
}

let newest = data().version;
document.addEventListener("refreshed", () => {
  const record = byId("moves").closest(".record");
  if (record && data().version > newest) record.scrollTop = 0;
  newest = data().version;
  if (!queue.blocked && data().version > toldUpTo) hideVerdict();
  renewLines(data());
  const { may_log, over, lines, templates } = data();
  byId("composer").hidden = !may_log || (over && !lines.length && !templates.length);
  drawQueue();
});
// What cannot be fetched now is as old as it was: what is tapped waits in the queue, as it does off-line.
document.addEventListener("not-refreshed", () => {
  answeredUpTo = -1;
  gate.check();
});
gate.underWay = () => queue.underWay || data().version < answeredUpTo;
gate.renew("verdict", "");
offer(data(), log, wordsAfter, notLegal);
drawQueue();
queue.send();
attend(
  (entry) => {
    store.heard(entry.entry);
    caughtUp(entry.entry);
    if (DECISIONS.includes(entry.kind)) announce(entry.told);
  },
  (line) => {
    store.connected(line);
    if (line !== "lost") queue.send();
  },
);
