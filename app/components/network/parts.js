// Parts of the wide drawing in the order of a step: reading, asking, mixing, writing. decoder.js has those of the decoder.

import { FAINTEST, WRITTEN_OUT, drawRibbon, embeddingTiles, headingOf, kindsOf, rowsOf, tileRow, cut, formula, part, plain, symbol, text, wire } from "./drawing.js";
import { drawing } from "../shared/elements.js";
import { exact, percent, twoDecimals } from "../shared/numbers.js";
import { betweenOf } from "../stepper/trace_reading.js";

// Encoder: under each source token its embedding, the states of the readers from the left and from the right, and the
// annotation that joins them; for a head of a Transformer, the embedding, the key and the value of each token.

const READERS = [["forwards", 1], ["backwards", -1]];
const ENCODER = "reads the sentence once";
export const FINGERPRINT = "Each tile is the fingerprint of a vector: 12 numbers, blue below the mean, orange above";
const HALF = 236; // units of the encoder's heading

export function encoderView(trace, places, make) {
  const { tokens } = trace.source;
  const chains = READERS.map(([kind, way]) => chainOf(trace, places, kind, way, make));
  const tiles = tileRow(trace, places, "annotation", { y: places.annotation, height: places.tile.high }, make);
  const names = namesOf(trace, places);
  const joins = tokens.map((_, i) => drawing("path", {
    class: "wire", d: `M${places.x(i)} ${places.backwards + places.tile.low + 1}V${places.annotation - 1}`,
  }));
  const embeddings = embeddingTiles(trace, places, make);
  const enters = embeddings.map((one, i) => drawing("path", { class: "wire", d: `M${places.x(i)} ${one.bottom + 1}V${places.forwards - 1}` }));
  const node = drawing("g", {}, headingOf(places.names, "Encoder", ENCODER), fingerprints(places), part("read ask weigh mix", ...names),
    part("read", ...nodesOf(embeddings), ...enters, ...nodesOf(chains), ...joins),
    part("read ask mix", ...nodesOf(tiles)));

  // Both readers start at once, each at its own end; an annotation appears when both have reached its token.
  function show(step) {
    const moves = step < 0 ? tokens.length + step + 1 : tokens.length;
    chains.forEach((chain) => chain.show(moves));
    const there = (i) => i < moves && i >= tokens.length - moves;
    tiles.forEach((one, i) => one.node.classList.toggle("future", !there(i)));
    joins.forEach((join, i) => join.classList.toggle("future", !there(i)));
  }
  return { node, show, tiles, chains };
}

// What a tile is, beside the encoder's heading where there is room.
const fingerprints = ({ names, right }) => (right - names > HALF + FINGERPRINT.length * 6
  ? text(right, 13, FINGERPRINT, { class: "aside", "text-anchor": "end" }) : "");

const nodesOf = (views) => views.map((view) => view.node);
const namesOf = ({ source: { tokens, language } }, places) => tokens.map((label, i) =>
  text(places.x(i), places.token, cut(plain(label), places.slant ? 70 : places.column - 4), {
    class: `source-name ${label.kind}`, lang: language,
    ...(places.slant ? { transform: `rotate(-45 ${places.x(i)} ${places.token})` } : { "text-anchor": "middle" }),
  }));

function chainOf(trace, places, kind, way, make) {
  const count = trace.source.tokens.length;
  const [y, { low }] = [places[kind], places.tile];
  const tiles = tileRow(trace, places, kind, { y, height: low }, make);
  const hops = Array.from({ length: count - 1 }, (_, i) => {
    const [from, to] = way > 0 ? [tiles[i].right, tiles[i + 1].left] : [tiles[i + 1].left, tiles[i].right];
    return wire([from, y + low / 2], [to, y + low / 2]);
  });
  const come = (i, moves) => (way > 0 ? i < moves : i >= count - moves);
  function show(moves) {
    tiles.forEach((one, i) => one.node.classList.toggle("future", !come(i, moves)));
    hops.forEach((hop, i) => hop.classList.toggle("future", !come(way > 0 ? i + 1 : i, moves)));
  }
  return { node: drawing("g", {}, ...hops, ...tiles.map((one) => one.node)), tiles, show };
}

