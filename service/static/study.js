// Studying: lines tried from the moment that is shown, notes kept with them. watch.js turns the pages.

import { ask, byId, data, meant, refresh, say, tellOnce } from "./common.js";
import { clearDrawing, pointed } from "./drawing.js";
import { offer, renewLines } from "./taps.js";

const form = /** @type {HTMLFormElement | null} */ (document.getElementById("note"));

/** The same moment with these lines tried; their address can be kept and sent.
 *  @param {string[]} lines */
async function attempt(lines, hash = "") {
  const asked = new URLSearchParams();
  const { at } = data();
  if (at !== null) asked.set("at", String(at));
  if (lines.length) asked.set("try", lines.join(";"));
  await turn(`${location.pathname}?${asked}${hash}`);
}

/** @param {string} address */
async function turn(address) {
  history.pushState(null, "", address);
  await refresh();
}

/** The variation before its steps were taken back, and where: forward goes along it again.
 *  @type {{ at: number | null, lines: string[] }} */
let longest = { at: null, lines: [] };

/** In a variation the steps are its own; on goes who has gone back, or follows one that was kept with a note. */
document.addEventListener("walk", (event) => {
  const tried = new URLSearchParams(location.search).get("try")?.split(";") ?? []; // keys are quicker than pages
  const by = /** @type {CustomEvent<number>} */ (event).detail;
  const { at } = data();
  const along = (/** @type {string[]} */ lines) => tried.every((line, step) => line === lines[step]) && lines.length > tried.length;
  const again = by > 0 && longest.at === at && along(longest.lines);
  if (!tried.length && !again) { longest = { at: null, lines: [] }; return; }
  event.preventDefault();
  if (by < 0) {
    if (longest.at !== at || !along(longest.lines)) longest = { at, lines: tried };
    attempt(tried.slice(0, -1));
    return;
  }
  const kept = Array.from(/** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("#notes a[data-lines]")),
    (link) => ({ after: Number(link.dataset.after), lines: link.dataset.lines?.split(";") ?? [] }));
  const next = again ? longest : kept.find(({ after, lines }) => after === at && along(lines));
  if (next) attempt(next.lines.slice(0, tried.length + 1));
});

/** Who may look on; the page says what follows from it. */
document.getElementById("open-to")?.addEventListener("change", async ({ target }) => {
  const reply = await ask("PATCH", `/games/${data().game}/access`, { open_to: /** @type {HTMLSelectElement} */ (target).value });
  if (reply.status !== 200) complain(reply);
  await refresh();
});

/** Escape: back to what was played. */
document.addEventListener("leave", () => {
  longest = { at: null, lines: [] };
  if (data().tried.length) attempt([]);
});

/** An address has what was asked, not all that could have been. */
addEventListener("formdata", ({ formData }) => {
  for (const [name, value] of Array.from(formData)) if (value === "") formData.delete(name);
});

/** @param {Reply} reply */
function complain(reply) {
  const problem = byId("problem");
  problem.hidden = false;
  problem.textContent = (reply.body?.told ?? [reply.body?.detail ?? say("lost")]).join(" ");
}

form?.addEventListener("submit", async (event) => {
  event.preventDefault();
  const { at, game, instead, last, tried } = data();
  const said = {
    on: String(tried.length ? instead : at ?? last),
    text: /** @type {HTMLTextAreaElement} */ (form.elements.namedItem("text")).value,
    glyphs: Array.from(/** @type {NodeListOf<HTMLInputElement>} */ (form.querySelectorAll("[name=glyph]:checked")), (box) => box.value),
    instead: tried,
    ...pointed(),
  };
  const reply = await tellOnce(`/games/${game}/notes`, said);
  if (reply.status !== 200) {
    complain(reply);
    return;
  }
  byId("problem").hidden = true;
  form.reset();
  clearDrawing(true);
  await attempt([], `#${reply.body.data.id}`);
});

document.addEventListener("click", async (event) => {
  const removes = meant(event, "button[data-remove]");
  if (removes === null) return;
  const reply = await tellOnce(`/games/${data().game}/notes/${removes.dataset.remove}/removal`, {});
  if (reply.status === 200) await refresh();
  else complain(reply);
});

document.getElementById("branch")?.addEventListener("click", async () => {
  const { game, now } = data();
  const reply = await tellOnce("/branches", { game, at: now });
  if (reply.status === 200) location.assign(`/games/${reply.body.data.game}`);
  else byId("state").textContent = reply.body?.detail ?? say("lost");
});

/** A game from a file has no address that would find it again: its links are followed here. */
function stayHere() {
  addEventListener("popstate", () => refresh());
  document.addEventListener("click", (event) => {
    const link = meant(event, 'a[href^="?"]');
    if (link === null || event.defaultPrevented) return;
    event.preventDefault();
    turn(link.getAttribute("href") ?? "");
  });
  document.addEventListener("submit", (event) => {
    const asked = /** @type {HTMLFormElement} */ (event.target);
    if (event.defaultPrevented || asked.method !== "get") return;
    event.preventDefault();
    const fields = Array.from(new FormData(asked), ([name, value]) => [name, String(value)]);
    turn(`?${new URLSearchParams(fields)}`);
  });
}

if (data().opened) stayHere();
else addEventListener("popstate", () => location.reload());

/** What is pointed at is on the board of one moment; what is tried has no board that was played. */
let sheet = "";
function renewSheet() {
  const { at, last, tried } = data();
  const now = JSON.stringify([at ?? last, tried]);
  if (form === null || now === sheet) return;
  sheet = now;
  clearDrawing(tried.length === 0);
}

document.addEventListener("refreshed", () => { renewLines(data()); renewSheet(); });
renewSheet();
offer(data(), (line) => attempt([...data().tried, line]));
