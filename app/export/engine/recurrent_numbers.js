// Numbers of a recurrent network's trace, and of its posterior attention, for the interpreter of terms. The twin of
// model/arithmetic/recurrent.py.
//
// The posterior's likelihood is a probability like any other, of a step taken with all weight on one position: its
// numbers open like those of the translation.

import { atRest, SCORES } from "./seq2seq.js";
import { dot, rowOf } from "./matrix.js";
import { stepAlone } from "./posterior.js";
import { sourceText } from "./quantity.js";
import { Numbers, camel, usualForm } from "./terms.js";
import { tokenLabel } from "./alignment.js";
import { START } from "./tokenizer.js";

const ALONE = "alone_";
const CELLS = {
  decoder: ["state", "cell", "gate", "kept"], alone: ["alone_state", "alone_cell", "alone_gate"],
  encoder: ["annotation", "encoder_cell", "encoder_gate", "encoder_kept"],
};

// The step whose state asks: the one before in Bahdanau's wiring.
export const asking = ({ step = 0 }, { maker }) => (maker.wiring === "bahdanau" ? step - 1 : step);

export class RecurrentNumbers extends Numbers {
  constructor(quantity, trace, model, table) {
    super(quantity, trace, model, table);
    const { step: t = 0, position: i = 0, component: j = 0, token: y } = quantity;
    const { config, parameters } = model.network;
    this.cell = Object.keys(CELLS).find((cell) => CELLS[cell].includes(quantity.kind)) ?? "";
    const decoder = config.wiring === "bahdanau" ? "context" : config.input_feeding ? "attentional" : "fed";
    this.reads = { encoder: "source", alone: "alone", decoder }[this.cell] ?? "";
    const { bonus, temperature, weights } = trace.intervention;
    const given = quantity.kind === "weight" ? weights.find(([when]) => when === t)?.[1] : null;
    this.letters = {
      t, i, j, y, w: trace.targetIds[t], x: trace.sourceIds[i], fed: t ? trace.targetIds[t - 1] : START, a: asking(quantity, trace),
      letter: "s", T: trace.targetIds.length, V: config.vocabulary, S: trace.annotations.rows, E: trace.annotations.width,
      A: trace.attentional.width, D: config.embedding, H: config.state, scale: 1 / Math.sqrt(config.state),
      bonus: bonus.find(([when, where]) => when === t && where === i)?.[2] ?? 0, temperature,
      ...(given && { given: given[i] }),
    };
    if (this.cell === "encoder") this.readSource();
    const place = this.letters.d ? `encoder.${this.letters.d}` : "decoder.cell";
    const gate = trace.maker.gates.indexOf(quantity.gate ?? "candidate"); // the one that `kept` belongs to
    Object.assign(this.letters, { r: gate * this.letters.H + this.letters.j, X: parameters.get(`${place}.rnn.weight_ih_l0`).width });
    if (quantity.rows) this.letters.rows = new Set(this.within("word").map(([row]) => row)).size;
    this.places = { cell: place };
  }

  // The letters of one direction of the encoder.
  readSource() {
    const { position: i, component: j } = this.quantity;
    const half = this.network.config.encoder_state;
    const d = this.quantity.direction ?? (j < half ? "forwards" : "backwards");
    const forwards = d === "forwards";
    Object.assign(this.letters, { d, H: half, j: j % half, h: forwards ? 0 : half, b: forwards ? i - 1 : i + 1, letter: "h" });
  }

  form() {
    const { quantity: { kind, step, position, gate }, trace, letters } = this;
    if (kind === "score" && (letters.bonus || letters.temperature !== 1)) return "score/steered";
    if (kind === "weight" && !rowOf(trace.mask, step)[position]) return "weight/masked";
    if (kind === "posterior" && !rowOf(trace.weights, step)[position]) return "posterior/zero";
    if (step < 0) return kind === "state" && this.network.config.initial_state === "encoder" ? "state/bridge" : "zero";
    if (gate === "candidate") return trace.maker.cell === "gru" ? "gate/reset" : "gate/tanh";
    return usualForm(this, kind, SCORES[trace.maker.score].keys);
  }

