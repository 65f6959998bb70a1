// What happened, seen by a camera: a photograph goes to the referee, who proposes; a tap logs it.
// Photographs stay in this page and are sent to the house alone; they are kept if somebody says so.

import { ask, byId, data, freshKey, keep, kept, learn, make, refresh, say } from "./common.js";
import { Corners, START } from "./corners.js";
import { answerWhy, hideVerdict, maySpeak, queue, show, whenAnswered } from "./desk.js";
import { open } from "./dialog.js";
import { encoded, smaller } from "./picture.js";
import { calledLine } from "./taps.js";

/** So often a tablet on a stand looks, in milliseconds. */
const GLANCE = 1000;
/** So many looks in a row must be alike before the hands have gone. */
const STILL = 2;
/** A picture this small tells whether anything moves, and at which part of its pixels it does. */
const SMALL = { width: 64, height: 48 };
const PALE = 24;
const MOVING = 0.004;
/** So many proposals are shown. */
const SHOWN = 3;
const KEEPS = "referee sight keeps", LOGS = "referee sight logs";
/** So many photographs are taken of a card, and so long lies between two of them. */
const FRAMES = 3, APART = 400;
/** So many agreed photographs are remembered, for moves that are undone. */
const REMEMBERED = 5;

/** @typedef {{ notation: string, label: string, visible: boolean }} Step */
/** @typedef {{ steps: Step[], same: string[][] }} Proposal */
/** @typedef {{ board: string, corners: [number, number][] }} Found */
/** @typedef {{ photo: Blob, since: number | null, boards: Found[] }} Taken a photograph, and where its boards lie */

/** The table as it was last agreed to look.
 *  @type {Taken | null} */
let before = null;
/** How it looked before that.
 *  @type {Taken[]} */
let earlier = [];
/** Lines that a tap has sent, with the photograph they were seen on.
 *  @type {{ lines: string[], taken: Taken } | null} */
let sent = null;

whenAnswered(async (item, reply) => {
  if (item.path === "/undo" && reply.status === 200) {
    // what a photograph was taken after is no longer so: the one before it shows the table again
    /** @type {number[]} */
    const undone = reply.body.data.undone ?? [];
    while (before?.since && undone.includes(before.since)) before = earlier.pop() ?? null;
    return;
  }
  if (sent === null || JSON.stringify(item.said.lines) !== JSON.stringify(sent.lines)) return;
  const { taken } = sent;
  sent = null;
  if (reply.status !== 200) return;
  const { number } = reply.body.data;
  if (before) earlier = [...earlier, before].slice(-REMEMBERED);
  before = { ...taken, since: number };
  if (kept(KEEPS) !== "yes") return;
  await ask("POST", `/games/${data().game}/photos?at=${number}`, taken.photo, { "Idempotency-Key": freshKey() });
  await refresh();
});

/** The words come with the first look.
 *  @type {Promise<void> | null} */
let words = null;

/** @param {string} label @param {Attributes} attributes @param {(photo: Blob) => unknown} then */
function picker(label, attributes, then) {
  const input = make("input", { type: "file", accept: "image/*", class: "unseen", ...attributes });
  input.addEventListener("change", async () => {
    const file = input.files?.[0];
    if (file) then(await smaller(file));
  });
  return make("label", { class: "button" }, label, input);
}

/** @param {string} label @param {string} name @param {() => unknown} act */
const button = (label, name, act, main = false) => make("button", { type: "button", class: main ? "main" : "", "data-do": name, onclick: act }, label);

/** Ways to look again, and at what.
 *  @param {(photo: Blob) => unknown} then */
const cameras = (then) => [
  picker(say("sight_camera"), { capture: "environment", id: "sight-camera" }, then),
  picker(say("sight_file"), { id: "sight-file" }, then),
];

/** What is open before anything was seen. */
export async function look() {
  await (words ??= learn("sight_spoken"));
  show("", [say("sight_ask"), say(before ? "sight_about_next" : "sight_about")],
    make("div", { class: "choices" }, ...cameras((photo) => see(photo)),
      stand ? button(say("sight_stop"), "sight-stop", stop) : button(say("sight_watch"), "sight-watch", watch),
      stand ? button(say("sight_card"), "sight-show", holdUp) : picker(say("sight_card"), { capture: "environment", id: "sight-card" }, card)),
    make("div", {}, choice(LOGS, "sight-logs", say("sight_logs")), make("p", { class: "quiet" }, say("sight_logs_about")),
      data().may?.["photo-add"] ? choice(KEEPS, "sight-keeps", say("sight_keeps")) : null));
}

/** What this table has chosen, kept on its device.
 *  @param {string} place @param {string} id @param {string} label */
