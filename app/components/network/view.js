// The network at one step, a part of the stepper's frame like the sentence and the heatmap: one wide drawing, or cards for
// its phases, and the parts beside them. The drawing is hidden from a screen reader, which gets the numbers of each phase
// in tables.

import { decoderView, streamView } from "./decoder.js";
import {
  FINGERPRINT, TERMS, askingView, blended, candidates, encoderView, figureOf, keysView, mixingParts, mixingView, tilesOf,
  writingView, writtenRows,
} from "./parts.js";
import {
  componentAt, cut, formula, hasEmbeddings, kindsOf, layoutOf, plain, rowsOf, symbol, text, tileMaker, wire,
} from "./drawing.js";
import { button, drawing, element, nothing, onEscape, refresh, rove, scroller } from "../shared/elements.js";
import { about, percent, twoDecimals } from "../shared/numbers.js";
import { lineDrag } from "../stepper/dragging.js";
import { strip } from "../stepper/panel.js";
import { PHASES, WHOLE, sayPhase } from "../stepper/step_text.js";
import { readAs } from "../stepper/trace_reading.js";

const CHANGING = "What is mixed changes: let go, and the model decodes on from here.";
const COVERED = "The answer stays hidden until you predict it.";
const TABLES_AFTER = 150; // milliseconds
const WIDEST = { card: 560, alone: 356 }; // pixels, for a card among others and for one beside a text
const NARROW = 700; // pixels; below this there is a card for each phase

export function networkView(trace, pixels, act) {
  const now = nowOf();
  let phase = WHOLE;
  let lit = ""; // by a story
  const labels = phaseLabels(now, () => shownPhase(), (one) => act.phase(phase === one ? WHOLE : one));
  const parts = trace.look ? headParts(trace, act) : fingerprintParts(trace, pixels, act);
  const box = element("div", { class: "drawing-box", role: "group", "aria-label": "Drawing of the network" });
  const edges = scroller(box);
  const tables = element("div", { class: "unseen", "data-testid": "phases" });
  const node = element("section", { class: "network", "aria-label": "Network", "data-testid": "network" }, box, ...parts.nodes, tables);
  const mixing = rowsOf(trace, kindsOf(trace).from);
  let drawn = /** @type {any} */ (null);
  let size = "";
  let seen = false; // from the first drawing on
  let waiting = 0;
  let narrow = false;
  const shownPhase = () => (now.step > 0 ? lit || phase : WHOLE);
  const hidden = () => act.hides?.(now.step); // until a visitor has predicted it
  const say = (one, number = act.number) => (hidden() ? [COVERED] : now.held && one === "write" ? [CHANGING]
    : sayPhase(trace, one, now.step, now.weights, number));

  // `place()` is its vector's place: {position} of a source token or {step} from 0, −1 before the first.
  function maker() {
    const make = tileMaker(trace, act.hues, narrow);
    return (at, count, kind, place, values, more) => {
      const made = make(at, count, kind, values, {
        ...more, says: (event) => parts.say(kind, made.values(), made.cellUnder(event)),
        onclick: (event) => made.values() && parts.open(kind, place(), made.cellUnder(event)),
      });
      return made;
    };
  }

  function build() {
    narrow = Boolean(act.only) || box.clientWidth < NARROW; // `only` is the one phase that a card shows alone
    node.classList.toggle("narrow", narrow);
    const { clientWidth: width, clientHeight: height } = box;
    drawn = narrow ? cardsView(trace, Math.min(width, act.only ? WIDEST.alone : WIDEST.card), now, maker(), say, act)
      : wholeView(trace, { width, height, large: Boolean(node.closest(".large")) }, now, maker(), act);
    if (drawn.places) labels.place(drawn.places);
    box.replaceChildren(...(narrow ? [] : [labels.node]), ...drawn.nodes);
  }

  function draw(step = now.step) {
    stepTo(now, trace, step, act.draft.row());
    if (now.held) now.blend = blended(now.weights, mixing);
    parts.follow(step - 1);
    if (!drawn) return;
    refresh(box);
    const inText = (one) => element("p", {}, ...say(one, (words) => words)).textContent;
    clearTimeout(waiting); // not while stepping
    waiting = setTimeout(() => tables.replaceChildren(
      ...tablesOf(trace, hidden() ? [] : act.only ? [act.only] : PHASES, now, inText)), TABLES_AFTER);
  }

  function light() {
    node.dataset.phase = phase;
    lightPhase(box, shownPhase());
    refresh(labels.node);
    const left = drawn?.sight?.(phase);
    if (left !== undefined) requestAnimationFrame(() => { box.scrollLeft = left; });
  }

  // Scrolls down or up to the phase's card, and not to another column of Compare.
  function toCard() {
    const { left, width } = box.getBoundingClientRect();
    const beside = left + width / 2 < 0 || left + width / 2 > window.innerWidth;
    if (!act.only && !beside) box.querySelector(`[data-card="${phase}"]`)?.scrollIntoView({ block: "center", inline: "nearest" });
  }

  function resize() {
    const large = Boolean(node.closest(".large"));
    const newSize = box.clientWidth < NARROW ? String(box.clientWidth)
      : `${box.clientWidth} ${box.clientHeight} ${large}`;
    if (!box.clientWidth || newSize === size) return;
    size = newSize;
    build();
    draw();
    edges.measure();
    box.tabIndex = box.scrollWidth > box.clientWidth || (act.only && box.scrollHeight > box.clientHeight) ? 0 : -1;
    light();
    if (!seen) toCard();
    seen = true;
  }

  function show(step, view) {
    const before = phase;
    phase = view?.phase ?? phase;
    lit = view?.lit ?? "";
    draw(step);
    light();
    if (seen && phase !== before) toCard();
  }
  const says = () => (narrow || now.step < 1 || phase === WHOLE ? null
    : sayPhase(trace, phase, now.step, now.weights, act.number));
  return {
    node, arrange: nothing, show, resize, redraw: () => draw(), says,
    preview(answer) {
      now.answer = answer;
      refresh(box);
    },
    lightUp(one) {
      lit = one;
      light();
    },
  };
}

