// Principal axes: the coordinates that identify a vector. The twin of model/principal_axes.py.
//
// a_k = v_k · (x − mean) / σ_k

import { at, matrix, tensorsOf } from "./matrix.js";

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
