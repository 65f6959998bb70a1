// The desk's part of the broadcast: who may watch and how late, boards, commentary, schedule; and the
// remote control of the big screens.

import { ask, data, freshKey, meant, refresh, say, tellOnce } from "./common.js";
import { carryOut, show } from "./tournament_results.js";

const two = (/** @type {number} */ number) => String(number).padStart(2, "0");

/** @param {Date} when */
const dayOf = (when) => `${when.getFullYear()}-${two(when.getMonth() + 1)}-${two(when.getDate())}`;

/** A schedule as it is written, in the time of this place: each day is named by its first line.
 *  @param {{ at: string, text: string }[]} items */
export function asLines(items) {
  const days = items.map(({ at }) => dayOf(new Date(at)));
  return items.map(({ at, text }, index) => {
    const when = new Date(at);
    const day = days[index] === days[index - 1] ? "" : `${days[index]} `;
    return `${day}${two(when.getHours())}:${two(when.getMinutes())} ${text}`;
  }).join("\n");
}

/** The items of a schedule, one a line, on the day of the line before or today; or the number of a line that is none.
 *  @param {string} text @returns {{ at: string, text: string }[] | number} */
export function items(text) {
  const found = [];
  let day = dayOf(new Date());
  for (const [index, line] of text.split("\n").entries()) {
    if (line.trim() === "") continue;
    const [, other, time, what] = /^(?:(\d{4}-\d{2}-\d{2})[ T]+)?(\d{1,2}:\d{2})\s+(.+)$/.exec(line.trim()) ?? [];
    day = other ?? day;
    const when = new Date(`${day}T${(time ?? "").padStart(5, "0")}:00`);
    if (what === undefined || Number.isNaN(when.getTime())) return index + 1;
    found.push({ at: when.toISOString(), text: what });
  }
  return found;
}

/** @type {Record<string, (told: FormData, form: HTMLFormElement) => unknown>} */
const forms = {
  access: async (told) => {
    const body = { open_to: told.has("open") ? "everybody" : "members", delay_seconds: Math.round(Number(told.get("minutes")) * 60), delay_entries: Number(told.get("entries")), until_result: told.has("until_result") };
    const reply = await ask("PATCH", `/tournaments/${data().tournament}/access`, body, { "Idempotency-Key": freshKey() });
    show(reply);
    if (reply.status === 200) await refresh();
  },
  featured: (told) => carryOut("/broadcast/featured", { tables: (String(told.get("tables")).match(/\d+/g) ?? []).map(Number), round: data().round }),
  comments: async (told, form) => {
    const table = String(told.get("table"));
    const about = table === "" ? {} : { table: Number(table), round: data().round };
    if (await carryOut("/broadcast/comments", { text: String(told.get("text")).trim(), ...about })) form.reset();
  },
  announcement: async (told, form) => { if (await carryOut("/announcement", { text: String(told.get("text")).trim() })) form.reset(); },
  webhook: async (told, form) => {
    const body = { address: String(told.get("address")), events: told.getAll("events").map(String), scope: data().tournament };
    if (await hook(tellOnce("/webhooks", body))) form.reset();
  },
  schedule: (told) => {
    const found = items(String(told.get("lines")));
    if (typeof found === "number") show({ status: 400, body: { title: say("bad_schedule", { line: found }) } });
    else carryOut("/broadcast/schedule", { items: found });
  },
};

/** What is done with an address that is told of events; whether it was.
 *  @param {ReturnType<typeof ask>} asked */
async function hook(asked) {
  const reply = await asked;
  show(reply);
  if (reply.status === 200) await refresh();
  return reply.status === 200;
}

document.addEventListener("submit", (event) => {
  const form = /** @type {HTMLFormElement} */ (event.target);
  const told = forms[form.dataset.broadcast ?? ""];
  if (told === undefined) return;
  event.preventDefault();
  told(new FormData(form), form);
});
document.addEventListener("click", (event) => {
  if (meant(event, "[data-announce-end]") !== null) { carryOut("/announcement", {}); return; }
  const { hookTry, hookRemove } = meant(event, "[data-hook-try], [data-hook-remove]")?.dataset ?? {};
  if (hookTry !== undefined) hook(tellOnce(`/webhooks/${hookTry}/test`, {}));
  if (hookRemove !== undefined) hook(ask("DELETE", `/webhooks/${hookRemove}`));
  const button = meant(event, "[data-wall], [data-wall-paused], [data-wall-next]");
  const { wall } = data();
  if (button === null || wall === undefined) return;
  if ("wall" in button.dataset) carryOut("/wall", { shows: button.dataset.wall, section: button.dataset.section ?? null, paused: wall.paused, leaf: 0 });
  else if ("wallNext" in button.dataset) carryOut("/wall", { ...wall, leaf: (wall.leaf + 1) % 10_000 });
  else carryOut("/wall", { ...wall, paused: button.dataset.wallPaused === "true" });
});
/** @type {HTMLTextAreaElement | null} */
const written = document.querySelector("[data-schedule]");
if (written !== null) written.value = asLines(JSON.parse(written.dataset.schedule ?? "[]"));
