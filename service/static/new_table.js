// The page that opens a table: what is chosen becomes the opening line; the last settings and presets are
// kept on this device.

import { byId, keep, kept, make, say, tellOnce, ask } from "./common.js";
import { lieOnTable } from "./device.js";

const form = /** @type {HTMLFormElement} */ (byId("opening"));
const fields = /** @type {Record<"line" | "title" | "minutes" | "per" | "increment" | "calls" | "on_table" | "seats_log" | "kit", HTMLInputElement>} */ (/** @type {unknown} */ (form.elements));
const problem = byId("problem");
const { engine = "", players = "" } = form.dataset;
const LAST = `referee opening ${engine} ${players}`;
const PRESETS = `referee presets ${engine} ${players}`;
const NAMES = "referee names";
/** So many names are offered again. */
const MOST_NAMES = 40;

/** Every field whose value is a setting.
 *  @returns {(HTMLInputElement | HTMLSelectElement)[]} */
function settings() {
  return Array.from(form.querySelectorAll("input:not([type=hidden]), select"));
}

/** What stands in the form, field by field. */
function filledIn() {
  return settings().map((field) => ("checked" in field && ["checkbox", "radio"].includes(field.type) ? field.checked : field.value));
}

/** @param {(string | boolean)[]} values */
function fillIn(values) {
  settings().forEach((field, at) => {
    const value = values[at];
    if (typeof value === "boolean" && "checked" in field) field.checked = value;
    else if (typeof value === "string") field.value = value;
  });
  clockFields();
  badges();
  asked();
}

/** What a device has kept, as far as it can still be read.
 *  @template T @param {string} place @param {T} otherwise @returns {T} */
function remembered(place, otherwise) {
  try {
    return JSON.parse(kept(place) ?? "") ?? otherwise;
  } catch {
    return otherwise;
  }
}

/** @returns {NodeListOf<HTMLSelectElement>} */
function colours() {
  return form.querySelectorAll("select[data-seat-of]:not([data-seat-of=''])");
}

/** A badge has the colour that is chosen, and the first player is called by name. */
function badges() {
  for (const select of colours()) {
    const colour = select.options[select.selectedIndex]?.dataset.colour ?? "";
    const badge = form.querySelector(`[data-badge="${select.dataset.seatOf}"]`);
    if (badge) badge.className = `seat piece-${colour}`;
  }
  /** @type {NodeListOf<HTMLOptionElement>} */
  const firsts = form.querySelectorAll("select[data-about=first] option:not([data-lot])");
  for (const option of firsts) {
    const seat = option.value.split(" ").at(-1) ?? "";
    const name = /** @type {HTMLInputElement | null} */ (form.querySelector(`[data-seat][name="${seat}"]`))?.value.trim();
    option.textContent = name ? `${seat} \u2068${name}\u2069` : seat;
  }
}

/** A colour that is taken is swapped: nobody plays what another plays.
 *  @param {HTMLSelectElement} chosen @param {string} before */
function swap(chosen, before) {
  const colour = (/** @type {HTMLSelectElement} */ one) => one.options[one.selectedIndex]?.dataset.colour;
  for (const other of colours()) {
    if (other.dataset.seatOf === chosen.dataset.seatOf || colour(other) !== colour(chosen)) continue;
    const free = Array.from(other.options).find((option) => option.dataset.colour === before);
    if (free) other.value = free.value;
  }
}

/** The colour of each seat before the last change.
 *  @type {Map<string, string>} */
const worn = new Map();
function wear() {
  for (const select of colours()) worn.set(select.dataset.seatOf ?? "", select.options[select.selectedIndex]?.dataset.colour ?? "");
}

/** Only a player's own clock grows by the turn. */
function clockFields() {
  fields.increment.disabled = fields.per.value !== "seat";
}

form.addEventListener("input", (event) => {
  clockFields();
  const chosen = /** @type {HTMLSelectElement} */ (event.target);
  const before = worn.get(chosen.dataset.seatOf ?? "");
  if (before !== undefined) swap(chosen, before);
  wear();
  badges();
  asked();
});

/** The opening line of what is chosen. */
function line() {
  if (fields.line.value.trim()) return fields.line.value;
  const pieces = [];
  /** @type {NodeListOf<HTMLInputElement | HTMLSelectElement>} */
  const all = form.querySelectorAll("[data-piece]");
  for (const field of all) {
    if (field.type === "checkbox" && !(/** @type {HTMLInputElement} */ (field).checked)) continue;
    const options = "options" in field ? field : null;
    const lot = options?.options[options.selectedIndex]?.hasAttribute("data-lot");
    const drawn = lot ? Array.from(options?.options ?? []).filter((option) => option.value) : [];
    pieces.push(lot ? drawn[Math.floor(Math.random() * drawn.length)]?.value : field.value);
  }
  /** @type {NodeListOf<HTMLElement>} */
  const several = form.querySelectorAll("[data-pieces]");
  for (const group of several) {
    const chosen = Array.from(group.querySelectorAll("input:checked"), (each) => /** @type {HTMLInputElement} */ (each).value);
    if (chosen.length) pieces.push(group.dataset.pieces, ...chosen);
  }
  /** @type {NodeListOf<HTMLInputElement>} */
  const numbers = form.querySelectorAll("[data-number]");
  for (const each of numbers) if (each.value) pieces.push(each.dataset.number, each.value);
  return pieces.filter(Boolean).join(" ");
}

