// What people type with numbers in it, read as they mean it: whatever digits there are, and however it is parted.

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { Page } from "./page.js";
import { runs } from "./steady.js";

const number = fc.constantFrom(0, 1, 9, 10, 20, 100, 109, 999);
const name = fc.constantFrom("Ana", "Bo 2", "M1", "S10", "U14", "B-0", "10");
const plain = (told) => JSON.parse(JSON.stringify(told));
const two = (part) => String(part).padStart(2, "0");
const pair = (one, other) => fc.tuple(one, other);

const WORDS = { bad_zone: "no zone", do_it: "ok" };
const hall = (body = "", more = {}) => new Page({
  url: "https://referee.test/tournaments/t1/desk",
  shown: { body: `<p id="state"></p><p id="told" hidden></p><p id="find"></p><div class="column"></div><dialog id="dialog"></dialog>${body}`, data: { tournament: "t1", version: 1, round: 1, rounds: 1, clock: null, people: [], hears_calls: false }, words: WORDS },
  answer: ({ method }) => ({ body: method === "GET" ? { data: { zones: [], judges: [] } } : { data: { game: "g9" }, told: ["done"], warnings: [], version: 2 } }),
  ...more,
});

/** What a page's own form tells when this is typed into its only field. */
const typedInto = (action, field, wanted) => async (page, { forms }, text) => {
  await forms[action]({ dataset: {} });
  page.find(`#dialog ${field}`).value = text;
  await page.click("#dialog button.main");
  return page.requests.at(-1).body[wanted];
};

const fields = (names) => names.map((each) => `<input name="${each}">`).join("");
const RULES = `<form>${fields(["game", "format", "rounds", "system", "least", "preferred", "most", "points", "bye", "half_bye", "tied_first", "point_list", ...[2, 3, 4, 5, 6, 7, 8].map((size) => `size_${size}`), "minutes", "on_time", "table_numbers", "unplayed_rounds", "penalty_level", "penalty_points", "match_games", "match"])}
${["accelerated", "check_in", "roster_order"].map((each) => `<input type="checkbox" name="${each}">`).join("")}</form>`;
const OPENING = `<div id="presets"></div><form id="opening" data-engine="benevolent" data-players="2"><datalist id="known-names"></datalist>${fields(["A", "B", "line", "title", "minutes", "per", "increment"])}<input type="checkbox" name="calls"><input type="checkbox" name="seats_log"><button type="button" id="keep-preset"></button></form><p id="problem" hidden></p>`;

