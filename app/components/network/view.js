// View: the network at one step, as one drawing; a part of the stepper's frame like the sentence and the heatmap.

import { button, element } from "../shared/elements.js";
import { decode, twoDecimals } from "../shared/numbers.js";
import { cardsView } from "./cards.js";
import { componentAt, reachOf, sayComponent } from "./head.js";
import { blended } from "./mixing.js";
import { PHASES, sayPhase, WHOLE } from "./phases.js";
import { tablesOf } from "./tables.js";
import { tile } from "./tile.js";
import { lightPhase, wholeView } from "./whole.js";
import { wholeVector } from "./whole_vector.js";

const MEAN = "The mean of the heads has no query, keys or values of its own. Choose one head in the map above.";
const CHANGING = "The context changes: let go, and the model decodes on from here.";
const TABLES_AFTER = 150; // milliseconds
const WIDEST = { card: 560, alone: 356 }; // pixels, of a card among others and of one beside a text
const NARROW = 700; // pixels; below it there is a card for each phase

const CALLED = {
  forwards: "reader from the left", backwards: "reader from the right", annotation: "annotation", share: "share of an annotation",
  context: "context", state: "state", cell: "cell state", attentional: "attentional vector",
};

export function networkView(trace, pixels, act) {
  const head = phaseBar((phase) => act.phase(phase));
  const whole = trace.look ? null : wholeVector(trace, pixels, act);
  const chooser = whole && vectorChooser(trace, (kind, place) => whole.open(kind, place, vectors[kind].row(place.position ?? place.step)));
  const box = element("div", { class: "drawing-box", role: "group", "aria-label": "Drawing of the network" });
  const tables = element("div", { class: "unseen", "data-testid": "phases" });
  const note = element("p", { class: "note" }, noteOf(trace), ...(chooser ? [" ", chooser.node] : []));
  const node = element("section", { class: "network", "aria-label": "Network", "data-testid": "network" }, head.node, box, ...(whole ? [whole.node] : []), note, tables);
  const vectors = vectorsOf(trace);
  let drawn = /** @type {any} */ (null);
  let step = 0;
  let phase = WHOLE;
  let size = "";
  let waiting = 0;

  // `place()` is where its vector stands, as whole_vector.js has it.
  const make = (at, count, kind, place) => {
    const made = tile(at, count, act.hues, kind, whole ? undefined : reachOf(trace, kind));
    act.describe(made.node, (event) => (whole ? sayCell : sayComponent)(kind, made.values(), made.cellUnder(event)));
    made.node.addEventListener("click", (event) => {
      if (!made.values()) return;
      if (whole) whole.open(kind, place(), made.values());
      else if (made.cellUnder(event) >= 0) act.inspect(componentAt(trace, kind, place(), made.cellUnder(event)));
    });
    return made;
  };
  function build() {
    const narrow = !trace.look && (Boolean(act.only) || box.clientWidth < NARROW); // `only` is the one phase that a card shows alone
    node.classList.toggle("narrow", narrow);
    drawn = narrow ? cardsView(trace, Math.min(box.clientWidth, act.only ? WIDEST.alone : WIDEST.card), make, act)
      : wholeView(trace, { width: box.clientWidth, height: box.clientHeight }, make, act);
    box.replaceChildren(...drawn.nodes);
  }

  const weightsNow = (t) => Array.from(t < 0 ? [] : act.draft.row() ?? trace.weight.row(t));

  // Without attention the context is there as soon as the sentence is read.
  function show(newStep) {
    step = newStep;
    whole?.follow(step - 1);
    if (!drawn) return;
    const t = step === 0 && !trace.attends ? 0 : step - 1;
    const held = t >= 0 && Boolean(act.draft.row());
    const weights = weightsNow(t);
    const blend = t < 0 ? null : held ? blended(weights, vectors.annotation) : vectors.context.row(t);
    const say = (one, number = act.number) => (held && one === "write" ? [CHANGING] : sayPhase(trace, one, step, weights, number));
    drawn.show(step, weights, blend, say, held);
    head.show(phase, step, say(phase));
    chooser?.show(step - 1);
    const inText = (one) => element("p", {}, ...say(one, (words) => words)).textContent;
    clearTimeout(waiting); // not while one goes from step to step
    waiting = setTimeout(() => tables.replaceChildren(
      ...tablesOf(trace, act.only ? [act.only] : PHASES, { step, weights, blend, ...vectors }, inText)), TABLES_AFTER);
  }

  function light(newPhase) {
    phase = newPhase;
    node.dataset.phase = phase;
    lightPhase(box, step > 0 ? phase : WHOLE);
  }

  function resize() {
    if (trace.look?.head === 0) return box.replaceChildren(element("p", { class: "note" }, MEAN));
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

// Opens a vector of the step from the keyboard, where the drawing is not reached.
function vectorChooser(trace, open) {
  const ofStep = ["context", "state", "cell", "attentional"].filter((kind) => trace.network.coordinates[kind]);
  const options = [...ofStep.map((kind) => [kind, CALLED[kind]]),
    ...trace.source.tokens.map((label, i) => [String(i), `annotation of ${label.text}`])];
  const list = element("select", { "aria-label": "Vector", "data-testid": "whole-vector-of" }, ...options.map(([value, name]) => element("option", { value }, name)));
  const press = button({ class: "number", "data-testid": "whole-vector-open" }, () =>
    (ofStep.includes(list.value) ? open(list.value, { step: t }) : open("annotation", { position: Number(list.value) })), "all components");
  const node = element("span", { class: "whole" }, press, " of ", list);
  let t = -1;
  function show(now) {
    t = now;
    ofStep.forEach((kind, i) => { list.options[i].disabled = t < 0; });
    if (t < 0 && ofStep.includes(list.value)) list.value = "0";
  }
  return { node, show };
}

// The vectors whose coordinates, or in a head whose components, are drawn.
function vectorsOf(trace) {
  if (trace.look) return { annotation: trace.value, context: trace.mixed };
  const kinds = ["annotation", "context", "state", "cell", "attentional"].filter((kind) => trace.network.coordinates[kind]);
  return /** @type {any} */ (Object.fromEntries(kinds.map((kind) => [kind, decode(trace.network.coordinates[kind])])));
}

function noteOf(trace) {
  if (trace.look) return "Every vector is drawn whole, a cell for each component; blue is below 0, orange above. Press a cell to see how it was computed.";
  const share = Math.round(100 * trace.network.shares.annotation);
  return `A fingerprint shows the 12 directions in which vectors of a kind differ most, ${share}% of the variance of annotations; blue is below the mean, orange above.`;
}

function sayCell(kind, values, cell) {
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
