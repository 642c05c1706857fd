// Layer normalisation opened: a component less the mean of its vector, by their deviation; and both down to the vector,
// which is one of the residual stream. The twin of model/arithmetic/layer_norm.py.

import { products, single } from "../derivation.js";
import { rowOf } from "../matrix.js";
import { EPSILON, momentsOf } from "./layer_norm.js";
import { attentionIn, feedForwardIn } from "./trace.js";

// The component minus the mean of all, divided by their deviation, times its gain; then its bias. `named` is the
// component.
export function normTerms(name, named, vector, { network: { parameters } }) {
  const { component, ...whole } = named;
  const [gain, bias] = ["weight", "bias"].map((part) => parameters.get(`${name}.${part}`)[component]);
  const { mean, deviation } = momentsOf(vector);
  const of = (part) => ({ ...whole, kind: `${named.kind}_${part}` });
  return [
    ...single("x times gain / deviation", [named, of("deviation")], vector[component], 1 / deviation, gain),
    ...single("mean times gain / deviation", [of("mean"), of("deviation")], -mean, 1 / deviation, gain),
    ...single("bias", [], bias),
  ];
}

// The mean of all components of a vector.
const meanOf = (kind) => (quantity, trace) => {
  const vector = streamOf({ ...quantity, kind }, trace);
  const opens = (component) => [{ ...quantity, kind, component }];
  return { form: "stream_mean", shown: null, terms: products("x", opens, vector), ending: "mean", constant: vector.length };
};

// The root of the mean squared distance of the components from their mean.
const deviationOf = (kind) => (quantity, trace) => {
  const vector = streamOf({ ...quantity, kind }, trace);
  const { mean } = momentsOf(vector);
  const off = Array.from(vector, (value) => value - mean);
  const opens = (component) => [{ ...quantity, kind: `${kind}_mean` }, { ...quantity, kind, component }];
  return {
    form: "stream_deviation",
    shown: null,
    terms: [...products("x", opens, off, off), ...single("ε", [], vector.length, EPSILON)],
    ending: "root",
    constant: vector.length,
  };
};

function streamOf({ kind, attention, layer, row }, trace) {
  const embedded = attention === "encoder" ? trace.sourceEmbedded : trace.targetEmbedded;
  if (kind === "embedded") return rowOf(embedded, row);
  const layers = kind === "attention_stream" ? attentionIn(trace, attention) : feedForwardIn(trace, attention);
  return rowOf(layers[layer].stream, row);
}

export const MOMENTS = Object.fromEntries(["embedded", "attention_stream", "feed_forward_stream"].flatMap((kind) =>
  [[`${kind}_mean`, meanOf(kind)], [`${kind}_deviation`, deviationOf(kind)]]));