/** Each reader: its script; what is meant; how that is written; what the page makes of it, and what it should. */
const READERS = {
  "pieces, some of them several times": {
    script: "tournament_deals.js",
    meant: fc.array(fc.tuple(fc.constantFrom("M1", "S10", "7", "10"), fc.option(number), fc.constantFrom("*", "×"), fc.constantFrom(" ", ", ", ";", "\n"))),
    write: (all) => all.map(([item, times, sign, gap]) => `${item}${times === null ? "" : `${sign}${times}`}${gap}`).join(""),
    read: (page, { pieces }, text) => pieces(text),
    naive: (all) => {
      const found = [];
      for (const [item, times] of all) for (let count = 0; count < (times ?? 1); count += 1) found.push(item);
      return found;
    },
  },
  "a slip: places with or without points, who did not come, measures": {
    script: "tournament_results.js",
    meant: fc.array(fc.oneof(
      fc.record({ places: fc.constantFrom("A", "B", "A=B") }),
      fc.record({ places: pair(fc.constantFrom("A", "C"), number).map((both) => both.join("=")) }),
      fc.record({ absent: fc.constantFrom("A", "B", "C") }),
      fc.record({ measures: pair(fc.constantFrom(1, -1), number).map(([sign, of]) => sign * of || 0) }),
    )),
    write: (all) => ` ${all.map(({ places, absent, measures }) => places ?? (absent ? `-${absent}` : measures)).join("  ")} `,
    read: (page, { slip }, text) => slip(text),
    naive: (all) => {
      const found = { places: [], absent: [], measures: [] };
      for (const each of all) for (const [kind, value] of Object.entries(each)) found[kind].push(value);
      if (!found.measures.length) delete found.measures;
      return found;
    },
  },
  "players, a line each": {
    script: "tournament_desk.js",
    meant: fc.array(fc.record({ name, club: fc.constantFrom("", "North 10"), rating: fc.option(number), sections: fc.array(name, { maxLength: 2 }), gap: fc.constantFrom("; ", "\t", ";") })),
    write: (all) => all.map(({ gap, name: who, club, rating, sections }) => [who, club, rating ?? "", sections.join(", ")].join(gap)).join("\n\n"),
    read: (page, { entries }, text) => entries(text),
    naive: (all) => all.map(({ name: who, club, rating, sections }) => ({ name: who, club, rating: rating ?? 0, ...(sections.length ? { sections } : {}) })),
  },
  "a schedule": {
    script: "tournament_broadcast.js",
    meant: fc.array(fc.record({ day: fc.constantFrom(1, 9, 10, 20, 30), month: fc.constantFrom(1, 9, 10, 11), hour: fc.constantFrom(0, 1, 9, 10, 20, 23), minute: fc.constantFrom(0, 1, 9, 10, 50, 59), text: name, short: fc.boolean(), again: fc.boolean() })),
    write: (all) => all.map(({ day, month, hour, minute, text, short, again }, at) => {
      const same = at > 0 && all[at - 1].day === day && all[at - 1].month === month;
      return `${same && again ? "" : `2026-${two(month)}-${two(day)} `}${short ? hour : two(hour)}:${two(minute)}  ${text}`;
    }).join("\n"),
    read: (page, { items }, text) => items(text),
    naive: (all) => all.map(({ day, month, hour, minute, text }) => ({ at: new Date(2026, month - 1, day, hour, minute).toISOString(), text })),
  },
  "points of a season": {
    script: "season.js",
    meant: fc.record({ places: fc.array(number), others: number, counted: fc.option(number), start: number, k: number, gap: fc.constantFrom("-", ", ", " ") }),
    write: ({ places, gap, others, counted, start, k }) => ({ kind: "places", places: places.join(gap), others: String(others), counted: String(counted ?? ""), elo_start: String(start), elo_k: String(k) }),
    read: (page, { rulesOf }, told) => {
      const { points, counted, elo } = rulesOf({ get: (key) => told[key] ?? null, has: () => false });
      return { points, counted, elo };
    },
    naive: ({ places, others, counted, start, k }) => ({ points: { kind: "places", places, others }, counted, elo: { start, k } }),
  },
  "zones of judges": {
    script: "tournament_forms.js",
    meant: fc.array(fc.record({ judge: fc.constantFrom("Jo", "Jo 2", "Al B"), first: number, last: fc.option(number), gap: fc.constantFrom(" ", " = ", ": "), to: fc.constantFrom("-", " – ") })),
    write: (all) => all.map(({ judge, first, last, gap, to }) => `${judge}${gap}${first}${last === null ? "" : `${to}${last}`}`).join("\n\n"),
    read: typedInto("zones", "textarea", "zones"),
    naive: (all) => all.map(({ judge, first, last }) => [judge, first, last ?? first]),
  },
  "tables that are featured": {
    script: "tournament_broadcast.js",
    body: '<form data-broadcast="featured"><input name="tables"></form>',
    meant: fc.array(number),
    write: (all) => all.join(all.length % 2 ? ", " : " "),
    read: async (page, _, text) => {
      page.find("[name=tables]").value = text;
      await page.submit("form");
      return page.requests.at(-1).body.tables;
    },
    naive: (all) => all,
  },
  "tables that move": {
    script: "tournament_forms.js",
    meant: fc.array(pair(number, number), { minLength: 1 }),
    write: (all) => ` ${all.map((each) => each.join(":")).join(", ")}`,
    read: typedInto("move", "[name=moves]", "moves"),
    naive: (all) => all,
  },
  "rules of a plan: points, halves among them, minutes, seats, penalties": {
    script: "tournament_rules.js",
    body: RULES,
    meant: fc.record({ list: fc.array(pair(number, fc.boolean()), { minLength: 1 }), size: fc.array(pair(number, fc.boolean())), half: fc.constantFrom(",5", ".5", "½"), gap: fc.constantFrom(" ", "/", "; ", "-"), bye: fc.option(number), minutes: fc.option(number), rounds: number, seats: fc.option(number), lost: number }),
    write: ({ list, size, half, gap, bye, minutes, rounds, seats, lost }) => {
      const points = (all) => all.map(([each, more]) => `${each}${more ? half : ""}`).join(gap);
      return { points: "places", point_list: points(list), size_3: points(size), bye: bye ?? "", minutes: minutes ?? "", rounds, preferred: seats ?? "", penalty_level: "late", penalty_points: lost };
    },
    read: (page, { told }, typed) => {
      const form = page.find("form");
      for (const [field, to] of Object.entries(typed)) form.querySelector(`[name=${field}]`).value = String(to);
      const { scoring, time, rounds, seats, penalties } = told(form);
      return { scoring, time: time?.minutes ?? null, rounds, seats: seats?.preferred ?? null, penalties };
    },
    naive: ({ list, size, bye, minutes, rounds, seats, lost }) => {
      const halves = (all) => all.map(([each, more]) => 2 * each + (more ? 1 : 0));
      return { scoring: { kind: "places", places: halves(list), by_size: size.length ? { 3: halves(size) } : {}, ...(bye === null ? {} : { bye: 2 * bye }) }, time: minutes, rounds, seats, penalties: [{ name: "late", halves: 2 * lost }] };
    },
  },
  "minutes of a table's clock": {
    script: "new_table.js",
    body: OPENING,
    meant: fc.record({ minutes: number, more: fc.constantFrom("", ",5", ".5", ",25"), increment: number }),
    write: ({ minutes, more, increment }) => ({ minutes: `${minutes}${more}`, increment, per: "seat" }),
    read: async (page, _, typed) => {
      for (const [field, to] of Object.entries(typed)) page.find(`#opening [name=${field}]`).value = String(to);
      await page.submit("#opening");
      const clock = page.requests.find(({ path }) => path.endsWith("/clock"));
      return clock ? [clock.body.seconds, clock.body.increment] : null;
    },
    naive: ({ minutes, more, increment }) => {
      const seconds = 60 * minutes + { "": 0, ",5": 30, ".5": 30, ",25": 15 }[more];
      return seconds ? [seconds, increment] : null;
    },
  },
  "the step in an address": {
    script: "stepping.js",
    meant: pair(fc.option(number), fc.option(number)),
    write: ([hash, at]) => ({ hash: hash === null ? "" : `#${hash}`, search: at === null ? "" : `?at=${at}` }),
    read: (page, { addressed }, place) => addressed(place),
    naive: ([hash, at]) => hash ?? at,
  },
};

