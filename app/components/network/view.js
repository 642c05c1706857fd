// View: the network at one step, as one drawing; a part of the stepper's frame like the sentence and the heatmap. The drawing is
// hidden from a screen reader, which gets the numbers of each phase in tables.

import { button, element, nothing, scroller } from "../shared/elements.js";
import { about, percent, twoDecimals } from "../shared/numbers.js";
import { cardsView } from "./cards.js";
import { blended } from "./mixing.js";
import { PHASES, sayPhase, WHOLE } from "./phases.js";
import { componentAt, kindsOf, rowsOf, tileMaker } from "./vectors.js";
import { lightPhase, wholeView } from "./whole.js";
import { fingerprintParts } from "./whole_vector.js";
import { candidates } from "./writing.js";

const CHANGING = "What is mixed changes: let go, and the model decodes on from here.";
const COVERED = "What is asked below is covered here until you have predicted it.";
const TABLES_AFTER = 150; // milliseconds
const WIDEST = { card: 560, alone: 356 }; // pixels, for a card among others and for one beside a text
const NARROW = 700; // pixels; below this there is a card for each phase

export function networkView(trace, pixels, act) {
  const head = phaseBar((phase) => act.phase(phase));
  const parts = trace.look ? headParts(trace, act) : fingerprintParts(trace, pixels, act);
  const box = element("div", { class: "drawing-box", role: "group", "aria-label": "Drawing of the network" });
  const edges = scroller(box);
  const tables = element("div", { class: "unseen", "data-testid": "phases" });
  const node = element("section", { class: "network", "aria-label": "Network", "data-testid": "network" }, head.node, box, ...parts.nodes, tables);
  const { from, into } = kindsOf(trace);
  const [mixing, mixed] = [rowsOf(trace, from), rowsOf(trace, into)];
  let maker = tileMaker(trace, act.hues);
  let drawn = /** @type {any} */ (null);
  let step = 0;
  let phase = WHOLE;
  let size = "";
  let seen = false; // from the first drawing on
  let waiting = 0;

  // `place()` is its vector's place: {position} of a source token or {step} from 0, −1 before the first.
  const make = (at, count, kind, place) => {
    const made = maker(at, count, kind);
    act.describe(made.node, (event) => parts.say(kind, made.values(), made.cellUnder(event)));
    made.node.addEventListener("click", (event) => made.values() && parts.open(kind, place(), made.values(), made.cellUnder(event)));
    return made;
  };
  function build() {
    const narrow = Boolean(act.only) || box.clientWidth < NARROW; // `only` is the one phase that a card shows alone
    node.classList.toggle("narrow", narrow);
    maker = tileMaker(trace, act.hues, narrow);
    drawn = narrow ? cardsView(trace, Math.min(box.clientWidth, act.only ? WIDEST.alone : WIDEST.card), make, act)
      : wholeView(trace, { width: box.clientWidth, height: box.clientHeight }, make, act);
    box.replaceChildren(...drawn.nodes);
  }

  const weightsNow = (t) => Array.from(t < 0 ? [] : act.draft.row() ?? trace.weight.row(t));

  // Without attention the context is there as soon as the sentence is read.
  function show(newStep) {
    step = newStep;
    parts.follow(step - 1);
    if (!drawn) return;
    const t = step === 0 && !trace.attends ? 0 : step - 1;
    const held = t >= 0 && Boolean(act.draft.row());
    const weights = weightsNow(t);
    const blend = t < 0 ? null : held ? blended(weights, mixing) : mixed.row(t);
    const hidden = act.hides?.(step); // until a visitor has predicted it
    const say = (one, number = act.number) => (hidden ? [COVERED] : held && one === "write" ? [CHANGING] : sayPhase(trace, one, step, weights, number));
    drawn.show(step, weights, blend, say, held);
    head.show(phase, step, say(phase));
    const inText = (one) => element("p", {}, ...say(one, (words) => words)).textContent;
    clearTimeout(waiting); // not while stepping
    waiting = setTimeout(() => tables.replaceChildren(
      ...tablesOf(trace, hidden ? [] : act.only ? [act.only] : PHASES, { step, weights, blend }, inText)), TABLES_AFTER);
  }

  function light(newPhase) {
    phase = newPhase;
    node.dataset.phase = phase;
    lightPhase(box, step > 0 ? phase : WHOLE);
    const left = drawn?.sight?.(step, phase, weightsNow(step - 1));
    if (left !== undefined) requestAnimationFrame(() => { box.scrollLeft = left; });
  }

  // Scrolls down or up to the phase's card, and not to another column of Compare.
  function toCard() {
    const { left, width } = box.getBoundingClientRect();
    const beside = left + width / 2 < 0 || left + width / 2 > window.innerWidth;
    if (!act.only && !beside) box.querySelector(`[data-card="${phase}"]`)?.scrollIntoView({ block: "center", inline: "nearest" });
  }

  function resize() {
    const now = box.clientWidth < NARROW ? String(box.clientWidth) : `${box.clientWidth} ${box.clientHeight}`;
    if (!box.clientWidth || now === size) return;
    size = now;
    build();
    show(step);
    edges.measure();
    box.tabIndex = box.scrollWidth > box.clientWidth || (act.only && box.scrollHeight > box.clientHeight) ? 0 : -1;
    light(phase);
    if (!seen) toCard();
    seen = true;
  }

  const showAll = (newStep, pinned, view) => {
    const before = phase;
    phase = view?.phase ?? phase;
    show(newStep);
    light(phase);
    if (seen && phase !== before) toCard();
  };
  return {
    node, arrange: () => {}, show: showAll, resize, redraw: () => show(step),
    preview: (answer) => drawn?.preview(answer),
  };
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

// The parts beside the drawing of a Transformer's head. Every cell is a component, which a click opens.
const CALLED = {
  embedded: "embedding with its position", query: "query", key: "key", value: "value", share: "value times its weight", mixed: "values mixed", other: "values mixed by a head",
  normalised: "stream, normalised", joined: "heads joined", stream: "stream plus heads", stream_after: "stream plus feed-forward network",
};

function headParts(trace, act) {
  const note = element("p", { class: "note" }, `A cell is a component: keys, queries and values have ${trace.value.width}, the stream ${trace.stream.width}; blue is below 0, orange above. Values, their shares and their mixture have one scale. Press a cell for its arithmetic.`);
  const say = (kind, values, cell) => (!values || cell < 0 ? CALLED[kind]
    : `${CALLED[kind]}, component ${cell + 1} of ${values.length}: ${about(values[cell])}`);
  const open = (kind, place, values, cell) => cell >= 0 && act.inspect(componentAt(trace, kind, place, cell));
  return { nodes: [note], open, say, follow: nothing };
}

const numbered = (values) => Array.from(values, (value) => twoDecimals(value)).join(" ");

// A figure for each of these phases, named by its sentence. `say(phase)` gives its text.
function tablesOf(trace, phases, { step, weights, blend }, say) {
  if (step < 1) return [];
  const t = step - 1;
  const { tokens } = trace.source;
  const { compared, into } = kindsOf(trace);
  const [all, last] = [rowsOf(trace, compared), trace.look ? trace.stream_after ?? trace.stream : rowsOf(trace, "attentional")];
  const numbers = (vector) => `${trace.look ? "components" : "fingerprint"}${vector && ` of ${vector}`}`; // what stands for a vector
  const likeliest = trace.atOnce ? [] : candidates(trace, t);
  const rows = {
    read: [["token", numbers(compared)], ...tokens.map((label, i) => [label.text, numbered(all.row(i))])],
    ask: [["token", "score"], ...(trace.attends ? tokens.map((label, i) => [label.text, twoDecimals(trace.score.at(t, i))]) : [])],
    weigh: [["token", "weight"], ...tokens.map((label, i) => [label.text, percent(weights[i])])],
    mix: [["vector", numbers("")], [into, numbered(blend)]],
    write: [["token", "probability"], [numbers(trace.look ? "stream" : "attentional vector"), numbered(last.row(t))],
      ...likeliest.map(({ label, probability }) => [label.text, percent(probability)])],
  };
  return phases.map((phase) => element("figure", { "aria-label": `${phase}: ${say(phase)}`, "data-figure": phase }, tableOf(rows[phase])));
}

const tableOf = ([head, ...rows]) => element("table", {},
  element("thead", {}, element("tr", {}, ...head.map((name) => element("th", { scope: "col" }, name)))),
  element("tbody", {}, ...rows.map(([name, value]) => element("tr", {}, element("th", { scope: "row" }, name), element("td", {}, value)))));
