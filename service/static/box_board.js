// A board of the club's own box on a photograph: corners, spaces put on it, links between them.

import { announce, ask, byId, data, make, meant, say } from "./common.js";
import { picks } from "./box_question.js";
import { ARROWS, Corners, LEAP, SCALE, START, STEP, WIDE, bounded, parts, shape } from "./corners.js";
import { smaller } from "./picture.js";
import { findRegions, matched } from "./regions.js";
import { pauseAfter, unheard } from "./retry.js";

/** @typedef {import("./box_question.js").BoxQuestion & { linked: boolean, told: boolean }} SpaceQuestion */
/** @typedef {{ path: string, label: string, there: boolean }} There */
/** @typedef {{ name: string, label: string, kind: string, x: number | null, y: number | null, gone: boolean, optional: boolean, colour: string, start: [number, number] | null, usual: boolean, questions: SpaceQuestion[], there: There[] }} BoardSpace */
/** @typedef {{ board: string, title: string, photo: string | null, flat: string | null, width: number, height: number, corners: [number, number][], spaces: BoardSpace[], new: { kind: string, label: string }[], left: number, declared: boolean, conflicts: string[], problems: string[], flaw: string | null }} PhotoBoard */
/** @typedef {Record<string, any>} Change */

/** A finger that moves less has tapped. */
const STILL = 6;
/** How much the photograph is enlarged by one tap, and at most; it is moved by scrolling. */
const LARGER = 1.5;
const LARGEST = 6;

const whole = byId("photo-board");
const corners = new Corners("corners", (number) => say(`corner_${number}`));
const engine = whole.dataset.engine ?? "";
const may = whole.dataset.may !== undefined;
/** @type {PhotoBoard | null} */
let board = data().board;
/** The space that is chosen, the one that the next tap puts down, and what a tap does. */
let chosen = "";
let armed = "";
let mode = "place";
let again = false;
let enlarged = 1;
/** So many units of the photograph are one pixel of the screen: a mark is 24 pixels, however large it is shown. */
let pixel = 1;

// what is told

/** @type {Change[]} */
const waiting = [];
let sending = false;

/** Tell a change; what is told meanwhile goes together.
 *  @param {Change} change */
function tell(change) {
  const last = waiting.at(-1);
  const together = (/** @type {Change} */ one) => !("new" in one || "declare" in one || "corners" in one || "usual" in one || "gone" in one);
  if (last && together(last) && together(change)) {
    for (const [name, value] of Object.entries(change)) last[name] = { ...last[name], ...value };
  } else waiting.push(change);
  whole.dataset.saving = "";
  if (!sending) flush();
}

async function flush() {
  sending = true;
  while (waiting.length && board) {
    const change = waiting.shift();
    const reply = await ask("POST", `/engines/${engine}/box/board`, { board: board.board, ...change });
    if (reply.status !== 200) {
      trouble(reply.body?.detail ?? say("lost"));
      if (unheard(reply) && change) {
        waiting.unshift(change);
        setTimeout(flush, pauseAfter(reply));
        return;
      }
      const now = await ask("GET", `/engines/${engine}/box/board?board=${encodeURIComponent(board.board)}`);
      if (now.status === 200) board = now.body.data;
    } else {
      trouble("");
      if (change?.new) newest(reply.body.data);
      else if (!waiting.length || change?.corners) board = reply.body.data;
      if (change?.corners) { again = false; byId("step-spaces").focus(); }
    }
    if (!waiting.length && JSON.stringify(board) !== drawn) draw();
  }
  sending = false;
  delete whole.dataset.saving;
}

/** The space that was added is the next to be put down.
 *  @param {PhotoBoard} now */
function newest(now) {
  const before = new Set(board?.spaces.map(({ name }) => name));
  armed = now.spaces.find(({ name }) => !before.has(name))?.name ?? armed;
  chosen = armed;
  board = now;
}

