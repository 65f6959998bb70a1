// A game that is over leads on: its result is shared, and the same people play again.

import { announce, data, meant, say, tellOnce } from "./common.js";

/** Hand the result to other apps of the device, or to its clipboard. */
async function share() {
  const text = document.querySelector("#result [data-shared]")?.textContent ?? "";
  const url = `${location.origin}/games/${data().game}/watch`;
  try {
    if (navigator.share) await navigator.share({ title: document.title, text, url });
    else {
      await navigator.clipboard.writeText(`${text}\n${url}`);
      announce(say("copied"));
      const button = document.querySelector("#result [data-do=share]");
      if (button) button.textContent = say("copied");
    }
  } catch {
    // whoever closes the list of apps has shared nothing, and knows it
  }
}

/** The same table again: its opening, its people. */
async function rematch() {
  const { engine, opening, title, people } = data().again;
  const reply = await tellOnce("/games", { game: engine, table: opening, title, players: people });
  if (reply.status === 200) location.assign(`/games/${reply.body.data.game}`);
  else announce(reply.body?.detail ?? say("lost"));
}

document.addEventListener("click", (event) => {
  const button = meant(event, "#result [data-do]");
  if (button?.dataset.do === "share") share();
  if (button?.dataset.do === "rematch") rematch();
});
