// The rulebook: what fits the words stays while they are typed; without this the form asks the server.

import { byId, input, say } from "./common.js";

const words = input("wanted");
const count = byId("count");
/** @type {NodeListOf<HTMLElement>} */
const listed = document.querySelectorAll(".clauses > [data-words]");
const clauses = Array.from(listed, (element) => ({
  element,
  text: folded(`${element.id} ${element.dataset.words}`),
}));

/** Letters alone, as people type them: no accents, no capitals.
 *  @param {string} text */
function folded(text) {
  return text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
}

function search() {
  const wanted = folded(words.value).split(/\s+/).filter(Boolean);
  let found = 0;
  for (const { element, text } of clauses) {
    const fits = wanted.every((word) => text.includes(word));
    element.hidden = !fits;
    if (fits) found += 1;
  }
  for (const section of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".heading"))) {
    /** @type {NodeListOf<HTMLElement>} */
    const inside = section.querySelectorAll("[data-words]");
    section.hidden = wanted.length > 0 && Array.from(inside).every((clause) => clause.hidden);
  }
  count.textContent = wanted.length ? say(["none", "one"][found] ?? "many", { count: found }) : "";
}

words.addEventListener("input", search);
byId("search").addEventListener("submit", (event) => event.preventDefault());
search();
document.body.dataset.ready = "";
