// Cards: the narrow picture, with a card for each phase, one below the other, and a row for each source token.

import { drawing, element } from "../shared/elements.js";
import { percent, twoDecimals } from "../shared/numbers.js";
import { betweenOf } from "../stepper/trace_reading.js";
import { FINGERPRINT, writeAnswer, writtenRows } from "./parts.js";
import { PHASES } from "./phases.js";
import { drawRibbon, hasEmbeddings, kindsOf, rowsOf, cut, plain, symbol, text, wire } from "./drawing.js";

const ROW = { first: 26, height: 27, lowest: 13, tile: 7 / 9, last: 6 }; // a tile has most of a row's height
const COLUMN = { name: 80, tile: 70, gap: 12 };
const FOUR = { name: 64, tile: 68, gap: 6 }; // with four columns
const CONTEXT = { width: 76, height: 60 };
const WIDTH = 356; // units of a card
const LEGIBLE = 0.8; // scale of a card, at least, where its height is limited
const FROM_WEIGH = ["weigh", "read", "ask", "mix", "write"]; // first what it looks at
const LOWEST = 148; // height of the card whose parts are stacked

export function cardsView(trace, width, make, act) {
  const tallest = act.tallest?.() ?? Infinity;
  const scale = Math.min(1.6, width / WIDTH, Math.max(LEGIBLE, tallest / heightOf(trace, ROW.lowest)));
  const fitting = (tallest / scale - heightOf(trace, 0)) / trace.source.tokens.length;
  const at = rowPlaces(Math.min(ROW.height, Math.max(ROW.lowest, fitting)));
  const height = heightOf(trace, at.height);
  const drawn = { read: readCard, ask: askCard, weigh: weighCard, mix: mixCard, write: writeCard };
  const cards = (act.only ? PHASES : FROM_WEIGH).map((phase) => {
    const said = element("p", { class: "card-says" });
    const high = phase === "write" ? LOWEST : height;
    const svg = drawing("svg", {
      class: "drawing", viewBox: `0 0 ${WIDTH} ${high}`, width: WIDTH * scale, height: high * scale, "aria-hidden": "true",
    });
    const card = drawn[phase](trace, make, at, act);
    svg.append(...card.nodes);
    return { ...card, phase, said, node: element("div", { class: "card", "data-card": phase }, element("p", { class: "card-name" }, phase), said,
      ...(phase === "read" && !act.only && !trace.look ? [element("p", { class: "note" }, `${FINGERPRINT}.`)] : []), svg) };
  });
  function show(step, weights, blend, say, held) {
    for (const card of cards) {
      card.node.hidden = act.only ? card.phase !== act.only : step < 1 && card.phase !== "read";
      card.said.replaceChildren(...say(card.phase));
      card.show(step, weights, blend, held);
      if (trace.look?.attention === "decoder") for (const one of card.node.querySelectorAll("[data-row]")) one.classList.toggle("absent", Number(one.dataset.row) >= step);
    }
  }
  return { nodes: cards.map((card) => card.node), show, preview: (answer) => cards.at(-1).preview(answer) };
}

const heightOf = (trace, row) => ROW.first + trace.source.tokens.length * row + ROW.last;

// Where rows of this height stand, and the tiles in them.
function rowPlaces(height, columns = COLUMN) {
  const tile = height * ROW.tile;
  const top = (i) => ROW.first + i * height;
  const cell = (column, i) => ({ x: left(column, columns) + columns.tile / 2, y: top(i), width: columns.tile, height: tile });
  return { height, columns, tile, top, cell, middle: (i) => top(i) + tile / 2 };
}

const left = (column, { name, tile, gap } = COLUMN) => name + column * (tile + gap);
const each = (trace, one) => trace.source.tokens.map((_, i) => one(i));
function ofRow(node, i) {
  node.dataset.row = String(i); // of a token that may still be to come
  return node;
}
const heading = (words, x) => text(x, 16, words, { class: "aside", "text-anchor": "middle" });

