// Recurrent network: cells, scores, attention, encoder and decoder, the network that owns their parameters, and the
// posterior.

import { dot, joined, logSumExp, matrix, product, rowOf, sigmoid, stacked } from "./matrix.js";
import { START } from "./tokenizer.js";

// Cells: one recurrent step with its gates in the open. A step takes W x + b, U h + d and the carried values `{state,
// cell}`, with an empty cell state for a GRU. It returns the new carried values with the gates. The twin of
// model/cells.py, which has the equations.

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

const stepCell = (cell, { W, U, b, d }, input, before) =>
  CELLS[cell].step(product(W, input, b), product(U, before.state, d), before);

// Attention: scores become weights, weights make a context. Luong et al. (2015), section 3.1 and equation 7. Masked positions
// weigh exactly 0 and their scores stay finite. The twin of model/attention.py, which has the equations.

export const NO_HEADS = { heads_off: [], head_weights: [] };

// A person's changes to one attention step; this value changes nothing. `weights` replace the softmax, `heads` are
// single heads of a Transformer.
export const NO_STEERING = { bonus: null, temperature: 1, hidden: new Set(), weights: null, heads: NO_HEADS };

// The softmax of the scores over the positions that the mask allows.
export function weigh(scores, mask) {
  const greatest = Math.max(...scores.filter((_, i) => mask[i]));
  const powers = Array.from(scores, (score, i) => (mask[i] ? Math.exp(score - greatest) : 0));
  const total = powers.reduce((sum, power) => sum + power, 0);
  return Float32Array.from(powers, (power) => power / total);
}

// Scores, mask and weights of one step after a person's changes.
export function steer(own, reach, { bonus, temperature, hidden, weights }) {
  const scores = own.map((score, i) => (Math.fround(score + (bonus?.[i] ?? 0))) / temperature);
  const mask = reach.map((open, i) => open && !hidden.has(i));
  return { scores, mask, weights: weights ? Float32Array.from(weights) : weigh(scores, mask) };
}

// The weights that a person gives a row of a head, zeros if it is switched off; null if it is unchanged.
export function givenTo({ heads_off: off, head_weights: rows }, [attention, layer, head], row, width) {
  const here = (one) => one[0] === attention && one[1] === layer && one[2] === head;
  if (off.some(here)) return new Float32Array(width);
  const given = rows.find((one) => here(one) && one[3] === row);
  return given ? Float32Array.from(given[4]) : null;
}

// The entropy of each row of weights in bits; a weight of 0 adds nothing.
export const entropyOf = (weights) => Float32Array.from({ length: weights.rows }, (_, t) =>
  rowOf(weights, t).reduce((sum, weight) => (weight ? sum - weight * Math.log2(weight) : sum), 0));

function contextOf(weights, annotations) {
  const sums = new Float64Array(annotations.width);
  weights.forEach((weight, i) => {
    if (!weight) return;
    const annotation = rowOf(annotations, i);
    for (let j = 0; j < sums.length; j += 1) sums[j] += weight * annotation[j];
  });
  return Float32Array.from(sums);
}

// Encoder: turns a sentence into annotations, vectors of source tokens in their context. Bahdanau et al. (2015),
// section 3.2. Two cells read the embeddings, one from the left and one from the right; both start from zeros. The
// twin of model/encoder.py, which has the equations.

// The annotations, and for each direction its cell's values at each position: `{state, cell, gates}`.
export function annotate(config, parameters, ids) {
  const inputs = ids.map((id) => rowOf(parameters.get("encoder.embedding.weight"), id));
  const forwards = run(config, sumsOf(parameters, "encoder.forwards"), inputs);
  const backwards = run(config, sumsOf(parameters, "encoder.backwards"), inputs.toReversed()).toReversed();
  return { embeddings: stacked(inputs), annotations: stacked(forwards.map(({ state }, i) => joined(state, backwards[i].state))), forwards, backwards };
}

function run(config, sums, inputs) {
  let carried = atRest(config.cell, new Float32Array(config.encoder_state));
  return inputs.map((input) => {
    carried = stepCell(config.cell, sums, input, carried);
    return carried;
  });
}

// Decoder: one step, with the token fed in, the state, the attention, and the vector that the output layer reads. With
// input feeding (section 3.3) the RNN reads [y_{t-1} ; h̃_{t-1}]. The twin of model/decoder.py, which has the
// equations.

