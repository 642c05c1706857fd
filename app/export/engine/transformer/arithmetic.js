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
export const workOutTransformer = (asked, trace, model) => fold(OPENERS[asked.kind](asked, trace, model));

const sideOf = ({ attention }) => (attention === "encoder" ? "encoder" : "decoder");

// The residual stream after an attention: the stream before, plus the joined heads.
function attentionStream(asked, trace) {
  const { row, component } = asked;
  const layer = layerOf(asked, trace);
  const { named, stream } = streamBefore(asked, trace);
  return {
    form: "stream",
    shown: at(layer.stream, row, component),
    terms: [
      ...single("before", [named], at(stream, row, component)),
      ...single("heads joined", [ofLayer(asked, "heads_joined", row, component)], at(layer.output, row, component)),
    ],
  };
}

// The residual stream that an attention reads: its name, and its numbers.
function streamBefore(asked, trace) {
  const { trace: index, attention, layer, row, component } = asked;
  if (attention === "cross") {
    const before = { ...asked, attention: "decoder" };
    return { named: ofLayer(before, "attention_stream", row, component), stream: layerOf(before, trace).stream };
  }
  if (!layer) {
    const named = { trace: index, kind: "embedded", attention, row, component };
    return { named, stream: attention === "encoder" ? trace.sourceEmbedded : trace.targetEmbedded };
  }
  const before = { ...asked, layer: layer - 1 };
  return {
    named: ofLayer(before, "feed_forward_stream", row, component), stream: feedForwardIn(trace, attention)[layer - 1].stream,
  };
}

function normalised(asked, trace, model) {
  const { row, component } = asked;
  const { named, stream } = streamBefore(asked, trace);
  return {
    form: "layer_norm",
    shown: at(layerOf(asked, trace).normalised, row, component),
    terms: normTerms(`${placeInFile(asked)}_norm`, named, rowOf(stream, row), model),
  };
}

// The attention whose stream a feed-forward network reads.
const attentionBefore = (asked) => ({ ...asked, attention: asked.attention === "encoder" ? "encoder" : "cross" });
const feedForwardOf = (asked, trace) => feedForwardIn(trace, asked.attention)[asked.layer];

function feedForwardNormalised(asked, trace, model) {
  const { row, component, layer } = asked;
  const before = attentionBefore(asked);
  const named = ofLayer(before, "attention_stream", row, component);
  return {
    form: "layer_norm",
    shown: at(feedForwardOf(asked, trace).normalised, row, component),
    terms: normTerms(`${sideOf(asked)}.layers.${layer}.feed_forward_norm`, named, rowOf(layerOf(before, trace).stream, row), model),
  };
}

function feedForwardStream(asked, trace) {
  const { row, component } = asked;
  const before = attentionBefore(asked);
  const { stream, output } = feedForwardOf(asked, trace);
  return {
    form: "stream",
    shown: at(stream, row, component),
    terms: [
      ...single("before", [ofLayer(before, "attention_stream", row, component)], at(layerOf(before, trace).stream, row, component)),
      ...single("feed-forward", [ofLayer(asked, "feed_forward", row, component)], at(output, row, component)),
    ],
  };
}

// One of the two maps: a row of its matrix times a vector, plus its bias.
const map = (form, kept, { from, matrix, letter, inner }, ending) => (asked, trace, { network: { parameters } }) => {
  const { row, component, layer } = asked;
  const numbers = feedForwardOf(asked, trace);
  const [W, b] = ["weight", "bias"].map((part) => parameters.get(`${sideOf(asked)}.layers.${layer}.feed_forward.${matrix}.${part}`));
  return {
    form,
    shown: at(numbers[kept], row, component),
    terms: [
      ...products(letter, (j) => [ofLayer(asked, inner, row, j)], rowOf(W, component), rowOf(numbers[from], row)),
      ...single("bias", [], b[component]),
    ],
    ending,
  };
};

// The normalised output of the last layer: an annotation, or the vector that the output layer reads.
const finalNorm = (attention, kept, side) => (asked, trace, model) => {
  const row = attention === "encoder" ? asked.position : asked.step;
  const layers = feedForwardIn(trace, attention);
  const layer = layers.length - 1;
  const named = ofLayer({ trace: asked.trace, attention: side, layer }, "feed_forward_stream", row, asked.component);
  return {
    form: "layer_norm",
    shown: at(trace[kept], row, asked.component),
    terms: normTerms(`${side}.norm`, named, rowOf(layers[layer].stream, row), model),
  };
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
