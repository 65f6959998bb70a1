// The one dialog of a page.

import { byId, make, onlyLast, say } from "./common.js";

const dialog = /** @type {HTMLDialogElement} */ (byId("dialog"));

/** What a dialog needs before it opens: null where another one was wanted since. */
export const needed = onlyLast();

/** Ask for something; whatever is chosen closes the dialog.
 *  @param {string} title @param {(Node | null)[]} content */
export function open(title, ...content) {
  needed(Promise.resolve());
  dialog.replaceChildren(
    make("h2", { id: "dialog-title" }, title),
    ...content.filter((each) => each !== null),
    make("button", { type: "button", class: "plain", "data-do": "cancel", onclick: () => dialog.close() }, say("cancel")),
  );
  dialog.showModal();
}

/** @param {string} label @param {Attributes} attributes */
export function field(label, attributes = {}) {
  const input = make("input", { maxlength: 500, autocomplete: "off", ...attributes });
  return { input, row: make("label", {}, label, input) };
}

/** @param {string} label @param {() => unknown} action @param {Attributes} attributes */
export function does(label, action, attributes = {}) {
  const done = () => {
    /** @type {HTMLInputElement[]} */
    const fields = Array.from(dialog.querySelectorAll("input, select, textarea"));
    if (!fields.every((each) => each.reportValidity())) return;
    dialog.close();
    action();
  };
  return make("button", { type: "button", ...attributes, onclick: done }, label);
}
