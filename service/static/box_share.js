// A whole box as one file: given to another club, or taken from one.

import { ask, byId, inRole, make, say } from "./common.js";
import { sha256 } from "./sha256.js";

const engine = byId("share").dataset.engine;
const problem = document.getElementById("problem");

/** @param {string} text */
function complain(text) {
  if (problem === null) return;
  problem.textContent = text;
  problem.hidden = !text;
}

/** Digits that two people can read to each other.
 *  @param {string} digest */
function spelt(digest) {
  return (digest.match(/.{1,8}/g) ?? []).join(" ");
}

const form = /** @type {HTMLFormElement | null} */ (document.getElementById("export"));
form?.addEventListener("submit", async (event) => {
  event.preventDefault();
  complain("");
  const said = new FormData(form);
  const query = new URLSearchParams({ club: String(said.get("club")), pictures: String(said.has("pictures")) });
  const reply = await fetch(`${form.action}?${query}`, { headers: inRole(), credentials: "same-origin" }).catch(() => null);
  if (reply === null) return complain(say("lost"));
  if (!reply.ok) return complain((await reply.json()).detail ?? say("lost"));
  const content = await reply.arrayBuffer();
  const address = URL.createObjectURL(new Blob([content]));
  make("a", { href: address, download: `${engine}.box` }).click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
  const given = byId("given");
  given.textContent = say("fingerprint", { digest: spelt(sha256(new Uint8Array(content))) });
  given.hidden = false;
});

/** @typedef {{ kit: string, club: string, key: string, data: number, signed: boolean, digest: string, pictures: number }} TakenBox */

/** What is in a file, and whose it is; then it can be kept.
 *  @param {Blob} file @param {TakenBox} box */
function shown(file, box) {
  const name = /** @type {HTMLInputElement} */ (make("input", { value: box.kit, maxlength: 40, pattern: "[a-z0-9][a-z0-9\\-]*", required: true }));
  const vouched = box.signed
    ? say("signed", { club: box.club, key: spelt(box.key) }) : say("unsigned", { club: box.club, digest: spelt(box.digest) });
  const keep = make("form", {
    onsubmit: (/** @type {Event} */ event) => {
      event.preventDefault();
      take(file, name.value);
    },
  }, make("p", {}, make("label", {}, say("name"), " ", name)), make("p", { class: "choices" }, make("button", { class: "main" }, say("keep"))));
  byId("found").replaceChildren(
    make("p", {}, say("found", { club: box.club, data: box.data, pictures: box.pictures })),
    make("p", { class: box.signed ? "notice" : "notice unsure" }, vouched), keep);
}

/** @param {Blob} file @param {string} [kit] its name here; without one it is only looked at */
async function take(file, kit) {
  complain("");
  const query = kit === undefined ? "" : `?${new URLSearchParams({ kit, keep: "true" })}`;
  const reply = await ask("POST", `/engines/${engine}/box/file${query}`, file);
  if (reply.status !== 200) return complain(reply.body?.detail ?? say("lost"));
  if (kit === undefined) return shown(file, reply.body.data);
  byId("found").replaceChildren(make("p", { class: "notice good" }, say("kept", { kit })));
}

document.getElementById("box-file")?.addEventListener("change", async (event) => {
  const chosen = /** @type {HTMLInputElement} */ (event.target);
  const file = chosen.files?.[0];
  if (file === undefined) return;
  byId("found").replaceChildren();
  await take(file);
  chosen.value = "";
});
document.body.dataset.ready = "";
