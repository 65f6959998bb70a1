// The service worker: without a network a device shows what it has last seen of its tables, and says so.
// Pages are kept for one role at a time. Whenever the roles of the device change, or the referee knows or
// lets in a role no more (401, 403), all of them are dropped: nobody is shown what another role has seen.

const worker = /** @type {any} */ (self);
const SHELL = "referee shell";
const PAGES = "referee pages";
const OFFLINE = "/offline";
/** The pages that are kept: the start page, and the tables. */
const KEPT = /^\/$|^\/games\/[^/.]+(\/seat|\/watch)?$/;
/** What changes who this device is. */
const CHANGES = /^\/(leave|join(\/.*)?|j\/.*|me\/switch)$|^\/api\/v1\/(join|leave)$/;
/** So many pages are kept at most. */
const MOST = 24;
/** Under this address the role stands whose pages are kept. */
const ROLE = "/kept-role";
/** How often all was dropped: what was asked for before that is not kept after it. */
let drops = 0;

/** @param {string} html */
function roleOf(html) {
  return /<body[^>]* data-role="([^"]*)"/.exec(html)?.[1] ?? "";
}

async function drop() {
  drops += 1;
  await caches.delete(PAGES);
}

/** Keep a page as it was seen; with it the pages of any other role go.
 *  @param {string} url @param {string} html */
async function keep(url, html) {
  const pages = await caches.open(PAGES);
  const known = await (await pages.match(ROLE))?.text();
  const role = roleOf(html);
  if (known !== role) await drop();
  const now = await caches.open(PAGES);
  await now.put(ROLE, new Response(role));
  await now.put(url, new Response(html, { headers: { "Content-Type": "text/html; charset=utf-8" } }));
  const [oldest, ...others] = (await now.keys()).filter((each) => new URL(each.url).pathname !== ROLE);
  if (oldest && others.length >= MOST) await now.delete(oldest);
}

/** A page from the network; else as it was last seen, marked so; else one that says that there is none.
 *  @param {Request} request */
async function page(request) {
  const before = drops;
  try {
    const reply = await fetch(request);
    const { pathname } = new URL(request.url);
    if (reply.status === 401 || reply.status === 403) await drop();
    const html = reply.ok && (reply.headers.get("Content-Type") ?? "").startsWith("text/html") ? await reply.clone().text() : null;
    if (html !== null && drops === before) {
      if (KEPT.test(pathname) && !reply.redirected && !roleOf(html).endsWith(":more")) await keep(request.url, html);
      else if (roleOf(html) !== ((await (await (await caches.open(PAGES)).match(ROLE))?.text()) ?? roleOf(html))) await drop();
    }
    return reply;
  } catch {
    const seen = await (await caches.open(PAGES)).match(request.url);
    if (seen === undefined) return (await caches.match(OFFLINE)) ?? Response.error();
    const html = (await seen.text()).replace("<body ", "<body data-offline ");
    return new Response(html, { headers: { "Content-Type": "text/html; charset=utf-8" } });
  }
}

/** A file of the pages: the newest there is, and without a network the last one.
 *  @param {Request} request */
async function file(request) {
  const shell = await caches.open(SHELL);
  try {
    const reply = await fetch(request);
    if (reply.ok) await shell.put(request.url, reply.clone());
    return reply;
  } catch {
    return (await shell.match(request.url)) ?? Response.error();
  }
}

worker.addEventListener("install", (/** @type {any} */ event) => {
  event.waitUntil(caches.open(SHELL).then((shell) => shell.add(OFFLINE)).then(() => worker.skipWaiting()));
});
worker.addEventListener("activate", (/** @type {any} */ event) => event.waitUntil(worker.clients.claim()));

worker.addEventListener("fetch", (/** @type {any} */ event) => {
  /** @type {Request} */
  const request = event.request;
  const { origin, pathname } = new URL(request.url);
  if (origin !== worker.location.origin) return;
  if (request.method !== "GET" || pathname.startsWith("/j/")) {
    if (CHANGES.test(pathname)) event.waitUntil(drop());
  } else if (request.mode === "navigate") event.respondWith(page(request));
  else if (pathname.startsWith("/static/")) event.respondWith(file(request));
});

// A page says what it has loaded, and what it shows after it was brought up to date.
worker.addEventListener("message", (/** @type {any} */ event) => {
  const { seen, html, files, visit } = event.data ?? {};
  if (visit) event.waitUntil(page(new Request(visit, { credentials: "same-origin", headers: { Accept: "text/html" } })));
  if (files) event.waitUntil(caches.open(SHELL).then((shell) => Promise.allSettled(files.map((/** @type {string} */ each) => shell.add(each)))));
  if (!seen || !KEPT.test(new URL(seen).pathname)) return;
  event.waitUntil(caches.open(PAGES).then((pages) => pages.match(ROLE)).then((known) => known?.text()).then((role) => {
    if (role === roleOf(html)) return keep(seen, html);
  }));
});

// A notification that is tapped leads to the table.
worker.addEventListener("notificationclick", (/** @type {any} */ event) => {
  event.notification.close();
  const place = event.notification.data;
  event.waitUntil(worker.clients.matchAll({ type: "window" }).then((/** @type {any[]} */ open) => {
    const there = open.find((each) => each.url === place);
    return there ? there.focus() : worker.clients.openWindow(place);
  }));
});
