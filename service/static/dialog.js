// The one dialog of a page.

import { make, say } from "./house.js";

const dialog = document.getElementById("dialog");

/** Ask for something; whatever is chosen closes the dialog. */
export function open(title, ...content) {
  dialog.replaceChildren(
    make("h2", { id: "dialog-title" }, title),
    ...content.filter((each) => each !== null),
    make("button", { type: "button", class: "plain", "data-do": "cancel", onclick: () => dialog.close() }, say("cancel")),
  );
  dialog.showModal();
}

export function field(label, attributes = {}) {
  const input = make("input", { maxlength: 500, autocomplete: "off", ...attributes });
  return { input, row: make("label", {}, label, input) };
}

export function does(label, action, attributes = {}) {
  const done = () => {
    if (!Array.from(dialog.querySelectorAll("input, select, textarea")).every((each) => each.reportValidity())) return;
    dialog.close();
    action();
  };
  return make("button", { type: "button", ...attributes, onclick: done }, label);
}