// What the parts of a picture read, as parts.js says.
/** @returns {any} */
export const nowOf = () => ({ step: 0, t: -1, weights: [], most: 0, before: [], blend: null, held: false, answer: null });

// Goes to a step, with the weights that are `held` by the pointer, if any. Without attention the context is there as soon
// as the sentence is read.
export function stepTo(now, trace, step, held = null) {
  const t = step === 0 && !trace.attends ? 0 : step - 1;
  const weights = t < 0 ? [] : Array.from(held ?? trace.weight.row(t));
  const blend = t < 0 ? null : rowsOf(trace, kindsOf(trace).into).row(t);
  const before = [0];
  for (const weight of weights) before.push(before[before.length - 1] + weight);
  const answer = held ? now.answer : null;
  Object.assign(now, { step, t, weights, most: Math.max(...weights), before, blend, held: t >= 0 && Boolean(held), answer });
}

const ROWS = { // of the drawing that belong to each phase, from top to bottom
  read: ({ embedding, annotation, tile }) => [embedding, annotation + tile.high],
  ask: ({ score, scoreText }) => [score, scoreText + 4],
  weigh: ({ weight }) => [weight - 12, weight + 4],
  mix: ({ share, context }) => [share, context.y + context.height],
  write: ({ written }) => [written - 16, written + 4],
};
const LABEL = { width: 40, size: 12.5 }; // units

// The phases as the drawing's own labels, each at its rows; a press lights its phase, another one the whole step again.
function phaseLabels(now, lit, choose) {
  const all = PHASES.map((phase, i) => button({
    class: "phase", "data-testid": `phase-${phase}`, "data-handle": `phase-${phase}`, tabindex: i ? -1 : 0,
    title: `Only what belongs to “${phase}” (Shift+→ goes on)`, "aria-pressed": () => String(phase === lit()),
    disabled: () => now.step < 1,
  }, () => choose(phase), phase));
  const node = element("div", { class: "phases", role: "group", "aria-label": "Phase of the step" }, ...all);
  rove(node, () => all, () => ({ ArrowUp: -1, ArrowDown: 1 }));
  function place(places) {
    node.style.fontSize = `${LABEL.size * places.scale}px`;
    all.forEach((one, i) => {
      const [top, bottom] = ROWS[PHASES[i]](places).map((y) => y * places.scale);
      Object.assign(one.style, { left: `${places.rail * places.scale}px`, top: `${top}px`, width: `${LABEL.width * places.scale}px`, height: `${bottom - top}px` });
    });
  }
  return { node, place };
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
  const open = (kind, place, cell) => cell >= 0 && act.inspect(componentAt(trace, kind, place, cell));
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
  const likeliest = trace.atOnce ? [] : candidates(trace, { step, held: false, answer: null });
  const rows = {
    read: [["token", numbers(compared)], ...tokens.map((label, i) => [label.text, numbered(all.row(i))])],
    ask: [["token", "score"], ...(trace.attends ? tokens.map((label, i) => [label.text, twoDecimals(trace.score.at(t, i))]) : [])],
    weigh: [["token", "weight"], ...tokens.map((label, i) => [label.text, percent(weights[i])])],
    mix: [["vector", numbers("")], [into, numbered(blend)]],
    write: [["token", "probability"], [numbers(trace.look ? "stream" : "attentional vector"), numbered(last.row(t))],
      ...likeliest.map(({ label, probability }) => [label.text, percent(probability)])],
  };
  return phases.map((phase) => element("figure", { "aria-label": `${phase}: ${say(phase)}`, "data-figure": phase },
    element("table", {}, ...rows[phase].map(([name, value], i) => element("tr", {},
      element("th", { scope: i ? "row" : "col" }, name), element(i ? "td" : "th", i ? {} : { scope: "col" }, value))))));
}

