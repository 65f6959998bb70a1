// The tour of a club's own box: a page is right as it is, or some of its details are told otherwise.

import { ask, byId, data, meant, refresh, say } from "./common.js";
import { picks } from "./box_question.js";
import { smaller } from "./picture.js";

const tour = () => byId("tour");

/** The question about a datum of this page.
 *  @param {string} path @returns {import("./box_question.js").BoxQuestion | undefined} */
function questionAt(path) {
  /** @type {{ questions: import("./box_question.js").BoxQuestion[] }[]} */
  const things = data().things?.things ?? [];
  return things.flatMap((thing) => thing.questions).find((question) => question.path === path);
}

/** @param {object} body @param {string} [then] the page to go to */
async function tell(body, then) {
  const problem = byId("problem");
  const reply = await ask("POST", `/engines/${tour().dataset.engine}/box`, body);
  if (reply.status !== 200) {
    problem.textContent = reply.body?.detail ?? say("lost");
    problem.hidden = false;
    return;
  }
  await go(then ?? tour().dataset.page ?? "");
}

/** Show a page of the box; the address names it, so that it can be gone back to.
 *  @param {string} page */
async function go(page) {
  const address = `${location.pathname}?page=${encodeURIComponent(page)}`;
  history.pushState(null, "", address);
  await refresh(address);
  document.getElementById("stop-title")?.focus();
  window.scrollTo(0, 0);
}

/** What is told of the photograph of this page: a new one, or none any more.
 *  @param {"POST" | "DELETE"} method @param {Blob} [picture] */
async function photograph(method, picture) {
  const { engine, page = "" } = tour().dataset;
  const reply = await ask(method, `/engines/${engine}/box/photo?page=${encodeURIComponent(page)}`, picture);
  if (reply.status === 200) return go(page);
  const problem = byId("problem");
  problem.textContent = reply.body?.detail ?? say("lost");
  problem.hidden = false;
}

/** @param {Blob} table the spreadsheet of the box, filled in */
async function takeTable(table) {
  const reply = await ask("POST", `/engines/${tour().dataset.engine}/box/csv`, table);
  if (reply.status === 200) return go(tour().dataset.page ?? "");
  byId("problem").textContent = reply.body?.detail ?? say("lost");
  byId("problem").hidden = false;
}

document.addEventListener("change", async (event) => {
  const taken = event.target;
  if (taken instanceof HTMLInputElement && taken.id === "take-csv" && taken.files?.[0]) {
    const table = taken.files[0];
    await takeTable(table);
    taken.value = "";
    return;
  }
  if (!(taken instanceof HTMLInputElement) || taken.id !== "take-photo" || !taken.files?.[0]) return;
  const picture = await smaller(taken.files[0]);
  taken.value = "";
  if (picture !== null) await photograph("POST", picture);
});

/** @param {HTMLElement} button */
function unfold(button) {
  const row = /** @type {HTMLElement} */ (button.closest(".datum"));
  const place = /** @type {HTMLElement} */ (row.querySelector(".picks"));
  const question = questionAt(row.dataset.path ?? "");
  if (question === undefined) return;
  place.hidden = !place.hidden;
  button.setAttribute("aria-expanded", String(!place.hidden));
  place.replaceChildren(...(place.hidden ? [] : picks(question, say("done"), ({ value, chosen }) =>
    tell(chosen ? { chosen: { [question.path]: chosen } } : { data: { [question.path]: value } }))));
}

document.addEventListener("click", (event) => {
  const differs = meant(event, "[data-do=differs]");
  if (differs) unfold(differs);
  const { page = "", after = "" } = tour().dataset;
  if (meant(event, "[data-do=all-right]")) tell({ as_shown: [page] }, after || page);
  const absent = meant(event, "[data-absent]");
  if (absent) tell({ data: { [absent.dataset.absent ?? ""]: null } });
  const more = meant(event, "[data-more]");
  if (more) {
    const { path, value } = data().things.more[Number(more.dataset.more)];
    tell({ data: { [path]: value } });
  }
  if (meant(event, "[data-do=erase-photo]")) photograph("DELETE");
  const link = meant(event, "[data-go]");
  if (link && event instanceof MouseEvent && !event.ctrlKey && !event.metaKey) {
    event.preventDefault();
    go(link.dataset.go ?? "");
  }
});
window.addEventListener("popstate", () => refresh());
document.body.dataset.ready = "";
