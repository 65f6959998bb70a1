// The one dialog of a page.

import { byId, make, say } from "./common.js";

const dialog = /** @type {HTMLDialogElement} */ (byId("dialog"));

/** Ask for something; whatever is chosen closes the dialog.
 *  @param {string} title @param {(Node | null)[]} content */
export function open(title, ...content) {
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

/** Whether every field of the dialog holds what it may; the first that does not says so. */
function valid() {
  /** @type {HTMLInputElement[]} */
  const fields = Array.from(dialog.querySelectorAll("input, select, textarea"));
  return fields.every((each) => each.reportValidity());
}

/** @param {string} label @param {() => unknown} action @param {Attributes} attributes */
export function does(label, action, attributes = {}) {
  const done = () => {
    if (!valid()) return;
    dialog.close();
    action();
  };
  return make("button", { type: "button", ...attributes, onclick: done }, label);
}

/** What was typed stays until it is taken: the action shows what is wrong, or closes the dialog.
 *  @param {string} label @param {(close: () => void) => Promise<unknown>} action @param {Attributes} attributes */
export function sends(label, action, attributes = {}) {
  const button = make("button", { type: "button", ...attributes, onclick: async () => {
    if (!valid()) return;
    button.disabled = true;
    await action(() => dialog.close()).finally(() => { button.disabled = false; });
  } }, label);
  return button;
}