for (const [what, { script, body, meant, write, read, naive }] of Object.entries(READERS)) {
  test(`what is typed is read as it is meant: ${what}`, async () => {
    const asks = new Set(["new_table.js", "tournament_forms.js"]).has(script);
    const once = asks ? null : hall(body);
    const exported = await once?.run(script);
    await fc.assert(fc.asyncProperty(meant, async (told) => {
      const page = once ?? hall(body);
      const found = await read(page, exported ?? await page.run(script), write(told));
      assert.deepEqual(plain(found ?? null), plain(naive(told)));
    }), { numRuns: asks ? runs(60) : 100 });
  });
}

const filled = (action, path, told, ...extra) => ({ script: "tournament_forms.js", open: (page, { forms }) => forms[action]({ dataset: { player: "p1" } }), send: (page) => page.click("#dialog button.main"), path, told, ...Object.assign({}, ...extra) });
const PLAYER = { player: "p1", name: "Ana", number: 1, club: "North", rating: 0, seed: 3, fixed_table: 4, sections: ["U14", "women"], federation: "SUI", licence: "L-1", status: "present" };
const KNOWN = {
  people: [PLAYER], may: { edit: true }, details: { federation: 3, licence: 11 }, hall: ["A 1-4", "B 5-8"], prizes: { lines: "1: a cup", several: false }, line_ups: { round: 2, until: "2026-03-01T10:00:00.000Z" },
};
const own = (name, value, more = "") => `<input name="${name}" value="${value}" ${more}>`;
const first = (form) => (page) => page.submit(form);

/**
 * Each form in which something stands that a request says: its script, what is shown; and of each field
 * that may be emptied what is told while it stands there, and what once it is empty.
 */
