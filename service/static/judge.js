// The judge's calls: live from all tables, counted in the title, heard where that is wanted.

import "./attending.js";
import { announce, byId, hear, meant, refresh, say, tellOnce } from "./common.js";

const state = byId("state");
const sound = byId("sound");
const title = document.title;
/** @type {AudioContext | null} */
let audio = null;

function count() {
  const waiting = document.querySelectorAll("#calls a").length;
  document.title = waiting ? `(${waiting}) ${title}` : title;
}

function ring() {
  if (audio === null) return;
  const tone = audio.createOscillator();
  const loudness = audio.createGain();
  loudness.gain.setValueAtTime(0.2, audio.currentTime);
  loudness.gain.exponentialRampToValueAtTime(0.001, audio.currentTime + 0.6);
  tone.frequency.value = 660;
  tone.connect(loudness).connect(audio.destination);
  tone.start();
  tone.stop(audio.currentTime + 0.6);
}

sound.hidden = !("AudioContext" in window);
sound.addEventListener("click", () => {
  audio = audio === null ? new AudioContext() : null;
  sound.setAttribute("aria-pressed", String(audio !== null));
  ring();
});

hear("/api/v1/events", "call", async (call) => {
  const before = document.querySelectorAll("#calls a").length;
  await refresh();
  if (document.querySelectorAll("#calls a").length > before) {
    ring();
    announce(call.told);
  }
}, (line) => {
  state.textContent = say(line);
  if (line === "live") refresh();
});
/** How long somebody has been waiting, by the clock of this device, as it goes on. */
function tick() {
  for (const shown of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".waited"))) {
    const passed = Date.now() - Date.parse(shown.dataset.since ?? "");
    shown.textContent = say("minutes").replace("{count}", String(Math.max(0, Math.floor(passed / 60000))));
  }
}
setInterval(tick, 20000);

/** A table of an event is answered here, in a sentence or without. */
document.addEventListener("submit", async (event) => {
  const form = meant(event, ".answering");
  if (form === null) return;
  event.preventDefault();
  const button = /** @type {HTMLButtonElement} */ (form.querySelector("button"));
  button.disabled = true;
  const said = form.dataset.call ? { call: Number(form.dataset.call) } : { text: form.querySelector("input")?.value.trim() };
  const reply = await tellOnce(form.dataset.path ?? "", said);
  button.disabled = false;
  if (reply.status === 200) refresh();
  else /** @type {HTMLElement} */ (form.querySelector("[role=status]")).textContent = reply.body?.detail ?? reply.body?.title ?? say("nobody_answers");
});
document.addEventListener("refreshed", count);
count();
document.body.dataset.ready = "";
