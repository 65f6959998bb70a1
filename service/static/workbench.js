// The author of a game changes its rules: what is shown beside the table follows.
import { refresh } from "./common.js";

const EVERY = 2000;

setInterval(() => { if (!document.hidden) refresh(); }, EVERY);
