// Trays: what lies on the table is tapped and logged at once, thing by thing, on the next open place or
// on the one that was tapped. A thing that can be turned lies as the arrows above say, or as it is flicked;
// one that cannot is drawn over the board, and lies on every open place on the way.

import { data, make, meant, say } from "./common.js";
import { hideVerdict, log, maySpeak, queue, whenAnswered } from "./desk.js";
import { gate } from "./taps.js";

const root = () => document.getElementById("trays");
/** A finger that moves so far flicks. */
const FLICK = 24;
/** So many things are drawn over the board; a longer list is scrolled by the same finger. */
const MOST_PAINTED = 12;

/** The things of a line that is begun; where it goes, if somebody has said so; how it is turned.
 *  @type {{ verb: string, chosen: string[], place: string | null, turn: string | null }} */
let begun = { verb: "", chosen: [], place: null, turn: null };

/** Lines that were said and are not on this page yet, and the entry they became.
 *  @type {{ line: string, version: number | null }[]} */
let said = [];

/** The tray that is open.
 *  @returns {HTMLDetailsElement | null} */
function tray() {
  return root()?.querySelector(".tray[open]") ?? null;
}

/** @param {Element} of @returns {{ word: string, name: string, fits: string[] | null }[]} */
function places(of) {
  return JSON.parse(of.querySelector(".places")?.textContent ?? "[]");
}

/** @param {HTMLElement} of */
function size(of) {
  return Number(of.dataset.count);
}

/** The words of what was said on this tray and is on its way.
 *  @param {HTMLElement} of */
function underWay(of) {
  return said.map(({ line }) => line.split(" ")).filter(([verb]) => verb === of.dataset.verb);
}

/** Whether whatever is on its way was laid here: the trays show already what it leaves. */
function isOwn() {
  return said.length > 0 && queue.items.every((item) => said.some(({ line }) => line === item.said.lines?.[0]));
}

/** Where the next thing goes.
 *  @param {HTMLElement} of */
function next(of) {
  const open = places(of).filter(({ word }) => !underWay(of).some((line) => line[1] === word));
  return open.find(({ word }) => word === begun.place) ?? open[0];
}

/** Show what can be tapped now: what is chosen leaves the offer, what does not fit the place is not in it. */
function show() {
  const now = tray();
  for (const part of document.querySelectorAll("#board .open-place, #board .next-place")) part.classList.remove("open-place", "next-place");
  if (now === null) {
    gate.renew("trays", "");
    return;
  }
  if (begun.verb !== now.dataset.verb) begun = { verb: now.dataset.verb ?? "", chosen: [], place: null, turn: null };
  const where = next(now);
  const full = places(now).length > 0 && where === undefined;
  const gone = [...underWay(now).flat(), ...begun.chosen];
  /** @type {NodeListOf<HTMLElement>} */
  const things = now.querySelectorAll("[data-thing]");
  const apart = new Set(Array.from(things).filter((thing) => begun.chosen.includes(thing.dataset.thing ?? ""))
    .flatMap((thing) => (thing.dataset.apart ?? "").split(" ")));
  for (const thing of things) {
    const word = thing.dataset.thing ?? "";
    const left = Number(thing.dataset.left) || Infinity;
    const taken = gone.filter((each) => each === word).length;
    thing.hidden = full || taken >= left || apart.has(word) || !(where?.fits?.includes(word) ?? true);
    const count = thing.querySelector(".left");
    if (count !== null) count.textContent = left - taken > 1 ? `×${left - taken}` : "";
  }
  for (const turn of now.querySelectorAll("[data-turn]")) {
    turn.setAttribute("aria-pressed", String(turn === turned(now)));
  }
  now.style.setProperty("--turned", `${angle(now)}deg`);
  now.classList.toggle("painted", isPainted(now));
  const shown = now.querySelector(".where");
  if (shown) {
    shown.textContent = [
      where ? say("lay_on", { place: where.name }) : "",
      size(now) > 1 ? say("lay_count", { count: begun.chosen.length, all: size(now) }) : "",
    ].filter(Boolean).join(" · ");
  }
  now.querySelector(".chosen-things")?.replaceChildren(...begun.chosen.map((word) => lying(now, word)));
  /** @type {HTMLElement | null} */
  const back = now.querySelector("[data-do=step-back]");
  if (back) back.hidden = !begun.chosen.length && !(data().may?.undo && lastLaid(now));
  mark(now, where?.word);
  const offered = Array.from(things).filter((thing) => !thing.hidden).map((thing) => thing.dataset.thing);
  gate.renew("trays", [now.dataset.verb, ...offered].join(" "));
}

/** A thing of a line that is not whole yet: its drawing and its name.
 *  @param {HTMLElement} of @param {string} word */
function lying(of, word) {
  const parts = of.querySelectorAll(`[data-thing="${CSS.escape(word)}"] :is(.drawing, .name)`);
  return make("li", {}, ...Array.from(parts, (part) => /** @type {HTMLElement} */ (part.cloneNode(true))));
}

