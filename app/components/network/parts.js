// Parts of the picture in the order of a step: reading, asking, mixing, writing; decoder.js has those of the decoder. The
// wide drawing and the cards have the same parts in other places.
//
// All parts read `now`: the `step`; `t`, its row from 0, or below 0 before the first; the `weights` drawn, the `most` of
// them and the sum `before` each; `blend`, what they make of the vectors mixed; whether weights are `held` by the
// pointer, and the `answer` to them.

import {
  FAINTEST, WRITTEN_OUT, band, cut, formula, hasEmbeddings, headingOf, kindsOf, part, plain, rowsOf, symbol, text, wire,
} from "./drawing.js";
import { drawing } from "../shared/elements.js";
import { exact, percent, total, twoDecimals } from "../shared/numbers.js";
import { betweenOf } from "../stepper/trace_reading.js";

// Reading: under each source token its embedding, the states of the readers from the left and from the right, and the
// annotation that joins them; for a head of a Transformer, the embedding, the key and the value of each token.

const ENCODER = "reads the sentence once";
export const FINGERPRINT = "Each tile is the fingerprint of a vector: 12 numbers, blue below the mean, orange above";
const HALF = 236; // units of the encoder's heading

// True once a token's vector of a kind is there. Both readers start at once, each at its own end; an annotation appears
// when both have reached its token. In the decoder, tokens still to come have nothing.
function isThere(trace, kind, i, { step }) {
  if (trace.look) return trace.look.attention !== "decoder" || i < step;
  const count = trace.sourceLength;
  const moves = step < 0 ? count + step + 1 : count;
  const [left, right] = [i < moves, i >= count - moves];
  return { forwards: left, backwards: right, annotation: left && right }[kind] ?? true;
}

export function tilesOf(trace, kind, place, now, make) {
  const rows = rowsOf(trace, kind);
  return trace.source.tokens.map((_, i) => {
    const own = rows.row(i);
    return make(place(i), rows.width, kind, () => ({ position: i }), () => own,
      { classes: { future: () => !isThere(trace, kind, i, now) } });
  });
}

const nodesOf = (views) => views.map((view) => view.node);
const inRow = (places, y, height) => (i) => ({ x: places.x(i), y, width: places.tile.width, height });

// The row of embeddings, which in a Transformer hold the position too.
const embeddings = (trace, places, now, make) => (hasEmbeddings(trace)
  ? tilesOf(trace, trace.look ? "embedded" : "embedding", inRow(places, places.embedding, places.tile.low), now, make)
    : []);

const namesOf = (trace, places, now) => trace.source.tokens.map((label, i) => text(
  places.x(i), places.token, cut(plain(label), places.slant ? 70 : places.column - 4), {
    class: `source-name ${label.kind}`, lang: trace.source.language,
    classes: { absent: () => trace.look && !isThere(trace, "key", i, now) },
    ...(places.slant ? { transform: `rotate(-45 ${places.x(i)} ${places.token})` } : { "text-anchor": "middle" }),
  }));

export function encoderView(trace, places, now, make) {
  const { low, high } = places.tile;
  const chain = (kind, way) => chainOf(trace, places, kind, way, now, make);
  const [left, right] = [chain("forwards", 1), chain("backwards", -1)];
  const tiles = tilesOf(trace, "annotation", inRow(places, places.annotation, high), now, make);
  const down = (i, from, to, classes = {}) =>
    drawing("path", { class: "wire", d: `M${places.x(i)} ${from + 1}V${to - 1}`, classes });
  const joins = tiles.map((_, i) =>
    down(i, places.backwards + low, places.annotation, { future: () => !isThere(trace, "annotation", i, now) }));
  const entered = embeddings(trace, places, now, make);
  const enters = entered.map((one, i) => down(i, one.bottom, places.forwards));
  const node = drawing("g", {}, headingOf(places.names, "Encoder", ENCODER),
    ...(places.decoder + 46 - places.names > HALF + FINGERPRINT.length * 5.2 // where there is room
      ? [text(places.names + HALF, 13, FINGERPRINT, { class: "aside" })] : []),
    part("read ask weigh mix", ...namesOf(trace, places, now)),
    part("read", ...nodesOf(entered), ...enters, left.node, right.node, ...joins),
    part("read ask mix", ...nodesOf(tiles)));
  return { node, tiles, ends: [left.tiles.at(-1), right.tiles[0]] };
}

