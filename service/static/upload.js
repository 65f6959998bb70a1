// A file of this device goes into the field of its form, and the form is sent.

import { byId } from "./common.js";

/** @param {string} field */
export function takeFiles(field) {
  const upload = byId("upload");
  upload.hidden = false;
  const chosen = /** @type {HTMLInputElement} */ (upload.querySelector("input"));
  chosen.addEventListener("change", async () => {
    const file = chosen.files?.[0];
    if (file === undefined) return;
    const form = /** @type {HTMLFormElement} */ (byId("file-form"));
    /** @type {HTMLTextAreaElement} */ (form.elements.namedItem(field)).value = await file.text();
    form.submit();
  });
}
