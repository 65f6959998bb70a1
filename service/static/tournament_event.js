// An event: kept up to date, with the clock.

import { announce } from "./common.js";
import { followHall, runClock } from "./tournament.js";

runClock();
followHall((told) => announce(told.told));
document.body.dataset.ready = "";
