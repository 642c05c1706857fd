// Cards: the narrow picture, with a card for each phase, one below the other, and a row for each source token.

import { drawing, element } from "../shared/elements.js";
import { percent, twoDecimals } from "../shared/numbers.js";
import { FINGERPRINT, TERMS, figureOf, mixingParts, tilesOf, writtenRows } from "./parts.js";
import { PHASES } from "./phases.js";
import { cut, hasEmbeddings, kindsOf, plain, rowsOf, symbol, text, wire } from "./drawing.js";

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
export function cardsView(trace, width, now, make, say, act) {
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