const KEYS_DO = {
  cross: ["Encoder", ENCODER], decoder: ["Decoder", "keeps a key and a value of every word so far"], encoder: ["Encoder", "has a key and a value of every word"],
};

// All components of the vectors that a head may look at.
export function keysView(trace, places, make) {
  const { low, high } = places.tile;
  const keys = tileRow(trace, places, "key", { y: places.forwards, height: 2 * low + 5 }, make);
  const tiles = tileRow(trace, places, "value", { y: places.annotation, height: high }, make);
  const embeddings = embeddingTiles(trace, places, make);
  const names = namesOf(trace, places);
  const node = drawing("g", {}, headingOf(places.names, ...KEYS_DO[trace.look.attention]), part("read ask weigh mix", ...names), part("read", ...nodesOf(embeddings)),
    part("read ask", ...nodesOf(keys)), part("read mix", ...nodesOf(tiles)));

  // In the decoder, tokens still to come are hidden.
  function show(step) {
    const there = (i) => trace.look.attention !== "decoder" || i < step;
    for (const one of [embeddings, keys, tiles]) one.forEach((at, i) => at.node.classList.toggle("future", !there(i)));
    names.forEach((name, i) => name.classList.toggle("absent", !there(i)));
  }
  return { node, show, tiles };
}

// Asking: under each annotation the score that the asking state gives it, as a bar and a number, then its weight.


const BAR = { width: 12, height: 26 };

export function askingView(trace, places, { inspect, describe }) {
  const [low, high] = trace.ranges.score;
  const unit = BAR.height / (high - low || 1);
  const zero = places.score + high * unit;
  const columns = trace.source.tokens.map((label, i) => columnOf(trace, places, { label, i, zero, unit, inspect, describe }));
  const line = drawing("path", { class: "wire level", d: `M${places.left} ${zero}H${places.right}` });
  const sum = text(places.right + 8, places.weight, "", { class: "aside" });
  const asked = part("ask weigh", ...(trace.attends ? [line, ...columns.map((column) => column.score)] : []));
  const weighed = part("weigh mix", ...columns.map((column) => column.weight), sum);
  const silent = text((places.left + places.right) / 2, places.score + 26, trace.attends ? ""
    : "Without attention the model's own context is the same at every step.", { class: "silent", "text-anchor": "middle" });
  const node = drawing("g", {}, asked, weighed, part("ask weigh", silent));

  function show(t, weights) {
    node.classList.toggle("absent", t < 0);
    if (t < 0) return;
    const most = Math.max(...weights);
    columns.forEach((column, i) => column.show(t, weights[i], weights[i] === most));
    const total = weights.reduce((whole, weight) => whole + weight, 0);
    sum.textContent = `sum ${percent(total)}`;
  }
  return { node, show };
}

function columnOf(trace, places, { label, i, zero, unit, inspect, describe }) {
  const x = places.x(i);
  const whole = places.column >= WRITTEN_OUT;
  const bar = drawing("rect", { class: "score-fill", x: x - BAR.width / 2, width: BAR.width });
  const written = text(x, places.scoreText, "", { class: "figure number", "text-anchor": "middle", "data-net-score": i });
  const share = text(x, places.weight, "", { class: "figure number weight", "text-anchor": "middle", "data-net-weight": i });
  let t = -1;
  let weight = 0;
  written.addEventListener("click", () => (!trace.look || trace.mask.at(t, i)) && inspect(betweenOf(trace, "score", t, i)));
  share.addEventListener("click", () => inspect(betweenOf(trace, "weight", t, i)));
  if (trace.attends) describe(written, () => `score of ${label.text}: ${exact(trace.score.at(t, i))}`);
  describe(share, () => `weight of ${label.text}: ${exact(weight)} = ${percent(weight)}`);
  function show(now, newWeight, heaviest) {
    [t, weight] = [now, newWeight];
    const score = trace.score.at(t, i);
    const open = Boolean(trace.mask.at(t, i));
    bar.setAttribute("y", zero - Math.max(0, score) * unit);
    bar.setAttribute("height", Math.max(0.5, Math.abs(score) * unit));
    bar.classList.toggle("masked", !open);
    for (const one of [written, share]) one.classList.toggle("absent", !open && trace.look?.attention === "decoder"); // hidden for a later token
    written.textContent = open ? whole ? twoDecimals(score) : String(Math.round(score) || 0).replace("-", "−") : "masked";
    share.textContent = whole ? percent(weight) : `${Math.round(100 * weight)}%`;
    share.classList.toggle("heaviest", heaviest && weight > 0);
  }
  return { score: drawing("g", {}, bar, written), weight: share, show };
}

