// The desk: every button tells one thing; what costs something is priced before it is done.

import { data, hear, input, loaded, make, meant, refresh, say } from "./common.js";
import { does, field, open } from "./dialog.js";
import { followHall, runClock } from "./tournament.js";
import { findTables } from "./tournament_find.js";
import { anySeed, forms, listed, named, several, openDeal } from "./tournament_forms.js";
import { closeRegistration, registrationForms } from "./tournament_registration.js";
import { carryOut, lines, show, takeTaps, tell } from "./tournament_results.js";
import { scanBadges } from "./tournament_scan.js";

const MORE = 5;
const here = () => ({ round: data().round });

/** Ask for a word on it, then tell it.
 *  @param {string} title @param {string} path @param {object} body @param {string} name @param {string} asked */
function withText(title, path, body, name, asked) {
  const { input, row } = field(say(asked), { name, required: asked === "reason" });
  open(title, row, does(say("do_it"), () => carryOut(path, { ...body, [name]: input.value.trim() }), { class: "main" }));
}
/** @param {string} title @param {string} path @param {object} body */
const withReason = (title, path, body) => withText(title, path, body, "reason", "reason");

/** Show what it would come to, and with which reason it may be done: must one be given, or what is
    told where none is.
    @param {string} title @param {string} path @param {object} body @param {object} trial
    @param {{ required?: boolean, otherwise?: string }} reason */
async function previewed(title, path, body, trial, { required = false, otherwise = "" }) {
  const reply = await tell(path, { ...body, ...trial });
  if (reply.status !== 200) { show(reply); return; }
  const { input, row } = field(say(required ? "reason" : "reason_if_any"), { name: "reason", required });
  const shown = make("pre", { class: "why", tabindex: "0" }, lines(reply).join("\n"));
  open(title, shown, row, does(say("do_it"), () => carryOut(path, { ...body, reason: input.value.trim() || otherwise }), { class: "main" }));
}

const repaired = { otherwise: say("by_hand") };
const swap = (/** @type {string | undefined} */ a, /** @type {string | undefined} */ b) => previewed(say("swap"), "/round/swap", { a, b, ...here() }, { dry_run: true }, repaired);
/** @param {string} selector @returns {HTMLElement[]} */
const all = (selector) => Array.from(document.querySelectorAll(selector));
const picked = () => all(".pick[aria-pressed=true]").map((button) => button.dataset.player);

async function explain() {
  const reply = await tell("/round/pairing/explained", here());
  if (reply.status !== 200) { show(reply); return; }
  open(say("explain"), make("pre", { class: "why", tabindex: "0" }, lines(reply).join("\n")));
}

/** @param {HTMLElement} button of a table, or of a board of a team match */
async function openTable({ dataset: { table, board } }) {
  const reply = await tell(`/tables/${table}`, { table: "", ...here(), ...(board ? { board: Number(board) } : {}) });
  if (reply.status === 200) location.assign(`/games/${reply.body.data.game}`);
  else show(reply);
}

/** Who did not come to the last round is asked about before the next one is paired. */
function pair() {
  const { no_shows: missing, people, round } = data();
  if (!missing.length) return carryOut("/round/pairing", {});
  const gone = several("leave", named(people.filter(({ player }) => missing.includes(player))));
  open(say("no_shows", { round }), gone.row, does(say("pair_now"), async () => {
    for (const name of gone.told()) if (!await carryOut("/players/drop", { name })) return;
    await carryOut("/round/pairing", {});
  }, { class: "main" }));
  return null;
}