function choice(place, id, label) {
  const box = make("input", { type: "checkbox", id, checked: kept(place) === "yes" });
  box.addEventListener("change", () => keep(place, box.checked ? "yes" : null));
  return make("label", { class: "check quiet" }, box, label);
}

/** The photograph before, the one after, and where the board lay.
 *  @param {string} path @param {Blob} photo */
async function question(path, photo) {
  const marked = before?.boards[0];
  /** @type {[string, string][]} */
  const facts = before ? [["split", String(before.photo.size)], ...(before.since === null ? [] : [/** @type {[string, string]} */ (["since", String(before.since)])])] : [];
  if (marked) facts.push(["board", marked.board], ...marked.corners.flat().map((part) => /** @type {[string, string]} */ (["corners", String(part)])));
  return ask("POST", `/games/${data().game}${path}?${new URLSearchParams(facts)}`, before ? new Blob([before.photo, photo]) : photo);
}

/** Send a photograph and show what is proposed; `quietly`: nothing is said of a table that has not changed.
 *  @param {Blob} photo */
async function see(photo, quietly = false) {
  if (!quietly) show("", [say("sight_looking")]);
  const reply = await question("/sight", photo);
  if (reply.status !== 200) return unseen(photo, reply);
  /** @type {{ outcome: string, number: number, sure: boolean, proposals: Proposal[], changed: { place: string, label: string }[], refused: Step & { clauses: string[] } | null, boards: Found[] }} */
  const seen = reply.body.data;
  const taken = { photo, since: seen.number, boards: seen.boards };
  if (seen.outcome === "nothing") {
    before = taken;
    if (!quietly) show("", [say("sight_nothing")], make("div", { class: "choices" }, compares(photo), close("sight_ok")));
  } else if (seen.outcome === "unexplained") unexplained(taken, seen, reply.body.told);
  else if (stand && quietly && seen.sure && kept(LOGS) === "yes" && seen.proposals[0]?.steps.every(({ visible }) => visible)) {
    log(taken, seen.proposals[0], "unconfirmed");
  } else proposed(taken, seen.proposals);
  light(seen.outcome === "nothing" ? [] : seen.changed.map(({ place }) => place));
}

/** @param {string} label */
const close = (label) => button(say(label), "sight-close", hideVerdict);
/** @param {Blob} photo */
const compares = (photo) => button(say("sight_compare"), "sight-compare", () => compare(photo));

/** @param {Step[]} steps */
const spoken = (steps) => steps.map(({ label }) => label).join("; ");

/** @param {Proposal} proposal */
const linesOf = ({ steps }) => steps.map(({ notation }) => notation);

/** Log what was seen; nobody has confirmed it where the tablet does it by itself.
 *  @param {Taken} taken @param {Proposal} proposal @param {"confirmed" | "unconfirmed"} by_sight */
function log(taken, proposal, by_sight) {
  if (!maySpeak()) return;
  hideVerdict();
  sent = { lines: linesOf(proposal), taken };
  queue.add("/actions", { lines: sent.lines, by_sight }, spoken(proposal.steps));
}

/** @param {Taken} taken @param {Proposal[]} proposals */
function proposed(taken, proposals) {
  const [first, ...others] = proposals.slice(0, SHOWN);
  if (!first) return;
  const tap = (/** @type {Proposal} */ one, told = spoken(one.steps), main = false) =>
    make("button", { type: "button", class: main ? "main" : "", "data-seen": linesOf(one).join("; "), onclick: () => log(taken, one, "confirmed") }, told);
  const hidden = first.steps.filter(({ visible }) => !visible);
  const same = first.same.map((each) => tap({ steps: each.map((notation) => ({ notation, label: calledLine(notation), visible: true })), same: [] }));
  show("seen", [spoken(first.steps), ...(hidden.length ? [say("sight_hidden", { steps: spoken(hidden) })] : []), ...(same.length ? [say("sight_which")] : [])],
    make("div", { class: "choices" },
      same.length ? tap(first) : tap(first, say("sight_yes"), true),
      ...same),
    others.length ? make("div", { class: "near" }, make("p", {}, say("sight_less")), make("div", { class: "choices" }, ...others.map((each) => tap(each)))) : null,
    make("div", { class: "choices" }, close("sight_else"), compares(taken.photo)));
}

/** What no legal move explains is a question: a second photograph is asked for first.
 *  @param {Taken} taken @param {{ refused: Step | null, proposals: Proposal[] }} seen @param {string[]} told */
