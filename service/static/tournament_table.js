// A table of an event: its result by taps, at the desk or by those who sit there.

import { followHall, runClock } from "./tournament.js";
import { speakForMyself, takeTaps } from "./tournament_results.js";

runClock();
takeTaps();
speakForMyself();
followHall();
document.body.dataset.ready = "";
