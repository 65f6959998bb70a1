// The page of a player: the own table, and that the player has come.

import { announce, meant } from "./common.js";
import { followHall, runClock } from "./tournament.js";
import { carryOut, speakForMyself, takeTaps } from "./tournament_results.js";

document.addEventListener("click", async (event) => {
  const button = meant(event, "[data-do=check-in], [data-do=late]");
  if (button === null) return;
  const { player } = button.dataset;
  if (button.dataset.do === "late") await carryOut("/players/late", { name: player });
  else await carryOut("/players/check-in", { names: [player] });
});
runClock();
takeTaps();
speakForMyself();
followHall((told) => announce(told.told));
document.body.dataset.ready = "";