/** @type {Record<string, (button: HTMLElement) => unknown>} */
const actions = {
  ...forms,
  pair,
  explain,
  unpair: (button) => withReason(button.textContent ?? "", "/round/pairing/withdrawal", {}),
  start: () => carryOut("/round/start", here()),
  "start-clock": () => carryOut("/round/start", { ...here(), with_clock: true }),
  unstart: (button) => withReason(button.textContent ?? "", "/round/start/withdrawal", here()),
  "round-close": () => carryOut("/round/close", here()),
  "round-reopen": (button) => withReason(button.textContent ?? "", "/round/reopen", here()),
  "clock-start": startClock,
  "clock-pause": () => carryOut("/clock/pause", here()),
  "clock-more": () => carryOut("/clock/extension", { ...here(), minutes: MORE }),
  "clock-stop": (button) => open(say("clock-stop"), does(button.textContent ?? "", () => carryOut("/clock/stop", here()), { class: "main" })),
  repair: () => { document.body.classList.toggle("repairing"); arm(); },
  swap: () => swap(picked()[0], picked()[1]),
  seat: () => previewed(say("seat"), "/round/seating", { names: picked(), ...here() }, {}, repaired),
  "open-table": openTable,
  everybody: () => carryOut("/players/check-in", { everybody: true }),
  "check-in": (button) => carryOut("/players/check-in", { names: [button.dataset.player] }),
  answer: (button) => withText(button.textContent ?? "", `/calls/${button.dataset.call}/answer`, {}, "text", "text"),
  drop: (button) => withText(button.textContent ?? "", "/players/drop", { name: button.dataset.player }, "reason", "reason_if_any"),
  return: (button) => carryOut("/players/return", { name: button.dataset.player }),
  "move-up": (button) => carryOut("/registration/place", { name: button.dataset.player }),
  remove: (button) => open(say("remove"), does(button.textContent ?? "", () => carryOut("/players/unregister", { name: button.dataset.player }), { class: "main" })),
  "registration-close": closeRegistration,
  close: () => carryOut("/close", {}),
  reopen: (button) => withReason(button.textContent ?? "", "/reopen", {}),
};

const DAY = 24 * 3600 * 1000;

/** After a pause it runs on; the first time it may be asked for how long, and from when on. */
function startClock() {
  if (data().clock !== null) return carryOut("/clock/start", here());
  const minutes = field(say("minutes"), { name: "minutes", type: "number", min: 1, max: 10000 });
  const from = field(say("clock_from"), { name: "from", type: "time" });
  const at = () => {
    const [hour = 0, minute = 0] = from.input.value.split(":").map(Number);
    const today = new Date().setHours(hour, minute, 0, 0);
    return new Date(today < Date.now() - DAY / 2 ? today + DAY : today).toISOString();
  };
  const told = () => ({ ...here(), ...(minutes.input.value ? { minutes: Number(minutes.input.value) } : {}), ...(from.input.value ? { at: at() } : {}) });
  open(say("clock"), minutes.row, from.row, does(say("do_it"), () => carryOut("/clock/start", told()), { class: "main" }));
  return null;
}

document.addEventListener("click", async (event) => {
  const button = meant(event, ".column [data-do]");
  if (button === null || button.closest(".result-taps") !== null) return;
  button.closest("details.more")?.removeAttribute("open");
  const action = button.dataset.do ?? "";
  if (action in forms) await loaded(); // a form shows what was told right before
  actions[action]?.(button);
});

/** What was entered last is put right where it stands, or at the table's own page. */
document.addEventListener("click", (event) => {
  const button = meant(event, "[data-correct]");
  if (button !== null) /** @type {HTMLElement | null} */ (document.querySelector(`.result-taps[data-table="${button.dataset.correct}"] [data-do=slip]`))?.click();
});

// who is repaired: tapped, or dragged onto somebody else

function arm() {
  const repair = document.querySelector("[data-do=repair]");
  if (repair === null) document.body.classList.remove("repairing");
  repair?.setAttribute("aria-pressed", String(document.body.classList.contains("repairing")));
  const count = picked().length;
  const placed = document.querySelector(".pick[data-unplaced][aria-pressed=true]") === null;
  for (const [name, enough] of Object.entries({ swap: count === 2 && placed, seat: count >= 2 })) {
    /** @type {HTMLButtonElement | null} */
    const button = document.querySelector(`.repair [data-do=${name}]`);
    if (button !== null) button.disabled = !enough;
  }
}

