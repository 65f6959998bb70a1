// What all pages share: words, requests, live parts, announcements.

import { unheard } from "./retry.js";

const spoken = JSON.parse(document.getElementById("words")?.textContent ?? "{}");

/** Words of a script that is loaded when it is wanted.
 *  @param {string} group */
export async function learn(group) {
  const reply = await fetch(`/words/${group}`);
  if (reply.ok) Object.assign(spoken, await reply.json());
}

/** A sentence of the page in its language, its facts filled in.
 *  @param {string} key @param {Record<string, string | number>} facts @returns {string} */
export function say(key, facts = {}) {
  return (spoken[key] ?? key).replace(/\{([a-z_]+)\}/g, (/** @type {string} */ _, /** @type {string} */ name) => facts[name] ?? "");
}

/** A part that the page has.
 *  @param {string} id @returns {HTMLElement} */
export function byId(id) {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`no #${id} on this page`);
  return found;
}

/** A field of the page that something is typed or ticked in.
 *  @param {string} id */
export function input(id) {
  return /** @type {HTMLInputElement} */ (byId(id));
}

/** What was meant, where something was tapped: the part that fits, of those around it.
 *  @param {Event} event @param {string} selector @returns {HTMLElement | null} */
export function meant(event, selector) {
  return event.target instanceof Element ? event.target.closest(selector) : null;
}

let rendered = "";
/** @type {PageData} */
let parsed;

/** The data of the page as it was last rendered.
 *  @returns {PageData} */
export function data() {
  const text = byId("data").textContent ?? "";
  if (text !== rendered) [rendered, parsed] = [text, JSON.parse(text)];
  return parsed;
}

/** Tell people who listen instead of looking.
 *  @param {string} text */
export function announce(text) {
  byId("announced").textContent = text;
}

/** An element with attributes, listeners (`onclick`) and children.
 *  @template {keyof HTMLElementTagNameMap} T
 *  @param {T} tag @param {Attributes} attributes @param {Child[]} children */
export function make(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") made.addEventListener(name.slice(2), value);
    else if (value === true) made.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) made.setAttribute(name, String(value));
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

/** `42:07`, `1:02:07`; with a sign once the time is up.
 *  @param {number} seconds */
export function asTime(seconds) {
  const whole = Math.abs(Math.round(seconds));
  const hours = Math.floor(whole / 3600);
  const [minutes, rest] = [Math.floor(whole / 60) % 60, whole % 60];
  const two = (/** @type {number} */ number) => String(number).padStart(2, "0");
  const shown = hours ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
  return seconds < 0 ? `−${shown}` : shown;
}

/** What a browser that keeps nothing has kept as long as this page is open.
 *  @type {Map<string, string>} */
const here = new Map();

/** What this browser keeps under a name.
 *  @param {string} place */
export function kept(place) {
  try {
    return here.get(place) ?? localStorage.getItem(place);
  } catch {
    return null;
  }
}

/** Keep something in this browser; null: nothing any more.
 *  @param {string} place @param {string | null} text */
export function keep(place, text) {
  here.delete(place);
  try {
    if (text === null) localStorage.removeItem(place);
    else localStorage.setItem(place, text);
  } catch {
    if (text !== null) here.set(place, text);
  }
}

/** What is kept (`… as ROLE`) goes with its role.
 *  @param {(role: string) => boolean} stays @param {boolean} pages */
export function dropKept(stays, pages = true) {
  if (pages) globalThis.caches?.delete("referee pages");
  try {
    for (const place of Object.keys(localStorage)) {
      const role = / as (t\w+)/.exec(place)?.[1];
      if (role && !stays(role)) localStorage.removeItem(place);
    }
  } catch {
    // it keeps nothing
  }
}

const dropOwn = () => dropKept((role) => !document.body.dataset.role?.startsWith(role));

/** A key that nobody else makes: pages without TLS have no `crypto.randomUUID`. */
export function freshKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** So long an answer to words may take: a line that hangs is a line that is lost. */
const PATIENCE = 60_000;

/** As whom this page was made: a device may have several roles, and another tab may have switched.
 *  @returns {Record<string, string>} */
export function inRole() {
  const { role } = document.body.dataset;
  return role ? { "Referee-Role": role } : {};
}

/** One request to the API, of words or of a file: `{ status, body }`; status 0 where nobody answers, or
 *  somebody on the way does, whose page is no answer.
 *  @type {Ask} */
