// The smaller things that the desk tells: each is one form, and one request.

import { ask, byId, data, make, onlyLast, say } from "./common.js";
import { does, field, needed, open } from "./dialog.js";
import { nextStep, proposal } from "./penalty_guide.js";
import { readDeal } from "./tournament_deals.js";
import { asField } from "./tournament_registration.js";
import { carryOut, lines, show, tell } from "./tournament_results.js";
import { openLineUp, openRoster } from "./tournament_teams.js";

const here = () => ({ round: data().round });
/** A seed that nobody has chosen. */
export const anySeed = () => Number(crypto.getRandomValues(new Uint32Array(1))[0]);
const people = () => data().people;
/** @param {string | undefined} player @returns {Player} */
const called = (player) => {
  const found = people().find((each) => each.player === player);
  if (found === undefined) throw new Error(`nobody is ${player}`);
  return found;
};

/** Fields of a form: what each is called, what stands in it, and what it comes to.
 *  @param {string} name @param {string} value @param {Attributes} rest @returns {FormField} */
const text = (name, value = "", rest = {}) => {
  const { input, row } = field(say(name), { name, value, ...rest });
  return { name, row, told: () => input.value.trim() };
};
/** @param {string} name @param {number} value @param {Attributes} limits @returns {FormField} */
const number = (name, value, limits = {}) => {
  const { input, row } = field(say(name), { name, type: "number", value: value ?? "", ...limits });
  return { name, row, told: () => (input.value === "" ? null : Number(input.value)) };
};
/** @param {string} name @param {[string, string][]} options @returns {FormField} */
const choice = (name, options) => {
  const select = make("select", { name }, ...options.map(([value, shown]) => make("option", { value }, shown)));
  return { name, row: make("label", {}, say(name), select), told: () => select.value };
};
/** @param {string} name @param {[string, string][]} options @param {string[]} known @returns {FormField} */
export const several = (name, options, known = []) => {
  const boxes = options.map(([value]) => make("input", { type: "checkbox", value, checked: known.includes(value), disabled: known.includes(value) }));
  const rows = options.map(([, shown], at) => make("label", { class: "check" }, boxes[at], ` ${shown}`));
  const told = () => boxes.filter((box) => box.checked && !box.disabled).map((box) => box.value);
  return { name, row: make("fieldset", { class: "checks" }, make("legend", {}, say(name)), ...rows), told };
};
/** @param {string} name @param {boolean} checked @returns {FormField} */
const checkBox = (name, checked) => {
  const box = make("input", { type: "checkbox", name, checked });
  return { name, row: make("label", { class: "check" }, box, ` ${say(name)}`), told: () => box.checked };
};
/** @param {string} name @param {string} asked @param {string} value @returns {FormField} */
const area = (name, asked, value = "") => {
  const input = make("textarea", { name, rows: 8 }, value);
  return { name, row: make("label", {}, say(asked), input), told: () => input.value };
};
/** `U14, women`: what commas part. @param {string} told */
export const listed = (told) => told.split(/[,;|]/).map((each) => each.trim()).filter(Boolean);
const reason = () => text("reason", "", { required: true });
const reasonIfAny = () => text("reason_if_any");
/** @returns {[string, string][]} */
export const named = (listed = people()) => listed.map((each) => [each.player, `${each.number} ${each.name}`]);
const present = () => people().filter((each) => each.status === "present");

/** What was typed stays until it is taken: the action shows what is wrong, or closes the dialog.
 *  @param {string} label @param {(close: () => void) => Promise<unknown>} action @param {Attributes} attributes */
function sends(label, action, attributes = {}) {
  const dialog = /** @type {HTMLDialogElement} */ (byId("dialog"));
  const button = make("button", { type: "button", ...attributes, onclick: async () => {
    /** @type {HTMLInputElement[]} */
    const fields = Array.from(dialog.querySelectorAll("input, select, textarea"));
    if (!fields.every((each) => each.reportValidity())) return;
    button.disabled = true;
    await action(() => dialog.close()).finally(() => { button.disabled = false; });
  } }, label);
  return button;
}

