// Every rule of a plan as a form: what is left empty is as usual.

import { ask } from "./common.js";

/** Points as people write them, in half points: `4 2,5 0`.
 *  @param {string} text */
const halves = (text) => text.trim().split(/[\s;/–-]+/).filter(Boolean).map((each) => Math.round(Number(each.replace(",", ".").replace("½", ".5")) * 2));
/** @param {number} half */
const points = (half) => String(half / 2);

/** @typedef {HTMLInputElement & HTMLSelectElement & HTMLTextAreaElement} Field */
/** @param {HTMLFormElement} form @param {string} name @returns {Field[]} */
const fields = (form, name) => /** @type {Field[]} */ (Array.from(form.querySelectorAll(`[name="${name}"]`)));
/** @param {HTMLFormElement} form @param {string} name */
const field = (form, name) => /** @type {Field} */ (fields(form, name)[0]);
/** @param {HTMLFormElement} form @param {string} name */
const value = (form, name) => field(form, name).value.trim();
/** @param {HTMLFormElement} form @param {string} name */
const number = (form, name) => (value(form, name) === "" ? null : Number(value(form, name)));

/** Only what belongs to the format and the points that are chosen is shown.
 *  @param {HTMLFormElement} form */
function fold(form) {
  const [format, kind] = [value(form, "format"), value(form, "points")];
  for (const row of /** @type {NodeListOf<HTMLElement>} */ (form.querySelectorAll("[class*=of-]"))) {
    const own = [`of-${format}`, ...(kind === "duel" || kind === "places" ? ["of-points"] : []), `of-${kind}`, ...(kind === "ladder" ? ["of-ladder-points"] : [])];
    row.hidden = !own.some((each) => row.classList.contains(each));
  }
}

/** @param {HTMLFormElement} form */
function options(form) {
  const format = value(form, "format");
  if (format === "swiss") return { system: value(form, "system") };
  if (format === "round_robin") return { twice: field(form, "twice").checked };
  if (format === "knockout") return { lives: Number(value(form, "lives")), on_tie: value(form, "on_tie"), ...(number(form, "advance") ? { advance: number(form, "advance") } : {}) };
  if (format === "pods") return { by_standings: value(form, "by_standings") === "yes" };
  if (format === "league" && number(form, "counted")) return { counted: number(form, "counted") };
  return {};
}

/** @param {HTMLFormElement} form */
function scoring(form) {
  const kind = value(form, "points");
  if (kind === "") return null;
  const bye = Object.fromEntries(["bye", "half_bye"].filter((name) => number(form, name) !== null).map((name) => [name, Math.round(Number(number(form, name)) * 2)]));
  if (kind === "game") return { kind };
  if (kind === "ladder") return { kind, measures: value(form, "measures").split(/[\s,;]+/).filter(Boolean).map((each) => ({ name: each.split(":")[0], better: each.split(":")[1] ?? "more" })) };
  const listed = halves(value(form, "point_list"));
  if (kind === "duel") return { kind, win: listed[0] ?? 2, draw: listed[1] ?? 1, loss: listed[2] ?? 0, bye: listed[0] ?? 2, half_bye: listed[1] ?? 1, ...bye };
  if (!listed.length) return null;
  const bySize = Object.fromEntries([2, 3, 4, 5, 6].filter((size) => value(form, `size_${size}`)).map((size) => [String(size), halves(value(form, `size_${size}`))]));
  return { kind, places: listed, by_size: bySize, ...bye };
}

/** @param {HTMLFormElement} form */
function seats(form) {
  const [least, preferred, most] = ["least", "preferred", "most"].map((name) => number(form, name));
  if (least === null && most === null && preferred === null) return null;
  const from = least ?? preferred ?? most ?? 2;
  const to = most ?? preferred ?? from;
  return { least: from, most: to, preferred: preferred ?? Math.min(to, Math.max(from, 4)) };
}

/** @param {HTMLFormElement} form */
async function deals(form) {
  const files = value(form, "format") === "duplicate" ? Array.from(field(form, "deals").files ?? []) : [];
  return Promise.all(files.map(async (file) => JSON.parse(await file.text())));
}

/** What the form says, as a request says it.
 *  @param {HTMLFormElement} form @returns {Promise<Record<string, any>>} */
