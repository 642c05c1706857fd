// Number panel: the clicked number, opened at the bottom of the page, with a way back to earlier ones.

import { bottomPanel } from "../bottom_panel.js";
import { engine } from "../engine/index.js";
import { derivationView } from "./derivation.js";

// `numbers` is the table of numbers; `answered` gives the traces in view and the models that made them.
export function numberPanel(node, numbers, answered) {
  const panel = bottomPanel(node);

  // `asked` lists the numbers opened, from the clicked one to the one in view.
  function open(asked) {
    const { models, traces, after } = answered();
    const opened = asked.map((one) => engine.unmerged(one, traces[one.trace]));
    const last = opened.at(-1);
    const [trace, model] = [traces[last.trace], models[last.trace]];
    const working = engine.workOut(last, trace, model);
    const owner = traces.length > 1 ? (after ? ["before", "after"][last.trace] : model.title) : "";
    const formula = engine.formulaOf(working, last, engine.asking(last, trace), numbers);
    const name = engine.nameOf(last, trace, numbers.phrases);
    panel.show(name, owner, ...derivationView({ working, formula, asked: opened },
      { open: (further) => open([...opened, further]), back: () => open(opened.slice(0, -1)) }));
  }
  return { open, close: panel.close };
}
