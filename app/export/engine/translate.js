// Translate: the decoder's best token at every step, until `</s>` or the limit; with what a person changes in it. The
// twin of model/translate.py and model/changes/what_if.py.
//
// The words of the source are changed first, then it is read. At each step attention is steered as asked, and a token is
// written: the one forced there, else the likeliest. Translations share no state.

import { UNTOUCHED, check, checkEnd, checkHeads, steeringAt } from "./changes/intervention.js";
import { changedText } from "./changes/rewording.js";
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
  checkHeads(intervention, network.layout, ids.length);
  const memory = network.encode(ids, intervention);
  check(intervention, memory.reach, model.tokenizer.size);
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
