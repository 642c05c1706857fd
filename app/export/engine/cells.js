// Cells: one recurrent step with its gates in the open. The twin of model/cells.py.
//
// LSTM, Hochreiter and Schmidhuber (1997) with forget gates:     GRU, Cho et al. (2014) as PyTorch computes it:
//     i, f, o = σ(W x + b + U h + d)    g = tanh(…)                  r, z = σ(W x + b + U h + d)
//     c = f ⊙ c + i ⊙ g                                              n = tanh(W x + b + r ⊙ (U h + d))
//     h = o ⊙ tanh(c)                                                h = (1 − z) ⊙ n + z ⊙ h
//
// A step takes W x + b, U h + d and the carried values `{state, cell}`, with an empty cell state for a GRU. It returns
// the new carried values with the gates.

import { product, sigmoid } from "./matrix.js";

function lstm(given, kept, before) {
  const size = before.state.length;
  const gates = Array.from({ length: 4 }, () => new Float32Array(size));
  const [i, f, g, o] = gates;
  const [state, cell] = [new Float32Array(size), new Float32Array(size)];
  for (let j = 0; j < size; j += 1) {
    const sum = (gate) => given[gate * size + j] + kept[gate * size + j];
    i[j] = sigmoid(sum(0));
    f[j] = sigmoid(sum(1));
    g[j] = Math.tanh(sum(2));
    o[j] = sigmoid(sum(3));
    cell[j] = f[j] * before.cell[j] + i[j] * g[j];
    state[j] = o[j] * Math.tanh(cell[j]);
  }
  return { state, cell, gates };
}

function gru(given, kept, before) {
  const size = before.state.length;
  const gates = Array.from({ length: 3 }, () => new Float32Array(size));
  const [r, z, n] = gates;
  const state = new Float32Array(size);
  for (let j = 0; j < size; j += 1) {
    r[j] = sigmoid(given[j] + kept[j]);
    z[j] = sigmoid(given[size + j] + kept[size + j]);
    n[j] = Math.tanh(given[2 * size + j] + r[j] * kept[2 * size + j]);
    state[j] = (1 - z[j]) * n[j] + z[j] * before.state[j];
  }
  return { state, cell: before.cell, gates };
}

export const CELLS = {
  lstm: { step: lstm, gates: ["input", "forget", "candidate", "output"], remembers: true },
  gru: { step: gru, gates: ["reset", "update", "candidate"], remembers: false },
};

// The parameters of a cell: its input gives W x + b, its state U h + d.
export function sumsOf(parameters, name) {
  const [W, U, b, d] = ["weight_ih", "weight_hh", "bias_ih", "bias_hh"].map((part) => parameters.get(`${name}.rnn.${part}_l0`));
  return { W, U, b, d };
}

// This state with an empty or zero cell state.
export const atRest = (cell, state) => ({ state, cell: new Float32Array(CELLS[cell].remembers ? state.length : 0) });

export const stepCell = (cell, { W, U, b, d }, input, before) =>
  CELLS[cell].step(product(W, input, b), product(U, before.state, d), before);
