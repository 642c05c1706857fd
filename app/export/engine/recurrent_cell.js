// Recurrent cell, opened: its state, its cell state and its gates, in the decoder and in the encoder's two directions.
// The twin of model/arithmetic/recurrent_cell.py; equations as in cells.js.

import { atRest, sumsOf } from "./cells.js";
import { at, dot, rowOf } from "./matrix.js";
import { endsOf } from "./seq2seq.js";
import { nothing, products, single } from "./derivation.js";
import { START } from "./tokenizer.js";

const fedAt = ({ targetIds }, step) => (step ? targetIds[step - 1] : START);

// One step of a recurrent cell: its input, its state before and after, and the names of these numbers.
function decoderAt({ trace: index, step }, trace, { network: { config, parameters } }) {
  const fed = rowOf(parameters.get("embedding.weight"), fedAt(trace, step));
  const beside = besideAt(index, step, trace, config);
  const held = (when) => (when < 0
    ? { state: trace.initialState, cell: trace.initialCell }
    : { state: rowOf(trace.states, when), cell: rowOf(trace.cells, when) });
  const place = (kind, when, component, rest = {}) => [{ trace: index, kind, step: when, component, ...rest }];
  return {
    sums: sumsOf(parameters, "decoder.cell"),
    inputs: [...fed, ...beside.vector],
    before: held(step - 1),
    after: held(step),
    gates: trace.gates[step],
    letter: "s",
    reads: beside.kind,
    read: (j) => (j < fed.length ? `y ${j + 1}` : `${beside.letter} ${j + 1 - fed.length}`),
    inputsAt: (j) => (j < fed.length ? place("fed_embedding", step, j) : beside.place(j - fed.length)),
    stateAt: (j) => place("state", step - 1, j),
    memoryAt: (j) => place("cell", step - 1, j),
    cellAt: (j) => place("cell", step, j),
    keptAt: (j) => place("kept", step, j),
    gateAt: (gate, j) => place("gate", step, j, { gate }),
  };
}

// The vector that the decoder reads beside an embedding: the context in Bahdanau's wiring, the last h̃ with input feeding.
function besideAt(index, step, trace, config) {
  if (config.wiring === "bahdanau") {
    const place = (component) => [{ trace: index, kind: "context", step, component }];
    return { kind: "context", vector: rowOf(trace.contexts, step), letter: "c", place };
  }
  if (!config.input_feeding) return { kind: "fed", vector: [], letter: "", place: nothing };
  const kind = "attentional";
  const place = (component) => [{ trace: index, kind, step: step - 1, component }];
  return { kind, vector: step ? rowOf(trace.attentional, step - 1) : trace.initialAttentional, letter: "h̃", place };
}

// One direction of the encoder at a source position: it reads the embedding of the token there.
function encoderAt({ trace: index, position, direction }, trace, { network: { config, parameters } }) {
  const run = trace[direction];
  const half = config.encoder_state;
  const shift = direction === "forwards" ? 0 : half;
  const earlier = direction === "forwards" ? position - 1 : position + 1;
  const begun = earlier >= 0 && earlier < run.length;
  const place = (kind, where, component, rest = {}) =>
    [{ trace: index, kind, position: where, component, direction, ...rest }];
  return {
    sums: sumsOf(parameters, `encoder.${direction}`),
    inputs: rowOf(parameters.get("encoder.embedding.weight"), trace.sourceIds[position]),
    before: begun ? run[earlier] : atRest(config.cell, new Float32Array(half)),
    after: run[position],
    gates: run[position].gates,
    letter: "h",
    reads: "source",
    read: (j) => `x ${j + 1}`,
    inputsAt: (j) => [{ trace: index, kind: "embedding", position, component: j }],
    stateAt: (j) => (begun ? [{ trace: index, kind: "annotation", position: earlier, component: j + shift }] : []),
    memoryAt: (j) => (begun ? place("encoder_cell", earlier, j) : []),
    cellAt: (j) => place("encoder_cell", position, j),
    keptAt: (j) => place("encoder_kept", position, j),
    gateAt: (gate, j) => place("encoder_gate", position, j, { gate }),
  };
}

// LSTM: o ⊙ tanh(c). GRU: (1 − z) ⊙ n + z ⊙ h.
function stateIn(moment, j, shown, { maker: { cell } }) {
  if (cell === "lstm") {
    const [gate, memory] = [moment.gates[3][j], moment.after.cell[j]];
    const [term] = single("let out", [...moment.gateAt("output", j), ...moment.cellAt(j)], gate, memory);
    return { form: "state/lstm", shown, terms: [{ ...term, value: gate * Math.tanh(memory) }] };
  }
  const update = moment.gateAt("update", j);
  const [, z, candidate] = moment.gates.map((gate) => gate[j]);
  return {
    form: "state/gru",
    shown,
    terms: [
      ...single("new", [...update, ...moment.gateAt("candidate", j)], 1 - z, candidate),
      ...single("kept", [...update, ...moment.stateAt(j)], z, moment.before.state[j]),
    ],
  };
}

