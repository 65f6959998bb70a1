// By day the same histories are tried on every computer, as the tests in Python do; with REFEREE_CHAOS new ones.

import fc from "fast-check";

if (process.env.REFEREE_CHAOS === undefined) fc.configureGlobal({ seed: 1 });