export async function ask(method, path, body, headers = {}) {
  const file = body instanceof Blob;
  const spoken = { ...inRole(), ...headers, ...(file || body === undefined ? {} : { "Content-Type": "application/json" }) };
  /** @type {RequestInit} */
  const options = { method, headers: spoken, credentials: "same-origin", body: file ? body : JSON.stringify(body) };
  if (!file) options.signal = AbortSignal.timeout(PATIENCE);
  try {
    const reply = await fetch(`/api/v1${path}`, options);
    if (reply.status === 401) dropOwn();
    const type = reply.headers.get("Content-Type") ?? "";
    const after = Number(reply.headers.get("Retry-After")) || null;
    return type.includes("json") ? { status: reply.status, body: await reply.json(), after } : { status: 0, body: null, after };
  } catch {
    return { status: 0, body: null };
  }
}

/** What was told and has no answer yet, and its key.
 *  @type {Map<string, string>} */
const unanswered = new Map();

/** Tell something once: the same words told again, because nobody has answered, have the same key.
 *  @param {string} path @param {object} body @param {Record<string, string>} headers */
export async function tellOnce(path, body, headers = {}) {
  const words = JSON.stringify([path, body]);
  const key = unanswered.get(words) ?? freshKey();
  unanswered.set(words, key);
  const reply = await ask("POST", path, body, { ...headers, "Idempotency-Key": key });
  if (!unheard(reply)) unanswered.delete(words);
  return reply;
}

/** One place shows what was asked last, however late an answer comes: those to earlier questions are null.
 *  @returns {<T>(asked: Promise<T>) => Promise<T | null>} */
export function onlyLast() {
  let last = 0;
  return async (asked) => {
    const mine = ++last;
    const answer = await asked;
    return mine === last ? answer : null;
  };
}

let asked = 0;
/** @type {Promise<boolean> | null} */
let loading = null;

/** Fetch the page again and put in place whatever of its live parts has changed; whether it is so. */
export function refresh(address = location.href) {
  /** @type {Promise<boolean>} */
  const mine = load(address, ++asked).finally(() => { if (loading === mine) loading = null; });
  loading = mine;
  return mine;
}

/** The page that is on its way is here, or could not be fetched. */
export async function loaded() {
  while (loading !== null) await loading;
}

/** A page that could not be fetched is asked for again after so long, and then less and less often. */
const FETCH_AGAIN = [2000, 4000, 8000, 16_000, 30_000];

let wanted = -1;
/** @type {Promise<void> | null} */
let catching = null;

/** The page shows the table up to an entry: one request for several, until it succeeds.
 *  @param {number} version */
export function caughtUp(version) {
  wanted = Math.max(wanted, version);
  catching ??= catchUp().finally(() => { catching = null; });
  return catching;
}

