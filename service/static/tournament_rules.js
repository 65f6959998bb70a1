// Every rule of a plan as a form: what is left empty is as usual.

import { byId, data, make, say } from "./common.js";
import { dealFile, pieces, readDeal, shuffled } from "./tournament_deals.js";

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
/** Of one field, or of the one that is chosen among several.
 *  @param {HTMLFormElement} form @param {string} name */
const value = (form, name) => (fields(form, name).find((each) => each.matches(":checked")) ?? field(form, name)).value.trim();
/** @param {HTMLFormElement} form @param {string} name */
const number = (form, name) => (value(form, name) === "" ? null : Number(value(form, name)));
/** Of tables: those for which points can be said. */
const SIZES = [2, 3, 4, 5, 6, 7, 8];
/** Formats that compare teams, and those with tables of several. */
const [TEAMS, TABLES] = [["duplicate", "ladder"], ["pods", "league"]];

/** @param {HTMLFormElement} form @returns {string[]} */
const games = (form) => [value(form, "game"), ...fields(form, "more_game").map((each) => each.value).filter(Boolean)];

/** Only what belongs to the games, the format and the points that are chosen is shown.
 *  @param {HTMLFormElement} form */
function fold(form) {
  const format = value(form, "format");
  const fitting = ["", ...(TEAMS.includes(format) ? ["ladder"] : TABLES.includes(format) ? ["places", "game"] : ["duel", "places", "game"])];
  for (const option of field(form, "points").options) option.hidden = option.disabled = !fitting.includes(option.value);
  if (!fitting.includes(value(form, "points"))) field(form, "points").value = "";
  const kind = value(form, "points");
  const own = [`of-${format}`, ...(value(form, "match") ? ["of-match"] : []), ...(teams(form) ? ["of-boards"] : []), ...({ duel: ["of-duel", "of-points"], places: ["of-places", "of-points"], game: ["of-points"], ladder: ["of-by-measures", "of-points"] }[kind] ?? [])];
  for (const row of /** @type {NodeListOf<HTMLElement>} */ (form.querySelectorAll("[class*=of-]"))) {
    row.hidden = !own.some((each) => row.classList.contains(each));
  }
  const details = document.getElementById("all-rules");
  if (format === "duplicate" && !dealt.length) details?.toggleAttribute("open", true);
  const played = games(form);
  for (const option of /** @type {NodeListOf<HTMLOptionElement>} */ (form.querySelectorAll("option[data-engines]"))) {
    option.hidden = !(option.dataset.engines ?? "").split(" ").some((game) => played.includes(game));
  }
  /** @type {HTMLElement[]} */
  const blocks = Array.from(form.querySelectorAll("[data-game], [data-piles]"));
  for (const block of blocks) block.hidden = !played.includes(block.dataset.game ?? block.dataset.piles ?? "");
  const shown = blocks.filter((block) => block.dataset.most && !block.hidden);
  byId("plays-together").hidden = TEAMS.includes(format) || !shown.some((block) => block.hasAttribute("data-cooperative"));
  const least = number(form, "least") ?? Math.min(...shown.map((block) => Number(block.dataset.least)));
  const most = number(form, "most") ?? Math.max(...shown.map((block) => Number(block.dataset.most)));
  for (const row of /** @type {NodeListOf<HTMLElement>} */ (form.querySelectorAll("[data-size]"))) {
    const size = Number(row.dataset.size);
    row.hidden ||= (size < least || size > most) && !value(form, `size_${size}`);
  }
  tellUsual(form, shown);
}

/** What holds where nothing is chosen, as the usual plan of this format has it.
 *  @param {HTMLFormElement} form @param {HTMLElement[]} shown */
function tellUsual(form, shown) {
  const { seats: sizes, rules } = data().usual ?? { seats: {}, rules: {} };
  const format = value(form, "format");
  const allowed = [Math.max(...shown.map((block) => Number(block.dataset.least))), Math.min(...shown.map((block) => Number(block.dataset.most)))];
  const usual = (TABLES.includes(format) ? sizes[allowed.join("-")] : null) ?? [2, 2, 2];
  ["least", "preferred", "most"].forEach((name, at) => { field(form, name).placeholder = say("usually", { answer: String(usual[at]) }); });
  const seated = seats(form) ?? { least: usual[0] ?? 2, most: usual[2] ?? 2 };
  const several = seated.most > 2 && !field(form, "most").closest("[hidden]");
  const match = matchOf(form);
  const found = rules[several ? `tables/${seated.least}-${seated.most}` : match ? `${format}/${value(form, "match")}` : format] ?? { points: "", order: "" };
  const chosen = { points: value(form, "points") !== "", order: fields(form, "tie_break").some((each) => each.value) };
  for (const place of /** @type {NodeListOf<HTMLElement>} */ (form.querySelectorAll("[data-usual]"))) {
    const about = /** @type {"points" | "order"} */ (place.dataset.usual);
    place.textContent = chosen[about] || !found[about] ? "" : say("usually", { answer: found[about] });
  }
}