/** A question of the rules is asked where what it is about is played with. */
function asked() {
  const played = line().split(" ");
  /** @type {NodeListOf<HTMLFieldSetElement>} */
  const some = form.querySelectorAll(".reading-asked[data-with]");
  for (const question of some) {
    question.hidden = !(question.dataset.with ?? "").split(" ").some((word) => played.includes(word));
  }
  const told = form.querySelector("#readings summary");
  if (told instanceof HTMLElement) told.textContent = (told.dataset.told ?? "").replace("{count}", String(form.querySelectorAll("#readings .reading-asked:not([hidden])").length));
}

/** The readings that are not the usual ones. */
function readings() {
  /** @type {NodeListOf<HTMLInputElement>} */
  const chosen = form.querySelectorAll("[name^='reading.']:checked:not([data-usual])");
  return Object.fromEntries(Array.from(chosen).filter((each) => !each.closest("[hidden]")).map((each) => [each.name.slice("reading.".length), each.value]));
}

/** Names by seat, as far as there are any. */
function named() {
  /** @type {NodeListOf<HTMLInputElement>} */
  const seats = form.querySelectorAll("[data-seat]");
  return Array.from(seats, (input) => /** @type {const} */ ([input.name, input.value.trim()])).filter(([, name]) => name);
}

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const said = {
    game: engine,
    table: line(),
    title: fields.title.value,
    players: Object.fromEntries(named()),
    readings: readings(),
    ...(fields.kit?.value ? { kit: fields.kit.value } : {}),
  };
  const reply = await tellOnce("/games", said);
  if (reply.status === 200) {
    const { game } = reply.body.data;
    remember();
    await setClock(game);
    if (!fields.seats_log.checked) await ask("PATCH", `/games/${game}/access`, { seats_log: false });
    if (fields.on_table?.checked) await lieOnTable(game);
    location.replace(`/games/${game}`);
    return;
  }
  problem.hidden = false;
  problem.textContent = (reply.body?.told ?? [reply.body?.detail ?? say("lost")]).join(" ");
  problem.scrollIntoView({ block: "nearest" });
});

/** Where minutes are said, the table begins with a clock.
 *  @param {string} game */
async function setClock(game) {
  const { minutes, per, increment, calls } = fields;
  const seconds = Math.round(Number(minutes.value.replace(",", ".")) * 60);
  if (!seconds) return;
  const each = per.value === "seat" ? Number(increment.value) : 0;
  const said = { seconds, per: per.value, increment: each, at_zero: calls.checked ? "judge" : "nothing" };
  await tellOnce(`/games/${game}/clock`, said);
}

// what this device remembers

const usual = filledIn();

function remember() {
  keep(LAST, JSON.stringify(filledIn()));
  const names = new Set([...named().map(([, name]) => name), ...remembered(NAMES, /** @type {string[]} */ ([]))]);
  keep(NAMES, JSON.stringify([...names].slice(0, MOST_NAMES)));
}

/** @param {string} label @param {() => void} onclick @param {Attributes} more */
function button(label, onclick, more = {}) {
  return make("button", { type: "button", onclick, ...more }, label);
}

/** The last settings, the club's presets, and the way back to the usual ones. */
function drawPresets() {
  const last = remembered(LAST, /** @type {(string | boolean)[] | null} */ (null));
  const presets = remembered(PRESETS, /** @type {Record<string, (string | boolean)[]>} */ ({}));
  const remove = (/** @type {string} */ name) => {
    const { [name]: _, ...others } = presets;
    keep(PRESETS, JSON.stringify(others));
    drawPresets();
  };
  const rows = Object.entries(presets).map(([name, values]) => make("span", { class: "preset" },
    button(name, () => fillIn(values), { "data-preset": name, dir: "auto" }),
    button("×", () => remove(name), { class: "plain", "aria-label": say("preset_gone", { name }) })));
  byId("presets").replaceChildren(...[
    last ? button(say("last_time"), () => fillIn(last), { "data-preset-last": true }) : null,
    ...rows,
    last || rows.length ? button(say("as_usual"), () => fillIn(usual), { class: "plain" }) : null,
  ].filter((each) => each !== null));
}

byId("keep-preset").addEventListener("click", () => {
  const name = prompt(say("preset_name"))?.trim();
  if (!name) return;
  keep(PRESETS, JSON.stringify({ ...remembered(PRESETS, {}), [name.slice(0, 60)]: filledIn() }));
  drawPresets();
});

byId("known-names").append(...remembered(NAMES, /** @type {string[]} */ ([])).map((value) => make("option", { value })));
drawPresets();
wear();
asked();
badges();
document.body.dataset.ready = "";
