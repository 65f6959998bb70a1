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
      const [, clock] = page.requests;
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