export async function told(form) {
  const game = value(form, "game");
  const breaks = fields(form, "tie_break").map((each) => each.value).filter(Boolean);
  const readings = Object.fromEntries(fields(form, "reading").filter((each) => each.value).map((each) => [each.dataset.reading, each.value]));
  const presets = Object.fromEntries(value(form, "presets").split("\n").map((line) => line.split("=").map((part) => part.trim())).filter(([option, set]) => option && set));
  const minutes = number(form, "minutes");
  const files = await deals(form);
  const said = {
    game, format: value(form, "format"), rounds: Number(value(form, "rounds")), options: options(form),
    deals: files.length ? files : null,
    seats: seats(form), scoring: scoring(form), tie_breaks: breaks.length ? breaks : null,
    readings: Object.keys(readings).length ? { [game]: readings } : null,
    presets: Object.keys(presets).length ? { [game]: presets } : null,
    time: minutes === null ? null : { minutes, on_time: value(form, "on_time") },
    table_numbers: value(form, "table_numbers"), check_in: field(form, "check_in").checked,
    unplayed_rounds: value(form, "unplayed_rounds"),
  };
  return Object.fromEntries(Object.entries(said).filter(([, rule]) => rule !== null));
}

/** The open questions of a game, each with its answers.
 *  @param {HTMLFormElement} form @param {Record<string, string>} chosen */
async function askReadings(form, chosen = {}) {
  const place = form.querySelector("#readings");
  const game = value(form, "game");
  const reply = await ask("GET", `/engines/${game}/readings`);
  if (place === null || reply.status !== 200 || game !== value(form, "game")) return;
  const { lang } = document.documentElement;
  place.replaceChildren(...reply.body.data.readings.map((/** @type {any} */ { id, question, values }) => {
    const select = document.createElement("select");
    select.name = "reading";
    select.dataset.reading = id;
    select.append(new Option("–", ""), ...Object.entries(values).map(([set, meaning]) => new Option(/** @type {any} */ (meaning)[lang], set)));
    select.value = chosen[id] ?? "";
    const label = document.createElement("label");
    label.append(question[lang], select);
    return label;
  }));
}

/** Put the rules of a plan into the form.
 *  @param {HTMLFormElement} form @param {any} plan */
export async function fill(form, plan) {
  const set = (/** @type {string} */ name, /** @type {unknown} */ to) => { field(form, name).value = to === null || to === undefined ? "" : String(to); };
  const { format, scoring: scored, seats: size } = plan;
  set("game", plan.games[0]);
  set("format", format.kind);
  set("rounds", plan.rounds);
  set("system", format.system ?? "matching");
  field(form, "twice").checked = Boolean(format.twice);
  set("lives", format.lives ?? 1);
  set("advance", format.advance);
  set("on_tie", format.on_tie ?? "replay");
  set("by_standings", format.by_standings === false ? "no" : "yes");
  set("counted", format.counted);
  for (const name of ["least", "preferred", "most"]) set(name, size.most > 1 ? size[name] : "");
  set("points", scored.kind);
  set("point_list", scored.kind === "duel" ? [scored.win, scored.draw, scored.loss].map(points).join(" ") : (scored.places ?? []).map(points).join(" "));
  for (const at of [2, 3, 4, 5, 6]) set(`size_${at}`, (scored.by_size?.[at] ?? []).map(points).join(" "));
  set("bye", points(scored.bye));
  set("half_bye", points(scored.half_bye));
  set("measures", (scored.measures ?? []).map((/** @type {any} */ each) => (each.better === "fewer" ? `${each.name}:fewer` : each.name)).join(", "));
  fields(form, "tie_break").forEach((each, at) => { each.value = plan.tie_breaks[at] ?? ""; });
  set("minutes", plan.time?.minutes);
  set("on_time", plan.time?.on_time ?? "as_it_stands");
  set("table_numbers", plan.table_numbers);
  field(form, "check_in").checked = plan.check_in;
  set("unplayed_rounds", plan.unplayed_rounds);
  set("presets", Object.entries(plan.presets[plan.games[0]] ?? {}).map(([option, to]) => `${option}=${to}`).join("\n"));
  fold(form);
  await askReadings(form, plan.readings[plan.games[0]]);
}

/** @param {HTMLFormElement} form */
export function live(form) {
  form.addEventListener("change", (event) => {
    fold(form);
    if (event.target === field(form, "game")) askReadings(form);
  });
  fold(form);
  askReadings(form);
}
