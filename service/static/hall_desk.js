// The desk: every button tells one thing; what costs something is priced before it is done.

import { data, hear, make, refresh, say } from "./house.js";
import { does, field, open } from "./dialog.js";
import { followHall, runClock } from "./hall.js";
import { forms } from "./hall_forms.js";
import { carryOut, lines, show, takeTaps, tell } from "./hall_results.js";

const MORE = 5;
const here = () => ({ round: data().round });

/** Ask for a word on it, then tell it. */
function withText(title, path, body, called) {
  const text = field(say(called), { name: called });
  open(title, text.row, does(say("do_it"), () => carryOut(path, { ...body, [called]: text.input.value.trim() }), { class: "main" }));
}
const withReason = (title, path, body) => withText(title, path, body, "reason");

/** Show what it would come to; done only with a reason, where one is asked for. */
async function previewed(title, path, body, trial, asksReason = true) {
  const reply = await tell(path, { ...body, ...trial });
  if (reply.status !== 200) { show(reply); return; }
  const reason = field(say("reason"), { name: "reason" });
  const told = () => (asksReason ? { ...body, reason: reason.input.value.trim() || say("by_hand") } : body);
  open(title, make("pre", { class: "why", tabindex: "0" }, reply.body.told.join("\n")), asksReason ? reason.row : null, does(say("do_it"), () => carryOut(path, told()), { class: "main" }));
}

const swap = (a, b) => previewed(say("swap"), "/round/swap", { a, b, ...here() }, { dry_run: true });
const picked = () => Array.from(document.querySelectorAll(".pick[aria-pressed=true]"), (button) => button.dataset.player);

async function explain() {
  const reply = await tell("/round/pairing/explained", here());
  if (reply.status !== 200) { show(reply); return; }
  open(say("explain"), make("pre", { class: "why", tabindex: "0" }, lines(reply).join("\n")));
}

async function openTable(table) {
  const reply = await tell(`/tables/${table}`, { table: "", ...here() });
  if (reply.status === 200) location.assign(`/games/${reply.body.data.game}`);
  else show(reply);
}

const actions = {
  ...forms,
  pair: () => carryOut("/round/pairing", {}),
  explain,
  unpair: (button) => withReason(button.textContent, "/round/pairing/withdrawal", {}),
  start: () => carryOut("/round/start", here()),
  "start-clock": () => carryOut("/round/start", { ...here(), with_clock: true }),
  unstart: (button) => withReason(button.textContent, "/round/start/withdrawal", here()),
  "round-close": () => carryOut("/round/close", here()),
  "round-reopen": (button) => withReason(button.textContent, "/round/reopen", here()),
  "clock-start": startClock,
  "clock-pause": () => carryOut("/clock/pause", here()),
  "clock-more": () => carryOut("/clock/extension", { ...here(), minutes: MORE }),
  "clock-stop": () => carryOut("/clock/stop", here()),
  repair: () => { document.body.classList.toggle("repairing"); arm(); },
  swap: () => swap(...picked()),
  seat: () => previewed(say("seat"), "/round/seating", { names: picked(), ...here() }, {}),
  "open-table": (button) => openTable(button.dataset.table),
  everybody: () => carryOut("/players/check-in", { everybody: true }),
  "check-in": (button) => carryOut("/players/check-in", { names: [button.dataset.player] }),
  answer: (button) => withText(button.textContent, `/calls/${button.dataset.call}/answer`, {}, "text"),
  drop: (button) => withReason(button.textContent, "/players/drop", { name: button.dataset.player }),
  return: (button) => carryOut("/players/return", { name: button.dataset.player }),
  close: () => carryOut("/close", {}),
  reopen: (button) => withReason(button.textContent, "/reopen", {}),
};

