// Studying: lines tried from the moment that is shown, notes kept with them. watch.js turns the pages.

import { ask, data, freshKey, refresh, say } from "./house.js";
import { clearDrawing, pointed } from "./drawing.js";
import { offer, renewLines } from "./taps.js";

const form = document.getElementById("note");
const problem = document.getElementById("problem");

/** The same moment with these lines tried; their address can be kept and sent. */
async function attempt(lines, hash = "") {
  const asked = new URLSearchParams();
  if (data().at !== null) asked.set("at", data().at);
  if (lines.length) asked.set("try", lines.join(";"));
  await turn(`${location.pathname}?${asked}${hash}`);
}

async function turn(address) {
  history.pushState(null, "", address);
  await refresh();
}

function complain(reply) {
  problem.hidden = false;
  problem.textContent = (reply.body?.told ?? [reply.body?.detail ?? say("lost")]).join(" ");
}

form?.addEventListener("submit", async (event) => {
  event.preventDefault();
  const { at, game, instead, last, tried } = data();
  const said = {
    on: String(tried.length ? instead : at ?? last),
    text: form.elements.text.value,
    glyphs: Array.from(form.querySelectorAll("[name=glyph]:checked"), (box) => box.value),
    instead: tried,
    ...pointed(),
  };
  const reply = await ask("POST", `/games/${game}/notes`, said, { "Idempotency-Key": freshKey() });
  if (reply.status !== 200) return complain(reply);
  problem.hidden = true;
  form.reset();
  clearDrawing(true);
  await attempt([], `#${reply.body.data.id}`);
});

document.addEventListener("click", async (event) => {
  const removes = event.target.closest("button[data-remove]");
  if (removes === null) return;
  const reply = await ask("POST", `/games/${data().game}/notes/${removes.dataset.remove}/removal`, {}, { "Idempotency-Key": freshKey() });
  if (reply.status === 200) await refresh();
  else complain(reply);
});

/** A game from a file has no address that would find it again: its links are followed here. */
function stayHere() {
  addEventListener("popstate", () => refresh());
  document.addEventListener("click", (event) => {
    const link = event.target.closest('a[href^="?"]');
    if (link === null || event.defaultPrevented) return;
    event.preventDefault();
    turn(link.getAttribute("href"));
  });
  document.addEventListener("submit", (event) => {
    if (event.defaultPrevented || event.target.method !== "get") return;
    event.preventDefault();
    turn(`?${new URLSearchParams(new FormData(event.target))}`);
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