const namesOf = (trace, at) => trace.source.tokens.map((label, i) => ofRow(text(0, at.middle(i) + 5, cut(plain(label), at.columns.name - 8),
  { class: "source-name", lang: trace.source.language }), i));

function column(trace, make, at, kind, place) {
  const rows = rowsOf(trace, kind);
  const tiles = each(trace, (i) => make(at.cell(place, i), rows.width, kind, () => ({ position: i })));
  tiles.forEach((one, i) => {
    one.paint(rows.row(i));
    ofRow(one.node, i);
  });
  return tiles;
}

function readCard(trace, make, { height }) {
  const first = hasEmbeddings(trace) ? [[trace.look ? "embedded" : "embedding", "embedding"]] : [];
  const kinds = trace.look ? [...first, ["key", "key"], ["value", "value"]] : [...first, ["forwards", "read ↓"], ["backwards", "read ↑"], ["annotation", "annotation"]];
  const at = rowPlaces(height, kinds.length > 3 ? FOUR : COLUMN);
  const columns = kinds.map(([kind], place) => column(trace, make, at, kind, place));
  const count = trace.sourceLength;
  function show(step) {
    const moves = step < 0 ? count + step + 1 : count;
    if (trace.look) return;
    const come = [...first.map(() => () => true), (i) => i < moves, (i) => i >= count - moves, (i) => i < moves && i >= count - moves];
    columns.forEach((tiles, place) => tiles.forEach((one, i) => one.node.classList.toggle("future", !come[place](i))));
  }
  const names = kinds.map(([, words], place) => heading(words, left(place, at.columns) + at.columns.tile / 2));
  return { nodes: [...namesOf(trace, at), ...names, ...columns.flat().map((one) => one.node)], show };
}

// A number and a bar for each token, which opens the token's score or weight.
function figures(trace, at, { inspect }, kind, [x, left], bar) {
  let t = -1;
  const rows = each(trace, (i) => {
    const number = ofRow(text(x, at.middle(i) + 4, "", { class: "figure number", "text-anchor": "end" }), i);
    number.addEventListener("click", () => (kind === "weight" || !trace.look || trace.mask.at(t, i)) && inspect(betweenOf(trace, kind, t, i)));
    return { number, bar: ofRow(drawing("rect", { class: bar, x: left, y: at.middle(i) - 5, height: 10 }), i) };
  });
  return { rows, nodes: rows.flatMap((row) => [row.number, row.bar]), at: (step) => { t = step; } };
}

function askCard(trace, make, at, act) {
  const { asks, compared } = kindsOf(trace);
  const tiles = column(trace, make, at, compared, 0);
  const [low, high] = trace.ranges.score;
  const unit = 62 / (high - low || 1);
  const zero = left(1) + 56 - low * unit;
  const scores = figures(trace, at, act, "score", [left(1) + 44, zero], "score-fill");
  let t = -1;
  const rows = rowsOf(trace, asks);
  const late = Number(trace.network.wiring === "bahdanau");
  const asking = make({ x: WIDTH - 36, y: at.top(0), width: 70, height: 44 }, rows.width, asks, () => ({ step: t - late }));
  const name = symbol(WIDTH - 36, at.top(0) + 60, asks[0]);
  function show(step) {
    t = step - 1;
    scores.at(t);
    if (t < 0) return;
    asking.paint(t < late ? rowsOf(trace, "initial_state").row(0) : rows.row(t - late));
    name.show(t - late + 1);
    scores.rows.forEach(({ number, bar }, i) => {
      const score = trace.score.at(t, i);
      number.textContent = trace.attends ? trace.mask.at(t, i) ? twoDecimals(score) : "masked" : "";
      bar.setAttribute("x", zero + Math.min(0, score) * unit);
      bar.setAttribute("width", trace.attends ? Math.max(0.5, Math.abs(score) * unit) : 0);
    });
  }
  return {
    nodes: [...namesOf(trace, at), heading(compared, left(0) + 32), heading(trace.attends ? "score" : "", left(1) + 30), ...tiles.map((one) => one.node),
      ...scores.nodes, asking.node, name.node], show,
  };
}

