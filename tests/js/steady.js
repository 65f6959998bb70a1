// By day the same histories are tried on every computer, as the tests in Python do; with REFEREE_CHAOS new ones.

import fc from "fast-check";

if (process.env.REFEREE_CHAOS === undefined) fc.configureGlobal({ seed: 1 });

/** How often a property is tried: a part of it by `npm test`, all of it by `npm run long`, far more with REFEREE_CHAOS. */
const share = process.env.REFEREE_LONG === undefined ? 0.25 : 1;
export const runs = (usual) => Math.ceil(usual * share * Number(process.env.REFEREE_CHAOS ?? 1));