/** The open places glow on the board, the next one most.
 *  @param {HTMLElement} of @param {string | undefined} where */
function mark(of, where) {
  const open = new Set(places(of).map(({ word }) => word));
  /** @type {NodeListOf<SVGElement>} */
  const parts = document.querySelectorAll("#board [data-word]");
  for (const part of parts) {
    const word = part.dataset.word ?? "";
    part.classList.toggle("open-place", open.has(word));
    part.classList.toggle("next-place", word === where);
    if (word === where) inSight(part);
  }
}

/** The next place is not hidden below the trays.
 *  @param {SVGElement} part */
function inSight(part) {
  if (painting) return;
  const { top, bottom } = part.getBoundingClientRect();
  const trays = root()?.getBoundingClientRect().top ?? innerHeight;
  const edge = trays > innerHeight / 4 ? Math.min(trays, innerHeight) : innerHeight;
  if (top < 0 || bottom > edge) scrollBy({ top: (top + bottom) / 2 - edge / 2 });
}

/** @param {HTMLElement} of @returns {HTMLElement | null} */
function turned(of) {
  const chosen = begun.turn === null ? null : of.querySelector(`[data-turn="${CSS.escape(begun.turn)}"]`);
  return /** @type {HTMLElement | null} */ (chosen ?? of.querySelector("[data-turn]"));
}

/** @param {HTMLElement} of */
function turns(of) {
  return Array.from(of.querySelectorAll("[data-turn]"), (each) => /** @type {HTMLElement} */ (each).dataset.turn ?? "");
}

/** @param {HTMLElement} of */
function angle(of) {
  const all = turns(of);
  return all.length ? 360 * Math.max(0, all.indexOf(turned(of)?.dataset.turn ?? "")) / all.length : 0;
}

/** Whether the last action of the record was laid from this tray, or one like it is on its way.
 *  @param {HTMLElement} of */
function lastLaid(of) {
  const last = document.querySelector("#moves li.counts .line[data-notation]")?.getAttribute("data-notation") ?? "";
  return underWay(of).length > 0 || last.startsWith(`${of.dataset.verb} `);
}

/** One thing more; a line that is whole is logged.
 *  @param {HTMLElement} of @param {string} word @param {string} turn */
function lay(of, word, turn) {
  const where = next(of);
  begun.chosen = [...begun.chosen, word];
  show();
  // The last thing of a line is nobody's choice where only one is left.
  /** @type {NodeListOf<HTMLElement>} */
  const left = of.querySelectorAll("[data-thing]:not([hidden])");
  if (begun.chosen.length && begun.chosen.length === size(of) - 1 && left.length === 1) begun.chosen.push(left[0]?.dataset.thing ?? "");
  if (begun.chosen.length >= size(of)) {
    const line = [of.dataset.verb, where?.word, ...begun.chosen, turn].filter(Boolean).join(" ");
    begun = { ...begun, chosen: [], place: null };
    if (maySpeak()) {
      said = [...said, { line, version: null }];
      log(line);
    }
  }
  show();
}

/** Whether things of a tray are laid by drawing them over their places: each is a line, and lies one way. */
function isPainted(/** @type {HTMLElement} */ of) {
  const few = of.querySelectorAll("[data-thing]").length <= MOST_PAINTED;
  return few && size(of) === 1 && !turns(of).length && places(of).length > 1;
}

/** What a finger draws over the board, and where it has been.
 *  @type {{ word: string, over: string[] } | null} */
let painting = null;

/** @param {PointerEvent} event @param {HTMLElement} of */
function paint({ clientX, clientY }, of) {
  if (painting === null) return;
  const { word, over } = painting;
  const part = document.elementFromPoint(clientX, clientY)?.closest("#board [data-word]");
  const place = places(of).find((each) => each.word === part?.getAttribute("data-word"));
  const left = Number(thingOf(of, word)?.dataset.left) || Infinity;
  const gone = underWay(of).flat().filter((each) => each === word).length;
  const taken = place === undefined || over.includes(place.word) || underWay(of).some((line) => line[1] === place.word);
  if (taken || over.length + gone >= left || !(place.fits?.includes(word) ?? true)) return;
  painting.over = [...over, place.word];
  part?.classList.add("painted");
}

/** @param {HTMLElement} of @param {string} word @returns {HTMLElement | null} */
function thingOf(of, word) {
  return of.querySelector(`[data-thing="${CSS.escape(word)}"]`);
}

/** The finger is lifted: what it has drawn is said, in the order of its way.
 *  @param {HTMLElement} of */
function painted(of) {
  const { word, over } = painting ?? { word: "", over: [] };
  painting = null;
  for (const part of document.querySelectorAll("#board .painted")) part.classList.remove("painted");
  for (const place of over) {
    begun.place = place;
    lay(of, word, "");
  }
  return over.length > 0;
}