function unexplained(taken, { refused, proposals }, told) {
  show("unsure", told,
    make("div", { class: "choices" }, ...cameras((photo) => see(photo)), compares(taken.photo), close("sight_else")),
    refused ? button(say("sight_why", { action: refused.label }), "sight-why", () => answerWhy(refused.notation, [refused.notation])) : null,
    proposals.length ? make("details", {}, make("summary", {}, say("sight_nearest")), button(spoken(proposals[0]?.steps ?? []), "sight-nearest", () => proposed(taken, proposals))) : null);
}

/** A photograph on which nothing could be seen: why, and what helps.
 *  @param {Blob} photo @param {Reply} reply */
function unseen(photo, reply) {
  const code = reply.body?.code;
  const lost = code === "sight_no_photo" || code === "sight_lost";
  tellStand(reply.body?.detail ?? say("lost"));
  show("unsure", [reply.body?.detail ?? say("lost")],
    make("div", { class: "choices" }, ...cameras((again) => see(again)),
      lost ? button(say("sight_mark"), "sight-mark", () => mark(before?.photo ?? photo, before ? photo : null)) : null,
      code === "sight_no_photo" ? make("a", { class: "button", href: `/box/${data().engine}/board` }, say("sight_box")) : null));
}

/** The four corners of the board on a photograph of the table as it is recorded; then the next one is compared with it.
 *  @param {Blob} photo @param {Blob | null} next */
async function mark(photo, next) {
  if (!document.getElementById("box-board-style")) document.head.append(make("link", { id: "box-board-style", rel: "stylesheet", href: "/static/box_board.css" }));
  const href = URL.createObjectURL(photo);
  const done = () => {
    URL.revokeObjectURL(href);
    before = { photo, since: before?.since ?? null, boards: [{ board: "", corners: corners.points }] };
    byId("dialog").closest("dialog")?.close();
    if (next) see(next);
    else show("", [say("sight_marked")], make("div", { class: "choices" }, ...cameras((after) => see(after))));
  };
  open(say("sight_mark"), make("p", {}, say("sight_mark_about")), make("div", { id: "sight-corners", class: "photo-canvas" }), button(say("sight_mark_done"), "sight-marked", done, true));
  const corners = new Corners("sight-corners", (number) => say("sight_corner", { number }));
  await corners.show(href, START());
}

/** Compare all of a photograph with the record.
 *  @param {Blob} photo */
async function compare(photo) {
  const reply = await question("/sight/audit", photo);
  if (reply.status !== 200) return unseen(photo, reply);
  /** @type {{ place: string }[]} */
  const differs = reply.body.data.differs;
  show(differs.length ? "unsure" : "good", reply.body.told, differs.length ? make("p", {}, say("sight_differs")) : null);
  light(differs.map(({ place }) => place));
}

/** On a phone of one's own: what is shown there stays there. */
export async function showCard() {
  await (words ??= learn("sight_spoken"));
  show("", [say("sight_card"), say("sight_card_about")],
    make("div", { class: "choices" }, window.isSecureContext ? button(say("sight_live"), "sight-show", holdUp, true) : null, picker(say("sight_camera"), { capture: "environment", id: "sight-card" }, card), picker(say("sight_file"), { id: "sight-card-file" }, card)));
}

/** A card is held into this device's camera, and looked at several times.
 *  @returns {Promise<void>} */
async function holdUp() {
  const video = stand?.video ?? await camera();
  if (video === null) return;
  show("", [say("sight_hold_up")], stand ? null : make("div", { class: "stand" }, video));
  /** @type {Blob[]} */
  const photos = [];
  while (photos.length < FRAMES) {
    await new Promise((later) => setTimeout(later, APART));
    const photo = await snap(video);
    if (photo) photos.push(photo);
  }
  if (video !== stand?.video) off(video);
  await card(...photos);
}

/** A card or tile that is held into the camera: what can be said with it is proposed.
 *  @param {Blob[]} photos the last ones of it */
async function card(...photos) {
  show("", [say("sight_looking")]);
  const frames = photos.slice(-FRAMES);
  const split = new URLSearchParams(frames.slice(0, -1).map(({ size }) => ["split", String(size)]));
  const reply = await ask("POST", `/games/${data().game}/sight/card?${split}`, new Blob(frames));
  if (reply.status !== 200) return show("unsure", [reply.body?.detail ?? say("lost")]);
  /** @type {{ words: string[], lines: { notation: string, label: string }[] }} */
  const { words: typed, lines } = reply.body.data;
  const known = new Set(data().lines);
  const offered = lines.filter(({ notation }) => known.has(notation));
  show(typed.length ? "seen" : "unsure", reply.body.told,
    make("div", { class: "choices" },
      ...offered.map(({ notation, label }) => make("button", { type: "button", class: offered.length === 1 ? "main" : "", "data-seen": notation, onclick: () => { hideVerdict(); queue.add("/actions", { lines: [notation] }, label); } }, label)),
      stand ? button(say("sight_card_again"), "sight-show", holdUp)
        : picker(say("sight_card_again"), { capture: "environment", id: "sight-card" }, (photo) => card(...(typed.length ? [] : frames), photo))));
}

