// The table page: the desk, and all that is done to a record besides logging.

import { lineOf, maySpeak, notationOf, putBack, queue, show, undo } from "./desk.js";
import { does, field, needed, open } from "./dialog.js";
import { announce, ask, caughtUp, data, input, keep, kept, make, meant, onlyLast, refresh, say, tellOnce } from "./common.js";
import { lieOnTable } from "./device.js";
import "./board.js";
import { timeLeft } from "./seats.js";

const game = data().game;

/** @param {string} path @param {object} body @param {string} told */
function said(path, body, told) {
  return queue.add(path, body, told);
}

// one action of the record

/** @param {number} number */
function more(number) {
  const { may, pending } = data();
  const alters = may.correct && (counts(number) || pending.includes(number));
  open(`#${number} ${lineOf(number)}`,
    make("div", { class: "choices" },
      does(say("why"), () => why(number), { "data-do": "why" }),
      alters ? does(say("correct"), () => correct(number), { "data-do": "correct-it" }) : null,
      alters ? does(say("insert"), () => correct(number, 0), { "data-do": "insert" }) : null,
      may["note-add"] ? does(say("note"), () => note(number), { "data-do": "note" }) : null,
      may["photo-add"] ? does(say("photo"), () => photograph({ at: number }), { "data-do": "photo-it" }) : null,
      may["dispute-open"] ? does(say("judge"), () => dispute(number), { "data-do": "dispute-it" }) : null,
      may.undo && counts(number) ? does(say("undo_to", { number: before(number) }), () => undoTo(number), { "data-do": "undo-to" }) : null));
}

/** The actions that count, in the order of play: those that a correction may be about.
 *  @returns {number[]} */
function counting() {
  /** @type {NodeListOf<HTMLElement>} */
  const rows = document.querySelectorAll("#moves li.counts");
  return Array.from(rows, (row) => Number(row.dataset.number)).reverse();
}

/** @param {number} number */
const counts = (number) => counting().includes(number);

/** The action that counts before another; 0 for the opening.
 *  @param {number} number */
function before(number) {
  return Math.max(0, ...counting().filter((each) => each < number));
}

/** Several at once are shown before they go.
 *  @param {number} number */
function undoTo(number) {
  const gone = counting().filter((each) => each >= number);
  open(say("undo_these", { count: gone.length }), make("ol", { class: "going" }, ...gone.map((each) => make("li", { value: each }, lineOf(each)))),
    does(say("undo_to", { number: before(number) }), () => said("/undo", { to: before(number) }, say("undo")), { class: "main", "data-do": "send" }));
}

const askedWhy = onlyLast();
/** @param {number} number */
async function why(number) {
  const reply = await askedWhy(ask("GET", `/games/${game}/why?line=${number}`));
  if (reply !== null) show("", reply.body?.told ?? [reply.body?.detail ?? say("lost")]);
}

/** @param {number} number */
function note(number) {
  const text = field(say("note_text"), { id: "note-text" });
  open(say("note_on", { number }), text.row,
    does(say("note"), () => said("/notes", { on: String(number), text: text.input.value }, say("note")), { class: "main", "data-do": "send" }));
}

/** What calling a judge needs is loaded when one is called.
 *  @param {number} number */
function dispute(number) {
  const title = say("dispute_on", { number, line: lineOf(number) });
  import("./judge_call.js").then(({ callJudge }) => callJudge(title, { number }, { title: say("judge") }), () => show("bad", [say("lost")]));
}

/** A line in place of an action, or before it; what would be judged anew is shown first.
 *  @param {number} number */
