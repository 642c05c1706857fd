// Keys and values: under each token that a head of a Transformer may look at, all components of its embedding with its
// position, its key and its value.

import { drawing } from "../shared/elements.js";
import { embeddingTiles, tileRow } from "./vectors.js";
import { cut, plain, text } from "./wires.js";

export function keysView(trace, places, make) {
  const { tokens } = trace.source;
  const { low, high } = places.tile;
  const keys = tileRow(trace, places, "key", { y: places.forwards, height: 2 * low + 5 }, make);
  const tiles = tileRow(trace, places, "value", { y: places.annotation, height: high }, make);
  const embeddings = embeddingTiles(trace, places, make);
  const names = tokens.map((label, i) => text(places.x(i), places.token, cut(plain(label), places.column - 4),
    { class: `source-name ${label.kind}`, "text-anchor": "middle", lang: trace.source.language }));
  const group = (phases, nodes) => drawing("g", { class: "part", "data-phases": phases }, ...nodes);
  const node = drawing("g", {}, group("read ask weigh mix", names),
    group("read", embeddings.map((one) => one.node)), group("read ask", keys.map((one) => one.node)),
    group("read mix", tiles.map((one) => one.node)));

  // In the decoder, tokens still to come are hidden.
  function show(step) {
    const there = (i) => trace.look.attention !== "decoder" || i < step;
    for (const one of [embeddings, keys, tiles]) one.forEach((at, i) => at.node.classList.toggle("future", !there(i)));
    names.forEach((name, i) => name.classList.toggle("absent", !there(i)));
  }
  return { node, show, tiles };
}