/** Ask for these fields; a number that is left empty is not told. A refusal leaves them as they are.
 *  @param {string} title @param {string} path @param {FormField[]} fields @param {object} body
 *  @param {(said: Record<string, any>) => object} told */
function form(title, path, fields, body = {}, told = (said) => said) {
  const said = () => Object.fromEntries(fields.map((each) => [each.name.replace("_if_any", ""), each.told()]).filter(([, value]) => value !== null));
  const problem = make("div", { role: "alert", hidden: true });
  const send = (/** @type {() => void} */ close, more = {}) => carryOut(path, { ...body, ...told(said()), ...more }, {
    told: problem,
    taken: close,
    refused: (reply) => mark(reply, problem, fields, (rest) => send(rest, { rest: true })),
  });
  open(title, ...fields.map((each) => each.row), problem, sends(say("do_it"), send, { class: "main" }));
}

/** Select the line of a list that was refused; where others are right, they can be recorded without it.
 *  @param {Reply} reply @param {HTMLElement} problem @param {FormField[]} fields
 *  @param {(close: () => void) => Promise<unknown>} recordOthers */
function mark(reply, problem, fields, recordOthers) {
  const area = fields.map((each) => each.row.querySelector("textarea")).find(Boolean);
  const line = reply.body?.line;
  if (!area || !line) return;
  const listed = area.value.split("\n");
  const start = listed.slice(0, line - 1).join("\n").length + (line > 1 ? 1 : 0);
  area.focus();
  area.setSelectionRange(start, start + (listed[line - 1]?.length ?? 0));
  const wrong = /** @type {number[]} */ (reply.body.facts?.lines ?? []);
  const right = listed.filter((text, at) => text.trim() && !wrong.includes(at + 1));
  if (!wrong.length || !right.length) return;
  const left = () => { area.value = listed.filter((_, at) => wrong.includes(at + 1)).join("\n"); problem.hidden = true; };
  problem.lastElementChild?.before(make("button", { type: "button", "data-rest": true, onclick: () => recordOthers(left) }, say("record_others")));
}

const counts = (/** @type {string[]} */ ...first) => choice("counts", [...new Set([...first, "half_bye", "zero_bye", "full_bye"])].map((each) => [each, say(each)]));

/** What the guide says of a penalty is shown while it is written; a step is taken by a press alone.
 *  @param {string} name */
async function penalise(name) {
  const asked = (/** @type {string} */ what) => nextStep(data().tournament, { name, infringement: what });
  const first = await needed(asked(""));
  if (first === null) return;
  if (first.status !== 200) { show(first); return; }
  /** @type {{ level: string, halves: number }[]} */
  const guide = first.body.data.guide;
  const what = text("infringement", "", { maxlength: 80, list: "infringements" });
  const why = reason();
  const level = choice("level", [["", say("level_none")], ...guide.map((each) => /** @type {[string, string]} */ ([each.level, each.halves ? `${each.level} (−${each.halves / 2})` : each.level]))]);
  const points = number("points", 0, { min: 0, max: 999, step: 0.5, required: true });
  const [select, off] = [level.row.querySelector("select"), points.row.querySelector("input")];
  const chosen = () => { const step = guide.find((each) => each.level === select?.value); if (step && off) off.value = `${step.halves / 2}`; };
  select?.addEventListener("change", chosen);
  const told = make("div", { class: "why", role: "status" });
  const last = onlyLast();
  const showNext = (/** @type {Reply | null} */ reply) => {
    if (reply?.status === 200) told.replaceChildren(...proposal(reply, (step) => { if (select) select.value = step; chosen(); }));
  };
  const again = async () => showNext(await last(asked(what.told() || why.told())));
  for (const each of [what, why]) each.row.addEventListener("change", again);
  showNext(first);
  const known = make("datalist", { id: "infringements" }, ...[...first.body.data.before, ...first.body.data.others].map((each) => make("option", { value: each.infringement || each.reason })));
  form(`${say("penalise")} · ${called(name).name}`, "/penalties", [what, why, { name: "told", row: told, told: () => null }, level, points], { name }, ({ points: lost, ...said }) => ({ ...said, halves: Math.round(lost * 2) }));
  told.after(known);
}

