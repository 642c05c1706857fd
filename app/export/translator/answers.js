// Answers: what the stepper draws for a question: one translation with and without changes, or those of all models.

import { percent, twoDecimals } from "../../components/shared/numbers.js";
import { engine } from "../engine/index.js";

const UNCHANGED = engine.toJson(engine.UNTOUCHED);
const CLIPPED = 60; // characters of a sentence that a message names

const KEPT = 4; // translations of one sentence: what is shown, what is tried, and those before them

// One sentence that a model translates with any changes, as engine/changes/session.js asks for it. The last ones are kept,
// for what was tried is shown next.
export function translatorOf(model, { sentence, given: own }, longest) {
  const kept = new Map();
  function translate(changes) {
    const name = engine.toJson(changes);
    if (!kept.has(name)) {
      const wrong = problemOf(model, engine.reworded(model, sentence, changes), 0, longest);
      if (wrong) throw new Error(wrong);
      kept.set(name, engine.translate(model, sentence, changes, own));
      if (kept.size > KEPT) kept.delete([...kept.keys()].find((one) => one !== UNCHANGED));
    }
    return kept.get(name);
  }
  return { tokenizer: model.tokenizer, sentence, translate };
}

// The stepper's data for them; the second is offered for changing.
export function changeable(model, { sentence, given: own }, { before, after }) {
  const traces = after === before ? [before] : [before, after];
  const gained = engine.logProbabilityOf(after) - engine.logProbabilityOf(before);
  const fact = after === before ? ["changed", "nothing yet"]
    : [gained >= 0 ? "gained" : "lost", twoDecimals(Math.abs(gained))];
  const heads = [engine.headOf(before, before, { title: "Before", facts: [] }),
    engine.headOf(after, before, { title: "After", facts: [fact] })];
  const offered = engine.offeredFor(model.tokenizer, sentence, own, before, after);
  return { traces: engine.payloadOf(traces), what_if: { ...offered, heads } };
}

// One sentence by several models, each with its head.
export function sideBySide(models, { sentence, given: own }) {
  const timed = models.map((model) => {
    const began = performance.now();
    const trace = engine.translate(model, sentence, engine.UNTOUCHED, own);
    return { trace, milliseconds: performance.now() - began };
  });
  const traces = timed.map(({ trace }) => trace);
  const heads = models.map(({ title, formula, parameters }, i) => ({
    title, formula,
    facts: [["parameters", parameters.toLocaleString("en")], ["time", `${timed[i].milliseconds.toFixed(0)} ms`]],
  }));
  return { traces, drawn: { traces: engine.payloadOf(traces, heads) } };
}

// Why a text cannot be shown; "" when it can.
export function problemOf(model, text, side, longest) {
  const language = model.config.languages[side];
  const count = model.tokenizer.encode(text, language).ids.length;
  if (side === 0 && !count) return `Nothing to read yet. ${model.invitation}, or choose one of the examples.`;
  if (count < longest) return "";
  return `This text has ${count} tokens; this page shows up to ${longest - 1}. Shorten it.`;
}

// The sentence that still stands below a refusal; a long one is cut. The twin of `still_below` in app/wording.py.
export function stillBelow(sentence) {
  const characters = [...sentence];
  const clipped = characters.length <= CLIPPED ? sentence : `${characters.slice(0, CLIPPED - 1).join("").trimEnd()}…`;
  return `Below is still “${clipped}”`;
}

// Says what makes a sentence unlike those the model was trained on; "" when nothing does. The twin of `remark` in app/wording.py.
export function remarkOf(model, text, { bytes: [first, end], strange: hardly }) {
  const [language] = model.config.languages;
  const { ids, words, wordOf, text: whole } = model.tokenizer.encode(text, language);
  const sizes = words.map((_, word) => wordOf.filter((other) => other === word).length);
  const inBytes = new Set(wordOf.filter((_, n) => ids[n] >= first && ids[n] < end));
  const strange = [...new Set(words.map(({ start, stop }) => whole.slice(start, stop))
    .filter((_, word) => sizes[word] >= hardly || inBytes.has(word)))];
  const plain = language === "plain";
  const parts = [];
  if (!plain && !/\p{L}/u.test(whole)) parts.push("It has no words, unlike the sentences the model learned from.");
  if (ids.length > model.usualLength) {
    parts.push(`It is longer than 99% of the ${plain ? "sequences" : "sentences"} the model learned from (${model.usualLength} tokens).`);
  }
  if (strange.length) {
    const shortened = (word) => ([...word].length < 30 ? word : `${[...word].slice(0, 29).join("")}…`);
    const named = strange.slice(0, 3).map((word) => `“${shortened(word)}”`).join(", ");
    parts.push(`The model hardly knows ${named}: it reads ${strange.length > 1 ? "them" : "it"} piece by piece.`);
  }
  return parts.join(" ");
}

// How likely a translation is and who wrote it; of its own, with a token less probable than `below` on average, the model is
// unsure. The twin of `answer` in app/screens/translate/screen.py.
export function aboutOf(trace, below) {
  const { stop, targetIds, intervention } = trace;
  const logProbability = engine.logProbabilityOf(trace);
  const who = stop === "forced" ? "a given translation" : "the model's translation";
  const changed = engine.isUntouched(intervention) ? "" : ", with what you changed";
  const meanProbability = Math.exp(logProbability / targetIds.length);
  const mean = percent(meanProbability);
  const own = stop !== "forced" && !changed;
  const unsure = own && meanProbability < below ? "the model is unsure of this" : "";
  const cut = stop === "limit" ? "stopped at the limit before the model ended the sentence" : "";
  const likely = `log-probability ${twoDecimals(logProbability)}, mean token probability ${mean}`;
  return [unsure, cut, `${who}${changed}`, likely, `${targetIds.length} tokens`].filter(Boolean).join(" · ");
}
