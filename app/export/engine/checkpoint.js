// Checkpoint: a model from its three files; an invalid file is refused by name. The twin of
// model/checkpoint.py.
//
// A file of rounded weights has int8 in place of a matrix, and under `.scale` the factor of each row.

import { CELLS, WIRINGS, seq2seq } from "./seq2seq.js";
import { matrix } from "./matrix.js";
import { axesOf } from "./principal_axes.js";
import { tensorsOf } from "./safetensors.js";
import { SCORES, parametersOfScore } from "./scores.js";
import { tokenizerOf } from "./tokenizer.js";
import { NETWORK, TRANSFORMER_CHOICES, transformer, transformerShapes } from "./transformer/transformer.js";

const CHOICES = {
  score: Object.keys(SCORES), wiring: Object.keys(WIRINGS), cell: Object.keys(CELLS), initial_state: ["zero", "encoder"],
};

const KINDS = {
  recurrent: { choices: CHOICES, shapes: shapesOf, build: seq2seq },
  transformer: { choices: TRANSFORMER_CHOICES, shapes: transformerShapes, build: transformer },
};

// `weights` are the bytes of model.safetensors, `axes` those of axes.safetensors if the model has them. Errors name
// the problem.
export function modelOf({ name, fingerprint, config, tokenizer, weights, axes = new Uint8Array() }) {
  const { choices, shapes, build } = config.network === NETWORK ? KINDS.transformer : KINDS.recurrent;
  for (const [entry, known] of Object.entries(choices)) {
    if (!known.includes(config[entry])) {
      throw new Error(`${entry} is ${config[entry]}; this page knows ${known.join(", ")}`);
    }
  }
  const parameters = parametersOf(tensorsOf(weights));
  for (const [parameter, shape] of shapes(config)) check(parameter, parameters.get(parameter), shape);
  const pieces = tokenizerOf(tokenizer, config.languages);
  if (pieces.size !== config.vocabulary) {
    throw new Error(`the tokenizer has ${pieces.size} entries, the configuration says ${config.vocabulary}`);
  }
  return { name, fingerprint, config, axes: axesOf(axes), tokenizer: pieces, network: build(config, parameters) };
}

// Matrices and vectors by name; rounded ones are multiplied by their scales.
function parametersOf(tensors) {
  const parameters = new Map();
  for (const [name, { shape, values }] of tensors) {
    if (name.endsWith(".scale")) continue;
    const [rows, width] = shape;
    const scale = tensors.get(`${name}.scale`)?.values;
    if (scale) for (let i = 0; i < values.length; i += 1) values[i] *= scale[Math.floor(i / width)];
    if (!values.every(Number.isFinite)) throw new Error(`${name} holds NaN or infinity`);
    parameters.set(name, shape.length === 2 ? matrix(rows, width, values) : values);
  }
  return parameters;
}

// The shapes of this configuration's parameters, as pairs of name and shape.
function shapesOf({ vocabulary, score, wiring, cell, embedding, encoder_state: half, state, ...config }) {
  const annotation = 2 * half;
  const beside = wiring === "bahdanau" ? annotation : config.input_feeding ? embedding : 0;
  const cellOf = (name, inputs, size) => {
    const sums = CELLS[cell].gates.length * size;
    return [[`${name}.rnn.weight_ih_l0`, [sums, inputs]], [`${name}.rnn.weight_hh_l0`, [sums, size]],
      [`${name}.rnn.bias_ih_l0`, [sums]], [`${name}.rnn.bias_hh_l0`, [sums]]];
  };
  return [
    ["encoder.embedding.weight", [vocabulary, embedding]], ["embedding.weight", [vocabulary, embedding]],
    ...cellOf("encoder.forwards", embedding, half), ...cellOf("encoder.backwards", embedding, half),
    ...cellOf("decoder.cell", embedding + beside, state), ["decoder.W_c.weight", [embedding, annotation + state]],
    ...Object.entries(parametersOfScore(SCORES[score], state, annotation)).map(([name, shape]) => [`decoder.score.${name}.weight`, shape]),
    ...(config.initial_state === "encoder" ? [["bridge.weight", [state, annotation]], ["bridge.bias", [state]]] : []),
  ];
}

function check(name, parameter, shape) {
  if (!parameter) throw new Error(`the weights lack ${name}`);
  const found = "rows" in parameter ? [parameter.rows, parameter.width] : [parameter.length];
  if (String(found) !== String(shape)) throw new Error(`${name} is ${found.join(" × ")}, not ${shape.join(" × ")}`);
}
