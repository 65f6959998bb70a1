// What all pages share: words, requests, live parts, announcements.

const spoken = JSON.parse(document.getElementById("words")?.textContent ?? "{}");

/** A sentence of the page in its language, its facts filled in. */
export function say(key, facts = {}) {
  return (spoken[key] ?? key).replace(/\{([a-z_]+)\}/g, (_, name) => facts[name] ?? "");
}

/** The data of the page as it was last rendered. */
export function data() {
  return JSON.parse(document.getElementById("data").textContent);
}

/** Tell people who listen instead of looking. */
export function announce(text) {
  document.getElementById("announced").textContent = text;
}

/** An element with attributes, listeners (`onclick`) and children. */
export function make(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (value === true) made.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) made.setAttribute(name, value);
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

/** `42:07`, `1:02:07`; with a sign once the time is up. */
export function asTime(seconds) {
  const whole = Math.abs(Math.round(seconds));
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const two = (number) => String(number).padStart(2, "0");
  const shown = hours ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
  return seconds < 0 ? `−${shown}` : shown;
}

/** A key that nobody else makes: pages without TLS have no `crypto.randomUUID`. */
export function freshKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * One request to the API, of words or of a file: `{ status, body, wait }`; status 0 where nobody
 * answers. `wait`: the seconds after which the service wants to be asked again, if it says so.
 */
export async function ask(method, path, body, headers = {}) {
  const options = { method, headers: { ...headers }, credentials: "same-origin" };
  if (body instanceof Blob) {
    options.body = body;
  } else if (body !== undefined) {
    options.body = JSON.stringify(body);
    options.headers["Content-Type"] = "application/json";
  }
  try {
    const reply = await fetch(`/api/v1${path}`, options);
    const type = reply.headers.get("Content-Type") ?? "";
    const wait = Number(reply.headers.get("Retry-After")) || 0;
    return { status: reply.status, body: type.includes("json") ? await reply.json() : await reply.text(), wait };
  } catch {
    return { status: 0, body: null, wait: 0 };
  }
}

let asked = 0;
let loading = null;

/** Fetch the page again and put in place whatever of its live parts has changed. */
export function refresh(address = location.href) {
  const mine = load(address, ++asked).finally(() => { if (loading === mine) loading = null; });
  loading = mine;
  return mine;
}

/** The page shows the table at least up to an entry: several that come at once are one request. */
export async function caughtUp(version) {
  while (loading !== null) await loading;
  if (data().version < version) await refresh();
}

/** A page of a file that is stored nowhere is asked for with the file. */
function sent() {
  const file = document.getElementById("record");
  const headers = { Accept: "text/html" };
  if (file === null) return { headers };
  return { method: "POST", headers: { ...headers, "Content-Type": "text/plain" }, body: file.value };
}

/** What tells a part of a live part from the others, whatever else has changed: itself and what it is in. */
function mark(part) {
  const way = [];
  for (let each = part; each !== null && !each.hasAttribute("data-live"); each = each.parentElement) {
    const { held, ...facts } = each.dataset;
    way.push([each.tagName, each.id, facts]);
  }
  const [, id, facts] = way[0];
  const told = id || Object.keys(facts).length ? null : part.querySelector("summary")?.textContent;
  return JSON.stringify([way, part.getAttribute("name"), part.getAttribute("href"), told]);
}

/** The part of what is new that stands for a part of what was there. */
function counterpart(old, now, part) {
  const same = mark(part);
  const alike = (whole) => Array.from(whole.querySelectorAll(part.tagName)).filter((each) => mark(each) === same);
  return alike(now)[alike(old).indexOf(part)];
}

/** Whether somebody has typed, ticked or chosen something. */
function touched(field) {
  if (field.options) return Array.from(field.options).some((each) => each.selected !== each.defaultSelected);
  return field.value !== field.defaultValue || field.checked !== field.defaultChecked;
}

/**
 * Put what is new in place. What somebody has unfolded, typed, chosen or stands on stays so; a part
 * with `data-held` is in somebody's hands and stays itself.
 */
function putInPlace(old, now) {
  for (const folded of old.querySelectorAll("details")) counterpart(old, now, folded)?.toggleAttribute("open", folded.open);
  if (now.outerHTML === old.outerHTML) return;
  for (const field of Array.from(old.querySelectorAll("input, textarea, select")).filter(touched)) {
    const same = counterpart(old, now, field);
    if (same === undefined || same.innerHTML !== field.innerHTML || same.defaultValue !== field.defaultValue) continue;
    same.value = field.value;
    if (field.checked !== undefined) same.checked = field.checked;
  }
  const stoodOn = old.contains(document.activeElement) ? document.activeElement : null;
  const same = stoodOn && counterpart(old, now, stoodOn);
  const held = Array.from(old.querySelectorAll("[data-held]"), (part) => [counterpart(old, now, part), part]);
  document.adoptNode(now);
  for (const [fresh, part] of held) fresh?.replaceWith(part);
  old.replaceWith(now);
  (stoodOn?.isConnected ? stoodOn : same)?.focus({ preventScroll: true });
}

async function load(address, mine) {
  let text;
  try {
    const reply = await fetch(address, { ...sent(), credentials: "same-origin" });
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
  document.dispatchEvent(new CustomEvent("refreshed"));
  return true;
}

const wide = matchMedia("(min-width: 62rem) and (min-aspect-ratio: 6/5)");

/** The server draws for the shape of the screen; it hears of it by a cookie. */
function shape() {
  const told = document.cookie.includes("wide=yes");
  document.cookie = `wide=${wide.matches ? "yes" : "no"}; path=/; max-age=31536000; samesite=lax`;
  if (told !== wide.matches && document.getElementById("board")) refresh();
}

shape();
wide.addEventListener("change", shape);

const REFUSED_PAUSE = 2000;

/**
 * Hear the events of a kind, each once, and those of other kinds `beside` them as they come; `state`
 * is told whether the line holds. Browsers come back
 * by themselves when a line breaks, but not when they are refused for a while, as by a proxy whose
 * node is gone or a node whose database is.
 */
export function hear(path, kind, heard, state = () => {}, after = null, beside = {}) {
  let source = null;
  let again = 0;
  const open = () => {
    source = new EventSource(after === null ? path : `${path}?after=${after}`);
    source.addEventListener("open", () => state(true));
    source.addEventListener("error", () => {
      state(false);
      if (source.readyState === EventSource.CLOSED) again = setTimeout(open, REFUSED_PAUSE);
    });
    source.addEventListener(kind, (event) => {
      after = event.lastEventId;
      heard(JSON.parse(event.data));
    });
    for (const [other, told] of Object.entries(beside)) {
      source.addEventListener(other, (event) => told(JSON.parse(event.data)));
    }
  };
  open();
  addEventListener("pagehide", () => {
    clearTimeout(again);
    source.close();
  });
}

/** Follow a game: each entry once, in order; `state` is told whether the line holds. */
export function follow(game, after, entry, state = () => {}, beside = {}) {
  hear(`/api/v1/games/${game}/events`, "entry", entry, state, after, beside);
}
