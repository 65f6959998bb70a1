// Saying what happened: a line is chosen, sent and judged. The tablet beside the board and a phone
// in a hand use the same desk.

import { announce, ask, caughtUp, data, make, refresh, say } from "./house.js";
import { Queue } from "./queue.js";
import { attend } from "./seats.js";
import { calledLine, choose, offer, renewLines } from "./taps.js";

const REFUSED = "✘";
const DECISIONS = ["ruled", "penalised", "penalty_cancelled"];
const TONES = { legal: "good", illegal: "bad", undecided: "unsure" };

const verdict = document.getElementById("verdict");
const waiting = document.getElementById("waiting");

let known = data();
const after = [];

export const queue = new Queue(known.game, { answered, changed: drawQueue });

/** Whoever wants to know when something was said: called with what was sent and its answer. */
export function whenAnswered(listener) {
  after.push(listener);
}

/** The table has changed. */
export function renew() {
  known = data();
  renewLines(known);
  drawQueue();
}

/** Log a line; `stands`: it happened, whatever the rules say. */
export function log(line, stands = false) {
  hideVerdict();
  queue.add("/actions", { lines: [line], stands }, known.version, line);
}

async function wordsAfter(prefix) {
  const reply = await ask("GET", `/games/${known.game}/choices?prefix=${encodeURIComponent(prefix)}`);
  return reply.status === 200 ? reply.body.data.choices : [];
}

/** The line of an action of the record. */
export function lineOf(number) {
  return document.querySelector(`#moves li[data-number="${number}"] .line`)?.textContent ?? "";
}

// the verdict

function hideVerdict() {
  verdict.hidden = true;
  verdict.replaceChildren();
}

/** What the referee says, large enough for the table: the first line is what it is about. */
export function show(tone, lines, ...more) {
  const [first, ...others] = lines;
  verdict.hidden = false;
  verdict.className = `verdict ${tone}`;
  verdict.replaceChildren(
    make("p", { class: "first" }, first),
    ...others.map((line) => make("p", {}, line.trim())),
    ...more,
    make("button", { type: "button", class: "plain close", onclick: hideVerdict }, say("close")),
  );
  announce(lines.join(". "));
}

function why(line) {
  const inside = make("div", {});
  const unfold = async (event) => {
    if (!event.target.open || inside.childElementCount) return;
    const reply = await ask("GET", `/games/${known.game}/why?line=${encodeURIComponent(line)}`);
    const told = reply.body?.told ?? [reply.body?.detail ?? say("lost")];
    inside.replaceChildren(...told.map((each) => make("p", {}, each.trim())));
  };
  return make("details", { class: "why", ontoggle: unfold }, make("summary", {}, say("why")), inside);
}

async function answered(item, reply) {
  if (reply.status === 200) {
    const heard = reply.body.data;
    const outcome = heard.stands ? "illegal" : heard.verdict ?? "legal";
    show(TONES[outcome], [...reply.body.told, ...reply.body.warnings], heard.number && heard.verdict ? why(String(heard.number)) : null);
  } else if (reply.status === 422) {
    refuse(item, reply.body);
  } else if (reply.body?.code === "someone_else") {
    missed(item, reply.body);
  } else {
    show("bad", [reply.body?.title ?? say("lost"), reply.body?.detail ?? ""]);
  }
  await refresh();
  for (const listener of after) listener(item, reply);
}

function refuse(item, problem) {
  const { data: heard, told } = problem;
  const near = (heard.try ?? []).map((line) =>
    make("button", { type: "button", "data-line": line, onclick: () => { hideVerdict(); choose(line); } }, calledLine(line)));
  const line = item.said.lines?.[0];
  const listed = (heard.try ?? []).join(" · ");
  const first = heard.notation ? `${REFUSED} ${problem.title} · ${calledLine(heard.notation)}` : told[0];
  show("bad", [first, ...told.slice(1).filter((each) => !near.length || !each.includes(listed))],
    near.length ? make("div", { class: "near" }, make("p", {}, say("nearest")), make("div", { class: "choices" }, ...near)) : null,
    make("div", { class: "choices" },
      heard.may_stand ? make("button", { type: "button", "data-do": "stands", onclick: () => log(line, true) }, say("stands")) : null,
      known.may_dispute && known.last
        ? make("button", { type: "button", "data-do": "judge", onclick: () => callJudge(line) }, say("judge"))
        : null),
    line ? why(line) : null);
}

function callJudge(line) {
  hideVerdict();
  queue.add("/disputes", { number: known.last, text: say("refused_line", { line }) }, null, say("judge"));
}

/** Somebody was quicker: what was missed is shown, and the table is asked. */
function missed(item, problem) {
  const rows = problem.missed ?? [];
  const version = rows.at(-1)?.entry;
  show("unsure", [say("missed"), ...rows.map((row) => row.told)],
    make("p", {}, say("missed_ask", { line: item.told })),
    make("div", { class: "choices" },
      make("button", { type: "button", class: "main", "data-do": "again", onclick: () => { hideVerdict(); queue.resume(version); } }, say("again")),
      make("button", { type: "button", "data-do": "forget", onclick: () => { hideVerdict(); queue.drop(item.key); queue.resume(); } }, say("forget"))));
}

// what waits to be sent

function drawQueue() {
  const items = queue.items;
  waiting.hidden = items.length === 0;
  document.body.dataset.queued = items.length;
  if (!items.length) return waiting.replaceChildren();
  const state = queue.stopped ? say("queue_stopped") : queue.offline ? say("queue_offline") : say("queue_sending");
  waiting.replaceChildren(
    make("p", {}, state),
    make("ol", {}, ...items.map((item) => make("li", {}, item.told))),
    queue.stopped
      ? make("div", { class: "choices" },
          make("button", { type: "button", "data-do": "rest", onclick: () => queue.resume() }, say("send_rest")),
          make("button", { type: "button", "data-do": "forget-all", onclick: () => queue.clear() }, say("forget_rest")))
      : null,
  );
}

document.addEventListener("refreshed", renew);
offer(known, log, wordsAfter);
drawQueue();
queue.send();
attend(
  (entry) => {
    caughtUp(entry.entry);
    if (DECISIONS.includes(entry.kind)) announce(entry.told);
  },
  (well) => {
    document.getElementById("state").textContent = say(well ? "live" : "lost");
    document.body.dataset.connected = well;
    if (well) queue.send();
  },
);
