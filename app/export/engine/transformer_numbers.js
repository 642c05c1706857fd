// Numbers of a Transformer's trace for the interpreter of terms. The twin of model/arithmetic/transformer.py.
//
// A `row` looks at a `column`; head −1 is the mean of the heads.

import { sidesOf } from "../../components/shared/alignment.js";
import { isHead } from "./intervention.js";
import { rowOf } from "./matrix.js";
import { mayLook } from "./quantity.js";
import { camel, Numbers, usualForm } from "./terms.js";
import { attentionIn, EPSILON, feedForwardIn, momentsOf, sinusoid } from "./transformer.js";

const NAMES = { encoder: "attention", decoder: "self_attention", cross: "cross_attention" }; // in the file
const FEED_FORWARD = ["feed_forward_normalised", "hidden", "feed_forward", "feed_forward_stream"];
const MOMENT = /_(mean|deviation)$/;

export class TransformerNumbers extends Numbers {
  constructor(quantity, trace, model, table) {
    super(quantity, trace, model, table);
    const { attention, row, column, step = 0, position, component: j = 0, head, layer, kind } = quantity;
    const { heads: N, embedding: size, feed_forward: F } = model.network.config;
    const Q = size / N;
    this.sharedLetters(attention ? row : kind === "annotation" ? position : step, attention ? column : position);
    const { t = 0 } = this.letters;
    const given = this.givenByHand();
    Object.assign(this.letters, {
      x: trace.sourceIds[t], r: head * Q + j, N, Q, F, scale: 1 / Math.sqrt(Q), root: Math.sqrt(size), epsilon: EPSILON,
      sinusoid: sinusoid(t, j, size), part: FEED_FORWARD.includes(kind) ? "feed-forward" : "heads joined",
      ...(given !== undefined && { given }),
    });
    const place = `${attention === "encoder" ? "encoder" : "decoder"}.layers.${layer}`;
    const own = `${place}.${NAMES[attention]}`;
    const norms = { annotation: "encoder.norm", attentional: "decoder.norm", normalised: `${own}_norm` };
    this.files = { layer: place, attention: own, norm: norms[kind] ?? `${place}.feed_forward_norm` };
  }

  // The weight that a person set, if any.
  givenByHand() {
    const { kind, attention, layer, head, row, column } = this.quantity;
    if (kind !== "head_weight" || head < 0 || this.isOff()) return undefined;
    const { head_weights: rows, weights } = this.trace.intervention;
    const given = rows.find((one) => isHead(one, [attention, layer, head]) && one[3] === row)?.[4]
      ?? (attention === "cross" ? weights.find(([step]) => step === row)?.[1] : undefined);
    return given && (given[column] ?? 0);
  }

  isOff() {
    const { attention, layer, head } = this.quantity;
    return this.trace.intervention.heads_off.some((one) => isHead(one, [attention, layer, head]));
  }

  form() {
    const { quantity: { kind, attention, head, column }, letters } = this;
    const cross = attention === "cross";
    if (kind === "head_score" && cross && (letters.bonus || letters.temperature !== 1)) return "score/steered";
    if (kind === "head_weight") {
      if (head < 0) return "head_mean";
      if (this.isOff()) return "weight/off";
      return this.row().reaches(column) ? "weight/softmax" : "weight/masked";
    }
    if (["head_key", "head_value"].includes(kind)) return `${kind}/${cross ? "cross" : "self"}`;
    if (kind !== "embedded") return usualForm(this, kind);
    return `embedded/${attention === "encoder" ? "source" : "target"}${this.network.config.positions === "none" ? "/unplaced" : ""}`;
  }

  sides() {
    const [target, source] = sidesOf(this.trace, this.quantity.attention);
    return { source, target, weights: this.weightsOf(this.quantity.head) };
  }

  // The weights of a head of the layer, or the heads' mean.
  weightsOf(head) {
    const { weights, mean } = attentionIn(this.trace, this.quantity.attention)[this.quantity.layer];
    return head < 0 ? mean : weights[head];
  }

  row() {
    const { trace, quantity: { attention, row, head } } = this;
    return { weights: rowOf(this.weightsOf(head), row), reaches: (column) => mayLook(trace, attention, row, column) };
  }

  stored(kind, at) {
    const { attention, layer, head, row, column, component } = at;
    const { trace, table } = this;
    if (!attention) return super.stored(kind, at);
    if (kind === "embedded") return rowOf(attention === "encoder" ? trace.sourceEmbedded : trace.targetEmbedded, row)[component];
    if (kind === "head_weight") return rowOf(this.weightsOf(head), row)[column];
    const layers = FEED_FORWARD.includes(kind) ? feedForwardIn(trace, attention) : attentionIn(trace, attention);
    const kept = layers[layer][camel(table.kinds[kind].array)];
    return rowOf(head === undefined ? kept : kept[head], row ?? column)[component ?? column];
  }

  value(kind, at) {
    const [, moment] = MOMENT.exec(kind) ?? [];
    if (!moment) return super.value(kind, at);
    this.moments ??= momentsOf(Array.from({ length: this.letters.D }, (_, component) =>
      this.stored(kind.replace(MOMENT, ""), { ...at, component })));
    return this.moments[moment];
  }

  // The vector of the residual stream that the number is made from.
  stream() {
    const { trace, kind, attention, layer, row, step, position, component } = this.quantity;
    const last = (side) => ({ trace, kind: "feed_forward_stream", attention: side, layer: feedForwardIn(this.trace, side).length - 1, component });
    if (MOMENT.test(kind)) return { ...this.quantity, kind: kind.replace(MOMENT, "") };
    if (kind === "annotation") return { ...last("encoder"), row: position };
    if (kind === "attentional") return { ...last("decoder"), row: step };
    if (FEED_FORWARD.includes(kind)) {
      return { trace, kind: "attention_stream", attention: attention === "encoder" ? attention : "cross", layer, row, component };
    }
    if (attention === "cross") return { trace, kind: "attention_stream", attention: "decoder", layer, row, component };
    if (layer === 0) return { trace, kind: "embedded", attention, row, component };
    return { trace, kind: "feed_forward_stream", attention, layer: layer - 1, row, component };
  }

  place(name, at) {
    const { quantity, table } = this;
    if (name === "added") return { kind: FEED_FORWARD.includes(quantity.kind) ? "feed_forward" : "heads_joined", at, shared: quantity };
    if (["stream", "mean", "deviation"].includes(name)) {
      const shared = this.stream();
      return { kind: name === "stream" ? shared.kind : `${shared.kind}_${name}`, at, shared };
    }
    const ofHead = `head_${name}`;
    return super.place(quantity.attention && Object.hasOwn(table.kinds, ofHead) ? ofHead : name, at);
  }

  // The quantity; a component that is centred opens the mean as well.
  openable(found) {
    if (!this.quantity.kind.endsWith("_deviation")) return super.openable(found);
    return [{ ...this.quantity, kind: `${found.kind}_mean` }, found];
  }

  within(name) {
    const { quantity: { attention, row, layer }, trace, letters: { N, Q } } = this;
    const heads = Array.from({ length: N }, (_, head) => head);
    if (name === "on") {
      const { weights } = attentionIn(trace, attention)[layer];
      return heads.filter((head) => rowOf(weights[head], row).some((weight) => weight > 0));
    }
    if (name !== "heads") return super.within(name);
    return heads.flatMap((head) => Array.from({ length: Q }, (_, k) => [head * Q + k, head, k]));
  }
}
