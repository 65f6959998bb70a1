// Marks on the photograph of a dispute: rings and arrows, drawn on a copy that joins the evidence.

import { ask, freshKey, make, meant, say } from "./common.js";
import { field, needed, open } from "./dialog.js";
import { draw, encoded } from "./picture.js";

const INK = "#e0002a";
const RIM = "#ffffff";
/** A finger that moves less, in parts of the picture's width, has drawn a ring. */
const STILL = 0.02;

/** A ring is a place; an arrow leads from one place to another.
 *  @typedef {{ from: { x: number, y: number }, to?: { x: number, y: number } }} Mark */

/** @param {CanvasRenderingContext2D} pen @param {Mark} mark @param {number} size */
function trace(pen, { from, to }, size) {
  pen.beginPath();
  if (to === undefined) {
    pen.arc(from.x, from.y, size, 0, 2 * Math.PI);
    return;
  }
  const angle = Math.atan2(to.y - from.y, to.x - from.x);
  pen.moveTo(from.x, from.y);
  pen.lineTo(to.x, to.y);
  for (const turn of [0.5, -0.5]) {
    pen.moveTo(to.x - size * Math.cos(angle + turn), to.y - size * Math.sin(angle + turn));
    pen.lineTo(to.x, to.y);
  }
}

/** Mark a photograph, and add the marked copy to the dispute; whoever may see one may see the other.
 *  @param {{ game: string, dispute: string, photo: string, only: string }} about */
async function mark({ game, dispute, photo, only }) {
  const told = make("p", { role: "status" });
  const canvas = make("canvas", { class: "photo-preview marking", tabindex: 0, role: "application", "aria-label": say("marks_how") });
  const below = document.createElement("canvas");
  const reply = await needed(fetch(`/api/v1/games/${game}/photos/${photo}`, { credentials: "same-origin" }));
  if (!reply?.ok) return;
  await draw(await reply.blob(), below);
  [canvas.width, canvas.height] = [below.width, below.height];
  const pen = canvas.getContext("2d");
  const size = canvas.width / 24;
  /** @type {Mark[]} */
  const marks = [];
  /** @type {{ x: number, y: number } | null} */
  let begun = null;
  /** Where the keys are. */
  let at = { x: canvas.width / 2, y: canvas.height / 2 };
  let keys = false;
  /** What is sent again is what was sent, or has another key. */
  let key = freshKey();
  const changed = () => { key = freshKey(); show(); };
  const show = () => {
    if (pen === null) return;
    pen.drawImage(below, 0, 0);
    pen.lineCap = "round";
    for (const [colour, width] of /** @type {[string, number][]} */ ([[RIM, size / 3], [INK, size / 6]])) {
      [pen.strokeStyle, pen.lineWidth] = [colour, width];
      for (const each of marks) {
        trace(pen, each, size);
        pen.stroke();
      }
    }
    if (!keys) return;
    [pen.strokeStyle, pen.lineWidth] = [INK, size / 10];
    pen.strokeRect(at.x - size / 3, at.y - size / 3, 2 * size / 3, 2 * size / 3);
  };
  const add = (/** @type {Mark} */ each) => {
    marks.push(each);
    told.textContent = say("marks_count", { count: marks.length });
    changed();
  };
  const place = (/** @type {PointerEvent} */ event) => {
    const box = canvas.getBoundingClientRect();
    return { x: (event.clientX - box.left) / box.width * canvas.width, y: (event.clientY - box.top) / box.height * canvas.height };
  };
  canvas.addEventListener("pointerdown", (event) => { begun = place(event); });
  canvas.addEventListener("pointerup", (event) => {
    const [from, to] = [begun, place(event)];
    begun = null;
    if (from) add(Math.hypot(to.x - from.x, to.y - from.y) < STILL * canvas.width ? { from } : { from, to });
  });
  canvas.addEventListener("keydown", (event) => {
    const step = canvas.width / (event.shiftKey ? 12 : 60);
    const moves = /** @type {Record<string, [number, number]>} */ ({ ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, -step], ArrowDown: [0, step] });
    const move = moves[event.key];
    keys = true;
    if (move) at = { x: Math.min(canvas.width, Math.max(0, at.x + move[0])), y: Math.min(canvas.height, Math.max(0, at.y + move[1])) };
    else if (event.key === " ") begun = { ...at };
    else if (event.key === "Enter") {
      add(begun === null ? { from: { ...at } } : { from: begun, to: { ...at } });
      begun = null;
    } else return;
    event.preventDefault();
    show();
  });
  const undo = make("button", { type: "button", class: "plain", "data-do": "marks-undo", onclick: () => { marks.pop(); changed(); } }, say("marks_undo"));
  const caption = field(say("marks_caption"), { id: "marks-caption", maxlength: 200, value: say("marks_of", { photo }) });
  caption.input.addEventListener("change", () => { key = freshKey(); });
  const send = make("button", { type: "button", class: "main", "data-do": "marks-send" }, say("marks_send"));
  send.addEventListener("click", async () => {
    keys = false;
    show();
    const picture = marks.length ? await encoded(canvas) : null;
    if (picture === null) {
      told.textContent = say("marks_none");
      return;
    }
    const facts = new URLSearchParams({ dispute, caption: caption.input.value.trim(), ...(only ? { only } : {}) });
    const answer = await ask("POST", `/games/${game}/photos?${facts}`, picture, { "Idempotency-Key": key });
    if (answer.status === 200) location.reload();
    else told.textContent = answer.body?.detail ?? say("lost");
  });
  open(say("marks"), make("p", { class: "quiet" }, say("marks_how")), canvas, told, undo, caption.row, send);
  show();
  canvas.focus();
}

document.addEventListener("click", (event) => {
  const { game = "", dispute = "", mark: photo = "", only = "" } = meant(event, "[data-mark]")?.dataset ?? {};
  if (photo) mark({ game, dispute, photo, only });
});