/** @param {string} words */
function trouble(words) {
  const problem = byId("problem");
  problem.textContent = words;
  problem.hidden = words === "";
}

// drawing

/** @param {string} page @param {string} digest */
const photoAt = (page, digest) => `/api/v1/engines/${engine}/box/photo?page=${encodeURIComponent(page)}&digest=${digest}`;

/** @param {BoardSpace} space */
const placed = (space) => space.x !== null && space.y !== null && !space.gone;

/** @param {string} name @returns {BoardSpace | undefined} */
const named = (name) => board?.spaces.find((space) => space.name === name);

/** What is on the screen, as data: an answer that says the same is not drawn again. */
let drawn = "";

function draw() {
  if (!board) return;
  drawn = JSON.stringify(board);
  byId("corners-step").hidden = board.photo === null || (board.flat !== null && !again);
  byId("spaces-step").hidden = board.flat === null || again;
  if (!byId("corners-step").hidden) corners.show(photoAt(`board:${board.board}`, board.photo ?? ""), board.corners).catch(() => trouble(say("lost")));
  if (!byId("spaces-step").hidden) drawSpaces(board);
}

/** The spaces that were told to be linked with one.
 *  @param {BoardSpace} space */
const links = (space) => space.questions.filter(({ linked }) => linked).flatMap(({ chosen: names }) => names.map(named)).filter((other) => other !== undefined);

/** What lies on the photograph; the photograph itself stays.
 *  @param {PhotoBoard} shown @param {number} high @returns {Element} */
function layer(shown, high) {
  const href = photoAt(`flat:${shown.board}`, shown.flat ?? "");
  const there = byId("spaces").querySelector("svg");
  if (there?.querySelector("image")?.getAttribute("href") === href && there.lastElementChild) return there.lastElementChild;
  const over = shape("g", {});
  byId("spaces").replaceChildren(shape("svg", { viewBox: `0 0 ${WIDE} ${high}`, role: "group", "aria-label": shown.title },
    shape("image", { href, width: WIDE, height: high }), over));
  return over;
}

/** @param {PhotoBoard} shown */
function drawSpaces(shown) {
  const high = WIDE * shown.height / shown.width;
  const focused = document.activeElement instanceof SVGElement ? document.activeElement.dataset.space : undefined;
  const at = (/** @type {BoardSpace} */ { x, y }) => [(x ?? 0) / SCALE * WIDE, (y ?? 0) / SCALE * high];
  const there = shown.spaces.filter(placed);
  const kinds = Array.from(new Set(shown.spaces.map(({ kind }) => kind)));
  const over = layer(shown, high);
  pixel = WIDE / (over.closest("svg")?.getBoundingClientRect().width || WIDE);
  const lines = there.flatMap((space) => links(space).filter(placed).map((other) => {
    const [[x1, y1], [x2, y2]] = [at(space), at(other)];
    return shape("line", { x1, y1, x2, y2, class: "link" });
  }));
  const dots = there.map((space) => {
    const [x, y] = at(space);
    const told = space.questions.every((question) => question.told);
    return shape("g", {
      transform: `translate(${x} ${y}) scale(${pixel})`, "data-space": space.name, tabindex: 0, role: "button",
      class: `space kind-${kinds.indexOf(space.kind) % 4}${told ? " told" : ""}`, "aria-pressed": String(space.name === chosen), "aria-label": described(space),
    }, shape("circle", { r: 12 }), shape("text", { y: space.label.length > 4 ? 22 : 4 }, space.label));
  });
  over.replaceChildren(...lines, ...dots);
  if (focused !== undefined) /** @type {SVGElement | undefined} */ (dots.find((dot) => /** @type {SVGElement} */ (dot).dataset.space === focused))?.focus({ preventScroll: true });
  byId("doubts").replaceChildren(
    ...(shown.flaw ? [make("p", { class: "notice bad" }, shown.flaw)] : []),
    ...[...shown.conflicts, ...shown.problems].map((line) => make("p", { class: "notice unsure" }, line)));
  const declared = document.getElementById("declared");
  if (declared) declared.hidden = !shown.declared;
  drawPanel();
  drawTray(shown);
  byId("left").textContent = shown.left ? `${say("left", { count: shown.left })} · ${named(armed)?.label ?? ""}` : say("all_placed");
}

