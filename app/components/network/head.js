// Head: what the picture of a Transformer's head has in place of an encoder and a recurrent decoder (Vaswani et al. 2017,
// section 3.2). Its vectors are drawn whole, a cell for each component, so the mixed vector is the sum of the shares above it.

import { drawing } from "../shared/elements.js";
import { about } from "../shared/numbers.js";
import { componentOf } from "../stepper/heads.js";
import { cut, formula, plain, text, wire } from "./wires.js";

const CALLED = {
  query: "query", key: "key", value: "value", share: "share of a value", context: "values mixed", normalised: "stream, normalised",
  joined: "heads joined", stream: "stream + heads", stream_after: "stream + feed-forward",
};
const WIDE = 56; // units of a vector of the stream
const ARRAYS = { share: "value", context: "mixed" }; // of what is drawn under another name

// The number of a kind that is drawn in full; values, their shares and their mixture have one.
export function reachOf(trace, kind) {
  const arrays = ["value", "share", "context"].includes(kind) ? [trace.value, trace.mixed] : [trace[kind]];
  return Math.max(...arrays.map(({ values }) => values.reduce((most, value) => Math.max(most, Math.abs(value)), 0)));
}

// What a cell says, and the number that it opens; `place` is {position} of a token or {step}.
export const sayComponent = (kind, values, cell) =>
  (values && cell >= 0 ? `${CALLED[kind]}, component ${cell + 1} of ${values.length}: ${about(values[cell])}` : CALLED[kind]);
export const componentAt = (trace, kind, { position, step }, cell) =>
  componentOf(trace, ARRAYS[kind] ?? kind, position ?? step, cell);

// Under each token that is attended to, its key and its value.
export function keysView(trace, places, make) {
  const { width, low, high } = places.tile;
  const column = (kind, y, height) => trace.source.tokens.map((_, i) => {
    const one = make({ x: places.x(i), y, width, height }, trace[kind].width, kind, () => ({ position: i }));
    one.paint(trace[kind].row(i));
    return one;
  });
  const [keys, tiles] = [column("key", places.forwards, 2 * low + 5), column("value", places.annotation, high)];
  const names = trace.source.tokens.map((label, i) => text(places.x(i), places.token, cut(plain(label), places.column - 4),
    { class: `source-name ${label.kind}`, "text-anchor": "middle", lang: trace.source.language }));
  const part = (phases, nodes) => drawing("g", { class: "part", "data-phases": phases }, ...nodes.map((one) => one.node ?? one));
  const node = drawing("g", {}, part("read ask weigh mix", names), part("read ask", keys), part("read mix", tiles));
  function show(t) {
    for (const side of [keys, tiles]) side.forEach((one, i) => one.node.classList.toggle("future", t >= 0 && !trace.mask.at(t, i)));
  }
  return { node, show: (step) => show(step - 1), tiles, annotations: trace.value };
}

// The token that asks and its query; what becomes of the mixed vector, up to the next tokens.
export function askerView(trace, places, { context }, make) {
  const [one, two, three] = [40, 116, 192].map((x) => places.decoder + x);
  const height = places.tile.high;
  const vector = (kind, x, y) => make({ x, y, width: WIDE, height }, trace[kind].width, kind, () => ({ step: t }));
  const normalised = vector("normalised", one + 32, 36);
  const query = vector("query", one + 32, places.score + 20 - height / 2);
  const level = context.middle - height / 2;
  const after = [["joined", one], ["stream", two], ...(trace.stream_after ? [["stream_after", three]] : [])]
    .map(([kind, x]) => ({ kind, ...vector(kind, x, level) }));
  const asks = text(one + 32, 22, "", { class: "target-name", "text-anchor": "middle", lang: trace.target.language });
  const aside = (x, y, words, anchor = "middle") => formula(x, y, words, { class: "aside over", "text-anchor": anchor });
  const group = (lit, ...nodes) => drawing("g", { class: "part", "data-phases": lit }, ...nodes);
  const below = { joined: "W_O[all heads]", stream: "+ stream", stream_after: "+ feed-forward" };
  const node = drawing("g", {},
    group("read", asks, normalised.node, aside(normalised.right + 6, normalised.middle + 4, "stream, normalised", "start"),
      wire([normalised.x, normalised.bottom + 1], [query.x, query.top - 2])),
    group("read ask", query.node, aside(query.right + 6, query.middle + 4, "query q", "start")),
    group("ask", wire([query.left - 2, query.middle], [places.right + 2, query.middle]), aside(places.right + 6, query.middle - 6, "q · k_i / √d", "start")),
    group("write", ...after.flatMap(({ kind, node: drawn, left, x, bottom, middle }, i) => [
      wire([(after[i - 1] ?? context).right + 1, middle], [left - 2, middle]), drawn, aside(x, bottom + 15, below[kind])])));
  let t = -1;

  function show(step, held) {
    t = step - 1;
    node.classList.toggle("absent", t < 0);
    if (t < 0) return;
    asks.textContent = cut(plain(trace.atOnce ? trace.target.tokens[t] : t ? trace.target.tokens[t - 1] : trace.begin), 110);
    normalised.paint(trace.normalised.row(t));
    query.paint(trace.query.row(t));
    for (const one of after) one.paint(held ? null : trace[one.kind].row(t));
  }
  const joined = after.at(-1);
  const last = trace.network.last && trace.look.attention === "cross";
  return { node, show, joined, out: last ? "W_o" : "", at: { likely: { x: places.decoder + 260, y: joined.middle - 65 } } };
}
