// The rulebook: what fits the words stays while they are typed; without this the form asks the server.

import { say } from "./house.js";

const words = document.getElementById("wanted");
const count = document.getElementById("count");
const clauses = Array.from(document.querySelectorAll(".clauses > [data-words]"), (element) => ({
  element,
  text: folded(`${element.id} ${element.dataset.words}`),
}));

/** Letters alone, as people type them: no accents, no capitals. */
function folded(text) {
  return text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
}

function search() {
  const wanted = folded(words.value).split(/\s+/).filter(Boolean);
  let found = 0;
  for (const { element, text } of clauses) {
    const fits = wanted.every((word) => text.includes(word));
    element.hidden = !fits;
    found += fits;
  }
  for (const section of document.querySelectorAll(".heading")) {
    const listed = section.querySelectorAll("[data-words]");
    section.hidden = wanted.length > 0 && Array.from(listed).every((clause) => clause.hidden);
  }
  count.textContent = wanted.length ? say(["none", "one"][found] ?? "many", { count: found }) : "";
}

words.addEventListener("input", search);
document.getElementById("search").addEventListener("submit", (event) => event.preventDefault());
search();
document.body.dataset.ready = "";