/** @param {number} factor */
function enlarge(factor) {
  const pane = byId("spaces");
  const before = enlarged;
  enlarged = Math.min(LARGEST, Math.max(1, enlarged * factor));
  pane.style.setProperty("--enlarged", String(enlarged));
  const grown = enlarged / before;
  pane.scrollTo((pane.scrollLeft + pane.clientWidth / 2) * grown - pane.clientWidth / 2, (pane.scrollTop + pane.clientHeight / 2) * grown - pane.clientHeight / 2);
  draw();
}

/** A space in words, for those who do not see the lines.
 *  @param {BoardSpace} space */
function described(space) {
  const told = space.questions.map((question) => `${question.name}: ${question.shown || say("none")}`);
  return [space.label, space.kind, ...told].join(", ");
}

/** What is asked of the chosen space; it stays as it is while somebody answers there.
 *  @param {boolean} anew */
function drawPanel(anew = false) {
  const space = named(chosen);
  const place = byId("chosen-space");
  if (!anew && place.dataset.of === chosen && place.contains(document.activeElement)) return;
  place.dataset.of = chosen;
  if (!space || !may) return place.replaceChildren();
  const rows = space.questions.map((question) => make("div", { class: "datum", "data-path": question.path },
    make("p", {}, make("span", { class: "quiet" }, question.name), " ", make("b", {}, question.shown || say("none")), question.told ? " ✔" : ""),
    make("div", { class: "choices picks" }, ...picks(question, say("done"), ({ value, chosen: names }) => {
      if (names) {
        link(question.path, names);
        return drawPanel(true);
      }
      question.value = value;
      question.shown = question.choices.find((choice) => choice.value === value)?.word ?? String(value);
      question.told = true;
      tell({ data: { [question.path]: value } });
      draw();
      drawPanel(true);
    }))));
  const boxes = space.there.map((each) => make("label", { class: "field" },
    make("input", { type: "checkbox", checked: each.there, "data-there": each.path, onchange: () => { each.there = !each.there; tell({ there: { [each.path]: each.there } }); } }), ` ${each.label}`));
  const right = { data: Object.fromEntries(space.questions.filter((question) => !question.linked).map(({ path, value }) => [path, value])) };
  place.replaceChildren(
    make("h3", {}, space.label, " ", make("span", { class: "quiet" }, space.kind)), ...rows, ...boxes,
    make("div", { class: "choices" },
      space.questions.some((question) => !question.told && !question.linked) ? make("button", { type: "button", "data-do": "right", onclick: () => { for (const question of space.questions) question.told = true; tell(right); drawPanel(true); } }, say("right")) : null,
      placed(space) ? make("button", { type: "button", class: "plain", "data-do": "off", onclick: () => takeOff(space) }, say("off")) : null,
      space.optional ? make("button", { type: "button", class: "plain", "data-do": "gone", onclick: () => { chosen = ""; tell({ gone: { [space.name]: !space.gone } }); } }, say(space.gone ? "back" : "gone")) : null));
}

/** So many spaces with neighbours are worth a look at the photograph, which is looked at so wide. */
const WORTH = 6;
const LOOKED = 260;

/** The question of a space about its neighbours.
 *  @param {BoardSpace} space */
const bordering = (space) => space.questions.find(({ linked, path }) => linked && path.includes("#"));

/** What divides the board and is still to be put on it.
 *  @param {PhotoBoard} shown */
const sought = (shown) => shown.spaces.filter((space) => !space.gone && bordering(space) !== undefined);