/** The rows of a list that grows: one is always left to be filled in.
 *  @param {Element} list @param {number} wanted */
function grow(list, wanted = 0) {
  const { most, label } = /** @type {HTMLElement} */ (list).dataset;
  const first = (/** @type {Element} */ row) => /** @type {Field} */ (row.querySelector("select, input"));
  const empty = () => Array.from(list.children).filter((row) => !first(row).value);
  for (const row of empty().slice(0, -1)) row.remove();
  while (list.children.length < Math.min(Number(most), Math.max(wanted + 1, empty().length ? 0 : list.children.length + 1))) {
    const row = /** @type {Element} */ (/** @type {Element} */ (list.firstElementChild).cloneNode(true));
    for (const select of row.querySelectorAll("select")) select.selectedIndex = 0;
    for (const typed of row.querySelectorAll("input")) typed.value = "";
    list.append(row);
  }
  Array.from(list.children).forEach((row, at) => first(row).setAttribute("aria-label", `${label} ${at + 1}`));
}

/** Choose what a plan says, also if it is not offered here (any more).
 *  @param {Field} select @param {string} to */
function choose(select, to) {
  if (select.matches("select") && !Array.from(select.options).some((option) => option.value === to)) select.append(new Option(to));
  select.value = to;
}

/** Fill a list that grows.
 *  @param {HTMLFormElement} form @param {string} name @param {string[]} values */
function fillRows(form, name, values) {
  const list = field(form, name).closest("ol");
  if (list === null) return;
  while (list.children.length > 1) list.lastElementChild?.remove();
  grow(list, values.length);
  fields(form, name).forEach((each, at) => choose(each, values[at] ?? ""));
}

/** @param {HTMLFormElement} form */
function options(form) {
  const format = value(form, "format");
  if (format === "swiss") return { system: value(form, "system"), ...(field(form, "accelerated").checked ? { accelerated: true } : {}) };
  if (format === "round_robin") return { twice: field(form, "twice").checked };
  if (format === "knockout") return { lives: Number(value(form, "lives")), on_tie: value(form, "on_tie"), ...(field(form, "third_place").checked ? { third_place: true } : {}), ...(number(form, "advance") ? { advance: number(form, "advance") } : {}) };
  if (format === "double_elimination") return { on_tie: value(form, "on_tie") };
  if (format === "pods") return { by_standings: value(form, "by_standings") === "yes" };
  if (format === "league" && number(form, "counted")) return { counted: number(form, "counted") };
  return {};
}

/** @param {HTMLFormElement} form */
function scoring(form) {
  const kind = value(form, "points");
  if (kind === "") return null;
  const half = (/** @type {string} */ name) => (number(form, name) === null ? {} : { [name]: Math.round(Number(number(form, name)) * 2) });
  const bye = { ...half("bye"), ...half("half_bye") };
  if (kind === "game") return { kind, ...bye };
  if (kind === "ladder") {
    const better = fields(form, "better");
    return { kind, measures: fields(form, "measure").map((each, at) => ({ name: each.value, better: better[at]?.value ?? "more" })).filter(({ name }) => name), ...bye };
  }
  const listed = halves(value(form, "point_list"));
  if (kind === "duel") return { kind, win: listed[0] ?? 2, draw: listed[1] ?? 1, loss: listed[2] ?? 0, bye: listed[0] ?? 2, half_bye: listed[1] ?? 1, ...bye };
  if (!listed.length) return null;
  const bySize = Object.fromEntries(SIZES.filter((size) => value(form, `size_${size}`)).map((size) => [String(size), halves(value(form, `size_${size}`))]));
  return { kind, places: listed, by_size: bySize, ...half("tied_first"), ...bye };
}

/** @param {HTMLFormElement} form */
function seats(form) {
  const [least, preferred, most] = ["least", "preferred", "most"].map((name) => number(form, name));
  if (least === null && most === null && preferred === null) return null;
  const from = least ?? preferred ?? most ?? 2;
  const to = most ?? preferred ?? from;
  return { least: from, most: to, preferred: preferred ?? Math.min(to, Math.max(from, 4)) };
}