const FORMS = {
  "the settings of a collection": {
    script: "collections.js", send: first("form"), path: "/collections/k1",
    body: `<form data-tells="/collections/k1">${own("name", "Openings")}<textarea name="about">All of May</textarea><select name="visibility"><option value="link" selected></option></select><p role="alert"></p></form>`,
    always: { visibility: "link" }, told: { name: ["Openings", ""], about: ["All of May", ""] },
  },
  "a chapter of a collection": {
    script: "collections.js", send: first("form"), path: "/collections/k1/chapters",
    body: `<form data-tells="/collections/k1/chapters"><input type="hidden" name="chapter" value="c1">${own("title", "The end")}${own("at", "27", 'data-number data-emptied="end"')}${own("place", "2", "data-number")}<p role="alert"></p></form>`,
    always: { chapter: "c1" }, told: { title: ["The end", ""], at: [27, "end"], place: [2, undefined] },
  },
  "people of a season": {
    script: "season.js", send: first("form"), path: "/seasons/s1/players",
    body: `<form data-post="/seasons/s1/players"><textarea name="names">Ana\n Bo 2 </textarea>${own("club", "North")}</form><p id="problem" hidden></p>`,
    told: { names: [["Ana", "Bo 2"], []], club: ["North", ""] },
  },
  "the rulebook's wording of a clause": {
    script: "wording.js", send: first("#wording"), path: "/engines/toy/box/wording",
    body: '<form id="wording" data-engine="toy" data-clause="T-1"><textarea name="said">Take three.</textarea></form><p id="problem" hidden></p>',
    always: { clause: "T-1" }, told: { said: ["Take three.", ""] },
  },
  "registration of an event": {
    script: "tournament_desk.js", send: first("[data-form=registration]"), path: "/tournaments/t1/registration",
    body: `<form data-form="registration">${own("capacity", "12", 'type="number"')}${own("closes", "2026-03-01T10:00")}</form>`,
    always: { open: true, asks: [] }, told: { capacity: [12, null], closes: [new Date("2026-03-01T10:00").toISOString(), null] },
  },
  "featured tables": {
    script: "tournament_broadcast.js", send: first("form"), path: "/tournaments/t1/broadcast/featured",
    body: `<form data-broadcast="featured">${own("tables", "3, 4")}</form>`, always: { round: 1 }, told: { tables: [[3, 4], []] },
  },
  "the schedule of an event": {
    script: "tournament_broadcast.js", send: first("form"), path: "/tournaments/t1/broadcast/schedule", field: { items: "lines" },
    body: '<form data-broadcast="schedule"><textarea name="lines">2026-03-01 10:00 Lunch</textarea></form>',
    told: { items: [[{ at: new Date(2026, 2, 1, 10).toISOString(), text: "Lunch" }], []] },
  },
  "the rows of a hall": filled("hall-set", "/tournaments/t1/hall", { rows: [KNOWN.hall, []] }),
  "what lists say of a player": {
    ...filled("more", "/tournaments/t1/players/edit", { club: ["North", ""], federation: ["SUI", ""], licence: ["L-1", ""], sections: [["U14", "women"], []] }),
    open: async (page, { forms }) => {
      forms.more({ dataset: { player: "p1" } });
      await page.click("#dialog [data-of=edit]");
    },
    always: { name: "p1", rating: 0, seed: 3, fixed_table: 4 },
  },
  "the rules of a season": {
    script: "season.js", send: first("form"), path: "/seasons/s1/rules",
    body: `<form data-post="/seasons/s1/rules" data-rules>${own("reason", "late")}${own("kind", "places")}${own("places", "9-4")}${own("others", "1")}${own("counted", "3")}${own("points_for", "players")}${own("elo_start", "1500")}${own("elo_k", "32")}</form><p id="problem" hidden></p>`,
    read: ({ reason, rules: { points, counted } }) => ({ reason, places: points.places, others: points.others, counted }),
    told: { reason: ["late", ""], places: [[9, 4], []], others: [1, 0], counted: [3, null] },
  },
  "the prizes of an event": filled("prizes-set", "/tournaments/t1/prizes", { lines: ["1: a cup", ""] }, { always: { several: false } }),
  "until when line-ups are told": filled("line-ups-due", "/tournaments/t1/teams/line-ups/deadline", { until: [KNOWN.line_ups.until, undefined] }, { always: { round: 2 } }),
  "zones of judges": filled("zones", "/tournaments/t1/zones", { zones: [[["Jo", 1, 4]], []] }),
  "the people of a team": filled("team-set", "/tournaments/t1/teams", { members: [["Ana", "Bo"], []], captain: ["Bo", ""] }, { always: { team: "p1", away: [], namesake: false } }),
};
const STANDS = { zones: [{ judge: "Jo", first: 1, last: 4 }], judges: [], boards: 2, round: 1, teams: [{ name: "North", members: [{ player: "p2", name: "Ana", away: false }, { player: "p3", name: "Bo", away: false }], captain: { player: "p3", name: "Bo" }, line_up: [] }] };

for (const [what, { script, body = "", open = () => {}, send, path, always = {}, told, field = {}, read = (said) => said }] of Object.entries(FORMS)) {
  test(`what had been there and is emptied is told as empty: ${what}`, async () => {
    const each = fc.subarray(Object.keys(told));
    for (const emptied of [[], Object.keys(told), ...fc.sample(each, 6)]) {
      const page = hall(body, { answer: ({ method }) => (method === "GET" ? { body: { data: STANDS } } : { status: 409, body: { detail: "no" } }) });
      Object.assign(page.shown.data, KNOWN);
      page.window.document.querySelector("#data").textContent = JSON.stringify(page.shown.data);
      await open(page, await page.run(script));
      for (const name of emptied) page.find(`form [name=${field[name] ?? name}], #dialog [name=${field[name] ?? name}]`).value = "";
      await send(page);
      const request = page.requests.at(-1);
      const expected = Object.entries(told).map(([name, [stands, empty]]) => [name, emptied.includes(name) ? empty : stands]);
      assert.equal(request.path, path);
      assert.deepEqual(plain(read(request.body)), plain({ ...always, ...Object.fromEntries(expected) }), emptied.join());
    }
  });
}
