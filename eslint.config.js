// Rules for the JavaScript of the components, the engine and the tests' helpers; `make lint` runs them.

import js from "@eslint/js";
import globals from "globals";

export default [
  { ignores: ["app/components/shared/gifenc.js"] }, // kept as published
  js.configs.recommended,
  {
    languageOptions: { ecmaVersion: 2024, sourceType: "module", globals: globals.browser },
    rules: {
      "no-control-regex": "off", // engine/words.js cleans such characters away
      "no-unused-vars": ["error", { varsIgnorePattern: "^_$" }],
      "array-callback-return": "error",
      complexity: ["error", 25],
      "default-case-last": "error",
      eqeqeq: ["error", "always", { null: "ignore" }],
      "max-depth": ["error", 4],
      "no-else-return": "error",
      "no-implicit-coercion": "error",
      "no-self-compare": "error",
      "no-sequences": "error",
      "no-unreachable-loop": "error",
      "no-use-before-define": ["error", { functions: false, variables: false }],
      "no-useless-return": "error",
      "no-var": "error",
      "object-shorthand": "error",
      "prefer-const": ["error", { destructuring: "all" }],
    },
  },
  { files: ["app/export/translator/node_engine.js"], languageOptions: { globals: globals.node } },
];
