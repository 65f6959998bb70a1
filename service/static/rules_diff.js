// Two versions of a rulebook's clauses: a file is compared with what is installed here.

import { byId, inRole, make, say, tellOnce } from "./common.js";

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
  const whole = document.getElementById("document");
  if (whole) whole.hidden = false;
  byId("differences").replaceChildren(...shown, make("p", {}, document.createTextNode(same)));
});

/** The same among questions and answers, as a file. */
document.getElementById("document")?.addEventListener("click", async ({ target }) => {
  const { format } = /** @type {HTMLElement} */ (target).dataset;
  const file = /** @type {HTMLInputElement} */ (form.elements.namedItem("old")).files?.[0];
  if (!format || !file) return;
  const reply = await fetch(`/api/v1/engines/${form.dataset.game}/faq/${format}`, {
    method: "POST", credentials: "same-origin", headers: { ...inRole(), "Content-Type": "application/json" }, body: JSON.stringify({ old: await file.text() }),
  }).catch(() => null);
  const problem = byId("problem");
  problem.hidden = reply?.ok ?? false;
  if (!reply?.ok) {
    problem.textContent = say("lost");
    return;
  }
  const href = URL.createObjectURL(await reply.blob());
  make("a", { href, download: `${form.dataset.game}-faq.${format}` }).click();
  setTimeout(() => URL.revokeObjectURL(href), 60_000);
});