/** Put the regions where the photograph shows edges, and link those that touch; what is wrong is moved by a finger. */
async function propose() {
  if (!board?.flat) return;
  const picture = new Image();
  picture.src = photoAt(`flat:${board.board}`, board.flat);
  await picture.decode();
  const canvas = make("canvas", { width: LOOKED, height: Math.round(LOOKED * board.height / board.width) });
  const pen = /** @type {HTMLCanvasElement} */ (canvas).getContext("2d", { willReadFrequently: true });
  if (!pen) return;
  pen.drawImage(picture, 0, 0, pen.canvas.width, pen.canvas.height);
  const spaces = sought(board);
  const regions = findRegions(pen.getImageData(0, 0, pen.canvas.width, pen.canvas.height), spaces.length);
  if (!regions.length) return trouble(say("no_regions"));
  trouble("");
  const found = matched(regions, spaces.map(({ start, colour }) => ({ x: (start?.[0] ?? SCALE / 2) / SCALE, y: (start?.[1] ?? SCALE / 2) / SCALE, colour: rgb(colour) })));
  const whose = regions.map((_, region) => spaces[found.indexOf(region)]);
  /** @type {Record<string, [number, number]>} */
  const places = {};
  /** @type {Record<string, string[]>} */
  const chosen = {};
  regions.forEach(({ x, y, touches }, region) => {
    const space = whose[region];
    const question = space && bordering(space);
    if (!space || !question) return;
    places[space.name] = [bounded(x * SCALE), bounded(y * SCALE)];
    chosen[question.path] = touches.flatMap((other) => whose[other]?.name ?? []);
  });
  tell({ places, chosen });
  announce(say("proposed", { count: Object.keys(places).length, all: spaces.length }));
}

/** @param {string} colour @returns {[number, number, number] | null} */
function rgb(colour) {
  const parts = /^#(..)(..)(..)$/.exec(colour);
  return parts ? [parseInt(parts[1] ?? "", 16), parseInt(parts[2] ?? "", 16), parseInt(parts[3] ?? "", 16)] : null;
}

/** What is still to be put on the photograph, by kinds.
 *  @param {PhotoBoard} shown */
function drawTray(shown) {
  if (!may) return;
  const open = shown.spaces.filter((space) => !placed(space) && !space.gone);
  if (!open.some(({ name }) => name === armed)) armed = open[0]?.name ?? "";
  const kinds = Array.from(new Set(open.map(({ kind }) => kind)));
  const gone = shown.spaces.filter((space) => space.gone);
  byId("tray").replaceChildren(
    ...kinds.map((kind) => make("div", {}, make("h3", {}, say("to_place", { kind })), make("div", { class: "choices" },
      ...open.filter((space) => space.kind === kind).map((space) =>
        make("button", { type: "button", "data-put": space.name, "aria-pressed": String(space.name === armed) }, space.label))))),
    make("div", { class: "choices" },
      ...shown.new.map(({ kind, label }) => make("button", { type: "button", class: "plain", "data-new": kind, onclick: () => tell({ new: kind }) }, say("more", { kind: label }))),
      sought(shown).length >= WORTH && !sought(shown).some(placed) ? make("button", { type: "button", class: "main", "data-do": "propose", onclick: propose }, say("propose")) : null,
      open.some(({ usual }) => usual) ? make("button", { type: "button", class: "plain", "data-do": "usual", onclick: () => tell({ usual: true }) }, say("usual")) : null),
    gone.length ? make("div", { class: "choices" }, make("p", {}, say("missing", { names: "" })), ...gone.map((space) =>
      make("button", { type: "button", class: "plain", "data-back": space.name, onclick: () => tell({ gone: { [space.name]: false } }) }, space.label))) : "");
}

// spaces

