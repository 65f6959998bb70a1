// Seasons: the forms of an organiser. Each says where it is told to; the page is loaded anew with
// what follows from it.

import { byId, say, tellOnce } from "./common.js";
import { findTables } from "./tournament_find.js";

/** The rules of a season as a request says them.
 *  @param {FormData} told */
export function rulesOf(told) {
  const text = (/** @type {string} */ name) => String(told.get(name) ?? "").trim();
  const places = (text("places").match(/[0-9]+/g) ?? []).map(Number);
  return {
    points: text("kind") === "points" ? { kind: "points" } : { kind: "places", places, others: Number(text("others")) },
    counted: text("counted") === "" ? null : Number(text("counted")),
    points_for: text("points_for"),
    listed_only: told.has("listed_only"),
    published: told.has("published"),
    rated: told.has("recorded") ? "recorded" : "all",
    elo: { start: Number(text("elo_start")), k: Number(text("elo_k")) },
  };
}

/** What a form tells.
 *  @param {HTMLFormElement} form @param {FormData} told @returns {Record<string, unknown>} */
export function bodyOf(form, told) {
  if ("rules" in form.dataset) {
    const beside = ["name", "reason"].filter((name) => told.has(name)).map((name) => [name, String(told.get(name)).trim()]);
    return { ...Object.fromEntries(beside), rules: rulesOf(told) };
  }
  /** @type {Record<string, unknown>} */
  const body = {};
  for (const [name, value] of told) {
    const text = String(value).trim();
    if (name === "names") body.names = text.split("\n").map((line) => line.trim()).filter((line) => line !== "");
    else body[name] = name === "weight" ? Number(text) : text;
  }
  return body;
}

document.addEventListener("submit", async (event) => {
  const form = /** @type {HTMLFormElement} */ (event.target);
  const path = form.dataset.post;
  if (path === undefined) return;
  event.preventDefault();
  const reply = await tellOnce(path, bodyOf(form, new FormData(form)));
  if (reply.status === 200) {
    if (path === "/seasons") location.assign(`/seasons/${reply.body.data.season}`);
    else location.reload();
    return;
  }
  const problem = byId("problem");
  problem.hidden = false;
  problem.textContent = reply.status === 0 ? say("nobody_answers") : reply.body.detail ?? reply.body.title;
  problem.scrollIntoView({ block: "center" });
});
findTables();
document.body.dataset.ready = "";