function chainOf(trace, places, kind, way, now, make) {
  const tiles = tilesOf(trace, kind, inRow(places, places[kind], places.tile.low), now, make);
  const hops = tiles.slice(1).map((one, i) => {
    const [from, to] = way > 0 ? [tiles[i].right, one.left] : [one.left, tiles[i].right];
    return drawing("g", { class: "hop", classes: { future: () => !isThere(trace, kind, way > 0 ? i + 1 : i, now) } },
      wire([from, one.middle], [to, one.middle]));
  });
  return { node: drawing("g", {}, ...hops, ...nodesOf(tiles)), tiles };
}

const KEYS_DO = {
  cross: ["Encoder", ENCODER], decoder: ["Decoder", "keeps a key and a value of every word so far"], encoder: ["Encoder", "has a key and a value of every word"],
};

export function keysView(trace, places, now, make) {
  const { low, high } = places.tile;
  const keys = tilesOf(trace, "key", inRow(places, places.forwards, 2 * low + 5), now, make);
  const tiles = tilesOf(trace, "value", inRow(places, places.annotation, high), now, make);
  const node = drawing("g", {}, headingOf(places.names, ...KEYS_DO[trace.look.attention]),
    part("read ask weigh mix", ...namesOf(trace, places, now)),
    part("read", ...nodesOf(embeddings(trace, places, now, make))), part("read ask", ...nodesOf(keys)),
    part("read mix", ...nodesOf(tiles)));
  return { node, tiles };
}

// Asking: under each annotation the score that the asking state gives it, as a bar and a number, then its weight.

const BAR = { width: 12, height: 26 };

export function figureOf(trace, kind, i, now, [x, y], words, { inspect }, attributes = {}) {
  const { text: token } = trace.source.tokens[i];
  const opens = () => kind === "weight" || !trace.look || trace.mask.at(now.t, i);
  const says = () => now.t >= 0 && (kind === "weight"
    ? `weight of ${token}: ${exact(now.weights[i])} = ${percent(now.weights[i])}`
    : trace.attends && `score of ${token}: ${exact(trace.score.at(now.t, i))}`);
  return text(x, y, () => (now.t < 0 ? "" : words()), {
    class: "figure number", ...attributes, says, onclick: () => opens() && inspect(betweenOf(trace, kind, now.t, i)),
  });
}

export function askingView(trace, places, now, act) {
  const [low, high] = trace.ranges.score;
  const unit = BAR.height / (high - low || 1);
  const zero = places.score + high * unit;
  const whole = places.column >= WRITTEN_OUT;
  const score = (i) => (now.t < 0 ? 0 : trace.score.at(now.t, i));
  const open = (i) => now.t < 0 || Boolean(trace.mask.at(now.t, i));
  const absent = (i) => () => !open(i) && trace.look?.attention === "decoder"; // a later token's
  const rounded = (value) => String(Math.round(value) || 0).replace("-", "−");
  const scores = trace.source.tokens.map((_, i) => drawing("g", {},
    drawing("rect", {
      class: "score-fill", x: places.x(i) - BAR.width / 2, width: BAR.width, classes: { masked: () => !open(i) },
      y: () => zero - Math.max(0, score(i)) * unit, height: () => Math.max(0.5, Math.abs(score(i)) * unit),
    }),
    figureOf(trace, "score", i, now, [places.x(i), places.scoreText],
      () => (open(i) ? whole ? twoDecimals(score(i)) : rounded(score(i)) : "masked"), act,
      { "text-anchor": "middle", "data-net-score": i, classes: { absent: absent(i) } })));
  const weights = trace.source.tokens.map((_, i) => figureOf(trace, "weight", i, now, [places.x(i), places.weight],
    () => (whole ? percent(now.weights[i]) : `${Math.round(100 * now.weights[i])}%`), act, {
      class: "figure number weight", "text-anchor": "middle", "data-net-weight": i,
      classes: { absent: absent(i), heaviest: () => now.weights[i] > 0 && now.weights[i] === now.most },
    }));
  const line = drawing("path", { class: "wire level", d: `M${places.left} ${zero}H${places.right}` });
  const silent = trace.attends ? "" : "Without attention the model's own context is the same at every step.";
  return drawing("g", { classes: { absent: () => now.t < 0 } },
    part("ask weigh", ...(trace.attends ? [line, ...scores] : [])),
    part("weigh mix", ...weights, text(places.right + 8, places.weight, () => `sum ${percent(total(now.weights))}`,
      { class: "aside" })),
    part("ask weigh", text((places.left + places.right) / 2, places.score + 26, silent,
      { class: "silent", "text-anchor": "middle" })));
}

