// Decoder: its inputs, its state before and after, and the attentional vector, connected as the model is wired.
//
// Luong et al. (2015) ask with the state after the cell and join the context to it; Bahdanau et al. (2015) ask with the
// state before, and the cell reads the context. The cell is a box with its gates in it, each as full as it is open on
// average: it multiplies component by component, and 0 lets nothing through, 1 everything.

import {
  cut, decoderPlaces, formula, headingOf, mixedByHeads, part, plain, rowsOf, symbol, text, wire,
} from "./drawing.js";
import { drawing } from "../shared/elements.js";
import { decode, percent } from "../shared/numbers.js";
import { fedAt, nextOf, startsFromZeros } from "../stepper/trace_reading.js";

const SCORES = { // above the wire to the scores and, where it is long, below it
  dot: ["s · h_i"], general: ["s · W_a h_i"], scaled_dot: ["s · W_a h_i", "/ √H"], concat: ["v · tanh(W s", "+ U h_i)"],
};
const LETTERS = { state: "s", cell: "m", attentional: "h̃" };
const HEADING = "asks again for every word";

export function decoderView(trace, places, now, { encoder, context }, make, act) {
  const { coordinates, wiring, input_feeding: feeds } = trace.network;
  const at = decoderPlaces(places, trace.network);
  const late = wiring === "bahdanau";
  const early = () => now.step <= 0;
  const held = () => early() || now.held;
  const heldAfter = () => now.held && late;
  const kinds = coordinates.cell ? ["state", "cell"] : ["state"];
  const vector = (place, kind, back, beside, hidden) =>
    vectorView(trace, { ...place, width: 56, height: places.tile.high }, { kind, back, beside, hidden }, now, make);
  const before = kinds.map((kind, i) => vector([at.before, at.cellBefore][i], kind, 1, "above", early));
  // The initial state stands where the state after a step does.
  const after = kinds.map((kind, i) =>
    vector([at.state, at.cellAfter][i], kind, 0, "right", () => (early() && i > 0) || heldAfter()));
  const joined = vector(at.attentional, "attentional", 0, "below", held);
  const fedBack = feeds ? vector(at.fedBack, "attentional", 1, "above", early) : null;
  const [state] = after;
  const asker = late ? before[0] : state;
  const asks = part("ask", ...(trace.attends ? [
    wire([asker.left - 2, asker.middle], [places.right + 2, asker.middle]),
    ...(SCORES[trace.network.score] ?? ["score"]).map((line, n) =>
      formula(places.right + 8, asker.middle + [-6, 15][n], line, { class: "aside over" })),
  ] : []));
  const made = late ? "write" : "read";
  const [first, ...others] = [...before, ...after].map(({ node }) => node);
  const ofState = part(late ? "write" : "read ask write", state.node);
  ofState.classList.add("of-state");
  const start = part("read", ...(startsFromZeros(trace) ? [] : bridge(places, encoder, state)));
  start.classList.add("of-start");
  const node = drawing("g", { classes: { absent: () => now.step < 0, starting: () => now.step === 0 } },
    part(made, ...inputs({ at, late, before, after, fedBack, context }), fedView(trace, at.fed, places.tile, now, make),
      fedBack?.node,
      cellView(trace, at.box, () => (heldAfter() ? -1 : now.step - 1), act)),
    part(late ? "read ask write" : "read", first), part(made, ...others.filter((one) => one !== state.node)), ofState, start, asks,
    part("write", wire([context.right + 1, at.join.y], [joined.left - 2, at.join.y]),
      wire([state.x, state.bottom + 1], [at.join.x, at.join.y - 1]), formula(joined.left - 22, joined.bottom + 15, "tanh W_c[c ; s]", { class: "aside", "text-anchor": "end" }), joined.node),
    headingOf(at.heading, "Decoder", trace.attends ? HEADING : "gets the same context for every word"));
  const { x } = at.likely;
  const out = [wire([joined.right + 2, joined.middle], [x - 4, joined.middle]),
    formula((joined.right + x) / 2 - 2, joined.middle - 8, "W_o", { class: "aside", "text-anchor": "middle" })];
  return { node, at, out };
}