function luong(config, parameters, fed, carried, memory, steering) {
  const input = config.input_feeding ? joined(fed, carried.attentional) : fed;
  const moved = stepCell(config.cell, sumsOf(parameters, "decoder.cell"), input, carried);
  return stepOf(parameters, moved, look(config, parameters, moved.state, memory, steering));
}

function bahdanau(config, parameters, fed, carried, memory, steering) {
  const looked = look(config, parameters, carried.state, memory, steering);
  const moved = stepCell(config.cell, sumsOf(parameters, "decoder.cell"), joined(fed, looked.context), carried);
  return stepOf(parameters, moved, looked);
}

export const WIRINGS = { luong, bahdanau };

// The result of one look at the source.
function look(config, parameters, asking, memory, steering) {
  const ownScores = scoresOf(SCORES[config.score], parameters, asking, memory.keys);
  const attended = steer(ownScores, memory.reach, steering);
  return { ownScores, ...attended, context: contextOf(attended.weights, memory.annotations) };
}

// Adds the attentional vector h̃, which the output layer reads.
function stepOf(parameters, moved, looked) {
  return { ...moved, ...looked, attentional: attentionalOf(parameters, looked.context, moved.state) };
}

export const attentionalOf = (parameters, context, state) =>
  product(parameters.get("decoder.W_c.weight"), joined(context, state)).map(Math.tanh);

// Seq2seq: the network that owns all parameters: an encoder, a decoder and the output layer. The twin of
// model/seq2seq.py.

// `encode` a sentence, `start`, then `step` from token to token. Nothing is stored between calls.
export function seq2seq(config, parameters) {
  const embedding = parameters.get("embedding.weight"); // also W_o: logits are W_o h̃

  // The positions a decoder may look at: all, or both ends of the sentence if nothing is compared.
  const reachOf = (positions) =>
    Array.from({ length: positions }, (_, i) => SCORES[config.score].compares !== "nothing" || i === 0 || i === positions - 1);

  // The decoder's view of a source sentence; its ids end with `</s>`.
  function encode(ids) {
    const read = annotate(config, parameters, ids);
    return { ...read, keys: keysOf(SCORES[config.score], parameters, read.annotations), reach: reachOf(ids.length) };
  }

  // The decoder's values before its first step.
  function start({ annotations }) {
    const state = config.initial_state === "encoder"
      ? product(parameters.get("bridge.weight"), endsOf(annotations), parameters.get("bridge.bias")).map(Math.tanh)
      : new Float32Array(config.state);
    return { ...atRest(config.cell, state), attentional: new Float32Array(config.embedding) };
  }

  const step = (token, carried, memory, steering = NO_STEERING) =>
    WIRINGS[config.wiring](config, parameters, rowOf(embedding, token), carried, memory, steering);

  // The numbers of a trace; `fed` are the tokens that the decoder read.
  function numbers(memory, start, steps, fed) {
    const column = (name, width) => stacked(steps.map((one) => one[name]), width);
    return {
      ...memory,
      fedEmbeddings: stacked(fed.map((token) => rowOf(embedding, token))),
      initialState: start.state,
      initialCell: start.cell,
      gates: steps.map(({ gates }) => gates),
      states: column("state"),
      cells: column("cell", start.cell.length),
      ownScores: column("ownScores"),
      scores: column("scores"),
      mask: column("mask"),
      weights: column("weights"),
      contexts: column("context"),
      initialAttentional: start.attentional,
      attentional: column("attentional"),
    };
  }

  const logits = (attentional) => product(embedding, attentional);
  const { score, wiring, cell } = config;
  return {
    config, parameters, encode, start, step, logits, numbers, reachOf, layout: {},
    choices: { score, wiring, cell, gates: CELLS[cell].gates },
  };
}

// The last state of each direction: forward at the last token, backward at the first.
export function endsOf(annotations) {
  const half = annotations.width / 2;
  return joined(rowOf(annotations, annotations.rows - 1).subarray(0, half), rowOf(annotations, 0).subarray(half));
}

// Scores: how well does annotation h_i answer decoder state s_t? Luong, Pham and Manning (2015), section 3.1. The
// table of numbers, model/arithmetic/numbers.toml, defines each: the matrix of its keys, how they are compared with
// the state, and whether the root of the state's size divides the result. The twin of model/scores.py, which has the
// equations.

