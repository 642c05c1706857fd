// Trace: every number of one translation, as recorded from the decoder. The twin of model/trace.py and
// model/tracing.py.
//
// A row for each decoder step; step t produced target token t from the one before it. `logNormaliser` is
// log Σ exp(logit), so a probability is exp(logit − log-normaliser). It also has numbers that PyTorch's trace lacks:
// the keys, and the states of both directions of the encoder.

import { END, heaviest, sidesOf, spansOf, spoken } from "../../components/shared/alignment.js";
import { at, logSumExp, matrix, stacked, tensorsOf } from "./matrix.js";
import { mayLook } from "./quantity.js";
import { entropyOf } from "./seq2seq.js";
import { START, STOP } from "./tokenizer.js";
import { attentionIn, feedForwardIn, isTransformer } from "./transformer.js";
import { carriedOver, withCarried } from "./unknown_words.js";
import { slice } from "./words.js";

const LIKELIEST = 10; // next tokens kept by a trace

// The values of the output layer kept at one step.
export function kept(step, logits, token) {
  const logNormaliser = logSumExp(logits);
  const topIds = likeliest(logits, LIKELIEST);
  return { step, token, logit: logits[token], logNormaliser, topIds, topLogits: topIds.map((id) => logits[id]) };
}

// The ids of the largest logits, from `first` on, best first; ties by lower id.
export function likeliest(logits, most, first = 0) {
  const best = [];
  for (let id = first; id < logits.length; id += 1) {
    if (best.length === most && logits[id] <= logits[best.at(-1)]) continue;
    let place = best.length;
    while (place > 0 && logits[best[place - 1]] < logits[id]) place -= 1;
    best.splice(place, 0, id);
    if (best.length > most) best.pop();
  }
  return best;
}

// One side of a trace; `ended` adds `</s>` as a word of its own.
function sentenceOf(encoding, language, tokens, ended) {
  const words = encoding.words.map((word) => slice(encoding.text, word));
  const end = { start: encoding.text.length, stop: encoding.text.length };
  return {
    text: encoding.text,
    language,
    tokens: ended ? [...tokens, END] : tokens,
    words: ended ? [...words, END] : words,
    wordOf: ended ? [...encoding.wordOf, words.length] : encoding.wordOf,
    characters: ended ? [...encoding.characters, end] : encoding.characters,
  };
}

// `steps` were made by `kept`, up to the last token of the target.
export function record(model, source, memory, start, steps, stop, intervention) {
  const { name, fingerprint, config, axes, tokenizer, network } = model;
  const [sourceLanguage, targetLanguage] = tokenizer.languages;
  const ids = steps.map(({ token }) => token);
  const written = tokenizer.read(ids, targetLanguage);
  const sourceTokens = source.ids.map(tokenizer.token);
  const targetTokens = written.ids.map(tokenizer.token);
  const topLogits = stacked(steps.map((one) => one.topLogits));
  const logits = Float32Array.from(steps, ({ logit }) => logit);
  const logNormaliser = Float32Array.from(steps, (one) => one.logNormaliser);
  return {
    maker: { name, fingerprint, ...network.choices, inputFeeding: Boolean(config.input_feeding), axes, vocabulary: tokenizer.size },
    source: sentenceOf(source, sourceLanguage, sourceTokens, true),
    target: sentenceOf(written, targetLanguage, targetTokens, ids.at(-1) === STOP),
    stop,
    sourceIds: [...source.ids, STOP],
    targetIds: ids,
    ...network.numbers(memory, start, steps.map(({ step }) => step), [START, ...ids.slice(0, -1)]),
    logits,
    logNormaliser,
    logProbabilities: logits.map((logit, t) => logit - logNormaliser[t]),
    topIds: steps.map((one) => one.topIds),
    topTokens: steps.map((one) => one.topIds.map(tokenizer.token)),
    topLogits,
    topProbabilities: probabilities(topLogits, logNormaliser),
    intervention,
  };
}

function probabilities(logits, logNormaliser) {
  const { rows, width, values } = logits;
  return matrix(rows, width, values.map((logit, i) => Math.exp(Math.fround(logit - logNormaliser[Math.floor(i / width)]))));
}

// The log-probability of the whole target.
export const logProbabilityOf = ({ logProbabilities }) => Array.from(logProbabilities).reduce((sum, one) => sum + one, 0);

// The total probability, at each step, of all tokens outside the likeliest.
export const restOf = ({ topProbabilities: { rows, width, values } }) => Float32Array.from({ length: rows }, (_, t) =>
  Math.max(0, 1 - values.subarray(t * width, (t + 1) * width).reduce((sum, one) => Math.fround(sum + one), 0)));

