// Setting up a table by taps: what is at a place is moved, counted, taken away, or put there.
// A position is a tree of fields. A place is in a field whose path or value names it, whatever the game.

import { announce, data, make, meant, refresh, say } from "./common.js";
import { FEW } from "./lines.js";
import { Pointing, nearest, points } from "./spaces.js";

/** Only a position has them. */
const [panel, section, about] = ["here", "placing", "place-about"].map((id) => /** @type {HTMLElement} */ (document.getElementById(id)));
const hand = new Pointing(document.getElementById("place"));
const MOST = 16;

/** What the place that was tapped last is called: its space and its words.
 *  @type {string[]} */
let place = [];
/** What goes to the next place that is tapped: a change for its name.
 *  @type {{ word: string, changes: (to: string[]) => Changes } | null} */
let carried = null;

/** A piece or a place in words; the code, where there are none.
 *  @param {string} code */
const spoken = (code) => data().called?.[code] ?? code;

/** A piece as the board draws it, small; none if it lies nowhere on it.
 *  @param {string} code */
function drawn(code) {
  const found = /** @type {SVGGraphicsElement | null} */ (document.querySelector(`#board [data-word="${CSS.escape(code)}"]`));
  const { x, y, width, height } = found?.getBBox?.() ?? { x: 0, y: 0, width: 0, height: 0 };
  if (found === null || !width || !height) return null;
  const picture = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  picture.setAttribute("viewBox", `${x} ${y} ${width} ${height}`);
  picture.setAttribute("class", "piece");
  picture.setAttribute("aria-hidden", "true");
  const copy = /** @type {Element} */ (found.cloneNode(true));
  for (const part of [copy, ...copy.querySelectorAll("*")]) for (const name of ["id", "data-word", "transform"]) if (name !== "transform" || part === copy) part.removeAttribute(name);
  picture.append(copy);
  return picture;
}

/** @typedef {Record<string, string | number>} Changes */
/** @param {PositionField} field */
const named = (field) => field.label;
/** @param {PositionField} field */
const parent = (field) => field.path.split(".").slice(0, -1).join(".");
/** @param {PositionField} field */
const last = (field) => field.path.split(".").at(-1) ?? "";
/** @param {PositionField} field */
const words = (field) => field.value.split(" ").filter(Boolean);

function places() {
  /** @type {NodeListOf<SVGElement>} */
  const found = document.querySelectorAll("#board [data-word]");
  const worded = Array.from(found, (part) => part.dataset.word ?? "");
  return new Set([...points().map(({ space }) => space), ...worded]);
}

/** The parts of a name that says more than one thing: whose, what, where.
 *  @param {string} name */
function parts(name) {
  return name.split(/[^A-Za-z0-9]+/).filter((part) => part && part !== name);
}

/** The fields that speak of the place: those whose value names it first. */
function speaking() {
  const small = place.flatMap(parts);
  const weight = (/** @type {PositionField} */ field) => {
    const way = field.path.split(".").slice(1);
    if (words(field).some((word) => place.includes(word))) return 4;
    if (way.some((name) => place.includes(name))) return 3;
    if (words(field).some((word) => word.length > 1 && small.includes(word))) return 2;
    return way.some((name) => small.includes(name)) ? 1 : 0;
  };
  const found = data().fields.map((field) => ({ field, much: weight(field) })).filter(({ much }) => much);
  return found.sort((one, other) => other.much - one.much).slice(0, MOST).map(({ field }) => field);
}

let changing = Promise.resolve();

/** Changes come one after another, however fast they are tapped: each to what the one before has made.
 *  @param {() => Promise<void>} act */
function inTurn(act) {
  carried = null;
  changing = changing.then(act);
}

const change = (/** @type {Changes} */ changes) => inTurn(() => changed(changes));

/** Change the position; one that no table can show is told, and goes back to what it was.
 *  @param {Changes} changes */
async function changed(changes) {
  const before = data().position;
  await refresh(`${location.pathname}?${new URLSearchParams(/** @type {Record<string, string>} */ ({ position: before, ...changes }))}`);
  if (document.querySelector("#board svg") === null) {
    const told = document.querySelectorAll("#unread .notice, #trying .notice > p");
    const why = Array.from(told, (line) => line.textContent?.trim()).join(" · ");
    await refresh(`${location.pathname}?${new URLSearchParams({ position: before })}`);
    show(why);
    announce(why);
    return;
  }
  history.pushState(null, "", `?${new URLSearchParams({ position: data().position })}`);
}

/** @param {string} text @param {() => void} onclick */
function button(text, onclick, label = text, code = "") {
  return make("button", { type: "button", onclick, "aria-label": label }, code ? drawn(code) : null, text);
}

/** The name of another place that is of the same kind as this one: a space for a space.
 *  @param {string} name @param {string[]} other */
function alike(name, other) {
  const spaces = new Set(points().map(({ space }) => space));
  return other.find((each) => spaces.has(each) === spaces.has(name)) ?? other[0] ?? "";
}

/** @param {string} word @param {(to: string[]) => Changes} changes */
function carry(word, changes) {
  carried = { word, changes };
  show();
  announce(say("carried", { word: spoken(word) }));
}

/** @param {PositionField} field */
function counted(field) {
  const count = () => Number((data().fields.find(({ path }) => path === field.path) ?? field).value);
  const by = (/** @type {number} */ step) => () => inTurn(() => changed({ [`set.${field.path}`]: count() + step }));
  return [button("−", by(-1), `${named(field)} −`), make("output", {}, field.value), button("+", by(1), `${named(field)} +`)];
}

/** @param {PositionField} field */
function toggled(field) {
  return [button(field.value, () => change({ [`set.${field.path}`]: field.value === "yes" ? "no" : "yes" }))];
}