/** What can be told of one player. */
/** @type {Record<string, (name: string) => unknown>} */
const OF_A_PLAYER = {
  edit: (name) => {
    const { club, rating, seed, fixed_table: table, sections, ...details } = called(name);
    const none = { min: 0, max: 9999, required: true };
    const word = { autocapitalize: "none", autocomplete: "off", spellcheck: false };
    form(say("edit"), "/players/edit", [
      text("club", club, { maxlength: 80 }), number("rating", rating, none), number("seed", seed ?? 0, none), number("fixed_table", table ?? 0, { ...none, max: 999 }),
      ...Object.entries(data().details).map(([detail, maxlength]) => text(detail, `${details[detail]}`, { ...word, maxlength })),
      text("sections", sections.join(", "), { autocomplete: "off" }),
    ], { name }, ({ sections: labels, ...said }) => ({ ...said, sections: listed(labels) }));
  },
  bye: (name) => form(say("bye"), "/players/bye", [number("round", data().rounds + 1, { min: 1, max: 99, required: true }), counts()], { name }),
  fee: (name) => void carryOut("/players/fee", { names: [name], paid: !called(name).paid }),
  penalise: (name) => penalise(name),
  merge: (name) => form(say("merge"), "/players/merge", [choice("other", named().filter(([player]) => player !== name)), reason()], { name }),
  unregister: (name) => form(say("unregister"), "/players/unregister", [reasonIfAny()], { name }),
  invite: (name) => invite({ names: [name] }),
  "team-set": openRoster,
  "line-up": openLineUp,
};

/** @param {HTMLElement} button */
function more({ dataset: { player = "" } }) {
  const { may } = data();
  const buttons = Object.entries(OF_A_PLAYER).filter(([name]) => may[name]).map(([name, opened]) => does(say(name), () => opened(player), { "data-of": name }));
  open(called(player).name, make("div", { class: "choices" }, ...buttons));
}

/** Codes for phones are shown once: as cards, to be scanned here or printed.
 *  @param {object} whom */
async function invite(whom) {
  const reply = await tell("/players/invitations", whom);
  if (reply.status !== 200) { show(reply); return; }
  const cards = byId("cards");
  /** @type {{ invitations: { name: string, code: string, number: number }[] }} */
  const { invitations } = reply.body.data;
  cards.replaceChildren(
    make("h2", {}, say("cards")),
    make("p", { class: "choices" }, make("button", { type: "button", onclick: () => print() }, say("print")), make("button", { type: "button", class: "plain", onclick: () => { cards.hidden = true; document.body.classList.remove("with-cards"); } }, say("done"))),
    make("div", { class: "grid" }, ...invitations.map(({ name, code, number: at }) => make("figure", {}, make("img", { src: `/j/${code}/qr.svg`, alt: code, width: 160, height: 160 }), make("figcaption", {}, make("b", {}, `${at} ${name}`), make("span", { class: "code" }, code))))),
  );
  cards.hidden = false;
  document.body.classList.add("with-cards");
  cards.scrollIntoView();
}

/** The sheet by which a table lays out its piles, to be printed, and the way to reveal the deal.
 *  @param {import("./tournament_deals.js").Deal} deal */
function opened(deal) {
  const rows = Object.entries(deal.piles ?? {}).map(([pile, items]) => make("li", {}, make("b", {}, pile), ` ${items.map((item, at) => `${at + 1} ${item}`).join(" · ")}`));
  const cards = byId("cards");
  const closed = () => { cards.hidden = true; document.body.classList.remove("with-cards"); };
  cards.replaceChildren(
    make("h2", { dir: "auto" }, deal.name),
    make("p", { class: "choices" },
      make("button", { type: "button", onclick: () => print() }, say("deal_sheet")),
      make("button", { type: "button", "data-do": "reveal", onclick: async () => { if (await carryOut("/deals", deal)) closed(); } }, say("deal_reveal")),
      make("button", { type: "button", class: "plain", onclick: closed }, say("done"))),
    make("ul", { class: "rules" }, ...rows));
  cards.hidden = false;
  document.body.classList.add("with-cards");
  cards.scrollIntoView();
}

