// Trace: every number of one translation, as recorded from the decoder. The twin of model/trace.py and
// model/tracing.py.
//
// A row for each decoder step; step t produced target token t from the one before it. `logNormaliser` is
// log Σ exp(logit), so a probability is exp(logit − log-normaliser). It also has numbers that PyTorch's trace lacks:
// the keys, and the states of both directions of the encoder.

import { END } from "../../components/shared/alignment.js";
import { matrix, stacked } from "./matrix.js";
import { START, STOP } from "./tokenizer.js";
import { slice } from "./words.js";

const LIKELIEST = 10; // next tokens kept by a trace

const makerOf = ({ name, fingerprint, config, axes, tokenizer, network: { choices } }) =>
  ({ name, fingerprint, ...choices, inputFeeding: Boolean(config.input_feeding), axes, vocabulary: tokenizer.size });

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

export function logSumExp(logits) {
  let greatest = -Infinity;
  for (const logit of logits) if (logit > greatest) greatest = logit;
  let sum = 0;
  for (const logit of logits) sum += Math.exp(logit - greatest);
  return greatest + Math.log(sum);
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
  const { tokenizer } = model;
  const [sourceLanguage, targetLanguage] = tokenizer.languages;
  const ids = steps.map(({ token }) => token);
  const written = tokenizer.read(ids, targetLanguage);
  const sourceTokens = source.ids.map(tokenizer.token);
  const targetTokens = written.ids.map(tokenizer.token);
  const topLogits = stacked(steps.map((one) => one.topLogits));
  const logits = Float32Array.from(steps, ({ logit }) => logit);
  const logNormaliser = Float32Array.from(steps, (one) => one.logNormaliser);
  return {
    maker: makerOf(model),
    source: sentenceOf(source, sourceLanguage, sourceTokens, true),
    target: sentenceOf(written, targetLanguage, targetTokens, ids.at(-1) === STOP),
    stop,
    sourceIds: [...source.ids, STOP],
    targetIds: ids,
    ...model.network.numbers(memory, start, steps.map(({ step }) => step), [START, ...ids.slice(0, -1)]),
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