// Whole: the wide picture, with all of a step in one drawing.

export function wholeView(trace, room, now, make, act) {
  const longest = Math.max(...trace.source.tokens.map((label) => plain(label).length));
  const places = layoutOf(trace.source.tokens.length, { ...room, longest }, hasEmbeddings(trace));
  const encoder = (trace.look ? keysView : encoderView)(trace, places, now, make);
  const mixing = mixingView(trace, places, now, make, act);
  const decoder = trace.look ? streamView(trace, places, now, mixing.blend, make)
    : decoderView(trace, places, now, { encoder, context: mixing.blend }, make, act);
  const writing = trace.atOnce ? [] : [writingView(trace, places, now, decoder, act)]; // an encoder writes nothing
  const heaviest = () => now.weights.indexOf(now.most);
  const svg = drawing("svg", {
    class: "drawing", "aria-hidden": "true", viewBox: `0 0 ${places.width} ${places.height}`,
    width: places.width * places.scale, height: places.height * places.scale, classes: { before: () => now.t < 0 },
    draws: () => follow(),
  }, rowNames(trace, places), mixing.node, encoder.node, askingView(trace, places, now, act), decoder.node, ...writing);

  // The upper end of a ribbon can be dragged to another token, as a line can.
  const view = { now: 0, heaviest: -1, reading: readAs(trace, { units: "tokens", rows: "output" }) };
  const at = { source: (i) => ({ x: places.x(i) * places.scale, y: places.shareEnd * places.scale }) };
  /** @type {any} */
  const drag = act.weighable ? lineDrag(svg, view, act, at, () => drag.place()) : null;
  if (drag) mixing.ribbons.forEach((ribbon, i) => drag.hold(ribbon, () => i));
  function follow() {
    if (!drag) return;
    Object.assign(view, { now: now.step, heaviest: heaviest() });
    if (now.step > 0 && (drag.held() || now.weights[view.heaviest] > 0)) drag.place();
    else drag.hide();
  }

  // Where a long sentence's picture is scrolled to, in pixels: the token being read; the end, where the decoder asks and
  // writes; else as near to it as leaves the heaviest token in sight.
  function sight(phase) {
    if (now.step < 0) return places.x(trace.sourceLength + now.step) * places.scale - room.width / 2;
    if (now.step === 0 || ["ask", "write"].includes(phase)) return places.width * places.scale;
    return (places.x(heaviest()) - 1.5 * places.column) * places.scale;
  }
  return { nodes: [svg, ...(drag ? [drag.node] : [])], places, sight };
}

export function lightPhase(box, phase) {
  for (const part of box.querySelectorAll(".part")) {
    part.classList.toggle("dim", phase !== WHOLE && !part.dataset.phases.split(" ").includes(phase));
  }
}

function rowNames(trace, places) {
  const { low, high, share } = places.tile;
  const rows = [
    ...(hasEmbeddings(trace) ? [["read", "embedding x_i", places.embedding + low / 2]] : []),
    ...(trace.look ? [["read ask", "key k_i", places.forwards + low], ["read mix", "value v_i", places.annotation + high / 2]]
      : [["read", "read →", places.forwards + low / 2], ["read", "read ←", places.backwards + low / 2],
        ["read ask mix", "annotation h_i", places.annotation + high / 2]]),
    ...(trace.attends ? [["ask weigh", "score e_i", places.scoreText - 4]] : []),
    ["weigh mix", "weight α_i", places.weight - 4], ["mix", trace.look ? "share α_i v_i" : "share α_i h_i", places.share + share / 2],
  ];
  return drawing("g", {}, ...rows.map(([phases, words, y]) => drawing("g", { class: phases.startsWith("read") ? "part" : "part later", "data-phases": phases },
    formula(places.names, y + 4, words, { class: "aside" }))));
}