/** What is said of each game that is played: `reading.GAME.ID` and the like.
 *  @param {HTMLFormElement} form @param {string} kind */
function ofGames(form, kind) {
  /** @type {Record<string, Record<string, string>>} */
  const said = {};
  for (const each of /** @type {NodeListOf<Field>} */ (form.querySelectorAll(`[name^="${kind}."]`))) {
    const [, game = "", ...rest] = each.name.split(".");
    if (!games(form).includes(game) || !each.value || (each.matches("[type=checkbox]") && !each.checked)) continue;
    const about = (said[game] ??= {});
    const name = rest.join(".");
    about[name] = about[name] ? `${about[name]}+${each.value}` : each.value.trim();
  }
  return Object.keys(said).length ? said : null;
}

/** @param {HTMLFormElement} form */
function houseRules(form) {
  const said = ofGames(form, "house_rules");
  return said && Object.fromEntries(Object.entries(said).map(([game, about]) => [game, (about[""] ?? "").split(/[\s,;]+/).filter(Boolean)]));
}

/** The levels of the penalty guide; one without points is a warning.
 *  @param {HTMLFormElement} form */
function penalties(form) {
  const off = fields(form, "penalty_points");
  const levels = fields(form, "penalty_level").map((each, at) => ({ name: each.value.trim(), halves: Math.round(Number(off[at]?.value || 0) * 2) }));
  return levels.filter(({ name }) => name);
}

/** Matches of several games, where two are paired, and teams at several boards.
 *  @param {HTMLFormElement} form */
function matchOf(form) {
  const count = number(form, "match_games");
  if (field(form, "match_games").closest("[hidden]") !== null || count === null) return null;
  if (!teams(form)) return { games: count };
  const said = Object.fromEntries(["bye_boards", "no_show_boards"].filter((name) => value(form, name)).map((name) => [name, Math.round(Number(value(form, name)) * 2)]));
  return { games: count, boards: true, ...said, ...(field(form, "roster_order").checked ? { roster_order: true } : {}) };
}

/** Whether teams meet, at several boards.
 *  @param {HTMLFormElement} form */
const teams = (form) => ["boards", "olympiad"].includes(value(form, "match"));

/** What the form says, as a request says it.
 *  @param {HTMLFormElement} form @returns {Record<string, any>} */
export function told(form) {
  const breaks = fields(form, "tie_break").map((each) => each.value).filter(Boolean);
  const minutes = number(form, "minutes");
  const format = value(form, "format");
  const said = {
    games: games(form), format, rounds: Number(value(form, "rounds")), options: options(form),
    deals: format === "duplicate" && dealt.length ? dealt : null,
    seats: seats(form), scoring: scoring(form), tie_breaks: breaks.length ? breaks : null,
    readings: ofGames(form, "reading"), house_rules: houseRules(form), presets: ofGames(form, "preset"),
    time: minutes === null ? null : { minutes, on_time: value(form, "on_time") },
    table_numbers: value(form, "table_numbers"), check_in: field(form, "check_in").checked,
    unplayed_rounds: value(form, "unplayed_rounds"), penalties: penalties(form),
    match: matchOf(form), like: value(form, "match") === "olympiad" && matchOf(form) ? "olympiad" : null,
  };
  return Object.fromEntries(Object.entries(said).filter(([, rule]) => rule !== null));
}

// deals

/** Those that are chosen, or published already.
 *  @type {import("./tournament_deals.js").Deal[]} */
let dealt = [];

function showDeals() {
  byId("deal-list").replaceChildren(...dealt.map((deal, at) => make("li", {}, make("span", { dir: "auto" }, deal.name), " ",
    deal.piles ? dealFile(deal) : say("deal_published"), " ",
    make("button", { type: "button", class: "plain", "aria-label": `${say("deal_remove")} ${deal.name}`, onclick: () => { dealt.splice(at, 1); showDeals(); } }, say("deal_remove")))));
}

/** One for each round that has none yet; each is saved at once, as nobody else has it.
 *  @param {HTMLFormElement} form */
function makeDeals(form) {
  const game = value(form, "game");
  /** @type {NodeListOf<HTMLTextAreaElement>} */
  const areas = form.querySelectorAll(`[data-piles="${game}"] textarea`);
  const piles = Array.from(areas, (area) => /** @type {const} */ ([area.name.slice("pile.".length), pieces(area.value)])).filter(([, items]) => items.length);
  if (!piles.length) return;
  while (dealt.length < Number(value(form, "rounds"))) {
    dealt.push({ name: say("deal_of", { round: dealt.length + 1 }), game, piles: Object.fromEntries(piles.map(([pile, items]) => [pile, shuffled(items)])), seed: null });
  }
  showDeals();
  for (const link of /** @type {NodeListOf<HTMLElement>} */ (byId("deal-list").querySelectorAll("a[download]"))) link.click();
}

