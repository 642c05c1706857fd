// Writing: in a presentation, the target sentence so far; the rest keeps its room, invisible.

import { element } from "../shared/elements.js";

export function writingView({ target }) {
  const texts = textsOf(target);
  const pieces = texts.map(([, text]) => element("span", {}, text));
  const node = element("p", { class: "writing", lang: target.language, dir: "auto", "aria-hidden": "true" },
    ...pieces.flatMap((piece, t) => [texts[t][0], piece]));
  node.style.setProperty("--letters", String(node.textContent.length));

  function show(step) {
    pieces.forEach((piece, t) => {
      piece.classList.toggle("future", t >= step);
      piece.classList.toggle("latest", t === step - 1);
    });
  }
  return { node, show, arrange() {}, resize() {} };
}

// The text that each token adds: the space before it, and itself. Files whose tokens lack spaces get one between
// words.
function textsOf({ tokens, apart, word_of: wordOf }) {
  const told = apart.some(Boolean);
  return tokens.map(({ text, kind }, t) => {
    if (kind === "control" || kind === "byte") return ["", ""];
    const blank = told ? apart[t] : t > 0 && wordOf[t] !== wordOf[t - 1];
    return [blank && t > 0 ? " " : "", text];
  });
}
