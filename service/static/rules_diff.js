// Two versions of a rulebook's clauses: a file is compared with what is installed here.

import { byId, make, say, tellOnce } from "./common.js";

const form = /** @type {HTMLFormElement} */ (byId("diff"));

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const file = /** @type {HTMLInputElement} */ (form.elements.namedItem("old")).files?.[0];
  if (!file) return;
  const reply = await tellOnce(`/engines/${form.dataset.game}/rules/diff`, { old: await file.text() });
  const problem = byId("problem");
  problem.hidden = reply.status === 200;
  if (reply.status !== 200) {
    problem.textContent = reply.body?.detail ?? say("lost");
    return;
  }
  const shown = [];
  for (const kind of ["added", "removed", "changed"]) {
    for (const one of reply.body.data[kind]) {
      shown.push(make("h2", {}, document.createTextNode(say(kind, { clause: one.id, section: one.section }))));
      for (const { lang, gone, new: added } of one.changes) {
        for (const text of gone) shown.push(make("p", { lang }, make("del", {}, document.createTextNode(text))));
        for (const text of added) shown.push(make("p", { lang }, make("ins", {}, document.createTextNode(text))));
      }
    }
  }
  const same = reply.body.told.at(-1);
  byId("differences").replaceChildren(...shown, make("p", {}, document.createTextNode(same)));
});
