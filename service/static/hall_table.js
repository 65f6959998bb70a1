// A table of an event: its result by taps.

import { followHall, runClock } from "./hall.js";
import { takeTaps } from "./hall_results.js";

runClock();
takeTaps();
followHall();
document.body.dataset.ready = "";
