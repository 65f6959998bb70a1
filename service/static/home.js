// The club: kept up to date while somebody looks at it, and a code for whoever is invited.

import { ask, byId, make, meant, refresh, say } from "./common.js";
import { needed, open } from "./dialog.js";

/** So often the page looks again, while it is looked at. */
const AGAIN = 15_000;

/** A code for judges is used once; whoever looks on may use one on the wall, one after the other.
 *  @param {string} role */
async function invite(role) {
  const reply = await needed(ask("POST", "/access/codes", { role, ...(role === "spectator" ? { many: true } : {}) }));
  if (reply === null) return;
  const code = reply.body?.data?.code;
  const shown = code
    ? [make("img", { src: `/j/${code}/qr.svg`, alt: code, width: 240, height: 240 }), make("p", { class: "code" }, code), make("p", {}, say(role === "spectator" ? "for_many" : "for_one"))]
    : [make("p", {}, reply.status === 0 ? say("nobody_answers") : reply.body.detail)];
  open(say("invite"), make("div", { class: "invitation" }, ...shown));
}

document.addEventListener("click", (event) => {
  const button = meant(event, "[data-invite]");
  if (button !== null) invite(button.dataset.invite ?? "");
});
setInterval(() => { if (!document.hidden && !byId("dialog").hasAttribute("open")) refresh(); }, AGAIN);
document.body.dataset.ready = "";
