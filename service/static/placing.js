// Setting up a table by taps: a place is tapped, and the pieces that can lie there are offered.

import { data, meant, refresh } from "./common.js";
import { Pointing, nearest } from "./spaces.js";

const hand = new Pointing(document.getElementById("place"));

/** The page for the same position, looking at a place.
 *  @param {string} place */
function look(place) {
  const asked = new URLSearchParams(location.search);
  for (const name of ["piece", "source", "target", "try", "example"]) asked.delete(name);
  asked.set("position", data().position);
  asked.set("here", place);
  return turn(`?${asked}`);
}

/** @param {string} address */
async function turn(address) {
  await refresh(`${location.pathname}${address}`);
  const asked = new URLSearchParams(address);
  for (const name of ["piece", "source", "target"]) asked.delete(name);
  asked.set("position", data().position);
  history.pushState(null, "", `?${asked}`);
}

let turning = Promise.resolve();
/** Pieces go one after another, however fast they are tapped: each from what the one before has made.
 *  @param {() => Promise<void>} act */
const inTurn = (act) => { turning = turning.then(act); };

document.addEventListener("click", (event) => {
  const piece = /** @type {HTMLAnchorElement | null} */ (meant(event, "#here a.way"));
  if (piece === null) return;
  event.preventDefault();
  inTurn(async () => {
    const asked = new URLSearchParams(piece.search);
    asked.set("position", data().position);
    await turn(`?${asked}`);
  });
});
document.addEventListener("change", (event) => {
  const choice = /** @type {HTMLSelectElement | null} */ (meant(event, "#here select"));
  if (choice?.value) inTurn(() => look(choice.value));
});
document.addEventListener("pointerup", (event) => {
  if (!hand.hears(event)) return;
  const place = meant(event, "[data-word]")?.dataset.word;
  const known = Array.from(/** @type {NodeListOf<HTMLOptionElement>} */ (document.querySelectorAll("#here option")), ({ value }) => value);
  const named = (/** @type {string | undefined} */ code) => code !== undefined && known.some((each) => each === code || each.split(".").includes(code));
  const wanted = [nearest(event), place].find(named);
  if (wanted !== undefined) inTurn(() => look(wanted));
}, true);
for (const shown of document.querySelectorAll("#place")) /** @type {HTMLElement} */ (shown).hidden = false;
