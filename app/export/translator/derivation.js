// Derivation: a clicked number opened at the bottom of the page: its formula, the formula with its numbers, the number
// recomputed, and a way back to earlier ones.

import { button, element, mathematics, quiet } from "../../components/shared/elements.js";
import { exact } from "../../components/shared/numbers.js";
import { final } from "../../components/working/digits.js";
import { powersOfTen, workingView } from "../../components/working/working.js";
import { engine } from "../engine/index.js";
import { bottomPanel } from "../page_parts.js";

// `numbers` is the table of numbers; `answered` gives the traces in view and the models that made them.
export function numberPanel(node, numbers, answered) {
  const panel = bottomPanel(node);

  // `asked` lists the numbers opened, from the clicked one to the one in view.
  function open(asked) {
    const { models, traces, after } = answered();
    const opened = asked.map((one) => engine.unmerged(one, traces[one.trace]));
    const last = opened.at(-1);
    const [trace, model] = [traces[last.trace], models[last.trace]];
    const working = engine.workOut(last, trace, model, numbers);
    const owner = traces.length > 1 ? (after ? ["before", "after"][last.trace] : model.title) : "";
    panel.show(engine.nameOf(last, trace, numbers.phrases), owner,
      ...(opened.length > 1 ? [button({ class: "back" }, () => open(opened.slice(0, -1)), "‹ Back")] : []),
      element("p", { class: "formula" }, ...mathematics(working.formula)),
      ...(working.terms.length ? [workingView(working, (further) => open([...opened, further]))] : []),
      element("p", { class: "value" }, ...agreement(working)));
  }
  return { open, close: panel.close };
}

function agreement({ shown, redone, difference, tolerance, agrees, tells }) {
  if (shown === null) {
    return [element("output", {}, powersOfTen(final(redone))), quiet(" computed here; the translation stores none")];
  }
  const doubt = `. Too small to tell: for a sum of this size, float32 rounds by up to ${powersOfTen(tolerance.toExponential(0))}`;
  return [
    element("output", {}, exact(Math.fround(shown))),
    quiet(` shown · recomputed ${powersOfTen(final(redone))} · difference ${difference ? powersOfTen(difference.toExponential(0)) : "0"}`
      + (agrees && !tells ? doubt : "")),
    ...(agrees ? [] : [element("strong", {}, " These do not agree.")]),
  ];
}