export const SCORES = {
  dot: { keys: "", compares: "product", scaled: false },
  general: { keys: "W_a", compares: "product", scaled: false },
  scaled_dot: { keys: "W_a", compares: "product", scaled: true },
  concat: { keys: "U", compares: "network", scaled: false },
  none: { keys: "", compares: "nothing", scaled: false },
};

// The keys, which depend only on the annotations; computed once per sentence.
function keysOf({ keys, compares }, parameters, annotations) {
  if (compares === "nothing") return matrix(annotations.rows, 0);
  if (!keys) return annotations;
  const W = parameters.get(`decoder.score.${keys}.weight`);
  return stacked(Array.from({ length: annotations.rows }, (_, i) => product(W, rowOf(annotations, i))));
}

const scoresOf = (score, parameters, state, keys) => COMPARED[score.compares](parameters, state, keys, score);

const COMPARED = {
  product: (parameters, state, keys, { scaled }) => {
    const scale = scaled ? Math.fround(Math.sqrt(state.length)) : 1;
    return Float32Array.from({ length: keys.rows }, (_, i) => dot(state, rowOf(keys, i)) / scale);
  },
  network(parameters, state, keys) {
    const query = product(parameters.get("decoder.score.W.weight"), state);
    const v = parameters.get("decoder.score.v.weight").values;
    return Float32Array.from({ length: keys.rows }, (_, i) => {
      const key = rowOf(keys, i);
      let sum = 0;
      for (let j = 0; j < v.length; j += 1) sum += v[j] * Math.tanh(query[j] + key[j]);
      return sum;
    });
  },
  nothing: (parameters, state, keys) => new Float32Array(keys.rows),
};

// Posterior attention: where the decoder looked, given the word. After Shankar and Sarawagi (2019). p(y_t | i) is the
// probability of the word written with all weight of this step on h_i and everything before unchanged. In Bahdanau's
// wiring the state follows the weights, so there is one for each i; in Luong's it stays. A weight of 0 gives a
// posterior of exactly 0. The twin of model/word_alignment/posterior.py, which has the equations.

// The posterior of every token of a trace, `{likelihood, posterior}`. It takes as long as many translations, so it
// yields after each step.
export function* posterior(model, trace) {
  const found = [];
  for (let step = 0; step < trace.targetIds.length; step += 1) {
    const logLikelihood = positionsOf(trace).map((position) => logLikelihoodOf(model, trace, step, position));
    found.push({ logLikelihood, row: normalised(rowOf(trace.weights, step), logLikelihood) });
    yield;
  }
  return {
    likelihood: stacked(found.map(({ logLikelihood }) => logLikelihood.map(Math.exp))),
    posterior: stacked(found.map(({ row }) => row)),
  };
}

const positionsOf = ({ annotations }) => Array.from({ length: annotations.rows }, (_, position) => position);

// With all weight on one position its annotation is the context.
function logLikelihoodOf({ network }, trace, step, position) {
  const attentional = trace.maker.wiring === "luong"
    ? attentionalOf(network.parameters, rowOf(trace.annotations, position), rowOf(trace.states, step))
    : stepAlone(network, trace, step, position).attentional;
  const logits = network.logits(attentional);
  return logits[trace.targetIds[step]] - logSumExp(logits);
}

// A decoder step again, with all its weight on one position and everything before it unchanged.
export function stepAlone(network, trace, step, position) {
  const { annotations, keys, states, cells, attentional, targetIds } = trace;
  const before = step
    ? { state: rowOf(states, step - 1), cell: rowOf(cells, step - 1), attentional: rowOf(attentional, step - 1) }
    : { state: trace.initialState, cell: trace.initialCell, attentional: trace.initialAttentional };
  const reach = positionsOf(trace).map(() => true);
  const weights = reach.map((_, other) => Number(other === position));
  return network.step(step ? targetIds[step - 1] : START, before, { annotations, keys, reach }, { ...NO_STEERING, weights });
}

// Prior times likelihood, divided by their sum.
function normalised(prior, logLikelihood) {
  const logProducts = logLikelihood.map((one, i) => Math.log(prior[i]) + one);
  const greatest = Math.max(...logProducts);
  const products = logProducts.map((one) => Math.exp(one - greatest));
  const sum = products.reduce((total, one) => total + one, 0);
  return products.map((one) => one / sum);
}