  shown() {
    const { kind } = this.quantity;
    if (["posterior", "likelihood"].includes(kind)) return this.value(kind, this.quantity);
    return kind === "key" ? null : super.shown();
  }

  // The sentences with the weights between their tokens, or with the posterior.
  sides() {
    const { trace, quantity: { kind } } = this;
    return kind === "word_posterior" ? { ...trace, weights: trace.posterior.posterior } : trace;
  }

  weightsAt() {
    return rowOf(this.trace.weights, this.quantity.step);
  }

  stored(kind, { step, position, component, gate }, trace = this.trace) {
    const name = this.table.kinds[kind].array;
    if (step < 0) return trace[camel(`initial_${kind}`)][component];
    if (gate) return trace.gates[step][trace.maker.gates.indexOf(gate)][component];
    const kept = trace[camel(name)];
    if (kept.rows === undefined) return kept[step];
    return rowOf(kept, step ?? position)[step === undefined ? component : position ?? component];
  }

  value(kind, at) {
    const { trace, letters } = this;
    if (["posterior", "likelihood"].includes(kind)) return rowOf(trace.posterior[kind], at.step)[at.position];
    if (kind.startsWith(ALONE)) return this.valueAlone(kind.slice(ALONE.length), at);
    if (kind.endsWith("kept")) {
      const row = trace.maker.gates.indexOf("candidate") * letters.H + at.component;
      return dot(rowOf(this.parameter("W_hh"), row), this.stateBefore()) + this.parameter("b_hh")[row];
    }
    if (kind.startsWith("encoder_") || (kind === "annotation" && at.position === letters.b)) return this.inEncoder(kind, at);
    if (["query", "comparison"].includes(kind)) {
      const state = letters.a < 0 ? trace.initialState : rowOf(trace.states, letters.a);
      const query = dot(rowOf(this.parameter("W"), at.component), state);
      return kind === "query" ? query : Math.tanh(query + rowOf(trace.keys, at.position)[at.component]);
    }
    return super.value(kind, at);
  }

  // A number of the step taken with all weight on the position. The translation stores no such number.
  valueAlone(kind, { token, component, gate }) {
    const { trace, quantity } = this;
    this.alone ??= stepAlone(this.network, trace, quantity.step, quantity.position);
    if (kind !== "logit") return gate ? this.alone.gates[trace.maker.gates.indexOf(gate)][component] : this.alone[kind][component];
    this.logits.alone ??= this.network.logits(this.alone.attentional);
    return this.logits.alone[token];
  }

  stateBefore() {
    const { trace, letters } = this;
    if (this.cell === "encoder") return this.momentAt(letters.b).state;
    return letters.t ? rowOf(trace.states, letters.t - 1) : trace.initialState;
  }

  // One direction of the encoder at a position, at rest before it begins.
  momentAt(position) {
    const { trace, letters } = this;
    return trace[letters.d][position] ?? atRest(trace.maker.cell, new Float32Array(letters.H));
  }

  inEncoder(kind, { position, component, gate }) {
    const moment = this.momentAt(position);
    if (kind === "encoder_gate") return moment.gates[this.trace.maker.gates.indexOf(gate)][component];
    return kind === "annotation" ? moment.state[component - this.letters.h] : moment.cell[component];
  }

  within(name) {
    const { trace, quantity: { step }, letters } = this;
    const positions = Array.from({ length: letters.S }, (_, i) => i);
    if (name === "reach") return positions.filter((i) => rowOf(trace.mask, step)[i]);
    if (name === "columns") return positions.filter((i) => rowOf(trace.mask, step)[i] || rowOf(trace.weights, step)[i]);
    if (name !== "ends") return super.within(name);
    return Array.from({ length: letters.E }, (_, k) => [k < letters.E / 2 ? letters.S - 1 : 0, k]);
  }

  label(name, letters) {
    if (name === "looked") return sourceText(this.trace, letters.k);
    return name === "entry" ? tokenLabel(this.model.tokenizer.token(letters.k)) : super.label(name, letters);
  }

  // The quantity, but none before an encoder begins.
  openable(found) {
    const { letters } = this;
    return this.cell === "encoder" && found.position === letters.b && !this.trace[letters.d][letters.b] ? [] : super.openable(found);
  }
}