function correct(number, remove = 1) {
  const line = field(say("line"), { id: "instead", value: remove ? notationOf(number) : "" });
  const reason = field(say("reason"), { id: "reason" });
  const preview = make("div", { id: "preview", role: "status" });
  const body = (/** @type {object} */ more) => ({ number, remove, lines: [line.input.value.trim()], reason: reason.input.value, ...more });
  const last = onlyLast();
  const look = async (extra = {}) => {
    const asked = body(extra);
    const reply = await last(ask("POST", `/games/${game}/corrections`, { ...asked, dry_run: true }));
    if (reply === null) return;
    const fine = reply.status === 200;
    /** @type {string[]} */
    const rejudged = (reply.body?.data?.rejudged ?? []).map((/** @type {{ number: number, after: string, clauses: string[] }} */ row) =>
      `#${row.number} ${lineOf(row.number)} → ${say(`outcome_${row.after}`)} ${row.clauses.join(" ")}`);
    /** @type {string[]} */
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
  open(say(remove ? "correct_it" : "insert_it", { number, line: lineOf(number) }), legalThere(number, line.input, look), line.row, reason.row,
    make("div", { class: "choices" },
      make("button", { type: "button", "data-do": "preview", onclick: () => look() }, say("preview")),
      remove ? make("button", { type: "button", "data-do": "preview-drop", onclick: () => look({ lines: [], drop: true }) }, say("drop")) : null),
    preview);
}

/** What was legal before an action, each by a tap; it is tried at once.
 *  @param {number} number @param {HTMLInputElement} line @param {() => Promise<void>} look */
function legalThere(number, line, look) {
  const place = make("div", { class: "choices legal-there", id: "legal-there", role: "group", "aria-label": say("legal_there") });
  ask("GET", `/games/${game}/options?at=${before(number)}`).then((reply) => {
    /** @type {{ notation: string, label: string }[]} */
    const found = reply.body?.data?.options ?? [];
    place.replaceChildren(...found.map(({ notation, label }) => {
      const chosen = () => {
        line.value = notation;
        for (const each of place.children) each.setAttribute("aria-pressed", String(each === button));
        look();
      };
      const button = make("button", { type: "button", "data-legal": notation, onclick: chosen }, label || notation);
      return button;
    }));
  });
  return place;
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

/** @param {string} title @param {string} path */
function withReason(title, path) {
  const reason = field(say("reason"), { id: "reason" });
  open(title, reason.row,
    does(title, () => said(path, { reason: reason.input.value }, title), { class: "main", "data-do": "send" }));
}

// the clock

const MINUTE = 60;

/** @param {HTMLInputElement} input */
function minutes(input) {
  return Math.round(Number(input.value.trim().replace(",", ".").replace("−", "-")) * MINUTE);
}

/** @param {string} label @param {string} id @param {Record<string, string>} choices */
function chosenFrom(label, id, choices) {
  const input = make("select", { id }, ...Object.entries(choices).map(([value, name]) => make("option", { value }, name)));
  return { input, row: make("label", {}, label, input) };
}

/** So much time for everybody from now on; or some more of it; or none. */
function clock() {
  /** @type {GameClock | null} */
  const known = data().clock;
  const time = field(say("clock_minutes"), { id: "minutes", inputmode: "decimal", value: known ? known.seconds / MINUTE : 20 });
  const per = chosenFrom(say("clock_per"), "per", { seat: say("clock_seat"), round: say("clock_round") });
  const increment = field(say("clock_increment"), { id: "increment", type: "number", min: 0, max: 3600, inputmode: "numeric", value: known?.increment ?? 0 });
  const calls = make("input", { type: "checkbox", id: "calls", checked: known?.at_zero === "judge" });
  per.input.value = known?.per ?? "seat";
  const ofSeats = () => { increment.row.hidden = per.input.value !== "seat"; };
  per.input.addEventListener("change", ofSeats);
  ofSeats();
  const set = () => said("/clock", {
    seconds: minutes(time.input),
    per: per.input.value,
    increment: increment.row.hidden ? 0 : Number(increment.input.value),
    at_zero: calls.checked ? "judge" : "nothing",
  }, say("clock_set"));
  open(say("clock"), time.row, per.row, increment.row, make("label", { class: "check" }, calls, say("clock_calls")),
    does(say("clock_set"), set, { class: "main", "data-do": "send" }),
    ...(known ? changes(known) : []));
}

/** @param {GameClock} known */
function changes(known) {
  const more = field(say("clock_more"), { id: "more", value: 2 });
  const seats = Object.keys(known.left).filter((whose) => whose !== "all");
  const whose = chosenFrom(say("clock_whose"), "whose", { "": say("clock_all"), ...Object.fromEntries(seats.map((seat) => [seat, `${seat} ${data().seats[seat] ?? ""}`])) });
  return [
    make("hr"), more.row, seats.length ? whose.row : null,
    make("div", { class: "choices" },
      does(say("clock_give"), () => said("/clock", { given: minutes(more.input), seat: whose.input.value || null }, say("clock_give")), { "data-do": "give" }),
      does(say("clock_away"), () => said("/clock", { seconds: 0 }, say("clock_away")), { "data-do": "away" })),
  ];
}

const told = new Set();

/** Time that is up is said once; where the table wants it, a judge is called, by one tablet of several. */
function whenTimeIsUp() {
  /** @type {{ clock: GameClock, last: number, may: Record<string, boolean> }} */
  const { clock: known, last, may } = data();
  for (const [whose, left] of Object.entries(timeLeft())) {
    const key = `clock-${known.set_by}-${whose}-${known.round ?? 0}`;
    if (left >= 0 || !known.live || !known.running.includes(whose) || told.has(key)) continue;
    told.add(key);
    const text = whose === "all" ? say("time_up_round") : say("time_up", { seat: data().seats[whose] || whose });
    announce(text);
    if (known.at_zero === "judge" && may["dispute-open"]) callAtZero(key, last, text);
  }
}

/** @param {string} key @param {number} number @param {string} text */
function callAtZero(key, number, text) {
  ask("POST", `/games/${game}/disputes`, { number, text }, { "Idempotency-Key": key });
}

setInterval(whenTimeIsUp, 500);

/** A code for a phone, as letters and for its camera.
 *  @param {HTMLElement} shown @param {Reply | null} reply */
function showCode(shown, reply) {
  if (reply === null) return;
  const code = reply.body?.data?.code;
  if (!code) {
    shown.replaceChildren(make("p", {}, reply.body?.detail ?? say("lost")));
    return;
  }
  const letters = code.replace("-", "");
  shown.replaceChildren(
    make("img", { src: `/j/${letters}/qr.svg`, alt: say("qr"), width: 200, height: 200 }),
    make("p", { class: "code" }, code),
    make("p", {}, `${location.origin}/join`));
}

/** Whoever runs the house does so on a device of their own: the role goes there, and leaves this one. */
async function handOn() {
  const role = data().keeps ?? "";
  const shown = make("div", { class: "invitation", role: "status" });
  open(say("hand_on"), make("p", {}, say("hand_on_about")), shown,
    does(say("hand_on_done"), async () => {
      await fetch("/leave", { method: "POST", body: new URLSearchParams({ role }), credentials: "same-origin" });
      location.reload();
    }, { class: "main", "data-do": "send" }));
  showCode(shown, await ask("POST", "/access/codes", { role: "organiser" }, { "Referee-Role": role }));
}

/** Those who are let in at this table, by a code. */
function invite() {
  const { seats, places } = data();
  const who = field(say("invite_name"), { id: "invited", maxlength: 40 });
  const shown = make("div", { class: "invitation", role: "status" });
  const last = onlyLast();
  const give = async (/** @type {string} */ role, /** @type {string} */ name, /** @type {boolean} */ many) =>
    showCode(shown, await last(ask("POST", "/access/codes", { role, scope: game, name, many })));
  open(say("invite"),
    places.every((seat) => seats[seat]) && !data().gives?.length ? null : who.row,
    make("div", { class: "choices" },
      ...places.map((seat) =>
        make("button", { type: "button", "data-do": `invite-${seat}`, onclick: () => give(`seat:${seat}`, seats[seat] ?? who.input.value.trim(), false) },
          seats[seat] ? `${seat} ${seats[seat]}` : say("seat_named", { seat }))),
      ...(data().gives ?? []).map((role) => make("button", { type: "button", "data-do": `invite-${role}`, onclick: () => give(role, who.input.value.trim(), false) }, say(`invite_${role}`))),
      make("button", { type: "button", "data-do": "invite-spectators", onclick: () => give("spectator", "", true) }, say("spectators"))),
    shown);
  // A name is for whoever has none yet: on a phone its field would call up the keyboard first.
  /** @type {HTMLElement | null} */ (document.querySelector("#dialog [data-do^=invite-]"))?.focus();
}

/** The devices that are let in at this table: a lost phone is put out here. */
async function devices() {
  const reply = await needed(ask("GET", "/access"));
  if (reply === null) return;
  /** @type {{ id: string, role: string, scope: string, name: string, person: string, created: string }[]} */
  const known = (reply.body?.data?.tokens ?? []).filter((/** @type {{ scope: string }} */ each) => each.scope === game);
  const told = make("p", { role: "status" });
  const rows = known.map((each) => {
    const seat = each.role.startsWith("seat:") ? each.role.slice(5) : "";
    const called = seat ? say("seat_named", { seat }) : say(`role_${each.role}`);
    const row = make("li", {}, `${[called, each.name || (data().seats[seat] ?? "")].filter(Boolean).join(" · ")} `);
    const out = async () => {
      const gone = await ask("DELETE", `/access/${each.id}`);
      if (gone.status === 200) row.remove();
      else told.textContent = gone.body?.detail ?? say("lost");
    };
    if (seat && data().may["people-rename"]) {
      row.append(make("button", { type: "button", "data-do": "rename", "data-id": each.id, onclick: () => rename(each.person, each.name || (data().seats[seat] ?? "")) }, say("rename")), " ");
    }
    row.append(make("button", { type: "button", "data-do": "put-out", "data-id": each.id, onclick: out }, say("put_out")));
    return row;
  });
  open(say("devices"), rows.length ? make("ul", { class: "devices" }, ...rows) : make("p", {}, say("no_devices")), told);
}

/** Somebody else sits down: the record says so, the phones of whoever has left are signed out, and the
 *  phone of the new one is invited. */
function replace() {
  const { seats, places, may } = data();
  const seat = chosenFrom(say("replace_seat"), "replaced", Object.fromEntries(places.map((each) => [each, `${each} ${seats[each] ?? ""}`.trim()])));
  const name = field(say("replace_name"), { id: "replacing", required: true, maxlength: 40 });
  open(say("replace_player"), make("p", {}, say("replace_about")), seat.row, name.row,
    does(say("replace_player"), async () => {
      const place = seat.input.value;
      const reply = await tellOnce(`/games/${game}/corrections`, { number: 0, seats: { [place]: name.input.value.trim() } });
      if (reply.status !== 200) {
        show("bad", [reply.body?.detail ?? say("lost")]);
        return;
      }
      await signOut(place);
      await caughtUp(reply.body.version);
      show("good", reply.body.told);
      if (may["access-code"]) invite();
    }, { class: "main", "data-do": "send" }));
}

/** The devices of a seat are let in no more.
 *  @param {string} seat */
async function signOut(seat) {
  if (!data().may["access-list"]) return;
  /** @type {{ id: string, role: string, scope: string }[]} */
  const known = (await ask("GET", "/access")).body?.data?.tokens ?? [];
  for (const { id } of known.filter(({ role, scope }) => scope === game && role === `seat:${seat}`)) await ask("DELETE", `/access/${id}`);
}

/** Somebody is called otherwise.
 *  @param {string} person @param {string} now */
function rename(person, now) {
  const name = field(say("invite_name"), { id: "renamed", value: now, required: true, maxlength: 40 });
  open(say("rename"), name.row, does(say("rename"), async () => {
    const reply = await ask("PATCH", `/people/${person}`, { name: name.input.value.trim() });
    if (reply.status === 200) refresh();
    else show("bad", [reply.body?.detail ?? say("lost")]);
  }, { class: "main", "data-do": "send" }));
}

/** The camera is loaded when it is wanted.
 *  @param {{ at?: number }} about */
const photograph = (about) => import("./photo.js").then((camera) => camera.photograph(about), () => show("bad", [say("lost")]));

/** What happened, by a photograph. */
const look = () => import("./sight.js").then((sight) => sight.look()).catch(() => show("bad", [say("lost")]));

/** Whoever has no phone says it here, as their seat: what that needs comes with the long press.
 *  @param {string} seat */
const tellHere = (seat) => import("./own_entry.js").then((entry) => entry.tellHere(seat), () => show("bad", [say("lost")]));

/** A game that is over leads on.
 *  @param {MouseEvent} event */
const leadOn = (event) => {
  const button = meant(event, "#result [data-do]");
  if (button) import("./ending.js").then((ending) => ending.leadOn(button), () => show("bad", [say("lost")]));
};
document.addEventListener("click", leadOn);

/** So long a button is held before what it hides is shown. */
const HELD = 600;
const HOLD = "#secrets [data-do=tell-here]";
/** @type {ReturnType<typeof setTimeout> | undefined} */
let holding;

document.addEventListener("pointerdown", (event) => {
  const seat = meant(event, HOLD)?.dataset.seat;
  if (seat && maySpeak()) holding = setTimeout(() => tellHere(seat), HELD);
});
for (const end of ["pointerup", "pointercancel", "pointerleave"]) document.addEventListener(end, () => clearTimeout(holding));
document.addEventListener("keydown", (event) => {
  const seat = event.key === "Enter" && meant(event, HOLD)?.dataset.seat;
  if (seat && maySpeak()) tellHere(seat);
});

async function onTable() {
  if (await lieOnTable(game)) location.reload();
}

/** @type {Record<string, (number: number) => unknown>} */
const ACTIONS = {
  more,
  dispute,
  correct: (number) => correct(number),
  keep: (number) => said("/corrections", { number, keep: true }, `${say("keep")} #${number}`),
  drop: (number) => said("/corrections", { number, drop: true }, `${say("drop")} #${number}`),
  photo: () => photograph({}),
  look,
  undo,
  "put-back": (number) => putBack(number),
  replace,
  redo: () => said("/redo", {}, say("redo")),
  "sight-confirm": (number) => said("/sight/confirmation", { number }, `${say("confirm")} #${number}`),
  clock,
  hold: () => withReason(say("hold"), "/hold"),
  resume: () => said("/resume", {}, say("resume")),
  reopen: () => withReason(say("reopen"), "/reopen"),
  finish,
  invite,
  devices,
  "on-table": onTable,
  "hand-on": handOn,
};

document.addEventListener("click", (event) => {
  const button = meant(event, "#tools [data-do], #secrets [data-do], #moves [data-do], #pending [data-do]");
  if (button && maySpeak()) ACTIONS[button.dataset.do ?? ""]?.(Number(button.dataset.number));
});

const atOnce = input("at-once");
atOnce.checked = kept("referee at once") === "yes";
atOnce.addEventListener("change", () => keep("referee at once", atOnce.checked ? "yes" : "no"));

document.body.dataset.ready = "";
