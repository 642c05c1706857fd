// View: the network at one step, as one drawing; a part of the stepper's frame like the sentence and the heatmap.

import { button, element } from "../shared/elements.js";
import { decode, twoDecimals } from "../shared/numbers.js";
import { cardsView } from "./cards.js";
import { blended } from "./mixing.js";
import { PHASES, sayPhase, WHOLE } from "./phases.js";
import { tablesOf } from "./tables.js";
import { tile } from "./tile.js";
import { wholeView } from "./whole.js";

const CHANGING = "The context changes: let go, and the model decodes on from here.";
const NARROW = 700; // pixels; below it there is a card for each phase

const CALLED = {
  forwards: "reader from the left", backwards: "reader from the right", annotation: "annotation", share: "share of an annotation",
  context: "context", state: "state", attentional: "attentional vector",
};

export function networkView(trace, hues, act) {
  const head = phaseBar((phase) => act.phase(phase));
  const box = element("div", { class: "drawing-box", role: "group", "aria-label": "Drawing of the network" });
  const tables = element("div", { class: "unseen", "data-testid": "phases" });
  const share = Math.round(100 * trace.network.shares.annotation);
  const note = element("p", { class: "note" }, `A fingerprint is a vector seen along the 12 directions in which vectors of its kind differ most; for annotations these hold ${share}% of the variance. Blue is below the mean, orange above.`);
  const node = element("section", { class: "network", "aria-label": "Network", "data-testid": "network" }, head.node, box, note, tables);
  const vectors = /** @type {any} */ (Object.fromEntries(["annotation", "context", "attentional"].map((kind) => [kind, decode(trace.network.coordinates[kind])])));
  let drawn = /** @type {any} */ (null);
  let step = 0;
  let phase = WHOLE;
  let size = "";

  const make = (at, count, kind) => {
    const made = tile(at, count, hues, kind);
    act.describe(made.node, (event) => sayCell(made, kind, made.cellUnder(event)));
    return made;
  };
  function build() {
    const narrow = box.clientWidth < NARROW;
    node.classList.toggle("narrow", narrow);
    drawn = narrow ? cardsView(trace, box.clientWidth, make, act)
      : wholeView(trace, { width: box.clientWidth, height: box.clientHeight }, make, act);
    box.replaceChildren(...drawn.nodes);
  }

  const weightsNow = (t) => Array.from(t < 0 ? [] : act.draft.row() ?? trace.weight.row(t));

  function show(newStep) {
    step = newStep;
    if (!drawn) return;
    const t = step - 1;
    const held = t >= 0 && Boolean(act.draft.row());
    const weights = weightsNow(t);
    const blend = t < 0 ? null : held ? blended(weights, vectors.annotation) : vectors.context.row(t);
    const say = (one, number = act.number) => (held && one === "write" ? [CHANGING] : sayPhase(trace, one, step, weights, number));
    drawn.show(step, weights, blend, say, held);
    head.show(phase, step, say(phase));
    const inText = (one) => element("p", {}, ...say(one, (words) => words)).textContent;
    tables.replaceChildren(...tablesOf(trace, { step, weights, blend, ...vectors }, inText));
  }

  function light(newPhase) {
    phase = newPhase;
    node.dataset.phase = phase;
    for (const part of box.querySelectorAll(".part")) {
      part.classList.toggle("dim", phase !== WHOLE && step > 0 && !part.dataset.phases.split(" ").includes(phase));
    }
  }

  function resize() {
    const now = box.clientWidth < NARROW ? String(box.clientWidth) : `${box.clientWidth} ${box.clientHeight}`;
    if (!box.clientWidth || now === size) return;
    size = now;
    build();
    box.tabIndex = box.scrollWidth > box.clientWidth ? 0 : -1;
    show(step);
    light(phase);
  }
  const showAll = (newStep, pinned, view) => {
    phase = view?.phase ?? phase;
    show(newStep);
    light(phase);
  };
  return {
    node, arrange: () => {}, show: showAll, resize, redraw: () => show(step),
    preview: (answer) => drawn?.preview(answer),
  };
}

function sayCell(made, kind, cell) {
  const values = made.values();
  if (!values || cell < 0) return CALLED[kind];
  return `${CALLED[kind]}, cell ${cell + 1} of ${values.length}: ${twoDecimals(values[cell])} standard deviations`;
}

// Five phases to choose from, or the whole, and what happens there.
function phaseBar(choose) {
  const names = [[WHOLE, "whole step"], ...PHASES.map((phase) => [phase, phase])];
  const all = names.map(([phase, name]) => button({ class: "switch", "data-testid": `phase-${phase}` }, () => choose(phase), name));
  const says = element("p", { class: "phase-says", "aria-live": "polite", "data-testid": "phase-says" });
  const node = element("div", { class: "phase-bar" },
    element("div", { class: "segments", role: "group", "aria-label": "Phase of the step" }, ...all), says);
  function show(phase, step, said) {
    all.forEach((one, i) => {
      one.setAttribute("aria-pressed", String(names[i][0] === phase));
      one.disabled = step < 1 && names[i][0] !== WHOLE;
    });
    says.replaceChildren(...said);
  }
  return { node, show };
}
