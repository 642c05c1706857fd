// Encoder: turns a sentence into annotations, vectors of source tokens in their context. Bahdanau et al. (2015),
// section 3.2.
//
//     h_i = [h_i forward ; h_i backward]
//
// Two cells read the embeddings, one from the left and one from the right; both start from zeros. The twin of
// model/encoder.py.

import { atRest, stepCell, sumsOf } from "./cells.js";
import { joined, rowOf, stacked } from "./matrix.js";

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
