// The gate before the taps of a page. It listens before everybody else, so that whoever takes taps
// need not know of it. Keys and screen readers click without a finger, and what is drawn or flicked is
// no second half of a double tap: they are not held up.

import { make, meant, say } from "./common.js";
import { TapGate } from "./tap_gate.js";

/** Where a tap may say a line, or take one back. */
const AREAS = {
  taps: "#taps",
  trays: "#trays",
  board: "#board svg",
  verdict: "#verdict",
  tools: "#tools :is([data-do=undo], [data-do=redo], [data-do=put-back])",
  composer: "#composer form .main",
};
/** So long a tap that was dropped is told. */
const TOLD = 2500;

/** @type {(() => void)[]} */
const listeners = [];
export const gate = new TapGate({ later: (act, wait) => setTimeout(act, wait), changed: show });

/** Whoever shows what can be tapped: called when that changes.
 *  @param {() => void} listener */
export function whenOpened(listener) {
  listeners.push(listener);
}

function show() {
  const closed = Object.keys(AREAS).filter((area) => gate.refusal(area) !== null).join(" ");
  const { dataset } = document.body;
  if (closed === (dataset.closed ?? "")) return;
  if (closed) dataset.closed = closed;
  else delete dataset.closed;
  for (const listener of listeners) listener();
}

const sign = make("p", { id: "dropped", class: "dropped", role: "status", "aria-live": "polite" });
(document.querySelector("main") ?? document.body).append(sign);
/** @type {ReturnType<typeof setTimeout> | undefined} */
let fading;

/** @param {string} text */
function tell(text) {
  clearTimeout(fading);
  sign.textContent = text;
  if (text) fading = setTimeout(() => tell(""), TOLD);
}

/** Why what was tapped takes no tap. What only unfolds is not held up, nor a part of the picture whose
 *  word is written into a line that is typed; an open place of the picture belongs to its tray.
 *  @param {Event} event @returns {ReturnType<typeof gate.refusal>} */
function refusal(event) {
  if (meant(event, "#board .open-place")) return gate.waits("trays") ? "under way" : null;
  const area = Object.entries(AREAS).find(([, selector]) => meant(event, selector) !== null)?.[0];
  if (area === undefined || meant(event, "summary, a")) return null;
  return area === "board" && document.querySelector("#composer[open]") ? null : gate.refusal(area);
}

/** @param {Event} event */
function stop(event) {
  event.stopImmediatePropagation();
  event.preventDefault();
}

/** Why the finger that is down was not taken.
 *  @type {ReturnType<typeof refusal>} */
let pressed = null;
/** Whether the last tap was dropped: a double tap is then nothing else either. */
let dropped = false;

document.addEventListener("pointerdown", (event) => { pressed = refusal(event); }, true);
document.addEventListener("click", (event) => {
  const reason = event.detail > 0 ? pressed ?? refusal(event) : null;
  pressed = null;
  dropped = reason !== null;
  if (!dropped) return;
  stop(event);
  if (reason === "under way") tell(say("tap_dropped"));
}, true);
document.addEventListener("dblclick", (event) => { if (dropped) stop(event); }, true);