// Mixing: from each annotation its share, α times its coordinates, runs in a ribbon as wide as α into the context. Cell
// by cell the shares add up to the context, because weights sum to 1 and coordinates are affine. In a Transformer's
// head values are mixed, drawn with all components.

export const TERMS = {
  context: { letter: "c", name: "context", sum: "c = Σ α_i h_i" },
  mixed: { letter: "z", name: "mixed", sum: "z = Σ α_i v_i" },
};

// `place(i)` is the box of a share. Ribbons run `along` an axis from `start(i)`, {x, y, width} of the whole weight, to the
// edge of `context` at `end`.
export function mixingParts(trace, { place, along, start, context, end }, now, make, { inspect }) {
  const { from: of, into } = kindsOf(trace);
  const rows = rowsOf(trace, of);
  const weight = (i) => now.weights[i] ?? 0;
  const shares = trace.source.tokens.map((_, i) => {
    const own = rows.row(i);
    return make(place(i), rows.width, "share", () => ({ position: i }), () => own,
      { share: () => weight(i), classes: { faint: () => weight(i) < FAINTEST } });
  });
  const blend = make(context, rows.width, into, () => ({ step: now.t }), () => now.blend);
  const [across, edge, size] = along === "x" ? ["y", blend.top, context.height] : ["x", blend.left, context.width];
  const ribbons = trace.source.tokens.map((_, i) => drawing("path", {
    class: "ribbon", "data-position": String(i), hidden: () => weight(i) < FAINTEST,
    "data-width": () => String(weight(i) * size),
    style: { opacity: () => String(0.3 + 0.5 * weight(i)) },
    onclick: () => inspect(betweenOf(trace, "weight", now.t, i)),
    says: () => `the weight of ${trace.source.tokens[i].text}: ${percent(weight(i))}`,
    d: () => band({ ...start(i), width: weight(i) * start(i).width },
      { [along]: end, [across]: edge + size * ((now.before[i] ?? 0) + weight(i) / 2),
        width: weight(i) * size }, along),
  }));
  return { shares, ribbons, blend };
}

export function mixingView(trace, places, now, make, act) {
  const { context, share, tile, ribbons: [top, end] } = places;
  const { letter, name, sum } = TERMS[kindsOf(trace).into];
  const { shares, ribbons, blend } = mixingParts(trace, {
    place: inRow(places, share, tile.share), along: "y", start: (i) => ({ x: places.x(i), y: top, width: tile.width }),
    context, end,
  }, now, make, act);
  const node = drawing("g", { classes: { absent: () => now.t < 0 } },
    part("mix", ...nodesOf(shares), drawing("g", { class: "ribbons" }, ...ribbons)),
    part("mix write", blend.node,
      symbol(blend.left - 8, blend.middle + 5, letter, () => (trace.attends ? String(now.t + 1) : ""),
        { "text-anchor": "end" }, name),
      formula(blend.x, blend.bottom + 15, sum, { class: "aside", "text-anchor": "middle" })));
  return { node, blend, ribbons };
}

