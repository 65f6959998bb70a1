// Registration by the players themselves, as the desk opens and closes it.

import { data } from "./common.js";
import { carryOut } from "./tournament_results.js";

const two = (/** @type {number} */ number) => String(number).padStart(2, "0");

/** A time of an event as the browser's own field wants it: in the time of this place.
 *  @param {string} at */
export function asField(at) {
  const when = new Date(at);
  return `${when.getFullYear()}-${two(when.getMonth() + 1)}-${two(when.getDate())}T${two(when.getHours())}:${two(when.getMinutes())}`;
}

/** What the form says of registration; what is left empty is not limited.
 *  @param {FormData} told */
export function settings(told) {
  const [capacity, closes] = [String(told.get("capacity") ?? ""), String(told.get("closes") ?? "")];
  return { open: true, capacity: capacity === "" ? null : Number(capacity), closes: closes === "" ? null : new Date(closes).toISOString(), asks: told.getAll("asks").map(String) };
}

/** What was set stays, for when it is opened again. */
export const closeRegistration = () => carryOut("/registration", { ...data().registration, open: false });

function fill() {
  for (const field of /** @type {NodeListOf<HTMLInputElement>} */ (document.querySelectorAll("input[data-at]"))) {
    if (field.value === "" && field.dataset.at) field.value = asField(field.dataset.at);
  }
}

export function registrationForms() {
  fill();
  document.addEventListener("refreshed", fill);
  document.addEventListener("submit", (event) => {
    const form = /** @type {HTMLFormElement} */ (event.target);
    if (form.dataset.form !== "registration") return;
    event.preventDefault();
    carryOut("/registration", settings(new FormData(form)));
  });
}