document.addEventListener("click", (event) => {
  const button = meant(event, ".pick");
  if (button === null) return;
  const pressed = button.getAttribute("aria-pressed") !== "true";
  button.setAttribute("aria-pressed", String(pressed));
  button.toggleAttribute("data-held", pressed);
  arm();
});
document.addEventListener("dragstart", (event) => {
  const from = meant(event, ".pick");
  if (from) event.dataTransfer?.setData("text/plain", from.dataset.player ?? "");
});
document.addEventListener("dragover", (event) => { if (meant(event, ".pick")) event.preventDefault(); });
document.addEventListener("drop", (event) => {
  const onto = meant(event, ".pick");
  if (!onto) return;
  event.preventDefault();
  const dragged = event.dataTransfer?.getData("text/plain");
  const known = all(".pick[draggable]").map((each) => each.dataset.player);
  if (dragged !== onto.dataset.player && known.includes(dragged)) swap(dragged, onto.dataset.player);
});

// forms

/** `Ana; North; 1500; U14, women`: a player a line, with club, rating and sections where they are known. Once round one is
    paired they are late.
    @param {string} text */
export function entries(text) {
  return text.split("\n").map((line) => line.split(/[;\t]/).map((part) => part.trim())).filter(([name]) => name)
    .map(([name = "", club = "", rating = "", sections = ""]) => ({ name, club, rating: /^\d*$/.test(rating) ? Number(rating) : rating, ...(sections ? { sections: listed(sections) } : {}) }));
}

/** @param {HTMLInputElement} names */
async function register(names) {
  const [listed, namesake] = [entries(names.value), input("namesake").checked];
  const known = new Set(data().people.map((each) => each.player));
  if (!await carryOut("/players", { players: listed, namesake })) return false;
  if (data().rounds === 0) return true;
  const missed = input("counts").value;
  for (const { player } of data().people.filter((each) => each.status === "registered" && !known.has(each.player))) {
    if (!await carryOut("/players/late", { name: player, missed })) return false;
  }
  return true;
}

document.addEventListener("change", async (event) => {
  const target = /** @type {HTMLInputElement} */ (event.target);
  if (target.id === "deal-file") await openDeal(target);
  const file = target.id === "player-file" ? target.files?.[0] : undefined;
  if (file === undefined) return;
  const bytes = Array.from(new Uint8Array(await file.arrayBuffer()), (byte) => String.fromCharCode(byte)).join("");
  await carryOut("/players/list", { file: btoa(bytes), source: file.name.slice(0, 120) });
  target.value = "";
});

/** Finals as the form says: tables of several only in a knock-out. */
function finals() {
  const [places, style, seats, advance, onTie] = ["places", "style", "seats", "advance", "on-tie"].map((id) => input(id).value);
  const size = Number(seats);
  const match = input("finals-match").value;
  const duels = { on_tie: onTie, ...(match ? { match: Number(match) } : {}) };
  const several = { seats: { least: size, most: size, preferred: size }, advance: Number(advance), third_place: input("third-place").checked };
  return { places: Number(places), style, ...(style === "top_table" ? {} : duels), ...(style === "knockout" ? several : {}) };
}

/** Who would play on is shown before a lot is drawn. */
function previewFinals() {
  const lot = input("by-lot").checked ? { lot: anySeed() } : {};
  const { rounds, planned } = data();
  return previewed(say("finals"), "/finals", { ...finals(), ...lot }, { dry_run: true }, { required: rounds < planned });
}

document.addEventListener("submit", async (event) => {
  const form = /** @type {HTMLFormElement} */ (event.target);
  if (form.id !== "register" && form.id !== "finals") return;
  event.preventDefault();
  if (form.id === "register") {
    if (await register(input("names"))) form.reset();
  } else {
    await previewFinals();
  }
});

/** Calls for a judge are told of games, not of the event. */
function hearCalls() {
  if (data().hears_calls) hear("/api/v1/events", "call", () => refresh());
}

takeTaps();
registrationForms();
scanBadges();
findTables();
runClock();
followHall();
hearCalls();
document.addEventListener("refreshed", arm);
document.body.dataset.ready = "";