export const blended = (weights, rows) =>
  Array.from({ length: rows.width }, (_, k) => total(weights.map((weight, i) => weight * rows.at(i, k))));

// Writing: the likeliest next tokens with their probabilities, and the chosen one's place in the sentence.

const SHOWN = 5; // tokens; the last is the one written if it is none of the likeliest
const LINE = 21;
const ROOM = { name: 66, figure: 116, bar: 56 }; // units from the list's left edge
const CHARACTER = 7.6;
const GAP = 18;

export function writingView(trace, places, now, { at: { likely: { x, y } }, out }, act) {
  const rows = writtenRows(trace, { x, y }, now, act);
  const end = { x: x + ROOM.name - 20, y: y + rows.length * LINE };
  const labels = () => [trace.begin, ...trace.target.tokens.slice(0, now.held ? now.step - 1 : now.step),
    ...(now.held ? [{ text: "…", kind: "word" }] : [])];
  return drawing("g", { classes: { absent: () => now.step < 0 } },
    drawing("g", { classes: { absent: () => now.step < 1 } }, part("write", ...out, ...rows)),
    part("write read", drawing("g", { class: "written-row" },
      () => (now.step < 0 ? [] : writtenSoFar(trace, places, labels(), end)))));
}

export const writtenRows = (trace, { x, y }, now, act) =>
  Array.from({ length: Math.min(SHOWN, trace.top_probability.width) },
    (_, rank) => rowOf(trace, { x, y: y + rank * LINE, rank }, now, act));

const NOTHING = { label: { text: "", kind: "word" }, probability: 0, taken: false, beyond: "" };

function rowOf(trace, { x, y, rank }, now, { inspect }) {
  const one = () => candidates(trace, now)[rank] ?? NOTHING;
  return drawing("g", { class: "candidate", classes: { taken: () => one().taken } },
    text(x + ROOM.name, y + 12, () => cut(plain(one().label), ROOM.name, CHARACTER),
      { class: "target-name", "text-anchor": "end", lang: trace.target.language }),
    text(x + ROOM.figure, y + 12, () => percent(one().probability), {
      class: "figure number", "text-anchor": "end", "data-net-rank": rank,
      says: () => now.step > 0 && `probability ${exact(one().probability)}`,
      onclick: () => now.step > 0
        && inspect({ trace: trace.index, kind: "probability", step: now.step - 1, token: one().id }),
    }),
    drawing("rect", { class: "chance", x: x + ROOM.figure + 6, y: y + 2, height: 12,
      width: () => Math.max(0.5, one().probability * ROOM.bar) }),
    text(() => x + ROOM.figure + 12 + one().probability * ROOM.bar, y + 12, () => one().beyond, { class: "aside" }));
}

// The likeliest tokens of a step, or of the answer to weights that are being dragged. The one written takes the last place
// if it is less likely, and then has its rank (-1: beyond all).
export function candidates(trace, { step, held, answer }) {
  const t = step - 1;
  if (t < 0) return [];
  const { labels, probabilities, written, rank, log_probability: logged } = held && answer || {
    labels: trace.top_labels[t], probabilities: trace.top_probability.row(t), written: trace.target.tokens[t],
    rank: trace.top_ids[t].indexOf(trace.target_ids[t]), log_probability: trace.log_probability.at(t),
  };
  const shown = labels.slice(0, SHOWN).map((label, place) =>
    ({ label, probability: probabilities[place], id: trace.top_ids[t][place], taken: place === rank, beyond: "" }));
  if (rank >= 0 && rank < SHOWN) return shown;
  const probability = held && answer ? Math.exp(logged) : trace.probability.at(t);
  return [...shown.slice(0, -1), {
    label: written, probability, id: trace.target_ids[t], taken: true,
    beyond: rank < 0 ? `rank >${labels.length}` : `rank ${rank + 1}`,
  }];
}

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
