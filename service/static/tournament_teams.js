// The people of teams: who plays for one, and who sits at which board of a round.

import { ask, data, make, say } from "./common.js";
import { does, field, needed, open } from "./dialog.js";
import { carryOut, show } from "./tournament_results.js";

/** @typedef {{ player: string, name: string }} Person */
/** @typedef {{ name: string, members: (Person & { captain: boolean, away: boolean })[], captain: Person | null, line_up: Person[] }} Team */

/** @param {string} team @returns {Promise<{ boards: number, round: number, team: Team } | null>} */
async function known(team) {
  const reply = await needed(ask("GET", `/tournaments/${data().tournament}/teams?${new URLSearchParams({ team })}`));
  if (reply === null) return null;
  if (reply.status !== 200) { show(reply); return null; }
  const { boards, round, teams: [found] } = reply.body.data;
  return { boards, round, team: found };
}

/** A name a line; who is marked with a star is not there.
 *  @param {string} told */
export function roster(told) {
  const lines = told.split("\n").map((line) => line.trim()).filter((line) => line.replace(/\*/g, "").trim());
  const name = (/** @type {string} */ line) => line.replace(/\s*\*\s*$/, "");
  return { members: lines.map(name), away: lines.filter((line) => line.endsWith("*")).map(name) };
}

/** @param {Team} team */
export const rosterLines = (team) => team.members.map(({ name, away }) => (away ? `${name} *` : name)).join("\n");

/** The members of a team as a list, told anew as a whole. @param {string} team */
export async function openRoster(team) {
  const found = await known(team);
  if (found === null) return;
  const area = make("textarea", { name: "members", rows: 8, maxlength: 2000 });
  area.value = rosterLines(found.team);
  const captain = field(say("captain"), { name: "captain", value: found.team.captain?.name ?? "", maxlength: 40 });
  const namesake = make("input", { type: "checkbox", name: "namesake" });
  const told = () => carryOut("/teams", { team, ...roster(area.value), captain: captain.input.value.trim(), namesake: namesake.checked });
  open(`${say("team-set")} · ${found.team.name}`, make("label", {}, say("member_lines"), area), captain.row, make("label", { class: "check" }, namesake, ` ${say("namesake")}`), does(say("do_it"), told, { class: "main" }));
}

/** Who plays, board by board. Boards that stay empty are the last ones.
 *  @param {string[]} chosen */
export const filled = (chosen) => chosen.filter(Boolean);

/** @param {string} team */
export async function openLineUp(team) {
  const found = await known(team);
  if (found === null) return;
  const { boards, round, team: { name, members, line_up: now } } = found;
  const selects = Array.from({ length: boards }, (_, at) => {
    const select = make("select", { name: `board-${at + 1}` }, make("option", { value: "" }, "–"), ...members.map((each) => make("option", { value: each.player }, each.name)));
    select.value = now[at]?.player ?? "";
    return make("label", {}, say("board", { board: at + 1 }), select);
  });
  const told = () => carryOut("/teams/line-up", { team, round, names: filled(selects.map((row) => row.querySelector("select")?.value ?? "")) });
  const back = does(say("line_up_clear"), () => carryOut("/teams/line-up", { team, round, names: [] }), { class: "plain" });
  open(`${say("line-up")} · ${name} · ${say("round_of", { round })}`, ...selects, does(say("do_it"), told, { class: "main" }), back);
}
