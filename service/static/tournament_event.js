// An event: kept up to date, with the clock.

import { announce } from "./common.js";
import { findTables } from "./tournament_find.js";
import { followHall, runClock } from "./tournament.js";

findTables();
runClock();
followHall((told) => announce(told.told));
document.body.dataset.ready = "";
