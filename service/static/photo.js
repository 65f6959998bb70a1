// A photograph of the real table: from the camera or a file, made smaller here, and sent.

import { announce, ask, data, freshKey, make, refresh, say } from "./common.js";
import { field, open } from "./dialog.js";
import { draw, encoded } from "./picture.js";

/** Who may see it: everybody, or one seat before the game is over. */
function whose() {
  const { seat, places } = data();
  const seats = seat ? [seat] : places ?? [];
  const select = make("select", { id: "photo-whose" },
    make("option", { value: "" }, say("photo_everybody")),
    ...seats.map((each) => make("option", { value: each }, say("photo_hand", { seat: each }))));
  return { select, row: make("label", {}, say("photo_whose"), select) };
}

/** Take a photograph of what is now, of an action (`at`) or for a dispute.
 *  @param {{ at?: number, dispute?: string }} about @param {() => unknown} added what follows it */
export function photograph(about, added = refresh) {
  const { game } = data();
  const canvas = make("canvas", { class: "photo-preview", hidden: true, width: 4, height: 3, role: "img", "aria-label": say("photo") });
  const caption = field(say("photo_caption"), { id: "photo-caption", maxlength: 200 });
  const { select, row } = whose();
  const shows = field(say("photo_about"), { id: "photo-about", maxlength: 40, list: "photo-words", autocapitalize: "none" });
  const words = new Set(Array.from(document.querySelectorAll("[data-word], [data-held-piece]"), (each) => {
    const { word, heldPiece } = /** @type {HTMLElement | SVGElement} */ (each).dataset;
    return word ?? heldPiece ?? "";
  }));
  const list = make("datalist", { id: "photo-words" }, ...Array.from(words, (word) => make("option", { value: word })));
  const told = make("p", { role: "status" });
  let key = freshKey();
  const send = make("button", { type: "button", class: "main", "data-do": "photo-send", disabled: true }, say("photo_send"));
  const changed = () => { key = freshKey(); };
  for (const each of [shows.input, caption.input, select]) each.addEventListener("change", changed);
  const taken = (/** @type {Record<string, string>} */ more, /** @type {string} */ label) => {
    const input = make("input", { type: "file", accept: "image/*", class: "unseen", ...more });
    input.addEventListener("change", async () => {
      const file = input.files?.[0];
      if (file === undefined) return;
      changed();
      try {
        await draw(file, canvas);
        canvas.hidden = false;
        send.removeAttribute("disabled");
        told.textContent = "";
      } catch {
        told.textContent = say("photo_unreadable");
      }
    });
    return make("label", { class: "button" }, label, input);
  };
  send.addEventListener("click", async () => {
    send.setAttribute("disabled", "");
    const picture = await encoded(canvas);
    if (picture === null) return;
    const facts = { ...about, only: select.value, about: shows.input.value.trim(), caption: caption.input.value.trim() };
    const said = Object.entries(facts).filter(([, value]) => value !== "" && value !== undefined).map(([name, value]) => [name, String(value)]);
    const reply = await ask("POST", `/games/${game}/photos?${new URLSearchParams(said)}`, picture, { "Idempotency-Key": key });
    if (reply.status !== 200) {
      told.textContent = reply.body?.detail ?? say("lost");
      send.removeAttribute("disabled");
      return;
    }
    /** @type {HTMLDialogElement | null} */ (send.closest("dialog"))?.close();
    announce(reply.body.told.join(". "));
    await added();
  });
  open(say("photo"),
    make("div", { class: "choices" }, taken({ capture: "environment", id: "photo-camera" }, say("photo_camera")), taken({ id: "photo-file" }, say("photo_file"))),
    canvas, shows.row, list, caption.row, row, told, send);
}