/** @param {BoardSpace} space @param {number} x @param {number} y */
function put(space, x, y) {
  const fresh = !placed(space);
  [space.x, space.y] = [bounded(x), bounded(y)];
  tell({ places: { [space.name]: [space.x, space.y] } });
  if (fresh && board) {
    board.left -= 1;
    for (const question of space.questions) { // what is assumed of its neighbours does not count any more
      if (question.path.includes("#")) Object.assign(question, { chosen: [], shown: "" });
    }
    const open = board.spaces.filter((each) => !placed(each) && !each.gone);
    armed = (open.find(({ kind }) => kind === space.kind) ?? open[0])?.name ?? "";
    announce(say("placed", { name: space.label }));
  }
  draw();
}

/** @param {BoardSpace} space */
function takeOff(space) {
  space.x = space.y = null;
  if (board) board.left += 1;
  tell({ places: { [space.name]: null } });
  draw();
}

/** Tell which spaces one is linked with; of a pair both are told.
 *  @param {string} path @param {any[]} names */
function link(path, names) {
  const [datum, own] = path.split("#");
  for (const space of board?.spaces ?? []) {
    for (const question of space.questions) {
      if (question.path === path) Object.assign(question, { chosen: names, shown: names.join(", "), told: true });
      const other = question.path.startsWith(`${datum}#`) ? question.path.split("#")[1] : undefined;
      if (own === undefined || other === undefined || other === own) continue;
      const rest = question.chosen.filter((name) => name !== own);
      if (question.chosen.includes(own) !== names.includes(other)) {
        question.chosen = names.includes(other) ? [...rest, own] : rest;
        question.shown = question.chosen.join(", ");
      }
    }
  }
  tell({ chosen: { [path]: names } });
  draw();
}

/** Link two spaces, or part them; whether there is anything between such spaces.
 *  @param {BoardSpace} one @param {BoardSpace} other @returns {boolean} */
function toggle(one, other) {
  const between = (/** @type {BoardSpace} */ from, /** @type {BoardSpace} */ to) => from.questions.find((question) => question.linked && question.choices.some(({ value }) => String(value) === to.name));
  const question = between(one, other);
  const reverse = question ? undefined : between(other, one);
  const found = question ?? reverse;
  if (!found) return false;
  const target = question ? other.name : one.name;
  const on = !found.chosen.includes(target);
  if (found.kind === "one") {
    Object.assign(found, { chosen: [target], value: target, shown: target, told: true });
    tell({ data: { [found.path]: target } });
    draw();
  } else link(found.path, on ? [...found.chosen, target] : found.chosen.filter((name) => name !== target));
  announce(say(on || found.kind === "one" ? "linked" : "unlinked", { one: one.label, other: other.label }));
  return true;
}

/** @param {string} name */
function tap(name) {
  const [space, first] = [named(name), named(chosen)];
  if (!space) return;
  if (mode === "link" && first && first !== space && toggle(first, space)) return;
  chosen = chosen === name ? "" : name;
  draw();
}

/** @param {{ x: number, y: number }} at */
const within = ({ x, y }) => x >= 0 && x <= SCALE && y >= 0 && y <= SCALE;

/** What a finger holds: a space, or something of the tray.
 *  @type {{ kind: "space" | "tray", name: string, x: number, y: number, moved: boolean } | null} */
let held = null;

