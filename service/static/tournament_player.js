// The page of a player: the own table, and that the player has come.

import { announce, meant, say } from "./common.js";
import { does, open } from "./dialog.js";
import { followHall, runClock } from "./tournament.js";
import { carryOut, show, speakForMyself, takeTaps, tell } from "./tournament_results.js";
import { openLineUp } from "./tournament_teams.js";

document.addEventListener("click", async (event) => {
  const button = meant(event, "[data-do=check-in], [data-do=late], #now [data-do=unregister], [data-do=line-up]");
  if (button === null) return;
  const { player } = button.dataset;
  if (button.dataset.do === "line-up") { await openLineUp(player ?? ""); return; }
  if (button.dataset.do === "unregister") { leave(player, button.textContent ?? ""); return; }
  if (button.dataset.do === "late") await carryOut("/players/late", { name: player });
  else await carryOut("/players/check-in", { names: [player] });
});

/** Whoever does not come is asked once; this phone is then signed out of the event.
 *  @param {string | undefined} name @param {string} called */
function leave(name, called) {
  open(say("not_coming"), does(called, async () => {
    document.body.dataset.leaving = "";
    const reply = await tell("/players/unregister", { name });
    if (reply.status === 200) location.assign("/");
    else { show(reply); delete document.body.dataset.leaving; }
  }, { class: "main" }));
}

runClock();
takeTaps();
speakForMyself();
followHall((told) => announce(told.told));
document.body.dataset.ready = "";
