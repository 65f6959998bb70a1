// The table page: the desk, and all that is done to a record besides logging.

import { queue, show } from "./desk.js";
import { does, field, open } from "./dialog.js";
import { ask, caughtUp, data, follow, make, say } from "./house.js";

const state = document.getElementById("state");
const game = data().game;

function said(path, body, told) {
  return queue.add(path, body, data().version, told);
}

// one action of the record

function lineOf(number) {
  return document.querySelector(`#moves li[data-number="${number}"] .line`)?.textContent ?? "";
}

function more(number) {
  const { may } = data();
  open(`#${number} ${lineOf(number)}`,
    make("div", { class: "choices" },
      does(say("why"), () => why(number), { "data-do": "why" }),
      may.correct ? does(say("correct"), () => correct(number), { "data-do": "correct-it" }) : null,
      may.correct ? does(say("insert"), () => correct(number, 0), { "data-do": "insert" }) : null,
      may["note-add"] ? does(say("note"), () => note(number), { "data-do": "note" }) : null,
      may["dispute-open"] ? does(say("judge"), () => dispute(number), { "data-do": "dispute-it" }) : null,
      may.undo ? does(say("undo_to", { number: number - 1 }), () => said("/undo", { to: number - 1 }, say("undo")), { "data-do": "undo-to" }) : null));
}

async function why(number) {
  const reply = await ask("GET", `/games/${game}/why?line=${number}`);
  show("", reply.body?.told ?? [reply.body?.detail ?? say("lost")]);
}

function note(number) {
  const text = field(say("note_text"), { id: "note-text" });
  open(say("note_on", { number }), text.row,
    does(say("note"), () => said("/notes", { on: String(number), text: text.input.value }, say("note")), { class: "main", "data-do": "send" }));
}

function dispute(number) {
  const text = field(say("dispute_text"), { id: "dispute-text" });
  open(say("dispute_on", { number, line: lineOf(number) }), text.row,
    make("div", { class: "choices" },
      does(say("judge"), () => said("/disputes", { number, text: text.input.value }, say("judge")), { class: "main", "data-do": "send" }),
      does(say("judge_holds"), () => said("/disputes", { number, text: text.input.value, holds: true }, say("judge")), { "data-do": "send-hold" })));
}

/** A line in place of an action, or before it; what would be judged anew is shown first. */
function correct(number, remove = 1) {
  const line = field(say("line"), { id: "instead", value: remove ? lineOf(number) : "" });
  const reason = field(say("reason"), { id: "reason" });
  const preview = make("div", { id: "preview", role: "status" });
  const body = (more) => ({ number, remove, lines: [line.input.value.trim()], reason: reason.input.value, ...more });
  const look = async (extra = {}) => {
    const asked = body(extra);
    const reply = await ask("POST", `/games/${game}/corrections`, { ...asked, dry_run: true });
    const fine = reply.status === 200;
    const rejudged = (reply.body?.data?.rejudged ?? []).map((row) =>
      `#${row.number} ${lineOf(row.number)} → ${say(`outcome_${row.after}`)} ${row.clauses.join(" ")}`);
    const told = reply.body?.told ?? [reply.body?.detail ?? say("lost")];
    preview.replaceChildren(
      ...told.map((each) => make("p", {}, each.trim())),
      ...(fine ? [say("judged_again", { count: reply.body.data.judged_again }), ...rejudged].map((each) => make("p", {}, each)) : []),
      fine
        ? does(say("do_it"), () => said("/corrections", asked, `${say("correct")} #${number}`), { class: "main", "data-do": "send" })
        : reply.status === 422
          ? make("button", { type: "button", "data-do": "stands", onclick: () => look({ stands: true }) }, say("stands"))
          : "");
  };
  open(say(remove ? "correct_it" : "insert_it", { number, line: lineOf(number) }), line.row, reason.row,
    make("div", { class: "choices" },
      make("button", { type: "button", "data-do": "preview", onclick: () => look() }, say("preview")),
      remove ? make("button", { type: "button", "data-do": "preview-drop", onclick: () => look({ lines: [], drop: true }) }, say("drop")) : null),
    preview);
}

// the whole record

function finish() {
  const { over, pending, disputes, claims, sealed } = data();
  const reason = field(say("finish_reason"), { id: "reason" });
  const still = [
    ...(over ? [] : [say("not_over")]),
    ...(pending.length ? [say("still_pending", { numbers: pending.map((each) => `#${each}`).join(", ") })] : []),
    ...(disputes.length ? [say("still_disputed", { ids: disputes.join(", ") })] : []),
    ...(sealed.length ? [say("still_sealed", { secrets: sealed.join(", ") })] : []),
    ...(claims.length ? [say("still_claimed", { claims: claims.join(", ") })] : []),
  ];
  open(say("finish"),
    make("ul", {}, ...(still.length ? still : [say("nothing_open")]).map((each) => make("li", {}, each))),
    over ? null : reason.row,
    does(say("finish"), () => said("/finish", { reason: over ? "" : reason.input.value, yes: true }, say("finish")), { class: "main", "data-do": "send" }));
}

function withReason(title, path) {
  const reason = field(say("reason"), { id: "reason" });
  open(title, reason.row,
    does(title, () => said(path, { reason: reason.input.value }, title), { class: "main", "data-do": "send" }));
}

/** A code for a phone, as letters and for its camera. */
function invite() {
  const { seats } = data();
  const shown = make("div", { class: "invitation", role: "status" });
  const give = async (role, name, many) => {
    const reply = await ask("POST", "/access/codes", { role, scope: game, name, many });
    const code = reply.body?.data?.code;
    if (!code) return shown.replaceChildren(make("p", {}, reply.body?.detail ?? say("lost")));
    const letters = code.replace("-", "");
    shown.replaceChildren(
      make("img", { src: `/j/${letters}/qr.svg`, alt: say("qr"), width: 200, height: 200 }),
      make("p", { class: "code" }, code),
      make("p", {}, `${location.origin}/join`));
  };
  open(say("invite"),
    make("div", { class: "choices" },
      ...Object.entries(seats).map(([seat, name]) =>
        make("button", { type: "button", "data-do": `invite-${seat}`, onclick: () => give(`seat:${seat}`, name, false) }, `${seat} ${name}`)),
      make("button", { type: "button", "data-do": "invite-spectators", onclick: () => give("spectator", "", true) }, say("spectators"))),
    shown);
}

const ACTIONS = {
  more,
  dispute,
  correct: (number) => correct(number),
  keep: (number) => said("/corrections", { number, keep: true }, `${say("keep")} #${number}`),
  drop: (number) => said("/corrections", { number, drop: true }, `${say("drop")} #${number}`),
  undo: () => said("/undo", {}, say("undo")),
  hold: () => withReason(say("hold"), "/hold"),
  resume: () => said("/resume", {}, say("resume")),
  reopen: () => withReason(say("reopen"), "/reopen"),
  finish,
  invite,
};

document.addEventListener("click", (event) => {
  const button = event.target.closest("#tools [data-do], #moves [data-do], #pending [data-do]");
  if (button) ACTIONS[button.dataset.do](Number(button.dataset.number));
});

const atOnce = document.getElementById("at-once");
atOnce.checked = localStorage.getItem("referee at once") === "yes";
atOnce.addEventListener("change", () => localStorage.setItem("referee at once", atOnce.checked ? "yes" : "no"));

follow(
  game,
  data().version,
  (entry) => caughtUp(entry.entry),
  (well) => {
    state.textContent = say(well ? "live" : "lost");
    document.body.dataset.connected = well;
    if (well) queue.send();
  },
);
document.body.dataset.ready = "";