/** The places that changed stand out on the board.
 *  @param {string[]} places */
function light(places) {
  for (const place of places) {
    const word = place.slice(place.indexOf(".") + 1);
    for (const part of document.querySelectorAll(`#board [data-word="${CSS.escape(word)}"]`)) part.classList.add("asked", "seen");
  }
}

// the tablet on a stand

/** @type {{ panel: HTMLElement, told: HTMLElement, video: HTMLVideoElement, timer: ReturnType<typeof setInterval>, paused: boolean } | null} */
let stand = null;

/** @param {string} text */
function tellStand(text) {
  if (stand) stand.told.textContent = text;
}

function stop() {
  if (stand === null) return;
  clearInterval(stand.timer);
  off(stand.video);
  stand.panel.remove();
  stand = null;
  hideVerdict();
}

/** @param {HTMLVideoElement} video */
function off(video) {
  for (const track of /** @type {MediaStream} */ (video.srcObject).getTracks()) track.stop();
}

/** What this device's camera sees, or why it does not.
 *  @returns {Promise<HTMLVideoElement | null>} */
async function camera() {
  const video = make("video", { muted: true, playsinline: true, "aria-label": say("sight_video") });
  try {
    if (!navigator.mediaDevices?.getUserMedia) throw new Error("insecure");
    video.srcObject = await navigator.mediaDevices.getUserMedia({ video: { facingMode: "environment", width: { ideal: 1920 }, height: { ideal: 1440 } }, audio: false });
  } catch {
    show("unsure", [say(window.isSecureContext ? "sight_no_camera" : "sight_insecure")], make("div", { class: "choices" }, ...cameras((photo) => see(photo))));
    return null;
  }
  await video.play();
  return video;
}

/** Look once a second; when hands were in the picture and it is still again, ask what happened. */
async function watch() {
  const video = await camera();
  if (video === null) return;
  hideVerdict();
  const told = make("p", { role: "status" }, say("sight_standing"));
  const pause = button(say("sight_pause"), "sight-pause", () => {
    if (stand === null) return;
    stand.paused = !stand.paused;
    pause.textContent = say(stand.paused ? "sight_go_on" : "sight_pause");
    tellStand(say(stand.paused ? "sight_paused" : "sight_standing"));
  });
  const panel = make("section", { id: "stand", class: "stand", "aria-label": say("sight_watch") }, video, told, make("div", { class: "choices" }, pause, button(say("sight_stop"), "sight-stop", stop)));
  document.querySelector(".saying")?.append(panel);
  const glance = glances(video);
  stand = { panel, told, video, timer: setInterval(() => { if (stand && !stand.paused && glance()) shoot(video); }, GLANCE), paused: false };
}

/** Whether the picture is still again, told once for every time that something has moved.
 *  @param {HTMLVideoElement} video */
function glances(video) {
  const canvas = make("canvas", SMALL);
  const pen = canvas.getContext("2d", { willReadFrequently: true });
  /** @type {Uint8ClampedArray | null} */
  let last = null;
  let [moved, still] = [true, 0];
  return () => {
    if (!pen) return false;
    pen.drawImage(video, 0, 0, SMALL.width, SMALL.height);
    const now = pen.getImageData(0, 0, SMALL.width, SMALL.height).data;
    const changed = last?.reduce((count, part, at) => count + Number(Math.abs(part - (now[at] ?? 0)) > PALE), 0) ?? now.length;
    last = now;
    const moves = changed > MOVING * now.length;
    if (moves) moved = true;
    still = moves ? 0 : still + 1;
    if (!moved || still < STILL || !free()) return false;
    moved = false;
    return true;
  };
}

/** Whether nothing stands there that waits for the table: a refusal is not talked over. */
function free() {
  const verdict = byId("verdict");
  return verdict.hidden || ["seen", "brief", "unsure"].some((tone) => verdict.classList.contains(tone));
}

/** @param {HTMLVideoElement} video */
function snap(video) {
  const canvas = make("canvas", { width: video.videoWidth, height: video.videoHeight });
  canvas.getContext("2d")?.drawImage(video, 0, 0);
  return encoded(canvas);
}

/** @param {HTMLVideoElement} video */
async function shoot(video) {
  const photo = await snap(video);
  if (photo === null) return;
  tellStand(say("sight_looking"));
  await see(photo, true);
  tellStand(say("sight_standing"));
}
