// Encoder: under each source token its embedding, the states of the readers from the left and from the right, and the
// annotation that joins them; for a head of a Transformer, the embedding, the key and the value of each token.

import { drawing } from "../shared/elements.js";
import { embeddingTiles, tileRow } from "./vectors.js";
import { cut, part, plain, text, wire } from "./wires.js";

const READERS = [["forwards", 1], ["backwards", -1]];

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
  const node = drawing("g", {}, part("read ask weigh mix", ...names),
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

const nodesOf = (views) => views.map((view) => view.node);
const namesOf = ({ source: { tokens, language } }, places) => tokens.map((label, i) =>
  text(places.x(i), places.token, cut(plain(label), places.column - 4),
    { class: `source-name ${label.kind}`, "text-anchor": "middle", lang: language }));

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

// All components of the vectors that a head may look at.
export function keysView(trace, places, make) {
  const { low, high } = places.tile;
  const keys = tileRow(trace, places, "key", { y: places.forwards, height: 2 * low + 5 }, make);
  const tiles = tileRow(trace, places, "value", { y: places.annotation, height: high }, make);
  const embeddings = embeddingTiles(trace, places, make);
  const names = namesOf(trace, places);
  const node = drawing("g", {}, part("read ask weigh mix", ...names), part("read", ...nodesOf(embeddings)),
    part("read ask", ...nodesOf(keys)), part("read mix", ...nodesOf(tiles)));

  // In the decoder, tokens still to come are hidden.
  function show(step) {
    const there = (i) => trace.look.attention !== "decoder" || i < step;
    for (const one of [embeddings, keys, tiles]) one.forEach((at, i) => at.node.classList.toggle("future", !there(i)));
    names.forEach((name, i) => name.classList.toggle("absent", !there(i)));
  }
  return { node, show, tiles };
}
