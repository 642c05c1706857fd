// Numbers of a recurrent network's trace, and of its posterior attention, for the interpreter of terms. The twin of
// model/arithmetic/recurrent.py.
//
// The posterior's likelihood is a probability like any other, of a step taken with all weight on one position: its
// numbers open like those of the translation.

import { tokenLabel } from "../../components/shared/alignment.js";
import { atRest, SCORES } from "./seq2seq.js";
import { dot, rowOf } from "./matrix.js";
import { stepAlone } from "./posterior.js";
import { Numbers, camel, usualForm } from "./terms.js";

const ALONE = "alone_";
const CELLS = {
  decoder: ["state", "cell", "gate", "kept"], alone: ["alone_state", "alone_cell", "alone_gate"],
  encoder: ["annotation", "encoder_cell", "encoder_gate", "encoder_kept"],
};

const NOT_GATES = ["memory", "kept", "state"]; // the other letters of a cell
const ARROWS = { forwards: "→", backwards: "←" };

export class RecurrentNumbers extends Numbers {
  constructor(quantity, trace, model, table) {
    super(quantity, trace, model, table);
    const { kind, step: t = 0, position: i = 0, gate = "candidate" } = quantity; // the gate that `kept` belongs to
    const { config, parameters } = model.network;
    const bahdanau = config.wiring === "bahdanau";
    this.cell = Object.keys(CELLS).find((cell) => CELLS[cell].includes(kind)) ?? "";
    const decoder = bahdanau ? "context" : config.input_feeding ? "attentional" : "fed";
    this.reads = { encoder: "source", alone: "alone", decoder }[this.cell] ?? "";
    this.sharedLetters(t, i);
    Object.assign(this.letters, {
      x: trace.sourceIds[i], a: t - Number(bahdanau), letter: "s", S: trace.annotations.rows, E: trace.annotations.width, H: config.state,
      scale: 1 / Math.sqrt(config.state),
    }, this.cell === "encoder" ? this.direction() : {});
    this.files = { cell: this.letters.d ? `encoder.${this.letters.d}` : "decoder.cell" };
    const { H, j } = this.letters;
    Object.assign(this.letters, { r: trace.maker.gates.indexOf(gate) * H + j, X: parameters.get(`${this.files.cell}.rnn.weight_ih_l0`).width });
    const given = kind === "weight" ? trace.intervention.weights.find(([when]) => when === t)?.[1] : null;
    if (given) this.letters.given = given[i];
  }

  // The letters of the encoder's direction that the number belongs to; `b` is the position before.
  direction() {
    const { position: i, component: j, direction } = this.quantity;
    const half = this.network.config.encoder_state;
    const d = direction ?? (j < half ? "forwards" : "backwards");
    return { d, H: half, j: j % half, letter: "h", ...(d === "forwards" ? { h: 0, b: i - 1 } : { h: half, b: i + 1 }) };
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

  // The letters of the cell: with an arrow in the encoder, with (i) where one token has all weight.
  symbols() {
    const { trace: { maker }, cell, letters: { d }, quantity: { kind, position } } = this;
    const named = { ...this.table.letters, candidate: maker.cell === "gru" ? "n" : "g" };
    const each = (change) => Object.fromEntries(Object.entries(named).map(([name, letter]) => [name, change(letter, name)]));
    if (cell === "encoder") return each((letter, name) => ARROWS[d] + (name === "state" ? "h" : letter));
    if (cell !== "alone") return named;
    const before = kind === "alone_state" ? NOT_GATES.slice(1) : NOT_GATES; // an LSTM's state reads the new cell state
    return each((letter, name) => (before.includes(name) ? letter : `${letter}^{(${position + 1})}`));
  }

  // The sentences with the weights between their tokens, or with the posterior.
  sides() {
    const { trace, quantity: { kind } } = this;
    return kind === "word_posterior" ? { ...trace, weights: trace.posterior.posterior } : trace;
  }

  row() {
    const { trace, quantity: { step } } = this;
    return { weights: rowOf(trace.weights, step), reaches: (i) => rowOf(trace.mask, step)[i] };
  }

  stored(kind, at) {
    const { trace } = this;
    if (at.step < 0) return trace[camel(`initial_${kind}`)][at.component];
    if (at.gate) return trace.gates[at.step][trace.maker.gates.indexOf(at.gate)][at.component];
    return super.stored(kind, at);
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
    if (kind === "key") return rowOf(trace.keys, at.position)[at.component];
    if (["query", "comparison"].includes(kind)) {
      const state = letters.a < 0 ? trace.initialState : rowOf(trace.states, letters.a);
      const query = dot(rowOf(this.parameter("W"), at.component), state);
      return kind === "query" ? query : Math.tanh(query + this.value("key", at));
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
    const { S, E } = this.letters;
    return name === "ends" ? Array.from({ length: E }, (_, k) => [k < E / 2 ? S - 1 : 0, k]) : super.within(name);
  }

  label(name, letters) {
    return name === "entry" ? tokenLabel(this.model.tokenizer.token(letters.k)) : super.label(name, letters);
  }

  // The quantity, but none before an encoder begins.
  openable(found) {
    const { letters } = this;
    return this.cell === "encoder" && found.position === letters.b && !this.trace[letters.d][letters.b] ? [] : super.openable(found);
  }
}
