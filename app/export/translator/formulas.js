// Formulas: each number in the field's notation, as head.js writes formulas: what follows _ stands below the line.
//
// The letters are those of app/arithmetic/notation.py: t a step, i a source position, j a component, all from 1; $asking is the step
// whose state asks; m is the cell state of an LSTM, because c is the context.

const FORMULAS = {
  "score/dot": "e_{$t,$i} = s_{$asking} · h_{$i} = Σ_j s_{$asking,j} h_{$i,j}",
  "score/general": "e_{$t,$i} = s_{$asking} · k_{$i} = Σ_j s_{$asking,j} k_{$i,j}   with   k_{$i} = W_a h_{$i}",
  "score/concat": "e_{$t,$i} = v · tanh(W s_{$asking} + U h_{$i}) = Σ_j v_j u_{$t,$i,j}",
  "score/none": "e_{$t,$i} = 0   (no attention: no score is learned)",
  "score/steered": "e′_{$t,$i} = (e_{$t,$i} + bonus) / temperature",
  "weight/softmax": "α_{$t,$i} = exp e_{$t,$i} / Σ_k exp e_{$t,k}",
  "weight/masked": "α_{$t,$i} = 0   (out of reach)",
  "weight/given": "α_{$t,$i}   (set by hand)",
  word_weight: "ᾱ = mean over the row’s steps of Σ_i α_{t,i} over the word’s tokens",
  context: "c_{$t,$j} = Σ_i α_{$t,i} h_{i,$j}",
  attentional: "h̃_{$t,$j} = tanh(W_c [c_{$t} ; s_{$t}])_{$j}",
  "key/general": "k_{$i,$j} = (W_a h_{$i})_{$j}",
  "key/concat": "k_{$i,$j} = (U h_{$i})_{$j}",
  query: "q_{$t,$j} = (W s_{$asking})_{$j}",
  comparison: "u_{$t,$i,$j} = tanh(q_{$t,$j} + k_{$i,$j})",
  zero: "0   (nothing known yet)",
  "state/bridge": "s_{0,$j} = tanh(W_b [→h_S ; ←h_1] + b_b)_{$j}",
  "state/lstm": "$state = o ⊙ tanh(m)",
  "state/gru": "$state = (1 − z) ⊙ n + z ⊙ $before",
  "cell/lstm": "m = f ⊙ $memory + i ⊙ g",
  "gate/sigmoid": "$gate = σ(W x + b + U $before + d)",
  "gate/tanh": "$gate = tanh(W x + b + U $before + d)",
  "gate/reset": "n = tanh(W x + b + r ⊙ (U $before + d))",
  kept: "U $before + d",
  logit: "ℓ_{$t} = (W_o h̃_{$t})_y",
  probability: "p_{$t}(y) = exp ℓ_{$t}(y) / Σ_{y′} exp ℓ_{$t}(y′)",
  rest: "p_{$t}(others) = 1 − Σ p_{$t}(y) over the tokens listed",
  log_normaliser: "log Z_{$t} = log Σ_y exp ℓ_{$t}(y)",
  log_probability: "log p_{$t} = ℓ_{$t} − log Z_{$t}",
  total_log_probability: "log p = Σ_t log p_t",
  posterior: "p($i | y_{$t}) = α_{$t,$i} p(y_{$t} | $i) / Σ_k α_{$t,k} p(y_{$t} | k)",
  "posterior/zero": "p($i | y_{$t}) = 0   (its weight is 0)",
  word_posterior: "p̄ = mean over the row’s steps of Σ_i p(i | y_t) over the word’s tokens",
  likelihood: "p(y_{$t} | $i) = exp ℓ_{$t}(y_{$t}) / Σ_y exp ℓ_{$t}(y)   with   α_{$t,$i} = 1",
  "alone/luong": "h̃_{$t,$j} = tanh(W_c [h_{$i} ; s_{$t}])_{$j}   with   α_{$t,$i} = 1",
  "alone/bahdanau": "h̃_{$t,$j} = tanh(W_c [h_{$i} ; s_{$t}])_{$j}   with   α_{$t,$i} = 1",
  head_score: "e_{$t,$i} = q_{$t} · k_{$i} / √d = Σ_j q_{$t,j} k_{$i,j} / √d",
  "weight/off": "α_{$t,$i} = 0   (the head is switched off)",
  head_mean: "α_{$t,$i} = Σ_{heads} α_{$t,$i} / n",
  head_query: "q_{$t,$j} = (W_Q x_{$t})_{$j}",
  "head_key/cross": "k_{$i,$j} = (W_K h_{$i})_{$j}",
  "head_key/self": "k_{$i,$j} = (W_K x_{$i})_{$j}",
  "head_value/cross": "v_{$i,$j} = (W_V h_{$i})_{$j}",
  "head_value/self": "v_{$i,$j} = (W_V x_{$i})_{$j}",
  head_mixed: "z_{$t,$j} = Σ_i α_{$t,i} v_{i,$j}",
  heads_joined: "o_{$t,$j} = (W_O [z_{1} ; … ; z_{n}])_{$j}",
  stream: "x_{$t,$j} = x_{$t,$j} before + o_{$t,$j}",
  layer_norm: "x̂_{$t,$j} = g_{$j} (x_{$t,$j} − mean x_{$t}) / deviation x_{$t} + b_{$j}",
  stream_mean: "mean x_{$t} = Σ_j x_{$t,j} / D",
  stream_deviation: "deviation x_{$t} = √((Σ_j (x_{$t,j} − mean x_{$t})² + D ε) / D)",
  hidden: "f_{$t,$j} = max(0, W_1 x̂_{$t} + b_1)_{$j}",
  feed_forward: "o_{$t,$j} = (W_2 f_{$t} + b_2)_{$j}",
  embedded: "x_{$t,$j} = √D W_e[y_{$t}]_{$j} + PE($t)_{$j}",
};
const GATE_LETTERS = { input: "i", forget: "f", candidate: "g", output: "o", reset: "r", update: "z" };

// The formula of a number; `asking` is the step whose state asks, from 0.
export function formulaOf(form, { kind, step, position, component, gate, direction, attention, row, column }, asking) {
  const encoder = kind === "annotation" || Boolean(direction);
  const at = encoder ? position + 1 : step + 1;
  const earlier = encoder ? "h" : `s_{${at - 1}}`;
  const values = {
    t: (attention ? row : step ?? position) + 1, i: (attention ? column : position) + 1, j: component + 1, asking: asking + 1,
    state: encoder ? `h_{${at},${component + 1}}` : `s_{${at},${component + 1}}`,
    before: encoder ? `${earlier} before` : earlier,
    memory: encoder ? "m before" : `m_{${at - 1}}`,
    gate: GATE_LETTERS[gate] ?? "",
  };
  return FORMULAS[form].replace(/\$(asking|state|before|memory|gate|[tij])/g, (_, name) => String(values[name]));
}
