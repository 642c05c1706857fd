// Principal axes: the coordinates that identify a vector. The twin of model/principal_axes.py and
// app/components/stepper/payload.py.
//
// a_k = v_k · (x − mean) / σ_k

import { encode } from "./labels.js";
import { at, matrix, stacked, tensorsOf } from "./matrix.js";

// Axes by kind of vector; `bytes` are those of axes.safetensors, undefined if a model's axes were never measured.
export function axesOf(bytes) {
  if (!bytes.length) return {};
  const tensors = tensorsOf(bytes);
  const kinds = new Set(Array.from(tensors.keys(), (name) => name.split(".")[0]));
  return Object.fromEntries(Array.from(kinds, (kind) => {
    const [mean, directions, deviations, share] = ["mean", "directions", "deviations", "share"]
      .map((name) => /** @type {import("./matrix.js").Tensor} */ (tensors.get(`${kind}.${name}`)));
    const [rows, width] = directions.shape;
    return [kind, { mean: mean.values, directions: matrix(rows, width, directions.values), deviations: deviations.values, share: share.values[0] }];
  }));
}

// Coordinates of each row of a matrix.
export function coordinates({ mean, directions, deviations }, vectors) {
  const made = matrix(vectors.rows, directions.rows);
  for (let row = 0; row < vectors.rows; row += 1) {
    for (let k = 0; k < directions.rows; k += 1) {
      let sum = 0;
      for (let j = 0; j < directions.width; j += 1) sum += (at(vectors, row, j) - mean[j]) * at(directions, k, j);
      made.values[row * directions.rows + k] = sum / deviations[k];
    }
  }
  return made;
}

// The network's picture of a trace; null where the model has no axes.
export function networkOf(trace) {
  const { maker, annotations, states, cells, contexts, attentional, embeddings, fedEmbeddings } = trace;
  const { axes, score, wiring, cell, inputFeeding } = maker;
  if (!axes || !Object.keys(axes).length) return null;
  const vectors = {
    forwards: ["forwards", half(annotations, 0)],
    backwards: ["backwards", half(annotations, annotations.width / 2)],
    annotation: ["annotation", annotations],
    initial_state: ["state", single(trace.initialState)],
    state: ["state", states],
    initial_cell: ["cell", single(trace.initialCell)],
    cell: ["cell", cells],
    context: ["annotation", contexts],
    initial_attentional: ["attentional", single(trace.initialAttentional)],
    attentional: ["attentional", attentional],
    embedding: ["embedding", embeddings],
    fed_embedding: ["fed_embedding", fedEmbeddings],
  };
  const known = Object.entries(vectors).filter(([, [of]]) => Object.hasOwn(axes, of));
  return {
    score, wiring, cell, input_feeding: inputFeeding,
    shares: Object.fromEntries(Object.entries(axes).map(([kind, { share }]) => [kind, share])),
    coordinates: Object.fromEntries(known.map(([kind, [of, values]]) => [kind, encode(coordinates(axes[of], values))])),
    ...gatesOf(trace),
  };
}

// The mean of each gate of the decoder's cell.
function gatesOf({ maker, gates: steps }) {
  const names = maker.gates.filter((name) => name !== "candidate"); // the candidate is what the gates let through
  const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
  return { gates: names, openness: encode(stacked(steps.map((gates) => names.map((name) => mean(gates[maker.gates.indexOf(name)]))))) };
}

const single = (vector) => matrix(1, vector.length, vector);

const half = ({ rows, width, values }, start) => stacked(Array.from({ length: rows }, (_, row) =>
  values.subarray(row * width + start, row * width + start + width / 2)));
