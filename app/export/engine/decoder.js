// Decoder: one step, with the token fed in, the state, the attention, and the vector that the output layer reads.
//
// Luong et al. (2015), section 3 and equation 5. The current state asks, the context joins it after:
//
//     s_t = RNN(y_{t-1}, s_{t-1})     e_ti = score(s_t, h_i)     α_t = softmax(e_t)     c_t = Σ_i α_ti h_i
//     h̃_t = tanh(W_c [c_t ; s_t])     p_t = softmax(W_o h̃_t)
//
// With input feeding (section 3.3) the RNN reads [y_{t-1} ; h̃_{t-1}].
//
// Bahdanau et al. (2015), section 3.1. The previous state asks, and the RNN reads the context:
//
//     e_ti = score(s_{t-1}, h_i)      α_t = softmax(e_t)     c_t = Σ_i α_ti h_i     s_t = RNN([y_{t-1} ; c_t], s_{t-1})
//     h̃_t = tanh(W_c [c_t ; s_t])     p_t = softmax(W_o h̃_t)
//
// The twin of model/decoder.py.

import { contextOf, steer } from "./attention.js";
import { stepCell, sumsOf } from "./cells.js";
import { joined, product } from "./matrix.js";
import { SCORES, scoresOf } from "./scores.js";

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