function weighCard(trace, make, at, act) {
  const shares = figures(trace, at, act, "weight", [left(0) + 56, left(0) + 66], "chance");
  function show(step, weights) {
    shares.at(step - 1);
    weights.forEach((weight, i) => {
      shares.rows[i].number.textContent = percent(weight);
      shares.rows[i].bar.setAttribute("width", Math.max(0.5, weight * (WIDTH - left(0) - 70)));
    });
  }
  return { nodes: [...namesOf(trace, at), heading("weight", left(0) + 36), ...shares.nodes], show };
}

function mixCard(trace, make, at) {
  const { from, into } = kindsOf(trace);
  const rows = rowsOf(trace, from);
  const shares = each(trace, (i) => make(at.cell(0, i), rows.width, "share", () => ({ position: i })));
  let t = -1;
  const centre = (at.top(0) + at.top(trace.sourceLength)) / 2;
  const context = make({ x: WIDTH - CONTEXT.width / 2 - 2, y: centre - CONTEXT.height / 2, ...CONTEXT }, rows.width, into, () => ({ step: t }));
  const ribbons = each(trace, () => drawing("path", { class: "ribbon" }));
  const letter = trace.look ? "z" : "c";
  const name = symbol(context.x, context.bottom + 18, letter);
  function show(step, weights, blend) {
    if (step < 1) return;
    t = step - 1;
    context.paint(blend);
    name.show(step);
    let y = context.top;
    weights.forEach((weight, i) => {
      const high = weight * CONTEXT.height;
      shares[i].paint(rows.row(i), weight);
      drawRibbon(ribbons[i], weight, "x", { x: left(1) - COLUMN.gap + 2, y: at.middle(i), width: weight * at.tile },
        { x: context.left - 2, y: y + high / 2, width: high });
      y += high;
    });
  }
  return { nodes: [...namesOf(trace, at), heading(`share of ${letter}`, left(0) + 32), ...shares.map((one, i) => ofRow(one.node, i)), ...ribbons, context.node, name.node], show };
}

// The mixed vector and the state make the attentional vector; a Transformer's joined heads are added to the stream.
function writeCard(trace, make, at, act) {
  const { look } = trace;
  const kinds = look ? ["mixed", "joined", trace.stream_after ? "stream_after" : "stream"] : ["context", "state", "attentional"];
  const rows = kinds.map((kind) => rowsOf(trace, kind));
  let t = -1;
  const tiles = [[37, 8], [37, 78], [140, 43]].map(([x, y], n) =>
    make({ x, y, width: 70, height: 42 }, rows[n].width, kinds[n], () => ({ step: t })));
  const names = look ? [symbol(52, 66, "z"), symbol(37, 136, "o"), symbol(140, 106, "x")] : [symbol(37, 66, "c"), symbol(37, 136, "s"), symbol(140, 106, "h̃")];
  const likely = trace.atOnce ? [] : writtenRows(trace, { x: 178, y: 12 }, act);
  const wires = [look ? wire([30, 52], [30, 76]) : wire([74, 29], [103, 56]), wire([74, 99], [103, 72]), ...(likely.length ? [wire([177, 64], [190, 64])] : [])];
  const unknown = look ? [1, 2] : trace.network.wiring === "bahdanau" ? [1, 2] : [2]; // while weights are dragged
  function show(step, weights, blend, held) {
    if (step < 1) return;
    t = step - 1;
    tiles.forEach((one, n) => one.paint(held && unknown.includes(n) ? null : n ? rows[n].row(t) : blend));
    names.forEach((name) => name.show(step));
    if (!held) likely.forEach((row) => row.show(t));
  }
  return { nodes: [...tiles.map((one) => one.node), ...names.map((name) => name.node), ...wires, ...likely.map((row) => row.node)], show, preview: (answer) => writeAnswer(likely, answer) };
}