// Cards: the narrow picture, with a card for each phase, one below the other, and a row for each source token.

const ROW = { first: 26, height: 27, lowest: 13, tile: 7 / 9, last: 6 }; // a tile has most of a row's height
const COLUMN = { name: 80, tile: 70, gap: 12 };
const FOUR = { name: 64, tile: 68, gap: 6 }; // with four columns
const CONTEXT = { width: 76, height: 60 };
const WIDTH = 356; // units of a card
const LEGIBLE = 0.8; // scale of a card, at least, where its height is limited
const FROM_WEIGH = ["weigh", "read", "ask", "mix", "write"]; // first what it looks at
const LOWEST = 148; // height of the card whose parts are stacked
const DRAWN = { read: readCard, ask: askCard, weigh: weighCard, mix: mixCard, write: writeCard };

// `say(phase)` is a phase's sentence, as nodes.
function cardsView(trace, width, now, make, say, act) {
  const tallest = act.tallest?.() ?? Infinity;
  const scale = Math.min(1.6, width / WIDTH, Math.max(LEGIBLE, tallest / heightOf(trace, ROW.lowest)));
  const fitting = (tallest / scale - heightOf(trace, 0)) / trace.source.tokens.length;
  const at = rowPlaces(Math.min(ROW.height, Math.max(ROW.lowest, fitting)));
  const nodes = (act.only ? PHASES : FROM_WEIGH).map((phase) => {
    const height = phase === "write" ? LOWEST : heightOf(trace, at.height);
    // The rows of tokens that the decoder's self-attention has not yet reached.
    const hideToCome = () => {
      if (trace.look?.attention !== "decoder") return;
      for (const one of svg.querySelectorAll("[data-row]")) one.classList.toggle("absent", Number(one.dataset.row) >= now.step);
    };
    const svg = drawing("svg", {
      class: "drawing", viewBox: `0 0 ${WIDTH} ${height}`, width: WIDTH * scale, height: height * scale,
      "aria-hidden": "true", draws: hideToCome,
    }, ...DRAWN[phase](trace, now, make, at, act));
    const explains = phase === "read" && !act.only && !trace.look;
    const note = explains ? [element("p", { class: "note" }, `${FINGERPRINT}.`)] : [];
    return element("div", { class: "card", "data-card": phase,
      hidden: () => (act.only ? phase !== act.only : now.step < 1 && phase !== "read") },
      element("p", { class: "card-name" }, phase), element("p", { class: "card-says" }, () => say(phase)), ...note,
      svg);
  });
  return { nodes };
}

const heightOf = (trace, row) => ROW.first + trace.source.tokens.length * row + ROW.last;

// Where rows of this height stand, and the tiles in them.
function rowPlaces(height, columns = COLUMN) {
  const tile = height * ROW.tile;
  const top = (i) => ROW.first + i * height;
  const left = (column) => columns.name + column * (columns.tile + columns.gap);
  const cell = (column, i) => ({ x: left(column) + columns.tile / 2, y: top(i), width: columns.tile, height: tile });
  return { height, columns, tile, top, left, cell, middle: (i) => top(i) + tile / 2 };
}

const heading = (words, x) => text(x, 16, words, { class: "aside", "text-anchor": "middle" });

function inRows(nodes) {
  nodes.forEach((node, i) => { node.dataset.row = String(i); });
  return nodes;
}

const namesOf = (trace, at) =>
  inRows(trace.source.tokens.map((label, i) => text(0, at.middle(i) + 5, cut(plain(label), at.columns.name - 8),
  { class: "source-name", lang: trace.source.language })));

const column = (trace, now, make, at, kind, place) =>
  inRows(tilesOf(trace, kind, (i) => at.cell(place, i), now, make).map((one) => one.node));

function readCard(trace, now, make, { height }) {
  const first = hasEmbeddings(trace) ? [[trace.look ? "embedded" : "embedding", "embedding"]] : [];
  const vectors = trace.look ? [["key", "key"], ["value", "value"]]
    : [["forwards", "read ↓"], ["backwards", "read ↑"], ["annotation", "annotation"]];
  const kinds = [...first, ...vectors];
  const at = rowPlaces(height, kinds.length > 3 ? FOUR : COLUMN);
  return [...namesOf(trace, at), ...kinds.flatMap(([kind, words], place) => [
    heading(words, at.left(place) + at.columns.tile / 2), ...column(trace, now, make, at, kind, place)])];
}

