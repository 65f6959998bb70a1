// Cards and tiles of the club's own box: a photographed sheet, cut along a grid, each piece named.

import { ask, byId, data, input, make, meant, say } from "./common.js";
import { Corners, START } from "./corners.js";
import { smaller } from "./picture.js";

/** @typedef {{ code: string, chapter: string, label: string, shows: string, picture: string | null }} Piece */
/** @typedef {{ game: string, sheet: string | null, pieces: Piece[] }} Pieces */

const engine = byId("pieces-page").dataset.engine ?? "";
const corners = new Corners("corners", (number) => say(`corner_${number}`));
/** @type {Pieces} */
let shown = data().pieces;
const may = Boolean(data().may_tell) && shown.pieces.length > 0;

/** @param {string} words */
function trouble(words) {
  byId("problem").textContent = words;
  byId("problem").hidden = words === "";
}

/** The club's pictures, each with a button that erases it. */
function draw() {
  if (!shown.pieces.length) return;
  byId("pieces").replaceChildren(...shown.pieces.filter(({ picture }) => picture).map(({ code, label, shows, picture }) => make("figure", { "data-piece": code },
    make("img", { src: picture, alt: label }), make("figcaption", {}, make("b", {}, code), ` ${shows} `),
    may ? make("button", { type: "button", class: "plain", "data-erase": code }, say("erase", { code })) : null)));
  if (!may) return;
  byId("grid-step").hidden = shown.sheet === null;
  if (shown.sheet !== null && !byId("corners").hasChildNodes()) show(shown.sheet);
}

/** @param {string} sheet */
function show(sheet) {
  corners.show(`/api/v1/engines/${engine}/box/photo?page=sheet&digest=${sheet}`, START()).catch(() => trouble(say("lost")));
}

/** One choice for each piece of the grid; what was chosen stays. */
function grid() {
  const [rows, columns] = ["rows", "columns"].map((id) => Math.min(12, Math.max(1, Number(input(id).value) || 1)));
  const chapters = Array.from(new Set(shown.pieces.map(({ chapter }) => chapter)));
  const place = byId("names");
  const before = Array.from(place.querySelectorAll("select"), ({ value }) => value);
  place.style.setProperty("--columns", String(columns));
  place.replaceChildren(...Array.from({ length: rows * columns }, (_, at) => {
    const select = make("select", { "aria-label": say("piece", { row: Math.floor(at / columns) + 1, column: at % columns + 1 }) },
      make("option", { value: "" }, "–"),
      ...chapters.map((chapter) => make("optgroup", { label: chapter }, ...shown.pieces.filter((piece) => piece.chapter === chapter)
        .map(({ code, label }) => make("option", { value: code }, label === code ? code : `${code} · ${label}`)))));
    select.value = before[at] ?? "";
    return select;
  }));
}

/** @param {Blob} picture */
async function photograph(picture) {
  const reply = await ask("POST", `/engines/${engine}/box/photo?page=sheet`, picture);
  if (reply.status !== 200) return trouble(reply.body?.detail ?? say("lost"));
  trouble("");
  shown = { ...shown, sheet: reply.body.data.digest };
  byId("grid-step").hidden = false;
  show(reply.body.data.digest);
}

async function cut() {
  const names = Array.from(byId("names").querySelectorAll("select"), ({ value }) => value);
  const [rows, columns] = ["rows", "columns"].map((id) => Number(input(id).value));
  const reply = await ask("POST", `/engines/${engine}/box/pieces`, { corners: corners.points, rows, columns, names });
  if (reply.status !== 200) return trouble(reply.body?.detail ?? say("lost"));
  trouble("");
  shown = reply.body.data;
  byId("kept").textContent = say("kept", { count: names.filter(Boolean).length });
  byId("names").replaceChildren();
  grid();
  draw();
}

document.addEventListener("change", async (event) => {
  const changed = event.target;
  if (!(changed instanceof HTMLInputElement)) return;
  if (changed.type === "number") grid();
  if (changed.type !== "file" || !changed.files?.[0]) return;
  const picture = await smaller(changed.files[0]);
  changed.value = "";
  if (picture !== null) await photograph(picture);
});
document.addEventListener("click", async (event) => {
  if (meant(event, "[data-do=cut]")) await cut();
  const code = meant(event, "[data-erase]")?.dataset.erase;
  if (code === undefined) return;
  const reply = await ask("DELETE", `/engines/${engine}/box/photo?page=${encodeURIComponent(`piece:${code}`)}`);
  if (reply.status !== 200) return trouble(reply.body?.detail ?? say("lost"));
  shown = { ...shown, pieces: shown.pieces.map((piece) => piece.code === code ? { ...piece, picture: null } : piece) };
  draw();
});

if (may) grid();
draw();
document.body.dataset.ready = "";
