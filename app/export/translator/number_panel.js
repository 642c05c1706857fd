// Number panel: the clicked number, opened at the bottom of the page, with a way back to earlier ones.

import { engine } from "../engine/index.js";
import { derivationView } from "./derivation.js";

// `numbers` is the table of numbers; `answered` gives the traces in view and the models that made them.
export function numberPanel(panel, numbers, answered) {
  // `asked` lists the numbers opened, from the clicked one to the one in view.
  function open(asked) {
    const { models, traces, after } = answered();
    const opened = asked.map((one) => engine.unmerged(one, traces[one.trace]));
    const last = opened.at(-1);
    const [trace, model] = [traces[last.trace], models[last.trace]];
    const working = engine.workOut(last, trace, model);
    const owner = traces.length > 1 ? (after ? ["before", "after"][last.trace] : model.title) : "";
    panel.replaceChildren(...derivationView(
      { working, name: engine.nameOf(last, trace, numbers.phrases), formula: engine.formulaOf(working, last, engine.asking(last, trace), numbers), owner, asked: opened },
      { open: (further) => open([...opened, further]), back: () => open(opened.slice(0, -1)), close }));
    panel.hidden = false;
    room();
  }

  function close() {
    if (panel.hidden) return;
    panel.hidden = true;
    room();
  }

  // Keeps the steps above the panel.
  const room = () => document.documentElement.style.setProperty("--below", `${panel.offsetHeight}px`);
  window.addEventListener("resize", room);
  window.addEventListener("keydown", (event) => { if (event.key === "Escape") close(); });
  return { open, close };
}