// A vector of the decoder with its name and letter `beside` it: above, below or right; `back` is how many steps before the
// one shown.
function vectorView(trace, place, { kind, back, beside, hidden }, now, make) {
  const rows = rowsOf(trace, kind);
  const first = trace.network.coordinates[`initial_${kind}`];
  const initial = first ? decode(first).row(0) : null;
  const step = () => Math.max(-1, now.step - 1 - (now.step > 0 ? back : 0));
  const made = make(place, rows.width, kind, () => ({ step: step() }),
    () => (hidden() ? null : step() < 0 ? initial : rows.row(step())));
  const index = () => (hidden() ? "" : String(step() + 1));
  const names = beside === "right"
    ? [symbol(made.right + 5, made.middle + 2, LETTERS[kind], index, { "text-anchor": "start" }),
    text(made.right + 5, made.middle + 17, kind, { class: "aside" })]
    : [symbol(made.x, beside === "below" ? made.bottom + 15 : made.top - 8, LETTERS[kind], index, {}, kind)];
  return { ...made, node: drawing("g", {}, made.node, ...names) };
}

// The token fed in, with its embedding below it.
function fedView(trace, { x, y }, { low, high }, now, make) {
  const rows = trace.network.coordinates.fed_embedding && rowsOf(trace, "fed_embedding");
  const t = () => now.step - 1;
  return drawing("g", {},
    text(x - 28, y + 13, () => (t() < 0 ? "" : cut(plain(fedAt(trace, t())), 110)),
      { class: "target-name", lang: trace.target.language }),
    symbol(x, y - 8, "y", () => (t() < 0 ? "" : String(t())), {}, "fed in"),
    ...(rows ? [make({ x, y: y + high - low, width: 56, height: low }, rows.width, "fed_embedding", () => ({ step: t() }),
      () => (t() < 0 ? null : rows.row(t()))).node] : []));
}

function bridge(places, { ends: [last, first] }, state) {
  const x = places.right + 12;
  return [wire([last.right, last.middle], [x, last.middle], [x, state.middle], [state.left - 2, state.middle]),
    wire([first.left, first.middle], [first.left - 6, first.middle], [first.left - 6, 19], [x + 8, 19], [x + 8, state.middle - 8], [state.left - 2, state.middle - 8]),
    formula(x + 14, state.top - 6, "tanh(W_b[→ ; ←] + b_b)", { class: "aside" })];
}

// The cell's inputs: the token fed in, the state before, and the attentional vector or the context if it reads one.
function inputs({ at, late, before, after, fedBack, context }) {
  const { x, y, height } = at.box;
  const into = [...before, ...(fedBack ? [fedBack] : [])].map((one) => wire([one.x, one.bottom + 1], [one.x, y - 1]));
  const out = after.map((one) => wire([one.x, y + height], [one.x, one.top - 2]));
  const read = wire([at.fed.x, at.fed.y + 38], [at.fed.x, y - 1]);
  if (!late) return [...into, ...out, read];
  const [side, level] = [x - 22, context.middle - 12];
  return [...into, ...out, read, wire([context.right + 1, level], [side, level], [side, y + height / 2], [x - 1, y + height / 2])];
}

const DOES = {
  forget: "how much of the old cell state stays", input: "how much of the candidate enters the cell state",
  output: "how much of the cell state becomes the state", update: "how much of the old state stays",
  reset: "how much of the old state enters the candidate",
};
const GATE = { width: 90, apart: 97, top: 20 };

