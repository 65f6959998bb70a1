// `npm run lint` is run from the top of the repository, so that files outside this folder count.

import js from "@eslint/js";
import globals from "globals";

const strict = {
  "no-unused-vars": ["error", { argsIgnorePattern: "^_", varsIgnorePattern: "^_" }],
  eqeqeq: "error",
  "no-var": "error",
  "prefer-const": "error",
  "no-implicit-globals": "error",
  "no-eval": "error",
};

export default [
  { ignores: ["**/node_modules/**"] },
  js.configs.recommended,
  { files: ["service/static/**/*.js", "replays/exports/stepping.js"], languageOptions: { globals: globals.browser }, rules: strict },
  {
    files: ["replays/exports/page.js"],
    languageOptions: { sourceType: "script", globals: { ...globals.browser, Stepping: "readonly", addressed: "readonly", drawn: "readonly" } },
    rules: { ...strict, "no-implicit-globals": "off" },
  },
  { files: ["tests/js/**/*.js"], languageOptions: { globals: globals.node }, rules: strict },
];