document.addEventListener("pointerdown", (event) => {
  if (!may) return;
  // A browser moves a touch to the nearest mark: what is meant lies where the finger is.
  const at = document.elementFromPoint(event.clientX, event.clientY);
  const [space, tray] = ["[data-space]", "[data-put]"].map((selector) => /** @type {HTMLElement | null | undefined} */ (at?.closest(selector)));
  const of = { x: event.clientX, y: event.clientY, moved: false };
  if (space) held = { kind: "space", name: space.dataset.space ?? "", ...of };
  else if (tray) held = { kind: "tray", name: tray.dataset.put ?? "", ...of };
});
document.addEventListener("pointermove", (event) => {
  if (!held || !board) return;
  held.moved ||= Math.hypot(event.clientX - held.x, event.clientY - held.y) > STILL;
  if (!held.moved) return;
  const at = parts(event, "spaces");
  if (held.kind === "space" && within(at)) byId("spaces").querySelector(`[data-space="${CSS.escape(held.name)}"]`)?.setAttribute("transform", `translate(${at.x / SCALE * WIDE} ${at.y / SCALE * WIDE * board.height / board.width}) scale(${pixel})`);
});
document.addEventListener("pointerup", (event) => {
  const [was, at] = [held, parts(event, "spaces")];
  held = null;
  const space = named(was?.name ?? "");
  if (!may) return;
  if (was?.moved && space && within(at)) put(space, at.x, at.y);
  else if (was?.kind === "space") tap(was.name);
  else if (!was && meant(event, "#spaces svg")) {
    const next = named(armed);
    if (mode === "place" && next && !placed(next)) put(next, at.x, at.y);
    else if (chosen) tap(chosen);
  }
});
document.addEventListener("pointercancel", () => { held = null; });

// keys

document.addEventListener("keydown", (event) => {
  const space = named(meant(event, "[data-space]")?.dataset.space ?? "");
  const arrow = ARROWS[event.key];
  const step = event.shiftKey ? LEAP : STEP;
  if (event.key === "Escape" && chosen) tap(chosen);
  if (!may || !space) return;
  if (arrow) put(space, (space.x ?? 0) + arrow[0] * step, (space.y ?? 0) + arrow[1] * step);
  else if (event.key === "Enter" || event.key === " ") tap(space.name);
  else if (event.key === "Delete" || event.key === "Backspace") takeOff(space);
  else return;
  event.preventDefault();
});

document.addEventListener("click", (event) => {
  const tray = meant(event, "[data-put]");
  const space = named(tray?.dataset.put ?? "");
  if (space && !placed(space)) {
    if (event.detail === 0) { // a key: it lies in the middle first
      put(space, SCALE / 2, SCALE / 2);
      chosen = space.name;
      draw();
      /** @type {SVGElement | null} */ (byId("spaces").querySelector(`[data-space="${CSS.escape(space.name)}"]`))?.focus();
    } else {
      armed = space.name;
      chosen = space.name;
      setMode("place");
    }
  }
  const larger = meant(event, "[data-enlarge]");
  if (larger) enlarge(larger.dataset.enlarge === "more" ? LARGER : 1 / LARGER);
  const wanted = meant(event, "[data-mode]");
  if (wanted) setMode(wanted.dataset.mode ?? "place");
  if (meant(event, "[data-do=straighten]") && board) tell({ corners: corners.points });
  if (meant(event, "[data-do=again]")) { again = true; draw(); }
  if (meant(event, "[data-do=declare]")) tell({ declare: true });
});

/** @param {string} wanted */
function setMode(wanted) {
  mode = wanted;
  for (const button of document.querySelectorAll("[data-mode]")) button.setAttribute("aria-pressed", String(/** @type {HTMLElement} */ (button).dataset.mode === mode));
  if (mode === "link") chosen = "";
  draw();
}

// the photograph

document.addEventListener("change", async (event) => {
  const taken = event.target;
  if (!(taken instanceof HTMLInputElement) || taken.type !== "file" || !taken.files?.[0] || !board) return;
  const picture = await smaller(taken.files[0]);
  taken.value = "";
  if (picture === null) return;
  const reply = await ask("POST", `/engines/${engine}/box/photo?page=${encodeURIComponent(`board:${board.board}`)}`, picture);
  if (reply.status !== 200) return trouble(reply.body?.detail ?? say("lost"));
  trouble("");
  board = { ...board, photo: reply.body.data.digest, corners: START() };
  again = true;
  draw();
  byId("step-corners").scrollIntoView();
});

addEventListener("resize", draw);
draw();
document.body.dataset.ready = "";
