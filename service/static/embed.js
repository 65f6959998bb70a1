// A board on a page of another site: kept up to date.

import { byId, caughtUp, data, follow, say } from "./common.js";

const { game, version } = data();
follow(String(game), version, (told) => caughtUp(told.entry), (line) => { byId("state").textContent = say(line); });
document.body.dataset.ready = "";