// Payload: what the stepper draws of traces: their sentences, numbers and heads, the network's picture, and the differences
// between their translations. The twin of app/components/stepper/payload.py: the same names and numbers.
//
// A matrix is sent as it is, because base64 is only for transport.

const LANGUAGE_TAG = /^(?!any$)[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/; // "any" is a word rule, not a language

// One vector, which is sent without the number of its rows.
const vector = (values) => ({ ...matrix(1, values.length, values), shape: [values.length] });

// The language tag of a text in a document; "" if it is not a language, such as digits.
export const tagOf = (language) => (LANGUAGE_TAG.test(language) ? language : "");

const sideOf = ({ language, tokens, words, wordOf }) => ({ language: tagOf(language), tokens, words, wordOf });

// One attention of a trace, or of one of its heads.
const weightArrays = (weights) => ({ weight: weights, entropy: vector(entropyOf(weights)) });

// The pieces `{text, kind}` of a sentence: "other" are words that another one lacks or has less often. The twin of
// model/analysis/model_comparison.py.
function pieces(sentence, other) {
  const left = other.words.slice(0, spoken(other));
  const found = /** @type {any[]} */ ([]);
  let end = 0;
  function add(text, kind) {
    if (found.at(-1)?.kind === kind) found.at(-1).text += text;
    else if (text) found.push({ text, kind });
  }
  spansOf(sentence).forEach(({ start, stop }, word) => {
    const place = left.indexOf(sentence.words[word]);
    if (place >= 0) left.splice(place, 1);
    add(sentence.text.slice(end, start), "same");
    add(sentence.text.slice(start, stop), place < 0 ? "other" : "same");
    end = stop;
  });
  add(sentence.text.slice(end), "same");
  return found;
}

// `heads` has one `{title, facts, formula}` per trace, or none.
export function payloadOf(traces, heads = []) {
  return traces.map((trace, place) => ({ ...drawn(trace), ...(heads.length ? { head: headOf(trace, traces[0], heads[place]) } : {}) }));
}

// A column's head; its translation is in pieces that mark differences from the first column.
export const headOf = (trace, first, head) => ({
  ...head, log_probability: logProbabilityOf(trace), pieces: carriedOver(trace).length ? [{ text: withCarried(trace), kind: "same" }] : pieces(trace.target, first.target),
});

function drawn(trace) {
  const { arrays, ...numbers } = (isTransformer(trace) ? ofTransformer : ofRecurrent)(trace);
  return {
    name: trace.maker.name,
    stop: trace.stop,
    carried: carriedOver(trace).map(({ target, text }) => [target.start, target.stop, text.trim()]),
    source: sideOf(trace.source),
    target: sideOf(trace.target),
    target_ids: trace.targetIds,
    top_ids: trace.topIds,
    top_tokens: trace.topTokens,
    others: Math.max(0, trace.maker.vocabulary - trace.topProbabilities.width),
    ...numbers,
    arrays: {
      ...arrays,
      ...weightArrays(trace.weights),
      top_probability: trace.topProbabilities,
      rest: vector(restOf(trace)),
      log_probability: vector(trace.logProbabilities),
      probability: vector(trace.logProbabilities.map(Math.exp)),
    },
  };
}

const ofRecurrent = (trace) => ({
  attends: trace.maker.score !== "none",
  network: networkOf(trace),
  ...(trace.posterior ? { posterior: { weight: trace.posterior.posterior, likelihood: trace.posterior.likelihood } } : {}),
  arrays: { ...vectorsOf(trace), score: trace.scores, mask: trace.mask },
});

// The vectors that are drawn, by the singular of their names.
const vectorsOf = (trace) => ({
  annotation: trace.annotations,
  initial_state: vector(trace.initialState),
  initial_cell: vector(trace.initialCell),
  initial_attentional: vector(trace.initialAttentional),
  state: trace.states,
  cell: trace.cells,
  context: trace.contexts,
  attentional: trace.attentional,
  embedding: trace.embeddings,
  fed_embedding: trace.fedEmbeddings,
});

const ofTransformer = (trace) => ({
  attends: true,
  network: { wiring: "transformer" },
  heads: Object.fromEntries(["encoder", "decoder", "cross"].map((name) => [name, headsOf(trace, name)])),
  arrays: { annotation: trace.annotations, attentional: trace.attentional },
});

// Every attention of every layer, one head at a time or their mean.
function headsOf(trace, name) {
  const [asking, looked] = sidesOf(trace, name);
  const [rows, width] = [asking.tokens.length, looked.tokens.length];
  const after = name === "decoder" ? [] : feedForwardIn(trace, name); // which follow all but the decoder's self-attention
  return {
    mask: matrix(rows, width, Float32Array.from({ length: rows * width }, (_, i) => Number(mayLook(trace, name, Math.floor(i / width), i % width)))),
    embedded: name === "decoder" ? trace.targetEmbedded : trace.sourceEmbedded, // of the tokens looked at
    layers: attentionIn(trace, name).map((layer, number) => layerOf(layer, after[number])),
  };
}

// A layer's heads, their mean, and its own vectors.
function layerOf({ weights, mean, scores, queries, keys, values, mixed, normalised, output, stream }, after) {
  const heads = weights.map((one, n) => (
    { ...weightArrays(one), score: scores[n], query: queries[n], key: keys[n], value: values[n], mixed: mixed[n] }));
  const fed = after ? { hidden: after.hidden, feed_forward: after.output, stream_after: after.stream } : {};
  return { heads, mean: weightArrays(mean), arrays: { normalised, joined: output, stream, ...fed } };
}

// The network's picture of a trace; null where the model has no axes. A context has the axes of annotations.
function networkOf(trace) {
  const { axes, score, wiring, cell, inputFeeding } = trace.maker;
  if (!axes || !Object.keys(axes).length) return null;
  const [forwards, backwards] = [0, 1].map((side) => half(trace.annotations, side));
  const vectors = Object.entries({ ...vectorsOf(trace), forwards, backwards }).map(([kind, values]) =>
    ({ kind, values, own: axes[kind === "context" ? "annotation" : kind.replace("initial_", "")] }));
  return {
    score, wiring, cell, input_feeding: inputFeeding,
    shares: Object.fromEntries(Object.entries(axes).map(([kind, { share }]) => [kind, share])),
    coordinates: Object.fromEntries(vectors.filter(({ own }) => own).map(({ kind, values, own }) => [kind, coordinates(own, values)])),
    ...gatesOf(trace),
  };
}

// Principal axes: the coordinates a_k = v_k · (x − mean) / σ_k that identify a vector. The twin of model/principal_axes.py.

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
function coordinates({ mean, directions, deviations }, vectors) {
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

// One direction's half of each annotation.
const half = ({ rows, width, values }, side) => stacked(Array.from({ length: rows }, (_, row) =>
  values.subarray((row + side / 2) * width, (row + (side + 1) / 2) * width)));

// The mean of each gate of the decoder's cell.
function gatesOf({ maker, gates: steps }) {
  const names = maker.gates.filter((name) => name !== "candidate"); // the candidate is what the gates let through
  const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
  return { gates: names, openness: stacked(steps.map((gates) => names.map((name) => mean(gates[maker.gates.indexOf(name)])))) };
}

// The step at which a translation opens. The twin of `telling_step` in app/visitor/question.py, with its tables.

const WHOLE = 3; // the rank of a whole word, at least

// `tables` are those of telling_step.toml.
export function tellingStep({ source, target, weights, topProbabilities }, tables) {
  const [sources, written] = [source, target].map((side) => ranksOf(side, tables.function_words[side.language] ?? ""));
  const looked = heaviest(weights);
  const worth = written.map((rank, t) => {
    const at = sources[looked[t]];
    return 100 * Number(rank >= WHOLE && at > 0) + 10 * Math.min(rank, at) + rank;
  });
  const steps = worth.flatMap((value, t) => (value === Math.max(...worth) ? [t] : []));
  const crossing = steps.filter((t) => steps.some((later) => later > t && looked[later] < looked[t]));
  const named = [...worth.keys()].filter((t) => target.tokens[t].trim() === tables.about[source.text]);
  const best = [named, crossing, steps].find((some) => some.length);
  const second = best.map((t) => topProbabilities.values[t * topProbabilities.width + 1]);
  return best[second.indexOf(Math.max(...second))] + 1;
}

// How telling each token is: 4 for a whole content word, 3 for another whole word, 2 for the first piece of a word, 1
// for a later one, 0 for a mark or the end of the sentence.
function ranksOf(side, functionWords) {
  const little = new Set(functionWords.split(/\s+/));
  const count = (word) => side.wordOf.filter((other) => other === word).length;
  return side.wordOf.map((word, position) => {
    const text = side.words[word];
    if (word >= spoken(side) || !/\p{L}/u.test(text)) return 0;
    if (count(word) > 1) return side.wordOf.indexOf(word) === position ? 2 : 1;
    return little.has(text.toLowerCase()) ? WHOLE : 4;
  });
}