/** @param {HTMLFormElement} form */
async function readDeals(form) {
  const input = field(form, "deals");
  const found = await Promise.all(Array.from(input.files ?? [], readDeal));
  dealt.push(...found.filter((deal) => deal !== null));
  input.value = "";
  showDeals();
}

/** Put the rules of a plan into the form.
 *  @param {HTMLFormElement} form @param {any} plan */
export function fill(form, plan) {
  const set = (/** @type {string} */ name, /** @type {unknown} */ to) => { field(form, name).value = to === null || to === undefined ? "" : String(to); };
  const { format, scoring: scored, seats: size } = plan;
  set("game", plan.games[0]);
  fillRows(form, "more_game", plan.games.slice(1));
  for (const each of fields(form, "format")) each.checked = each.value === format.kind;
  set("rounds", plan.rounds);
  set("system", format.system ?? "matching");
  field(form, "accelerated").checked = Boolean(format.accelerated);
  field(form, "twice").checked = Boolean(format.twice);
  set("lives", format.lives ?? 1);
  set("advance", format.advance);
  set("on_tie", format.on_tie ?? "replay");
  field(form, "third_place").checked = Boolean(format.third_place);
  set("by_standings", format.by_standings === false ? "no" : "yes");
  set("counted", format.counted);
  for (const name of ["least", "preferred", "most"]) set(name, size.most > 1 ? size[name] : "");
  set("points", scored.kind);
  set("point_list", scored.kind === "duel" ? [scored.win, scored.draw, scored.loss].map(points).join(" ") : (scored.places ?? []).map(points).join(" "));
  for (const at of SIZES) set(`size_${at}`, (scored.by_size?.[at] ?? []).map(points).join(" "));
  set("tied_first", typeof scored.tied_first === "number" ? points(scored.tied_first) : "");
  set("bye", points(scored.bye));
  set("half_bye", points(scored.half_bye));
  /** @type {{ name: string, better: string }[]} */
  const measures = scored.measures ?? [];
  fillRows(form, "measure", measures.map(({ name }) => name));
  measures.forEach(({ better }, at) => { const field = fields(form, "better")[at]; if (field) field.value = better; });
  fillRows(form, "tie_break", plan.tie_breaks);
  /** @type {{ name: string, halves: number }[]} */
  const levels = plan.penalties ?? [];
  fillRows(form, "penalty_level", levels.map(({ name }) => name));
  levels.forEach(({ halves: half }, at) => { const off = fields(form, "penalty_points")[at]; if (off) off.value = points(half); });
  set("minutes", plan.time?.minutes);
  set("match", plan.match ? (plan.match.boards ? "boards" : "games") : "");
  set("match_games", plan.match?.games ?? 3);
  for (const name of ["bye_boards", "no_show_boards"]) set(name, typeof plan.match?.[name] === "number" ? points(plan.match[name]) : "");
  field(form, "roster_order").checked = Boolean(plan.match?.roster_order);
  set("on_time", plan.time?.on_time ?? "as_it_stands");
  set("table_numbers", plan.table_numbers);
  field(form, "check_in").checked = plan.check_in;
  set("unplayed_rounds", plan.unplayed_rounds);
  for (const each of /** @type {NodeListOf<Field>} */ (form.querySelectorAll("[name^='reading.'], [name^='preset.'], [name^='house_rules.']"))) {
    const [kind = "", game = "", ...rest] = each.name.split(".");
    const to = kind === "house_rules" ? (plan.house_rules[game] ?? []).join(" ") : (plan[kind === "reading" ? "readings" : "presets"][game]?.[rest.join(".")] ?? "");
    if (each.matches("[type=checkbox]")) each.checked = to.split("+").includes(each.value);
    else choose(each, to);
  }
  dealt = [...format.deals ?? []];
  showDeals();
  fold(form);
}

/** @param {HTMLFormElement} form */
export function live(form) {
  form.addEventListener("change", (event) => {
    const target = /** @type {Element} */ (event.target);
    const list = target.closest(".growing");
    if (list !== null) grow(list);
    if (target === field(form, "deals")) readDeals(form);
    fold(form);
  });
  byId("make-deals").addEventListener("click", () => makeDeals(form));
  fold(form);
}