// Mixing: from each annotation its share, α times its coordinates, runs in a ribbon as wide as α into the context. Cell
// by cell the shares add up to the context, because weights sum to 1 and coordinates are affine. In a Transformer's
// head values are mixed, drawn with all components.

const TERMS = {
  context: { letter: "c", name: "context", sum: "c = Σ α_i h_i" },
  mixed: { letter: "z", name: "mixed", sum: "z = Σ α_i v_i" },
};

export function mixingView(trace, places, encoder, make, { describe, inspect }) {
  const { context } = places;
  const { from: of, into } = kindsOf(trace);
  const terms = TERMS[into];
  const rows = rowsOf(trace, of);
  const shares = encoder.tiles.map((_, i) => make(
    { x: places.x(i), y: places.share, width: places.tile.width, height: places.tile.share }, rows.width,
    "share", () => ({ position: i })));
  const ribbons = encoder.tiles.map(() => drawing("path", { class: "ribbon" }));
  const blend = make(context, rows.width, into, () => ({ step: t }));
  const name = symbol(blend.left - 8, blend.middle + 5, terms.letter, { "text-anchor": "end" }, terms.name);
  const sum = formula(blend.x, blend.bottom + 15, terms.sum, { class: "aside", "text-anchor": "middle" });
  const node = drawing("g", {},
    part("mix", ...shares.map((one) => one.node), drawing("g", { class: "ribbons" }, ...ribbons)),
    part("mix write", blend.node, name.node, sum));
  let t = -1;
  let weights = [];
  ribbons.forEach((ribbon, i) => {
    ribbon.dataset.position = String(i);
    ribbon.addEventListener("click", () => inspect(betweenOf(trace, "weight", t, i)));
    describe(ribbon, () => `the weight of ${trace.source.tokens[i].text}: ${percent(weights[i])}`);
  });

  // `coordinates` are the context's, or the blend's while weights are held by the pointer.
  function show(now, newWeights, coordinates) {
    [t, weights] = [now, newWeights];
    node.classList.toggle("absent", t < 0);
    if (t < 0) return blend.paint(null);
    name.show(trace.attends ? t + 1 : "");
    blend.paint(coordinates);
    let from = blend.left;
    const [top, bottom] = places.ribbons;
    weights.forEach((weight, i) => {
      const width = weight * context.width;
      shares[i].paint(rows.row(i), weight);
      shares[i].node.classList.toggle("faint", weight < FAINTEST);
      drawRibbon(ribbons[i], weight, "y", { x: places.x(i), y: top, width: weight * places.tile.width },
        { x: from + width / 2, y: bottom, width });
      from += width;
    });
  }
  return { node, show, blend, ribbons };
}

// The context that these weights make, in coordinates or components.
export function blended(weights, annotations) {
  return Array.from({ length: annotations.width }, (_, k) =>
    weights.reduce((sum, weight, i) => sum + weight * annotations.at(i, k), 0));
}

// Writing: the likeliest next tokens with their probabilities, and the chosen one's place in the sentence.

const SHOWN = 5; // tokens; the last is the one written if it is none of the likeliest
const LINE = 21;
const ROOM = { name: 66, figure: 116, bar: 56 }; // units from the list's left edge
const CHARACTER = 7.6;
const GAP = 18;

export function writingView(trace, places, decoder, act) {
  const { x, y } = decoder.at.likely;
  const rows = writtenRows(trace, { x, y }, act);
  const sentence = drawing("g", { class: "written-row" });
  const likely = part("write", ...decoder.out, ...rows.map((row) => row.node));
  const node = drawing("g", {}, likely, part("write read", sentence));

  function show(step, held) {
    node.classList.toggle("absent", step < 0);
    likely.classList.toggle("absent", step < 1);
    if (step < 0) return;
    if (!held) rows.forEach((row) => row.show(step - 1));
    const labels = [trace.begin, ...trace.target.tokens.slice(0, held ? step - 1 : step), ...(held ? [UNKNOWN] : [])];
    sentence.replaceChildren(...writtenSoFar(trace, places, labels, { x: x + ROOM.name - 20, y: y + rows.length * LINE }));
  }

  return { node, show, preview: (answer) => writeAnswer(rows, answer) };
}