/** The last thing goes back: one that is not said yet, or the last one that was. */
function stepBack() {
  if (begun.chosen.length) begun.chosen = begun.chosen.slice(0, -1);
  else if (maySpeak()) queue.add("/undo", {}, say("undo"));
  show();
}

/** What lies on a place of the board and can be turned is turned by a tap.
 *  @param {HTMLElement} of @param {string} place */
function turnLaid(of, place) {
  const row = Array.from(document.querySelectorAll("#moves li.counts")).find((each) =>
    each.querySelector(".line")?.getAttribute("data-notation")?.startsWith(`${of.dataset.verb} ${place} `));
  const words = row?.querySelector(".line")?.getAttribute("data-notation")?.split(" ") ?? [];
  const all = turns(of);
  const at = all.indexOf(words.at(-1) ?? "");
  if (!row || at < 0 || !data().may?.correct || !maySpeak()) return;
  const line = [...words.slice(0, -1), all[(at + 1) % all.length]].join(" ");
  const number = Number(/** @type {HTMLElement} */ (row).dataset.number);
  queue.add("/corrections", { number, remove: 1, lines: [line], reason: "" }, say("turn_it"));
}

/** @type {{ x: number, y: number } | null} */
let down = null;
/** How the finger that has just gone up had flicked. */
let flicked = "";

/** Up, right, down, left are the first four ways to lie.
 *  @param {PointerEvent} event @param {HTMLElement} of */
function flick(event, of) {
  const [x, y] = [event.clientX - (down?.x ?? event.clientX), event.clientY - (down?.y ?? event.clientY)];
  const all = turns(of);
  if (all.length !== 4 || Math.max(Math.abs(x), Math.abs(y)) < FLICK) return "";
  return (Math.abs(x) > Math.abs(y) ? all[x > 0 ? 1 : 3] : all[y > 0 ? 2 : 0]) ?? "";
}

document.addEventListener("pointerdown", (event) => {
  const thing = meant(event, "#trays [data-thing]");
  const now = tray();
  down = thing ? { x: event.clientX, y: event.clientY } : null;
  flicked = "";
  painting = thing && now?.contains(thing) && isPainted(now) ? { word: thing.dataset.thing ?? "", over: [] } : null;
  // A finger belongs to what it went down on: the board is to feel it as well.
  if (painting && thing?.hasPointerCapture?.(event.pointerId)) thing.releasePointerCapture(event.pointerId);
});
document.addEventListener("pointermove", (event) => {
  const now = tray();
  if (painting && now) paint(event, now);
});
document.addEventListener("pointercancel", () => {
  painting = null;
  show();
});
document.addEventListener("pointerup", (event) => {
  const now = tray();
  const thing = meant(event, "#trays [data-thing]");
  if (now === null || down === null) return;
  if (painting) {
    painted(now);
    return;
  }
  flicked = flick(event, now);
  // A flick that ends beside the button it began on is no click: it is heard here.
  const began = document.elementFromPoint(down.x, down.y)?.closest("#trays [data-thing]");
  if (flicked && began instanceof HTMLElement && began !== thing) lay(now, began.dataset.thing ?? "", flicked);
});

document.addEventListener("click", (event) => {
  const now = tray();
  if (now === null) return;
  const thing = meant(event, "#trays [data-thing]");
  const turn = meant(event, "#trays [data-turn]");
  const part = meant(event, "#board [data-word]");
  if (thing && now.contains(thing)) {
    lay(now, thing.dataset.thing ?? "", flicked || (turned(now)?.dataset.turn ?? ""));
  } else if (turn && now.contains(turn)) {
    begun.turn = turn.dataset.turn ?? null;
    show();
  } else if (meant(event, "#trays [data-do=step-back]")) {
    stepBack();
  } else if (part) {
    const word = part.dataset.word ?? "";
    if (places(now).some((place) => place.word === word)) {
      begun.place = word;
      show();
    } else turnLaid(now, word);
  }
});

document.addEventListener("toggle", (event) => {
  if (meant(event, "#trays")) show();
}, true);
document.addEventListener("refreshed", () => {
  said = said.filter(({ version }) => version === null || version > data().version);
  // What is laid out in full makes room for what comes next.
  const done = begun.verb && !root()?.querySelector(`.tray[data-verb="${CSS.escape(begun.verb)}"]`);
  if (tray() === null && done) root()?.querySelector(".tray")?.setAttribute("open", "");
  show();
});
whenAnswered((item, reply) => {
  /** @type {string | undefined} */
  const line = item.said.lines?.[0];
  const version = reply.status === 200 ? reply.body.version : -1;
  // What is laid is seen on the board; a card about it would cover the tray.
  if (reply.body?.data?.verdict === "legal" && said.some((each) => each.line === line)) hideVerdict();
  said = said.map((each) => (each.line === line ? { line: each.line, version } : each));
  said = said.filter((each) => each.version === null || each.version > data().version);
  show();
});
gate.reckoning.set("trays", isOwn);
show();
