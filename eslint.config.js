// Rules for the JavaScript of the components, the engine and the tests' helpers; `make lint` runs them.

import js from "@eslint/js";
import globals from "globals";

const MOST_LINES = 40;

// The lines of a function without those of the functions in it, which count for themselves: a view is made of them.
const ownLines = {
  create(context) {
    const inner = [];
    return {
      ":function"() { inner.push(0); },
      ":function:exit"(node) {
        const lines = node.loc.end.line - node.loc.start.line + 1;
        const own = lines - inner.pop();
        if (inner.length) inner.push(inner.pop() + lines - (node.type === "FunctionDeclaration" ? 0 : 1));
        if (own > MOST_LINES) context.report({ node, message: `${own} lines; at most ${MOST_LINES} are allowed` });
      },
    };
  },
};

export default [
  { ignores: ["app/components/shared/gifenc.js"] }, // kept as published
  js.configs.recommended,
  {
    languageOptions: { ecmaVersion: 2024, sourceType: "module", globals: globals.browser },
    plugins: { regard: { rules: { "own-lines": ownLines } } },
    rules: {
      "regard/own-lines": "error",
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
];