// LSTM: f ⊙ c + i ⊙ g. A GRU has none.
function cellIn(moment, j, shown) {
  const [enter, forget, candidate] = moment.gates.map((gate) => gate[j]);
  return {
    form: "cell/lstm",
    shown,
    terms: [
      ...single("kept", [...moment.gateAt("forget", j), ...moment.memoryAt(j)], forget, moment.before.cell[j]),
      ...single("new", [...moment.gateAt("input", j), ...moment.gateAt("candidate", j)], enter, candidate),
    ],
  };
}

// σ or tanh of W x + b + U h + d; a GRU's candidate multiplies U h + d by its reset gate.
function gateIn(moment, { gate, component: j }, shown, { maker: { cell, gates } }) {
  const { sums: { W, b }, before, inputs } = moment;
  const row = gates.indexOf(gate) * before.state.length + j;
  const given = [...products(moment.read, moment.inputsAt, rowOf(W, row), inputs), ...single("bias b", [], b[row])];
  if (cell === "gru" && gate === "candidate") {
    const opens = [...moment.gateAt("reset", j), ...moment.keptAt(j)];
    const { U, d } = moment.sums;
    const kept = single("kept", opens, moment.gates[0][j], dot(rowOf(U, row), before.state) + d[row]);
    return { form: "gate/reset", shown, terms: [...given, ...kept], ending: "tanh", reads: moment.reads };
  }
  const ending = gate === "candidate" ? "tanh" : "sigmoid";
  return { form: `gate/${ending}`, shown, terms: [...given, ...recurrence(moment, row)], ending, reads: moment.reads };
}

// U h + d of a GRU's candidate, the last of its three gates.
const keptIn = (moment, j) =>
  ({ form: "kept", shown: null, terms: recurrence(moment, 2 * moment.before.state.length + j) });

// The part of a sum that comes from the previous state.
const recurrence = ({ letter, stateAt, sums: { U, d }, before }, row) =>
  [...products(letter, stateAt, rowOf(U, row), before.state), ...single("bias d", [], d[row])];

// The decoder's state before its first step: 0, or tanh of a map of the encoder's last states.
function initial({ trace: index, component }, trace, { network: { config, parameters } }) {
  const shown = trace.initialState[component];
  if (config.initial_state === "zero") return { form: "zero", shown, terms: [] };
  const [half, last] = [config.encoder_state, trace.annotations.rows - 1];
  const opens = (j) => [{ trace: index, kind: "annotation", position: j < half ? last : 0, component: j }];
  const row = rowOf(parameters.get("bridge.weight"), component);
  const bias = single("bias", [], parameters.get("bridge.bias")[component]);
  return { form: "state/bridge", shown, terms: [...products("h", opens, row, endsOf(trace.annotations)), ...bias], ending: "tanh" };
}

// A number of a table of embeddings.
const lookup = (form, shown, table, id, component) => ({ form, shown, terms: single("embedding", [], at(table, id, component)) });

export const GATES = {
  embedding: ({ position, component }, trace, { network: { parameters } }) => lookup("embedding/source",
    at(trace.embeddings, position, component), parameters.get("encoder.embedding.weight"), trace.sourceIds[position], component),
  fed_embedding: ({ step, component }, trace, { network: { parameters } }) => lookup("embedding/fed",
    at(trace.fedEmbeddings, step, component), parameters.get("embedding.weight"), fedAt(trace, step), component),
  state: (quantity, trace, model) => (quantity.step < 0
    ? initial(quantity, trace, model)
    : stateIn(decoderAt(quantity, trace, model), quantity.component, at(trace.states, quantity.step, quantity.component), trace)),
  cell: (quantity, trace, model) => (quantity.step < 0
    ? { form: "zero", shown: trace.initialCell[quantity.component], terms: [] }
    : cellIn(decoderAt(quantity, trace, model), quantity.component, at(trace.cells, quantity.step, quantity.component))),
  gate(quantity, trace, model) {
    const shown = trace.gates[quantity.step][trace.maker.gates.indexOf(quantity.gate)][quantity.component];
    return gateIn(decoderAt(quantity, trace, model), quantity, shown, trace);
  },
  kept: (quantity, trace, model) => keptIn(decoderAt(quantity, trace, model), quantity.component),
  // A component is one of the forward state, or of the backward state in the second half.
  annotation(quantity, trace, model) {
    const half = trace.annotations.width / 2;
    const direction = quantity.component < half ? "forwards" : "backwards";
    const moment = encoderAt({ ...quantity, direction }, trace, model);
    return stateIn(moment, quantity.component % half, at(trace.annotations, quantity.position, quantity.component), trace);
  },
  encoder_cell: (quantity, trace, model) => cellIn(encoderAt(quantity, trace, model), quantity.component, null),
  encoder_gate: (quantity, trace, model) => gateIn(encoderAt(quantity, trace, model), quantity, null, trace),
  encoder_kept: (quantity, trace, model) => keptIn(encoderAt(quantity, trace, model), quantity.component),
};