/** @param {HTMLInputElement} input */
export async function openDeal(input) {
  const [file] = Array.from(input.files ?? []);
  const deal = file === undefined ? null : await readDeal(file);
  input.value = "";
  if (deal === null) show({ status: 400, body: { detail: say("deal_unreadable") } });
  else opened(deal);
}

/** @param {ApiBody} body @returns {{ id: string, question: Record<string, string>, values: Record<string, Record<string, string>> }[]} */
const readingsOf = (body) => body.data.readings;

async function reading() {
  const { lang } = document.documentElement;
  const games = Object.keys(data().games);
  const found = await needed(Promise.all(games.map((game) => ask("GET", `/engines/${game}/readings`))));
  if (found === null) return;
  const failed = found.find(({ status }) => status !== 200);
  if (failed) { show(failed); return; }
  /** @type {[string, string][]} */
  const listed = found.flatMap(({ body }, at) => readingsOf(body).flatMap(({ id, question, values }) => Object.entries(values).map(([value, meaning]) => /** @type {[string, string]} */ ([`${games[at]} ${id} ${value}`, `${question[lang]} ${meaning[lang]}`]))));
  if (!listed.length) { show({ status: 400, body: { detail: `${Object.values(data().games).join(", ")}: –` } }); return; }
  form(say("reading"), "/readings", [choice("reading", listed), reason()], {}, ({ reading: told, ...said }) => {
    const [game, name, value] = told.split(" ");
    return { ...said, game, reading: name, value };
  });
}

/** Zones are written as a list, and told anew as a whole. */
async function zones() {
  const found = await needed(ask("GET", `/tournaments/${data().tournament}/zones`));
  if (found === null) return;
  if (found.status !== 200) { show(found); return; }
  /** @type {{ zones: { judge: string, first: number, last: number }[], judges: string[] }} */
  const known = found.body.data;
  const area = make("textarea", { name: "zones", rows: 6 });
  area.value = known.zones.map(({ judge, first, last }) => `${judge} ${first}-${last}`).join("\n");
  const told = () => {
    const listed = area.value.split("\n").filter((line) => line.trim()).map((line) => /^(.+?)[\s=:]+(\d{1,3})(?:\s*[-–]\s*(\d{1,3}))?$/.exec(line.trim()));
    if (listed.includes(null)) show({ status: 400, body: { detail: say("bad_zone") } });
    else carryOut("/zones", { zones: listed.map((each) => [each?.[1]?.trim(), Number(each?.[2]), Number(each?.[3] ?? each?.[2])]) });
  };
  open(say("zones"), make("label", {}, say("zone_lines"), area), known.judges.length ? make("p", { class: "quiet" }, say("zone_judges", { names: known.judges.join(", ") })) : null, does(say("do_it"), told, { class: "main" }));
}

/** The first of an earlier event go on here. */
async function qualify() {
  const found = await needed(ask("GET", "/tournaments"));
  if (found === null) return;
  if (found.status !== 200) { show(found); return; }
  /** @type {{ tournament: string, name: string }[]} */
  const others = found.body.data.tournaments.filter((/** @type {{ tournament: string }} */ each) => each.tournament !== data().tournament);
  form(say("qualify"), "/players/qualified", [choice("earlier_event", others.map((each) => [each.tournament, each.name])), number("how_many_go_on", 8, { min: 1, max: 999, required: true }), checkBox("keep_points", false)], {}, (told) => ({ event: told.earlier_event, top: told.how_many_go_on, carry: told.keep_points }));
}

async function check() {
  const reply = await needed(ask("GET", `/tournaments/${data().tournament}/check`));
  if (reply === null) return;
  const told = reply.status === 200 ? lines(reply) : reply.body.told ?? lines(reply);
  open(say("check"), make("pre", { class: "why", tabindex: "0" }, told.join("\n")));
}