/** The words of a field: those that are here can be carried elsewhere, those of a row taken away.
 *  @param {PositionField} field */
function listed(field) {
  const row = words(field);
  const without = (/** @type {number} */ at, /** @type {string[]} */ ...instead) => row.map((word, index) => (index === at ? instead : [word])).flat().join(" ");
  return row.flatMap((word, at) => [
    place.includes(word)
      ? button(say("carry", { word: spoken(word) }), () => carry(word, (to) => ({ [`set.${field.path}`]: without(at, alike(word, to)) })))
      : make("span", { class: "tap" }, drawn(word), spoken(word)),
    field.kind === "words" ? button("✕", () => change({ [`set.${field.path}`]: without(at) }), `${say("take_off")} ${spoken(word)}`) : null,
  ]);
}

/** What lies at the place itself: it can be carried away as a whole, taken off, or be something else.
 *  @param {PositionField} field */
function lying(field) {
  const kinds = siblings(field).filter((value) => value !== field.value);
  return [
    make("output", {}, drawn(field.value), spoken(field.value)),
    button(say("carry", { word: spoken(field.value) }), () => carry(field.value, (to) => ({
      [`drop.${field.path}`]: "", [`put.${parent(field)}.${alike(last(field), to)}`]: field.value }))),
    button("✕", () => change({ [`drop.${field.path}`]: "" }), `${say("take_off")} ${spoken(field.value)}`),
    ...folded(kinds.map((value) => button(spoken(value), () => change({ [`set.${field.path}`]: value }), spoken(value), value))),
  ];
}

/** Few buttons stand there; many unfold.
 *  @param {HTMLElement[]} buttons */
function folded(buttons) {
  if (buttons.length <= FEW) return buttons;
  return [make("details", {}, make("summary", {}, say("something_else")), make("div", { class: "choices" }, ...buttons))];
}

/** @param {PositionField} field */
function siblings(field) {
  const beside = data().fields.filter((other) => parent(other) === parent(field) && other.kind === "word");
  return Array.from(new Set(beside.map((other) => other.value)));
}

/** @param {PositionField} field @param {Set<string>} known @returns {(HTMLElement | null)[]} */
function controls(field, known) {
  if (field.kind === "number") return counted(field);
  if (field.kind === "yes") return toggled(field);
  if (field.kind === "word" && place.includes(last(field)) && known.has(last(field))) return lying(field);
  return listed(field);
}

/** What could be put here: whoever stands somewhere else, and what lies on other spaces.
 *  @param {Set<string>} known */
function offers(known) {
  const here = place[0] ?? "";
  const found = [];
  /** @type {Map<string, PositionField>} */
  const maps = new Map();
  for (const field of data().fields) {
    if (field.kind === "word" && known.has(field.value) && !place.includes(field.value)) {
      found.push(button(named(field), () => change({ [`set.${field.path}`]: alike(field.value, place) })));
    } else if (field.kind === "words" && words(field).some((word) => known.has(word)) && !words(field).includes(here)) {
      const beside = words(field).find((word) => known.has(word)) ?? "";
      found.push(button(`${named(field)} +`, () => change({ [`set.${field.path}`]: `${field.value} ${alike(beside, place)}` })));
    } else if (field.kind === "word" && known.has(last(field))) {
      maps.set(parent(field), field);
    }
  }
  for (const [map, field] of maps) {
    const key = alike(last(field), place);
    const of = named(field).split(" – ").slice(0, -1).join(" – ");
    if (data().fields.some((other) => other.path === `${map}.${key}`)) continue;
    found.push(...siblings(field).map((value) =>
      button(`${of} ${spoken(value)}`, () => change({ [`put.${map}.${key}`]: value }), `${of} ${spoken(value)}`, value)));
  }
  return found;
}

function show(problem = "") {
  panel.replaceChildren();
  about.hidden = !hand.on;
  if (!hand.on) return;
  const known = places();
  panel.append(chooser(known));
  if (problem) panel.append(make("p", { class: "notice bad", role: "alert" }, problem));
  if (carried) panel.append(make("p", { class: "notice unsure" }, say("carried", { word: spoken(carried.word) })));
  if (!place.length) return;
  panel.append(make("h3", {}, place.map(spoken).join(" · ")));
  const rows = speaking().map((field) => make("li", {}, make("b", {}, named(field)), ...controls(field, known)));
  panel.append(make("ul", { class: "here" }, ...rows));
  const put = offers(known);
  if (put.length) panel.append(make("details", {}, make("summary", {}, say("put_here")), make("div", { class: "choices" }, ...put)));
}

/** The same by keys: every place by its name.
 *  @param {Set<string>} known */
function chooser(known) {
  /** @type {HTMLSelectElement} */
  const choice = make("select", { onchange: () => arrive([choice.value]) },
    ...["", ...known].map((name) => make("option", { value: name, selected: name !== "" && place[0] === name }, name ? spoken(name) : "–")));
  return make("label", {}, say("which_place"), choice);
}

/** @param {string[]} names */
function arrive(names) {
  if (!names.length) return;
  const brought = carried;
  place = names;
  if (brought) change(brought.changes(names));
  else show();
}

document.getElementById("place")?.addEventListener("click", () => { carried = null; show(); });
document.addEventListener("pointerup", (event) => {
  if (!hand.hears(event)) return;
  /** @type {string[]} */
  const names = [];
  for (let part = meant(event, "[data-word]"); part; part = part.parentElement?.closest("[data-word]") ?? null) names.push(part.dataset.word ?? "");
  const space = nearest(event);
  arrive(Array.from(new Set(space === undefined || names.includes(space) ? names : names.length ? [...names, space] : [space])));
}, true);
if (section !== null) {
  section.hidden = false;
  document.addEventListener("refreshed", () => show());
}
