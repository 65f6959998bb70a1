// A game from a file of this device.

import { takeFiles } from "./upload.js";

takeFiles("record");
document.body.dataset.ready = "";
