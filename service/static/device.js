// What every page does for the device it is on: it keeps what was last seen, and tells a player that it is
// their turn, as far as the device allows it and its owner wants it.

import { ask, data, dropKept, keep, kept, say } from "./common.js";

/** @type {readonly ["sound", "vibration", "notice"]} */
const WAYS = ["sound", "vibration", "notice"];

/** @param {string} way */
function place(way) {
  return `referee turn ${way}`;
}

// what was last seen

/** The first page that this device opens came before there was anybody to keep it. */
const first = !navigator.serviceWorker?.controller;
/** @type {Promise<ServiceWorkerRegistration> | null} */
const registered = "serviceWorker" in navigator && isSecureContext ? navigator.serviceWorker.register("/sw.js") : null;

/** @param {object} told */
async function tell(told) {
  await registered?.catch(() => null);
  (await navigator.serviceWorker?.ready)?.active?.postMessage(told);
}

registered?.then(() => navigator.serviceWorker.ready).then(() => {
  const files = performance.getEntriesByType("resource").map(({ name }) => name).filter((name) => new URL(name).pathname.startsWith("/static/"));
  tell({ files, ...(first ? { visit: location.href } : {}) });
}).catch(() => null);

document.addEventListener("refreshed", (event) => {
  document.body.removeAttribute("data-offline");
  const html = /** @type {CustomEvent} */ (event).detail;
  if (typeof html === "string") tell({ seen: location.href, html });
});

// Whoever signs out or takes another role leaves nothing behind that the next one could see.
document.addEventListener("submit", (event) => {
  const form = event.target;
  if (!(form instanceof HTMLFormElement) || !/\/(leave|me\/switch|join)$/.test(form.action)) return;
  const left = form.action.endsWith("/leave") ? new FormData(form).get("role") : null;
  dropKept((role) => role !== left);
}, true);

// a page that shows more than the table ends with itself: no way back leads to it
if (document.body.dataset.role?.endsWith(":more")) {
  const here = new URL(location.href);
  here.searchParams.delete("as");
  history.replaceState(null, "", here);
  addEventListener("pageshow", ({ persisted }) => { if (persisted) location.reload(); });
}

// roles that the device has no more
const { roles } = document.body.dataset;
if (roles !== undefined && !("offline" in document.body.dataset)) dropKept((role) => roles.includes(role), false);

// who I am: the roles of this device, as their own page has them

async function showRoles() {
  const link = document.getElementById("my-roles");
  if (link === null || "asked" in link.dataset) return;
  link.dataset.asked = "";
  const reply = await fetch("/me", { headers: { Accept: "text/html" }, credentials: "same-origin" }).catch(() => null);
  const page = reply?.ok ? new DOMParser().parseFromString(await reply.text(), "text/html") : null;
  const listed = page?.querySelector("main .roles");
  listed?.querySelector("[aria-current] form[action='/leave']")?.remove();
  if (listed) link.before(document.adoptNode(listed));
}

for (const id of ["menu", "who"]) document.getElementById(id)?.addEventListener("toggle", showRoles);

// your turn

/** Whether somebody waits for the seat of this page. */
function mine() {
  return document.getElementById("data") !== null && data().mine === true;
}

const title = document.title;
let before = mine();

/** @type {AudioContext | null} */
let audio = null;

/** Browsers let a page sound once somebody has touched it. */
function wake() {
  if (kept(place("sound")) === "yes" && "AudioContext" in window) audio ??= new AudioContext();
}

function ring() {
  if (audio === null) return;
  const [tone, loud] = [audio.createOscillator(), audio.createGain()];
  tone.frequency.value = 660;
  loud.gain.setValueAtTime(0.2, audio.currentTime);
  loud.gain.exponentialRampToValueAtTime(0.001, audio.currentTime + 0.5);
  tone.connect(loud).connect(audio.destination);
  tone.start();
  tone.stop(audio.currentTime + 0.5);
}

async function notify() {
  if (!document.hidden || !("Notification" in window) || Notification.permission !== "granted") return;
  const worker = await registered?.catch(() => null);
  await worker?.showNotification(say("your_turn"), { body: title, tag: location.pathname, icon: "/static/icon-192.png", data: location.href });
}

/** The turn has come: each way that its owner has chosen. */
function turnCame() {
  if (kept(place("sound")) === "yes") ring();
  if (kept(place("vibration")) === "yes") navigator.vibrate?.([200, 100, 200]);
  if (kept(place("notice")) === "yes") notify();
}

function watchTurn() {
  const now = mine();
  document.title = now ? `● ${say("your_turn")} · ${title}` : title;
  if (now && !before) turnCame();
  before = now;
}

if (document.getElementById("data") !== null) {
  watchTurn();
  document.addEventListener("refreshed", watchTurn);
  document.addEventListener("pointerdown", wake);
}

// the switches of these ways stand where the roles of the device do

for (const way of WAYS) {
  const toggle = /** @type {HTMLInputElement | null} */ (document.querySelector(`input[data-turn-way="${way}"]`));
  if (toggle === null) continue;
  const able = { sound: "AudioContext" in window, vibration: "vibrate" in navigator, notice: "Notification" in window && registered !== null };
  toggle.disabled = !able[way];
  toggle.checked = kept(place(way)) === "yes";
  toggle.addEventListener("change", async () => {
    if (way === "notice" && toggle.checked && Notification.permission !== "granted") toggle.checked = (await Notification.requestPermission()) === "granted";
    keep(place(way), toggle.checked ? "yes" : null);
    wake();
    if (toggle.checked && way !== "notice") turnCame();
  });
}

// by night pictures have colours of their own: whoever looks by day does not load them

const dark = /** @type {HTMLLinkElement | null | undefined} */ (globalThis.document?.querySelector('link[href$="/dark.css"]'));
const night = dark && matchMedia(dark.media || "all");
const atNight = () => night?.matches && import("./night.js");
night?.addEventListener("change", atNight);
atNight();

// it lies on the table

/** It takes the role of the table too; whether it is so now. `role` lays it there.
 *  @param {string} game @param {string} [role] */
export async function lieOnTable(game, role) {
  const made = await ask("POST", "/access/codes", { role: "table", scope: game }, role ? { "Referee-Role": role } : {});
  const code = made.body?.data?.code;
  if (!code) return false;
  return (await ask("POST", "/join", { code })).status === 200;
}