// A number and a bar for each token, which opens the token's score or weight; `words(i)` and `bar(i)`, {x, width}.
const figures = (trace, now, at, act, kind, x, words, bar) => trace.source.tokens.flatMap((_, i) => [
  figureOf(trace, kind, i, now, [x, at.middle(i) + 4], () => words(i), act, { "text-anchor": "end", "data-row": i }),
  drawing("rect", {
    class: kind === "score" ? "score-fill" : "chance", y: at.middle(i) - 5, height: 10, "data-row": i,
    x: () => bar(i).x, width: () => bar(i).width,
  }),
]);

function askCard(trace, now, make, at, act) {
  const { asks, compared } = kindsOf(trace);
  const [low, high] = trace.ranges.score;
  const unit = 62 / (high - low || 1);
  const zero = at.left(1) + 56 - low * unit;
  const rows = rowsOf(trace, asks);
  const t = () => now.step - 1 - Number(trace.network.wiring === "bahdanau"); // the row of what asks
  const asking = make({ x: WIDTH - 36, y: at.top(0), width: 70, height: 44 }, rows.width, asks, () => ({ step: t() }),
    () => (now.step < 1 ? null : t() < 0 ? rowsOf(trace, "initial_state").row(0) : rows.row(t())));
  const score = (i) => (now.t < 0 ? 0 : trace.score.at(now.t, i));
  const words = (i) => (trace.attends ? trace.mask.at(now.t, i) ? twoDecimals(score(i)) : "masked" : "");
  const bar = (i) => ({ x: zero + Math.min(0, score(i)) * unit,
    width: trace.attends ? Math.max(0.5, Math.abs(score(i)) * unit) : 0 });
  return [...namesOf(trace, at), heading(compared, at.left(0) + 32), heading(trace.attends ? "score" : "", at.left(1) + 30),
    ...column(trace, now, make, at, compared, 0), ...figures(trace, now, at, act, "score", at.left(1) + 44, words, bar),
    asking.node, symbol(WIDTH - 36, at.top(0) + 60, asks[0], () => String(t() + 1))];
}

function weighCard(trace, now, make, at, act) {
  const bar = (i) => ({ x: at.left(0) + 66, width: Math.max(0.5, (now.weights[i] ?? 0) * (WIDTH - at.left(0) - 70)) });
  return [...namesOf(trace, at), heading("weight", at.left(0) + 36),
    ...figures(trace, now, at, act, "weight", at.left(0) + 56, (i) => percent(now.weights[i]), bar)];
}

function mixCard(trace, now, make, at, act) {
  const { letter } = TERMS[kindsOf(trace).into];
  const y = (at.top(0) + at.top(trace.sourceLength) - CONTEXT.height) / 2;
  const context = { x: WIDTH - CONTEXT.width / 2 - 2, y, ...CONTEXT };
  const { shares, ribbons, blend } = mixingParts(trace, {
    place: (i) => at.cell(0, i), along: "x",
    start: (i) => ({ x: at.left(1) - COLUMN.gap + 2, y: at.middle(i), width: at.tile }),
    context, end: context.x - CONTEXT.width / 2 - 2,
  }, now, make, act);
  return [...namesOf(trace, at), heading(`share of ${letter}`, at.left(0) + 32), ...inRows(shares.map((one) => one.node)),
    ...ribbons, blend.node, symbol(blend.x, blend.bottom + 18, letter, () => String(now.step))];
}

// The mixed vector and the state make the attentional vector; a Transformer's joined heads are added to the stream.
function writeCard(trace, now, make, at, act) {
  const { look } = trace;
  const kinds = look ? ["mixed", "joined", trace.stream_after ? "stream_after" : "stream"] : ["context", "state", "attentional"];
  const unknown = look || trace.network.wiring === "bahdanau" ? 1 : 2; // the first unknown while weights are dragged
  const tiles = [[37, 8], [37, 78], [140, 43]].map(([x, y], n) => {
    const rows = rowsOf(trace, kinds[n]);
    return make({ x, y, width: 70, height: 42 }, rows.width, kinds[n], () => ({ step: now.step - 1 }),
      () => (now.step < 1 || (now.held && n >= unknown) ? null : n ? rows.row(now.step - 1) : now.blend)).node;
  });
  const names = look ? [[52, 66, "z"], [37, 136, "o"], [140, 106, "x"]]
    : [[37, 66, "c"], [37, 136, "s"], [140, 106, "h̃"]];
  const likely = trace.atOnce ? [] : writtenRows(trace, { x: 178, y: 12 }, now, act);
  const wires = [look ? wire([30, 52], [30, 76]) : wire([74, 29], [103, 56]), wire([74, 99], [103, 72]), ...(likely.length ? [wire([177, 64], [190, 64])] : [])];
  return [...tiles, ...names.map(([x, y, letter]) => symbol(x, y, letter, () => String(now.step))), ...wires,
    ...likely];
}