// `at` is {x, y, width, height}, x being the box's left edge; `row()` is that of the step, below 0 before the first. A
// press opens the largest component of the state that the cell makes.
function cellView({ index, network, state }, at, row, { inspect }) {
  const openness = decode(network.openness);
  const first = at.x + at.width - 8 - network.gates.length * GATE.apart;
  const component = () => state.row(row()).reduce((most, value, j, all) =>
    (Math.abs(value) > Math.abs(all[most]) ? j : most), 0);
  const name = network.cell.toUpperCase();
  return drawing("g", { class: "box pressed",
    onclick: () => row() >= 0 && inspect({ trace: index, kind: "state", step: row(), component: component() }) },
    drawing("rect", {
      x: at.x, y: at.y, width: at.width, height: at.height, rx: 6,
      says: () => row() >= 0 && `${name} cell: press for the arithmetic of component ${component() + 1}, the largest of the new state`,
    }),
    text(at.x + 14, at.y + at.height / 2 - 2, name),
    text(at.x + 14, at.y + at.height / 2 + 14, "open by:", { class: "aside" }),
    ...network.gates.map((gate, g) =>
      gateView({ x: first + (g + 0.5) * GATE.apart, y: at.y, height: at.height - GATE.top - 7 }, gate,
        () => (row() < 0 ? 0 : openness.at(row(), g)))));
}

function gateView({ x, y, height }, name, mean) {
  const box = { x: x - GATE.width / 2, y: y + GATE.top, height };
  return drawing("g", { class: "gate", "data-gate": name,
    says: () => `${name} gate, ${percent(mean())} open on average over its components: ${DOES[name]}` },
    text(x, y + 14, () => (mean() ? `${name} ${Math.round(100 * mean())}%` : name),
      { class: "aside", "text-anchor": "middle" }),
    drawing("rect", { class: "ground", ...box, width: GATE.width }),
    drawing("rect", { class: "opening", ...box, width: () => mean() * GATE.width }));
}

// Stream: the residual stream of the token that asks, past one attention of a layer (Vaswani et al. 2017, section 3).
//
//     q = W_Q LayerNorm(x)      x = x + W_O [z of head 1 ; z of head 2 ; …]      x = x + FFN(LayerNorm(x))

const HEADS = { left: 60, room: 184, apart: 6 }; // from the decoder's left edge
const STREAM = 304;
const TOP = 18; // below the heading
const STREAM_DOES = {
  cross: ["Decoder", HEADING], decoder: ["Decoder", "its newest word asks"], encoder: ["Encoder", "every word asks, all at once"],
};
const WIDE = 104; // of a tile with all components of the stream