/** After a pause it runs on; the first time it may be asked for how long. */
function startClock() {
  if (data().clock !== null) return carryOut("/clock/start", here());
  const minutes = field(say("minutes"), { name: "minutes", type: "number", min: 1, max: 10000 });
  const told = () => (minutes.input.value ? { ...here(), minutes: Number(minutes.input.value) } : here());
  open(say("clock"), minutes.row, does(say("do_it"), () => carryOut("/clock/start", told()), { class: "main" }));
  return null;
}

document.addEventListener("click", (event) => {
  const button = event.target.closest(".column [data-do]");
  if (button === null || button.closest(".result-taps") !== null) return;
  button.closest("details.more")?.removeAttribute("open");
  actions[button.dataset.do](button);
});

// who is repaired: tapped, or dragged onto somebody else

function arm() {
  const repair = document.querySelector("[data-do=repair]");
  if (repair === null) document.body.classList.remove("repairing");
  repair?.setAttribute("aria-pressed", String(document.body.classList.contains("repairing")));
  const count = picked().length;
  for (const [name, enough] of [["swap", count === 2], ["seat", count >= 2]]) {
    const button = document.querySelector(`.repair [data-do=${name}]`);
    if (button !== null) button.disabled = !enough;
  }
}

document.addEventListener("click", (event) => {
  const button = event.target.closest(".pick");
  if (button === null) return;
  const pressed = button.getAttribute("aria-pressed") !== "true";
  button.setAttribute("aria-pressed", String(pressed));
  button.toggleAttribute("data-held", pressed);
  arm();
});
document.addEventListener("dragstart", (event) => {
  const from = event.target.closest?.(".pick");
  if (from) event.dataTransfer.setData("text/plain", from.dataset.player);
});
document.addEventListener("dragover", (event) => { if (event.target.closest?.(".pick")) event.preventDefault(); });
document.addEventListener("drop", (event) => {
  const onto = event.target.closest?.(".pick");
  if (!onto) return;
  event.preventDefault();
  const dragged = event.dataTransfer.getData("text/plain");
  const known = Array.from(document.querySelectorAll(".pick"), (each) => each.dataset.player);
  if (dragged !== onto.dataset.player && known.includes(dragged)) swap(dragged, onto.dataset.player);
});

// forms

/** `Ana; North; 1500`: a player a line, with club and rating where they are known. */
function entries(text) {
  return text.split("\n").map((line) => line.split(/[;\t]/).map((part) => part.trim())).filter(([name]) => name)
    .map(([name, club = "", rating = ""]) => ({ name, club, rating: Number.parseInt(rating, 10) || 0 }));
}

async function register(names) {
  const listed = entries(names.value);
  if (data().rounds === 0) return carryOut("/players", { players: listed });
  const missed = document.getElementById("counts").value;
  for (const { name } of listed) {
    if (!await carryOut("/players/late", { name, missed, new: true })) return false;
  }
  return true;
}

/** Finals as the form says: tables of several only in a knock-out, a lot only if it is wanted. */
function finals() {
  const [places, style, seats, advance, byLot] = ["places", "style", "seats", "advance", "by-lot"].map((id) => document.getElementById(id));
  const size = Number(seats.value);
  return {
    places: Number(places.value),
    style: style.value,
    ...(style.value === "knockout" ? { seats: { least: size, most: size, preferred: size }, advance: Number(advance.value) } : {}),
    ...(byLot.checked ? { lot: crypto.getRandomValues(new Uint32Array(1))[0] } : {}),
  };
}

document.addEventListener("submit", async (event) => {
  const form = event.target;
  if (form.id !== "register" && form.id !== "finals") return;
  event.preventDefault();
  if (form.id === "register") {
    const names = document.getElementById("names");
    if (await register(names)) names.value = "";
  } else {
    await previewed(say("finals"), "/finals", finals(), { dry_run: true });
  }
});

/** Calls for a judge are told of games, not of the event. */
function hearCalls() {
  if (data().hears_calls) hear("/api/v1/events", "call", () => refresh());
}

takeTaps();
runClock();
followHall();
hearCalls();
document.addEventListener("refreshed", arm);
document.body.dataset.ready = "";
