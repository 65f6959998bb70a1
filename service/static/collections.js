// Collections: each form is one request; the page is loaded again when it was answered.

import { say, tellOnce } from "./common.js";

/** What a form says: lines are a list, numbers are numbers; of what is empty only what had been there, a text
 *  or a number that has a word for it.
 *  @param {HTMLFormElement} form */
function said(form) {
  /** @type {Record<string, unknown>} */
  const body = {};
  for (const [name, value] of new FormData(form)) {
    const field = /** @type {HTMLInputElement} */ (form.elements.namedItem(name));
    const text = String(value).trim();
    if (text === "" && ("number" in field.dataset || !field.defaultValue)) {
      if (field.dataset.emptied && field.defaultValue) body[name] = field.dataset.emptied;
      continue;
    }
    if ("lines" in field.dataset) body[name] = text.split("\n").map((line) => line.trim()).filter(Boolean);
    else body[name] = "number" in field.dataset ? Number(text) : text;
  }
  return body;
}

for (const form of /** @type {NodeListOf<HTMLFormElement>} */ (document.querySelectorAll("form[data-tells]"))) {
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const reply = await tellOnce(form.dataset.tells ?? "", said(form));
    if (reply.status === 200) {
      const { leads } = form.dataset;
      if (leads) location.assign(leads + reply.body.data.collection);
      else location.reload();
      return;
    }
    const problem = /** @type {HTMLElement | null} */ (form.querySelector("[role=alert]"));
    if (problem === null) return;
    problem.hidden = false;
    problem.textContent = reply.body?.detail ?? say("lost");
  });
}
