// The watch page: live, and every moment of the game again (stepping.js) or by a tap on a move.

import { announce, byId, caughtUp, data, meant, refresh, say } from "./common.js";
import "./board.js";
import "./ending.js";
import { attend } from "./seats.js";
import { Stepping, addressed } from "./stepping.js";
import { Store } from "./store.js";

const state = byId("state");
let at = data().at;
const store = new Store({
  shown: () => data().version,
  waiting: () => ({ count: 0, offline: false }),
  changed: ({ connection }) => {
    state.textContent = connection && say(connection);
    document.body.dataset.connected = String(connection !== "lost");
  },
});

/** What counts, in the order of play: numbers, whose each was, in which round. The opening comes first, once. */
function played() {
  const list = byId("moves");
  /** @type {NodeListOf<HTMLElement>} */
  const counted = list.querySelectorAll("li.counts");
  const moves = Array.from(counted, (move) => ({
    number: Number(move.dataset.number), seat: move.dataset.seat, round: move.dataset.round ? Number(move.dataset.round) : null,
    matters: move.matches(".illegal, .matters") || move.querySelector("q, .disputed") !== null,
  }));
  if (list.hasAttribute("reversed")) moves.reverse();
  return [{ number: 0, seat: undefined, round: null, matters: false }, ...moves.filter((move) => move.number > 0)];
}

/** Where in the order of play the page stands; at its end, if it is live. A move that no longer counts
 *  is shown as well: it stands behind the one before it. */
function place() {
  const all = played();
  const shown = at;
  if (shown === null) return all.length - 1;
  const counted = all.findIndex(({ number }) => number === shown);
  return counted >= 0 ? counted : all.findLastIndex(({ number }) => number < shown);
}

function show() {
  stepping.renew();
  for (const move of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("#moves li"))) {
    if (Number(move.dataset.number) === at) move.setAttribute("aria-current", "step");
    else move.removeAttribute("aria-current");
  }
  const newest = document.querySelector("#moves:not([reversed]) > li:last-child");
  const current = /** @type {HTMLElement | null} */ (document.querySelector("#moves [aria-current]") ?? newest);
  const column = ["#moves", ".record"].map((each) => document.querySelector(each)).find((each) => each && each.scrollHeight > each.clientHeight + 1);
  if (column && current) {
    column.scrollTop += current.getBoundingClientRect().top - column.getBoundingClientRect().top - column.clientHeight / 3;
  }
}

/** The address of a moment; who looks for games with the same position goes on doing so, as who reads a chapter.
 *  @param {number | null} number */
async function go(number) {
  at = number;
  const asked = new URLSearchParams(at === null ? {} : { at: String(at) });
  const before = new URLSearchParams(location.search);
  for (const kept of ["reached", "chapter", "shape"]) if (before.has(kept)) asked.set(kept, before.get(kept) ?? "");
  history.replaceState(null, "", asked.size ? `?${asked}` : location.pathname);
  show();
  await refresh();
}

const stepping = new Stepping(byId("slider"), byId("chart"), byId("pane"), {
  words: JSON.parse(byId("stepping-words").textContent ?? "{}"),
  moments: played,
  place,
  go: (wanted) => {
    const all = played();
    const live = wanted === all.length - 1 && !data().opened; // a chapter and a file have an end like any moment
    go(live ? null : all[wanted]?.number ?? null);
  },
  told: (wanted) => {
    const number = played()[wanted]?.number;
    return number ? `#${number}` : say("opening");
  },
  scores: () => data().chart,
  walks: (by) => !document.dispatchEvent(new CustomEvent("walk", { detail: by, cancelable: true })),
  leave: () => document.dispatchEvent(new Event("leave")),
});

document.addEventListener("click", (event) => {
  const link = meant(event, "#moves a.number");
  if (link === null) return;
  event.preventDefault();
  go(Number(link.closest("li")?.dataset.number));
});
/** ``#7`` names a moment as ``?at=7`` does. */
function follow() {
  if (/^#\d+$/.test(location.hash)) go(addressed(location));
}
addEventListener("hashchange", follow);
document.addEventListener("refreshed", () => {
  at = data().at;
  show();
  store.renewed();
});
if (!data().opened) {
  attend(
    (entry) => {
      store.heard(entry.entry);
      caughtUp(entry.entry);
      if (at === null) announce(entry.told);
    },
    (line) => store.connected(line),
  );
}
show();
follow();
document.body.dataset.ready = "";
