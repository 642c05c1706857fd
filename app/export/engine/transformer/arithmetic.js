// Arithmetic of a Transformer: any number of its translation opened down to its terms, from a weight to its score, to
// query and key, through the residual stream to embeddings. The twin of model/arithmetic/transformer.py.

import { fold, products, single } from "../derivation.js";
import { at, rowOf } from "../matrix.js";
import { DISTRIBUTION } from "../output.js";
import { START } from "../tokenizer.js";
import { HEADS, layerOf, ofLayer, placeInFile } from "./heads_arithmetic.js";
import { MOMENTS, normTerms } from "./layer_norm_arithmetic.js";
import { sinusoid } from "./positions.js";
import { feedForwardIn } from "./trace.js";

// Opens one number of a trace that this model made.
export const workOutTransformer = (quantity, trace, model) => fold(OPENERS[quantity.kind](quantity, trace, model));

const sideOf = ({ attention }) => (attention === "encoder" ? "encoder" : "decoder");

// The residual stream after an attention: the stream before, plus the joined heads.
function attentionStream(quantity, trace) {
  const before = streamBefore(quantity, trace);
  return added(quantity, layerOf(quantity, trace), before, "heads joined", "heads_joined");
}

// The stream before, plus what a sublayer put out; both are opened.
function added(quantity, { stream, output }, before, label, kind) {
  const { row, component } = quantity;
  return {
    form: "stream",
    shown: at(stream, row, component),
    terms: [
      ...single("before", [before.named], at(before.stream, row, component)),
      ...single(label, [ofLayer(quantity, kind, row, component)], at(output, row, component)),
    ],
  };
}

// The residual stream that an attention reads: its name, and its numbers.
function streamBefore(quantity, trace) {
  const { trace: index, attention, layer, row, component } = quantity;
  if (attention === "cross") {
    const before = { ...quantity, attention: "decoder" };
    return { named: ofLayer(before, "attention_stream", row, component), stream: layerOf(before, trace).stream };
  }
  if (!layer) {
    const named = { trace: index, kind: "embedded", attention, row, component };
    return { named, stream: attention === "encoder" ? trace.sourceEmbedded : trace.targetEmbedded };
  }
  const before = { ...quantity, layer: layer - 1 };
  return {
    named: ofLayer(before, "feed_forward_stream", row, component), stream: feedForwardIn(trace, attention)[layer - 1].stream,
  };
}

function normalised(quantity, trace, model) {
  return norm(`${placeInFile(quantity)}_norm`, layerOf(quantity, trace).normalised, streamBefore(quantity, trace), model);
}

// A component of a stream after layer normalisation.
const norm = (name, values, { named, stream }, model) => ({
  form: "layer_norm",
  shown: at(values, named.row, named.component),
  terms: normTerms(name, named, rowOf(stream, named.row), model),
});

// The stream that a feed-forward network reads, that of an attention: its name, and its numbers.
function attentionBefore(quantity, trace) {
  const before = { ...quantity, attention: quantity.attention === "encoder" ? "encoder" : "cross" };
  return { named: ofLayer(before, "attention_stream", quantity.row, quantity.component), stream: layerOf(before, trace).stream };
}

const feedForwardOf = (quantity, trace) => feedForwardIn(trace, quantity.attention)[quantity.layer];

function feedForwardNormalised(quantity, trace, model) {
  const name = `${sideOf(quantity)}.layers.${quantity.layer}.feed_forward_norm`;
  return norm(name, feedForwardOf(quantity, trace).normalised, attentionBefore(quantity, trace), model);
}

function feedForwardStream(quantity, trace) {
  return added(quantity, feedForwardOf(quantity, trace), attentionBefore(quantity, trace), "feed-forward", "feed_forward");
}

// One of the two maps: a row of its matrix times a vector, plus its bias.
const map = (form, kept, { from, matrix, letter, inner }, ending) => (quantity, trace, { network: { parameters } }) => {
  const { row, component, layer } = quantity;
  const numbers = feedForwardOf(quantity, trace);
  const [W, b] = ["weight", "bias"].map((part) => parameters.get(`${sideOf(quantity)}.layers.${layer}.feed_forward.${matrix}.${part}`));
  return {
    form,
    shown: at(numbers[kept], row, component),
    terms: [
      ...products(letter, (j) => [ofLayer(quantity, inner, row, j)], rowOf(W, component), rowOf(numbers[from], row)),
      ...single("bias", [], b[component]),
    ],
    ending,
  };
};

// The normalised output of the last layer: an annotation, or the vector that the output layer reads.
const finalNorm = (attention, kept, side) => (quantity, trace, model) => {
  const row = attention === "encoder" ? quantity.position : quantity.step;
  const layers = feedForwardIn(trace, attention);
  const layer = layers.length - 1;
  const named = ofLayer({ trace: quantity.trace, attention: side, layer }, "feed_forward_stream", row, quantity.component);
  return norm(`${side}.norm`, trace[kept], { named, stream: layers[layer].stream }, model);
};

// √D times the embedding, plus the encoding of its position.
function embedded({ attention, row, component }, trace, { network: { parameters, config } }) {
  const table = parameters.get("embedding.weight");
  const encoding = attention === "encoder";
  const ids = encoding ? trace.sourceIds : [START, ...trace.targetIds.slice(0, -1)];
  return {
    form: `embedded/${encoding ? "source" : "target"}${config.positions === "none" ? "/unplaced" : ""}`,
    shown: at(encoding ? trace.sourceEmbedded : trace.targetEmbedded, row, component),
    terms: [
      ...single("embedding", [], at(table, ids[row], component), Math.sqrt(table.width)),
      ...(config.positions === "none" ? [] : single("position", [], sinusoid(row, component, table.width))),
    ],
  };
}

const OPENERS = {
  ...HEADS,
  normalised,
  attention_stream: attentionStream,
  feed_forward_normalised: feedForwardNormalised,
  hidden: map("hidden", "hidden", { from: "normalised", matrix: "W_1", letter: "x̂", inner: "feed_forward_normalised" }, "relu"),
  feed_forward: map("feed_forward", "output", { from: "hidden", matrix: "W_2", letter: "f", inner: "hidden" }, "sum"),
  feed_forward_stream: feedForwardStream,
  embedded,
  ...MOMENTS,
  annotation: finalNorm("encoder", "annotations", "encoder"),
  attentional: finalNorm("cross", "attentional", "decoder"),
  ...DISTRIBUTION,
};
