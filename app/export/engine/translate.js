// Translate: the decoder's best token at every step, until `</s>` or the limit; with what a person changes in it. The
// twin of model/translate.py and model/changes/what_if.py.
//
// The words of the source are changed first, then it is read. At each step attention is steered as asked, and a token is
// written: the one forced there, else the likeliest. Translations share no state.

import { changedText, check, checkEnd, steeringAt, UNTOUCHED } from "./changes.js";
import { logSumExp } from "./matrix.js";
import { START, STOP } from "./tokenizer.js";
import { kept, likeliest, record } from "./trace.js";

const LINE_TOKENS = 200; // of a sentence whose words are changed

// The most tokens a translation may have before decoding stops.
export const limit = (sourceTokens) => 2 * sourceTokens + 10;

// The trace of one translation. `given` is a translation that a person wrote: its tokens are forced up to the first
// one that the intervention forces, and from there on the model writes. Errors name the place of an impossible change.
export function translate(model, sentence, intervention = UNTOUCHED, given = "") {
  const source = read(model, reworded(model, sentence, intervention));
  if (intervention.words.length && source.ids.length > LINE_TOKENS) {
    throw new Error(`with its changed words the sentence has ${source.ids.length} tokens; accepted are up to ${LINE_TOKENS}`);
  }
  const own = given ? [...model.tokenizer.encode(given, model.tokenizer.languages[1]).ids, STOP] : [];
  const first = Math.min(...intervention.tokens.map(([step]) => step), own.length);
  const written = new Map([...own.slice(0, first).entries(), ...intervention.tokens]);
  const whole = own.length > 0 && !intervention.tokens.length;
  const most = whole ? own.length : Math.max(limit(source.ids.length + 1), written.size);
  return decode(model, source, { written, most, stop: whole ? "forced" : null, intervention });
}

// The trace of a translation given as ids; `stop` says why it ends.
export function force(model, sentence, ids, stop = "forced") {
  const written = new Map(ids.entries());
  return decode(model, read(model, sentence), { written, most: ids.length, stop, intervention: UNTOUCHED });
}

export const read = (model, sentence) => model.tokenizer.encode(sentence, model.tokenizer.languages[0]);

// The sentence with its changed words.
export const reworded = (model, sentence, { words }) => changedText(read(model, sentence), words);

function decode(model, source, { written, most, stop, intervention }) {
  const { network } = model;
  const ids = [...source.ids, STOP];
  check(intervention, { reach: network.reachOf(ids.length), layout: network.layout, vocabulary: model.tokenizer.size });
  const memory = network.encode(ids, intervention);
  const start = network.start(memory);
  const steps = [];
  let carried = start;
  let token = START;
  while (steps.length < most && (token !== STOP || stop)) {
    const steering = steeringAt(intervention, steps.length, memory.reach.length);
    carried = network.step(token, carried, memory, steering);
    const logits = network.logits(carried.attentional);
    token = written.get(steps.length) ?? likeliest(logits, 1, STOP)[0];
    steps.push(kept(carried, logits, token));
  }
  checkEnd(intervention, steps.length);
  return record(model, source, memory, start, steps, stop ?? (token === STOP ? "end" : "limit"), intervention);
}

// Beam search: the best of several translations that grow side by side. The twin of model/decoding/beam.py.
//
// The likeliest `width` continuations are kept at every step. One that ends with `</s>` is set aside and its place is
// not filled again, so a beam of width 1 is greedy decoding. At the end the translations that ended are compared by their
// log-probability with length normalisation (Wu et al. 2016, equation 14, which model/decoding/beam_tree.py has); those cut
// at the limit only if none ended. During the search prefixes compete by their log-probability alone.

const ALPHA = 0.6; // length normalisation

// At most `width` translations, best first, as `{ids, logProbability, score, stop}`.
export function search(model, sentence, width) {
  const { network } = model;
  const memory = network.encode([...read(model, sentence).ids, STOP]);
  const most = limit(memory.reach.length);
  const ended = [];
  let live = [{ ids: [], total: 0, carried: network.start(memory) }];
  let places = width;
  for (let length = 1; length <= most && places; length += 1) {
    const best = compete(network, memory, live, places);
    const done = best.filter(({ ids }) => ids.at(-1) === STOP);
    ended.push(...done);
    places -= done.length;
    live = best.filter(({ ids }) => ids.at(-1) !== STOP);
  }
  const found = (ended.length ? ended : live).map(({ ids, total }) => ({
    ids, logProbability: total, score: total / ((5 + ids.length) / 6) ** ALPHA, stop: ended.length ? "end" : "limit",
  }));
  return found.sort((one, other) => other.score - one.score);
}

// The likeliest continuations of all prefixes.
function compete(network, memory, live, places) {
  const grown = live.flatMap((prefix) => {
    const carried = network.step(prefix.ids.at(-1) ?? START, prefix.carried, memory);
    const logits = network.logits(carried.attentional);
    const normaliser = Math.fround(logSumExp(logits));
    return likeliest(logits, places, STOP).map((id) => ({ ids: [...prefix.ids, id], total: prefix.total + logits[id] - normaliser, carried }));
  });
  return grown.sort((one, other) => other.total - one.total).slice(0, places);
}
