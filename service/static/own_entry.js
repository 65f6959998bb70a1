// One entry of a player without a phone, on the device on the table: behind a long press it is that
// seat's, until it is said or left. Nothing of it is kept: no queue, no cache, no live region, and the
// answer of the referee, which knows the secret, is not repeated.

import { byId, caughtUp, data, freshKey, make, say } from "./common.js";
import { show, showBriefly } from "./desk.js";
import { needed, open } from "./dialog.js";
import { amounts, remaining, telling } from "./lines.js";
import { component } from "./taps.js";

/** So long it stays open where nobody touches it. */
const LEFT_ALONE = 60_000;

const dialog = /** @type {HTMLDialogElement} */ (byId("dialog"));
/** @type {AbortController | null} */
let entry = null;

/** A request in the role of the seat.
 *  @param {string} seat @param {string} path @param {object} [body] @param {string} key
 *  @returns {Promise<{ status: number, body: ApiBody | null }>} */
async function askAs(seat, path, body, key = "") {
  /** @type {Record<string, string>} */
  const headers = { "Referee-Role": `${document.body.dataset.role}:${seat}`, ...(body ? { "Content-Type": "application/json", "Idempotency-Key": key } : {}) };
  try {
    const reply = await fetch(`/api/v1/games/${data().game}${path}`, {
      method: body ? "POST" : "GET", headers, body: body && JSON.stringify(body), cache: "no-store", credentials: "same-origin",
    });
    return { status: reply.status, body: await reply.json() };
  } catch {
    return { status: 0, body: null };
  }
}

function end() {
  entry?.abort();
  entry = null;
  if (dialog.open) dialog.close();
  dialog.replaceChildren();
}

/** @param {string} seat */
export async function tellHere(seat) {
  end();
  const mine = entry = new AbortController();
  const options = { signal: mine.signal };
  document.addEventListener("visibilitychange", end, options);
  addEventListener("pagehide", end, options);
  const name = data().seats[seat] ?? seat;
  const reply = await needed(askAs(seat, "/options?drawings=true"));
  if (reply === null || mine.signal.aborted) return;
  if (reply.status !== 200) {
    show("bad", [reply.body?.detail ?? say("lost")]);
    return;
  }
  /** @type {{ notation: string, label: string, secret: boolean }[]} */
  const offered = (reply.body?.data.options ?? []).filter((/** @type {{ secret: boolean, notation: string }} */ { secret, notation }) => secret && notation.startsWith(`${seat} `));
  const lines = offered.map(({ notation }) => notation);
  /** @type {Record<string, string>} */
  const names = reply.body?.data.names ?? {};
  // A picture of the club would be asked for by its address, and stay in the browser's cache.
  const shown = { drawings: reply.body?.data.drawings };
  /** The same line said again, because nobody has answered, has the same key.
   *  @type {Record<string, string>} */
  const keys = {};
  const told = make("p", { role: "status" });
  const choosing = make("div", { class: "own-entry" });
  /** @type {string[]} */
  let chosen = [];

  /** @param {string} line */
  const log = async (line) => {
    const answer = await askAs(seat, "/actions", { lines: [line] }, keys[line] ??= freshKey());
    if (mine.signal.aborted) return;
    if (answer.status === 200) {
      end();
      showBriefly(say("secret_told", { name }), answer.body?.version);
      caughtUp(answer.body?.version);
      return;
    }
    const broken = (answer.body?.data?.breaches ?? []).map((/** @type {{ clause: string }} */ { clause }) => clause).join(" ");
    told.textContent = answer.status === 0 ? say("lost") : say("secret_refused", { why: broken });
  };
  const draw = () => {
    const left = remaining(lines, chosen);
    const words = telling(lines, chosen);
    const button = (/** @type {string} */ word) => make("button", { type: "button", "data-own": word, onclick: () => { chosen = [...chosen, word]; draw(); } }, ...component(word, names[word] ?? word, shown));
    const numbers = amounts(left, words.keys());
    const things = Array.from(words.keys()).filter((word) => !numbers.includes(word) && word !== seat);
    const only = left.length === 1 ? left[0] : undefined;
    choosing.replaceChildren(
      make("p", { class: "tapped" }, ...chosen.map((word, at) => make("button", { type: "button", class: "tap", onclick: () => { chosen = chosen.toSpliced(at, 1); draw(); } }, ...component(word, names[word] ?? word, shown), " ✕"))),
      ...[numbers, only === undefined ? things : []].filter((each) => each.length).map((each) => make("div", { class: "choices" }, ...each.map(button))),
      ...(only === undefined ? [] : [make("button", { type: "button", class: "main", "data-do": "own-log", onclick: () => log(only) }, say("log"))]));
  };
  draw();
  const typed = make("input", { type: "password", id: "secret-line", autocomplete: "off", autocapitalize: "none", maxlength: 500, "aria-label": say("secret_line") });
  const typing = make("details", { open: !lines.length }, make("summary", {}, say("tell_type")), typed,
    make("button", { type: "button", "data-do": "send", onclick: () => { if (typed.value.trim()) log(typed.value.trim()); } }, say("log")));
  open(say("tell_here"), make("p", {}, say("tell_here_about", { name })), choosing, told, typing);
  let alone = setTimeout(end, LEFT_ALONE);
  mine.signal.addEventListener("abort", () => clearTimeout(alone));
  dialog.addEventListener("pointerdown", () => { clearTimeout(alone); alone = setTimeout(end, LEFT_ALONE); }, options);
  dialog.addEventListener("close", end, options);
}