async function catchUp() {
  for (let failed = 0; ;) {
    while (loading !== null) await loading;
    const aim = wanted;
    if (data().version >= aim) return;
    if (await refresh()) {
      failed = 0;
      if (wanted === aim) return;
    } else if (loading === null) {
      document.dispatchEvent(new CustomEvent("not-refreshed"));
      const pause = FETCH_AGAIN[Math.min(failed++, FETCH_AGAIN.length - 1)];
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }
}

/** A page of a file that is stored nowhere is asked for with the file. */
function sent() {
  const file = /** @type {HTMLTextAreaElement | null} */ (document.getElementById("record"));
  const headers = { ...inRole(), Accept: "text/html" };
  if (file === null) return { headers };
  return { method: "POST", headers: { ...headers, "Content-Type": "text/plain" }, body: file.value };
}

/** What tells a part of a live part from the others, whatever else has changed: itself and what it is in.
 *  @param {Element} part */
function mark(part) {
  const way = [];
  for (let each = /** @type {Element | null} */ (part); each !== null && !each.hasAttribute("data-live"); each = each.parentElement) {
    const { held: _, ...facts } = /** @type {HTMLElement} */ (each).dataset;
    way.push({ tag: each.tagName, id: each.id, facts });
  }
  const [{ id, facts } = { id: "", facts: {} }] = way;
  const told = id || Object.keys(facts).length ? null : part.querySelector("summary")?.textContent;
  return JSON.stringify([way, part.getAttribute("name"), part.getAttribute("href"), told]);
}

/** The part of what is new that stands for a part of what was there.
 *  @template {Element} T
 *  @param {Element} old @param {Element} now @param {T} part @returns {T | undefined} */
function counterpart(old, now, part) {
  const same = mark(part);
  const alike = (/** @type {Element} */ whole) => Array.from(whole.querySelectorAll(part.tagName)).filter((each) => mark(each) === same);
  return /** @type {T[]} */ (alike(now))[alike(old).indexOf(part)];
}

/** Whether somebody has typed, ticked or chosen something.
 *  @param {HTMLInputElement | HTMLSelectElement} field */
function touched(field) {
  if ("options" in field) return Array.from(field.options).some((each) => each.selected !== each.defaultSelected);
  if (field.type === "file") return false; // no page may choose a file
  return field.value !== field.defaultValue || field.checked !== field.defaultChecked;
}

/**
 * Put what is new in place. What somebody has unfolded, typed, chosen or stands on stays so; a part
 * with `data-held` is in somebody's hands and stays itself.
 * @param {Element} old @param {Element} now
 */
function putInPlace(old, now) {
  for (const folded of Array.from(old.querySelectorAll("details"))) counterpart(old, now, folded)?.toggleAttribute("open", folded.open);
  if (now.outerHTML === old.outerHTML) return;
  /** @type {HTMLInputElement[]} */
  const fields = Array.from(old.querySelectorAll("input, textarea, select"));
  for (const field of fields.filter(touched)) {
    const same = counterpart(old, now, field);
    if (same === undefined || same.innerHTML !== field.innerHTML || same.defaultValue !== field.defaultValue) continue;
    same.value = field.value;
    if (field.checked !== undefined) same.checked = field.checked;
  }
  const stoodOn = old.contains(document.activeElement) ? /** @type {HTMLElement} */ (document.activeElement) : null;
  const same = stoodOn && counterpart(old, now, stoodOn);
  const held = Array.from(old.querySelectorAll("[data-held]"), (part) => ({ fresh: counterpart(old, now, part), part }));
  document.adoptNode(now);
  for (const { fresh, part } of held) fresh?.replaceWith(part);
  old.replaceWith(now);
  (stoodOn?.isConnected ? stoodOn : same)?.focus({ preventScroll: true });
}

/** @param {string} address @param {number} mine */
async function load(address, mine) {
  let text;
  try {
    const reply = await fetch(address, { ...sent(), credentials: "same-origin", signal: AbortSignal.timeout(PATIENCE) });
    if ([401, 403].includes(reply.status)) dropOwn();
    if (!reply.ok) return false;
    text = await reply.text();
  } catch {
    return false;
  }
  if (mine !== asked) return false;
  const fresh = new DOMParser().parseFromString(text, "text/html");
  for (const old of document.querySelectorAll("[data-live]")) {
    const now = fresh.getElementById(old.id);
    if (now !== null) putInPlace(old, now);
  }
  document.dispatchEvent(new CustomEvent("refreshed", { detail: text }));
  return true;
}

const framed = document.body.classList.contains("page-embed");
const wide = matchMedia(framed ? "(min-aspect-ratio: 1/1)" : "(min-width: 62rem) and (min-aspect-ratio: 6/5)");

/** The server draws for the shape of the screen; it hears of it by a cookie, which a frame on another site has not: there the address says it. */
function shape() {
  if (framed) {
    const asked = new URL(location.href);
    if (wide.matches) asked.searchParams.delete("shape");
    else asked.searchParams.set("shape", "tall");
    if (asked.href === location.href) return;
    history.replaceState(null, "", asked);
    refresh();
    return;
  }
  const told = document.cookie.includes("wide=yes");
  document.cookie = `wide=${wide.matches ? "yes" : "no"}; path=/; max-age=31536000; samesite=lax`;
  if (told !== wide.matches && document.getElementById("board")) refresh();
}

shape();
wide.addEventListener("change", shape);

const REFUSED_PAUSE = 2000;
/** So often a page looks again by itself while all live places are taken. */
const FULL_PAUSE = 5000;
/** So often where nobody sees it. */
const AWAY_PAUSE = 15_000;

/** Whether a stream was refused because too many are open: a stream does not say so itself.
 *  @param {string} address */
async function isFull(address) {
  try {
    const reply = await fetch(address, { credentials: "same-origin" });
    await reply.body?.cancel();
    return reply.status === 429;
  } catch {
    return false;
  }
}

/** So many live lines the pages of one browser have together: over HTTP/1.1 it has six connections to a
 *  server, and whoever has a line on each of them can ask nothing more. */
const MOST_LINES = 4;

/** What this page hears by a line of its own; a line that rests is looked after now and then.
 *  @type {Set<{ rest: () => void, wake: () => void }>} */
const ownLines = new Set();
/** The pages of this browser that were looked at since this one was, with the number of their lines.
 *  @type {Map<string, number>} */
const newer = new Map();
const thisPage = freshKey();
const otherPages = "BroadcastChannel" in globalThis ? new BroadcastChannel("referee lines") : null;

/** This page is looked at: its lines are live, and those of the pages that were left longest ago rest. */
function lookedAt() {
  if (!ownLines.size) return;
  newer.clear();
  otherPages?.postMessage({ page: thisPage, lines: ownLines.size });
  for (const line of ownLines) line.wake();
}

otherPages?.addEventListener("message", ({ data: { page, lines } }) => {
  newer.set(page, lines);
  const live = Array.from(newer.values()).reduce((sum, each) => sum + each, ownLines.size);
  if (live > MOST_LINES) for (const line of ownLines) line.rest();
});
addEventListener("focus", lookedAt);
document.addEventListener("visibilitychange", () => { if (!document.hidden) lookedAt(); });

/**
 * Hear the events of a kind, each once, and those of other kinds `beside` them; `state` is told how the
 * line is. While all live places are taken, the page looks again every few seconds. Browsers come back
 * by themselves when a line breaks, not when they are refused.
 * @param {string} path @param {string} kind @param {(told: Told) => unknown} heard
 * @param {(line: "live" | "lost" | "full") => void} state @param {number | string | null} after
 * @param {Record<string, (told: Told) => void>} beside
 */
export function hear(path, kind, heard, state = () => {}, after = null, beside = {}) {
  const { role } = document.body.dataset;
  /** @type {EventSource} */
  let source;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let again;
  const open = () => {
    const asked = new URLSearchParams({ ...(after === null ? {} : { after: String(after) }), ...(role ? { as: role } : {}) }).toString();
    const opened = new EventSource(asked ? `${path}?${asked}` : path);
    source = opened;
    source.addEventListener("open", () => state("live"));
    source.addEventListener("error", async () => {
      if (opened.readyState !== EventSource.CLOSED) return state("lost");
      const full = await isFull(opened.url);
      state(full ? "full" : "lost");
      if (full) refresh();
      again = setTimeout(open, full ? FULL_PAUSE : REFUSED_PAUSE);
    });
    source.addEventListener(kind, (event) => {
      after = event.lastEventId;
      heard(JSON.parse(event.data));
    });
    for (const [other, told] of Object.entries(beside)) {
      source.addEventListener(other, (event) => told(JSON.parse(event.data)));
    }
  };
  let resting = false;
  const lookLater = () => {
    again = setTimeout(async () => {
      const heardOf = await refresh();
      if (!resting) return;
      state(heardOf ? "full" : "lost");
      lookLater();
    }, document.hidden ? AWAY_PAUSE : FULL_PAUSE);
  };
  const rest = () => {
    if (resting) return;
    resting = true;
    clearTimeout(again);
    source.close();
    state("full");
    lookLater();
  };
  const wake = () => {
    if (!resting) return;
    resting = false;
    clearTimeout(again);
    open();
  };
  open();
  ownLines.add({ rest, wake });
  lookedAt();
  addEventListener("pagehide", () => {
    clearTimeout(again);
    source.close();
  });
}

/** Follow a game: each entry once, in order; `state` is told whether the line holds.
 *  @param {string} game @param {number} after @param {(told: Told) => unknown} entry
 *  @param {(line: "live" | "lost" | "full") => void} state @param {Record<string, (told: Told) => void>} beside */
export function follow(game, after, entry, state = () => {}, beside = {}) {
  hear(`/api/v1/games/${game}/events`, "entry", entry, state, after, beside);
}

// what this device shows of a record: notation beside the sentences, or not

/** @param {boolean} on */
function showNotation(on) {
  document.body.classList.toggle("with-notation", on);
  /** @type {NodeListOf<HTMLInputElement>} */
  const switches = document.querySelectorAll('[data-shows="notation"]');
  for (const each of switches) each.checked = on;
}

showNotation(kept("referee notation") === "yes");
document.addEventListener("change", (event) => {
  const tapped = event.target;
  if (!(tapped instanceof HTMLInputElement) || tapped.dataset.shows !== "notation") return;
  keep("referee notation", tapped.checked ? "yes" : null);
  showNotation(tapped.checked);
});