// Beside the drawing of a recurrent network: all components of one vector, each of which opens its arithmetic, and the
// list of vectors from which the keyboard opens one.

const VECTOR_NAMES = {
  forwards: "reader from the left", backwards: "reader from the right", annotation: "annotation", share: "share of an annotation",
  embedding: "embedding", fed_embedding: "embedding of the token fed in", context: "context", state: "state", cell: "cell state", attentional: "attentional vector",
};
const LETTERS = { embedding: "x", fed_embedding: "y", annotation: "h", context: "c", state: "s", cell: "m", attentional: "h̃" };

function fingerprintParts(trace, pixels, act) {
  const { shares, coordinates } = trace.network;
  const title = element("p", { class: "title" });
  const box = element("div");
  const whole = element("section", {
    class: "whole-vector", "aria-label": "Whole vector", "data-testid": "whole-vector", hidden: true,
    onkeydown: onEscape(hide),
  }, element("div", { class: "whole-vector-head" }, title,
    button({ class: "switch", "data-testid": "whole-vector-close" }, hide, "close")), box);
  const list = element("select", { "aria-label": "Vector", "data-testid": "whole-vector-of" }, ...[
    ...["context", "state", "cell", "attentional", "fed_embedding"].filter((kind) => coordinates[kind])
      .map((kind) => [kind, VECTOR_NAMES[kind]]),
    ...trace.source.tokens.flatMap((label, i) => ["annotation", "embedding"].map((kind) => [`${kind} ${i}`, `${kind} of ${label.text}`])),
  ].map(([value, name]) => element("option", { value }, name)));
  const press = button({ class: "number", "data-testid": "whole-vector-open" }, () => {
    const [kind, position] = list.value.split(" ");
    if (position) open(kind, { position: Number(position) });
    else if (t >= 0) open(kind, { step: t });
  }, "all components");
  const note = element("p", { class: "note" },
    "A fingerprint has the 12 directions in which vectors of a kind differ most, "
    + `${Math.round(100 * shares.annotation)}% of the variance of annotations; blue is below the mean, orange above. `,
  element("span", { class: "whole" }, press, " of ", list));
  let t = -1; // the step; another one closes its vectors
  let opener = /** @type {any} */ (null); // what had the keyboard's focus
  const focused = () => /** @type {any} */ (whole.getRootNode()).activeElement;

  function hide() {
    if (whole.contains(focused())) opener?.focus({ preventScroll: true });
    whole.hidden = true;
  }

  // `place` is {position} of a source token or {step} from 0, −1 before the first.
  function open(tile, place) {
    const kind = ["share", "forwards", "backwards"].includes(tile) ? "annotation" : tile; // the readers' halves are one vector
    const { position, step } = place;
    if (!whole.contains(focused())) opener = focused();
    const values = step < 0 ? trace[`initial_${kind}`].values : trace[kind].row(position ?? step);
    const at = kind === "fed_embedding" ? step : (position ?? step) + 1;
    const name = `${VECTOR_NAMES[kind]} ${LETTERS[kind]}${at}${position === undefined ? "" : ` of ${trace.source.tokens[position].text}`}`;
    const bar = strip({
      size: values.length, reach: trace.ranges[kind][1], pixels, across: 64, values: () => values, name: () => name,
      open: (component) => act.inspect({ trace: trace.index, kind, ...place, component }),
    });
    bar.tabIndex = 0;
    title.textContent = `${name}: all ${values.length} components`;
    box.replaceChildren(bar);
    whole.hidden = false;
    bar.focus({ preventScroll: true });
  }
  function follow(now) {
    if (t !== now) hide();
    t = now;
  }
  const say = (kind, values, cell) => (!values || cell < 0 ? VECTOR_NAMES[kind]
    : `${VECTOR_NAMES[kind]}, cell ${cell + 1} of ${values.length}: ${twoDecimals(values[cell])} standard deviations`);
  return { nodes: [whole, note], open, say, follow };
}
