// The picture of a person or an event: chosen from a file or the camera, made smaller here, sent.

import { ask, say } from "./common.js";
import { smaller } from "./picture.js";

for (const picker of document.querySelectorAll("[data-picture]")) {
  const place = /** @type {HTMLElement} */ (picker).dataset.picture ?? "";
  const problem = /** @type {HTMLElement} */ (picker.querySelector("[role=alert]"));
  /** @param {"POST" | "DELETE"} method @param {Blob} [picture] */
  const send = async (method, picture) => {
    const reply = await ask(method, place, picture);
    if (reply.status === 200) return location.reload();
    problem.textContent = reply.body?.detail ?? say("lost");
    problem.hidden = false;
  };
  picker.querySelector("input")?.addEventListener("change", async (event) => {
    const file = /** @type {HTMLInputElement} */ (event.target).files?.[0];
    if (file !== undefined) await send("POST", await smaller(file));
  });
  picker.querySelector("[data-erase]")?.addEventListener("click", () => send("DELETE"));
}
document.body.dataset.ready ??= "";