/** `3:1 1:3`: from table to table. */
const moved = (/** @type {Record<string, any>} */ { moves }) => ({ moves: moves.trim().split(/[\s,]+/).map((/** @type {string} */ each) => each.split(":").map(Number)) });

/** @type {Record<string, (button: HTMLElement) => unknown>} */
export const forms = {
  more,
  "team-set": ({ dataset: { player = "" } }) => openRoster(player),
  invite: () => invite({ everybody: true }),
  move: () => form(say("move"), "/round/tables", [text("moves")], here(), moved),
  "result-list": () => form(say("result-list"), "/results/list", [area("lines", "lines")], here()),
  "prizes-set": () => form(say("prizes-set"), "/prizes", [area("lines", "prize_lines", data().prizes.lines), checkBox("several", data().prizes.several)]),
  fee: ({ dataset: { player }, ariaPressed }) => carryOut("/players/fee", { names: [player], paid: ariaPressed !== "true" }),
  "clock-extend": () => form(say("clock-extend"), "/clock/extension", [number("minutes_more", 5, { min: -600, max: 600, required: true }), choice("table", [["", say("all_tables")], ...data().tables.map((each) => /** @type {[string, string]} */ ([each, each]))]), reasonIfAny()], here(), ({ minutes_more: minutes, table, ...said }) => ({ ...said, minutes, ...(table ? { table: Number(table) } : {}) })),
  "round-check-in": () => {
    const round = data().rounds + 1;
    const known = people().filter((each) => each.here_for.includes(round)).map((each) => each.player);
    form(say("round-check-in", { round }), "/round/check-in", [several("names", named(present()), known)], { round });
  },
  late: ({ dataset: { player: name } }) => form(called(name).name, "/players/late", [choice("missed", ["zero_bye", "half_bye", "full_bye"].map((each) => [each, say(each)]))], { name }),
  lot: () => form(say("lot"), "/lots", [several("names", named()), reason()], { seed: anySeed() }),
  reading,
  revise: () => form(say("revise"), "/plan", [number("rounds", data().planned, { min: 1, max: 99, required: true }), reason()]),
  check,
  "keep-apart": () => form(say("keep-apart"), "/apart", [several("names", named()), reason()]),
  zones,
  "hall-set": () => form(say("hall-set"), "/hall", [area("rows", "hall_lines", data().hall.join("\n"))], {}, ({ rows }) => ({ rows: rows.split("\n").filter((/** @type {string} */ line) => line.trim()) })),
  "line-ups-due": () => {
    const { round, until } = data().line_ups;
    const { input, row } = field(say("until", { round }), { name: "until", type: "datetime-local", value: until ? asField(until) : "" });
    form(say("line-ups-due"), "/teams/line-ups/deadline", [{ name: "until", row, told: () => input.value }], { round }, ({ until: at }) => (at ? { until: new Date(at).toISOString() } : {}));
  },
  "apart-end": ({ dataset }) => form(say("apart-end"), `/apart/${dataset.number}/withdrawal`, [reason()]),
  "penalty-cancel": ({ dataset }) => form(say("penalty-cancel"), `/penalties/${dataset.number}/cancellation`, [reason()]),
  "finals-cancel": () => form(say("finals-cancel"), "/finals/cancellation", [reason()]),
  byes: () => form(say("byes"), "/players/byes", [several("names", named()), number("first_rounds", 1, { min: 1, max: 99, required: true }), counts("full_bye")], {}, ({ first_rounds: rounds, ...said }) => ({ ...said, rounds })),
  qualify,
  seed: () => form(say("change_seed"), "/players/seed", [choice("name", named()), number("to", 1, { min: 1, max: people().length, required: true })]),
  finalist: () => {
    const on = data().finalists;
    /** @type {[string, string][]} */
    const playing = on.map((player, at) => [player, `${at + 1}. ${called(player).name}`]);
    form(say("finalist"), "/finals/replacement", [choice("name", playing), choice("substitute", data().substitutes), reason()]);
  },
};
