// An event: kept up to date, with the clock.

import { announce } from "./house.js";
import { followHall, runClock } from "./hall.js";

runClock();
followHall((told) => announce(told.told));
document.body.dataset.ready = "";
