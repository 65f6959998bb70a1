// A game that is over leads on: its result is shared, and the same people play again.

import { announce, ask, data, say, tellOnce } from "./common.js";
import { lieOnTable } from "./device.js";

/** The result card as a picture for other apps; none where the referee cannot paint it.
 *  @returns {Promise<File[]>} */
async function card() {
  try {
    const reply = await fetch(`/api/v1/games/${data().game}/exports/card?names=true`, { credentials: "same-origin" });
    return reply.ok ? [new File([await reply.blob()], "result.png", { type: "image/png" })] : [];
  } catch {
    return [];
  }
}

/** Hand the result to other apps of the device, with its card where they take pictures; or to its clipboard. */
async function share() {
  const text = document.querySelector("#result [data-shared]")?.textContent ?? "";
  const url = `${location.origin}/games/${data().game}/watch`;
  try {
    if (navigator.share) {
      const files = await card();
      const whole = { title: document.title, text, url, files };
      await navigator.share(files.length && navigator.canShare?.(whole) ? whole : { title: document.title, text, url });
    }
    else {
      await navigator.clipboard.writeText(`${text}\n${url}`);
      announce(say("copied"));
      const button = document.querySelector("#result [data-do=share]");
      if (button) button.textContent = say("copied");
    }
  } catch {
    // whoever closes the list of apps has shared nothing, and knows it
  }
}

/** The same table again: its opening, its people, its box and readings, its clock, and who may log and
 *  look on. A device on the table opens it in the role with which it was laid there, and lies on the new one. */
async function rematch() {
  const { game, keeps, again } = data();
  /** @type {Record<string, string>} */
  const role = keeps ? { "Referee-Role": `${keeps}:more` } : {};
  const reply = await tellOnce("/branches", { game, at: 0, title: again.title }, role);
  if (reply.status !== 200) {
    announce(reply.body?.detail ?? say("lost"));
    return;
  }
  const next = `/games/${reply.body.data.game}`;
  if (again.clock) await tellOnce(`${next}/clock`, again.clock, role);
  const { data: known } = (await ask("GET", `/games/${game}/access`, undefined, role)).body ?? {};
  if (known) {
    const { of: _of, ...rules } = known;
    await ask("PATCH", `${next}/access`, rules, role);
  }
  if (data().on_table) await lieOnTable(reply.body.data.game, keeps ?? undefined);
  location.assign(next);
}

/** @param {HTMLElement} button */
export function leadOn(button) {
  if (button.dataset.do === "share") share();
  if (button.dataset.do === "rematch") rematch();
}