// The likeliest tokens, one below the other from this place.
export const writtenRows = (trace, { x, y }, { inspect, describe }) =>
  Array.from({ length: Math.min(SHOWN, trace.top_probability.width) }, (_, rank) => rowOf(trace, { x, y: y + rank * LINE, rank, inspect, describe }));

function rowOf(trace, { x, y, rank, inspect, describe }) {
  const name = text(x + ROOM.name, y + 12, "", { class: "target-name", "text-anchor": "end", lang: trace.target.language });
  const figure = text(x + ROOM.figure, y + 12, "", { class: "figure number", "text-anchor": "end", "data-net-rank": rank });
  const bar = drawing("rect", { class: "chance", x: x + ROOM.figure + 6, y: y + 2, height: 12 });
  const node = drawing("g", { class: "candidate" }, name, figure, bar);
  const place = text(0, y + 12, "", { class: "aside" });
  node.append(place);
  let t = -1;
  const now = () => candidates(trace, t)[rank];
  figure.addEventListener("click", () => t >= 0 && inspect({ trace: trace.index, kind: "probability", step: t, token: now().id }));
  describe(figure, () => t >= 0 && `probability ${exact(now().probability)}`);
  const show = (step) => {
    t = step;
    if (t >= 0) write(now());
  };
  function write({ label, probability, taken, beyond }) {
    name.textContent = cut(plain(label), ROOM.name, CHARACTER);
    figure.textContent = percent(probability);
    bar.setAttribute("width", Math.max(0.5, probability * ROOM.bar));
    place.setAttribute("x", x + ROOM.figure + 12 + probability * ROOM.bar);
    place.textContent = beyond;
    node.classList.toggle("taken", taken);
  }
  return { node, show, write };
}

// The likeliest tokens of a step.
export function candidates(trace, t) {
  const likeliest = trace.top_labels[t].map((label, i) => ({ label, probability: trace.top_probability.at(t, i), id: trace.top_ids[t][i] }));
  const written = { label: trace.target.tokens[t], probability: trace.probability.at(t), id: trace.target_ids[t] };
  return withWritten(likeliest, written, trace.top_ids[t].indexOf(written.id));
}

// Writes the tokens of an answer into the rows, while weights are dragged.
export function writeAnswer(rows, { labels, probabilities, written, rank, log_probability: logged }) {
  const likeliest = labels.map((label, i) => ({ label, probability: probabilities[i] }));
  withWritten(likeliest, { label: written, probability: Math.exp(logged) }, rank).forEach((one, place) => rows[place].write(one));
}

// The one written takes the last place if it is less likely, and then has its rank (-1: beyond all).
function withWritten(likeliest, written, rank) {
  const shown = likeliest.slice(0, SHOWN).map((one, place) => ({ ...one, taken: place === rank, beyond: "" }));
  if (rank >= 0 && rank < SHOWN) return shown;
  return [...shown.slice(0, -1), { ...written, taken: true, beyond: rank < 0 ? `rank >${likeliest.length}` : `rank ${rank + 1}` }];
}

const UNKNOWN = { text: "…", kind: "word" };

// The sentence up to this step, or its end if it is long, and a line to it from the tokens.
function writtenSoFar(trace, places, labels, from) {
  const room = from.x - places.left - 3 * GAP;
  const wide = (first) => labels.slice(first).reduce((sum, label) => sum + plain(label).length * CHARACTER + GAP, 0);
  const last = labels.length - 1;
  const first = labels.findIndex((_, i) => i === last || wide(i) <= room);
  const x = places.overflowing ? from.x - 3 * GAP - wide(first) : places.left; // where a long sentence is scrolled to
  const level = places.written - 5;
  const nodes = labels.slice(first).map((label, i) => text(x + wide(first) - wide(first + i), places.written, plain(label), {
    class: `target-name${first + i === last ? " current" : first + i === last - 1 ? " fed" : ""}`, lang: trace.target.language,
  }));
  return last ? [...nodes, wire([from.x, from.y], [from.x, level], [x + wide(first), level])] : nodes;
}