// While a weight is dragged, the vectors after it are unknown.
export function streamView(trace, places, now, blend, make) {
  const { decoder, score, context, height } = places;
  const [x, asks, bottom] = [decoder + STREAM, decoder + 126, height - 14 - 125];
  const high = (share) => share * ((bottom - TOP) / 283);
  const y = (share) => TOP + high(share); // so many units lie above the likeliest tokens where the picture is lowest
  const t = () => now.step - 1;
  const here = () => ({ step: t() });
  const vector = (kind, at, hidden = () => false) => trace[kind]
    && make(at, trace[kind].width, kind, here, () => (t() < 0 || hidden() ? null : trace[kind].row(t())));
  const held = () => now.held;
  const wide = (top, middle = x) => ({ x: middle, y: y(top), width: WIDE, height: high(18) });
  const [normalised, stream, after] = [vector("normalised", wide(26, asks)), vector("stream", wide(178), held),
    vector("stream_after", wide(240), held)];
  const query = vector("query", { x: asks, y: y(70), width: 64, height: high(38) });
  const fed = text(x, TOP + 14, () => (t() < 0 ? "" : cut(plain(fedAt(trace, t())), 130)),
    { class: "target-name", "text-anchor": "middle", lang: trace.target.language });
  const joined = joinedView(trace, { left: decoder + HEADS.left, y: y(148), height: high(30) }, now, make);
  const plus = [[x, joined.middle], [x, y(228)]].slice(0, after ? 2 : 1);
  const level = score + 20;
  const down = query.left - 50;
  const node = drawing("g", { classes: { absent: () => t() < 0 } },
    headingOf(decoder + HEADS.left, ...STREAM_DOES[trace.look.attention]),
    part("read ask", fed, wire([x, TOP + 19], [x, y(35)], [normalised.right + 2, y(35)]), aside((x + normalised.right) / 2, y(35) - 5, "normalise"),
      normalised.node, wire([asks, normalised.bottom + 1], [asks, query.top - 2]),
      aside(asks + 18, query.top - 6, "W_Q"), query.node,
      symbol(query.right + 8, query.middle + 4, "q", () => String(now.step), { "text-anchor": "start" })),
    part("ask", wire([query.left - 2, query.middle], [down, query.middle], [down, level], [places.right + 2, level]),
      aside(down + 52, query.bottom + 16, `q · k_i / √${trace.query.width}`)),
    part("write", wire([x, y(35)], [x, plus[0][1] - 7]), joined.node,
      wire([blend.right + 1, context.y + context.height / 2], [joined.own.x, context.y + context.height / 2], [joined.own.x, joined.own.bottom + 2]),
      wire([joined.right, joined.middle], [x - 7, joined.middle]), aside((joined.right + x) / 2 - 2, joined.middle - 6, "W_O"), ...plus.map(sum),
      wire([x, plus[0][1] + 7], [x, stream.top - 1]), stream.node, ...(after ? feedForward(x, stream, after, plus[1][1]) : []),
      wire([x, (after ?? stream).bottom + 1], [x, bottom - 3]),
      formula(x + 8, bottom - 10, nextOf(trace) ? `to ${nextOf(trace)}` : "normalise, W_e", { class: "aside" })));
  return { node, at: { likely: { x: decoder + 254, y: bottom } }, out: [] };
}

const aside = (x, y, words) => formula(x, y, words, { class: "aside", "text-anchor": "middle" });
const sum = (/** @type {number[]} */ [x, y]) => drawing("g", { class: "sum" }, drawing("circle", { cx: x, cy: y, r: 7 }), drawing("path", { d: `M${x - 4} ${y}h8M${x} ${y - 4}v8` }));

// The mixed values of all heads of the layer, side by side; the head on view is marked.
function joinedView(trace, { left, y, height }, now, make) {
  const all = mixedByHeads(trace);
  const apart = HEADS.room / all.length;
  const own = trace.look.head - 1;
  const tiles = all.map((rows, head) => make(
    { x: left + (head + 0.5) * apart, y, width: Math.min(64, apart - HEADS.apart), height }, rows.width, "other",
    () => ({ step: now.step - 1, head }),
    () => (now.step < 1 || (now.held && head === own) ? null : rows.row(now.step - 1))));
  const names = tiles.map((one, head) => text(one.x, y - 4, `head ${head + 1}`.slice(apart < 40 ? 5 : 0),
    { class: head === own ? "aside own" : "aside", "text-anchor": "middle" }));
  tiles[own].node.classList.add("own");
  const node = drawing("g", {}, ...names, ...tiles.map((one) => one.node));
  return { node, own: tiles[own], right: tiles.at(-1).right + 2, middle: y + height / 2 };
}

function feedForward(x, stream, after, level) {
  const box = { x: x + 68, y: (stream.bottom + level) / 2 - 13, width: 54, height: 18 };
  const middle = box.x + box.width / 2;
  return [wire([x, stream.bottom + 1], [x, level - 7]), wire([stream.right + 2, stream.middle], [middle, stream.middle], [middle, box.y - 1]),
    drawing("g", { class: "box" }, drawing("rect", { ...box, rx: 5 }), text(middle, box.y + 13, "FFN", { "text-anchor": "middle" })),
    wire([middle, box.y + box.height], [middle, level], [x + 8, level]), wire([x, level + 7], [x, after.top - 1]), after.node];
}
