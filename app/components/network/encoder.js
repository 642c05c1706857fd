// Encoder: under each source token its embedding, the states of the readers from the left and from the right, and the
// annotation that joins them.

import { drawing } from "../shared/elements.js";
import { embeddingTiles, tileRow } from "./vectors.js";
import { cut, plain, text, wire } from "./wires.js";

const READERS = [["forwards", 1], ["backwards", -1]];

export function encoderView(trace, places, make) {
  const { tokens } = trace.source;
  const chains = READERS.map(([kind, way]) => chainOf(trace, places, kind, way, make));
  const tiles = tileRow(trace, places, "annotation", { y: places.annotation, height: places.tile.high }, make);
  const names = tokens.map((label, i) => text(places.x(i), places.token, cut(plain(label), places.column - 4),
    { class: `source-name ${label.kind}`, "text-anchor": "middle", lang: trace.source.language }));
  const joins = tokens.map((_, i) => drawing("path", {
    class: "wire", d: `M${places.x(i)} ${places.backwards + places.tile.low + 1}V${places.annotation - 1}`,
  }));
  const embeddings = embeddingTiles(trace, places, make);
  const enters = embeddings.map((one, i) => drawing("path", { class: "wire", d: `M${places.x(i)} ${one.bottom + 1}V${places.forwards - 1}` }));
  const readers = drawing("g", { class: "part", "data-phases": "read" }, ...embeddings.map((one) => one.node), ...enters, ...chains.map((chain) => chain.node), ...joins);
  const node = drawing("g", {}, drawing("g", { class: "part", "data-phases": "read ask weigh mix" }, ...names), readers,
    drawing("g", { class: "part", "data-phases": "read ask mix" }, ...tiles.map((one) => one.node)));

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
