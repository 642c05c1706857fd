// Answers: the stepper's data for a question: one translation with and without changes, or those of all models.

import { element } from "../../components/shared/elements.js";
import { percent, twoDecimals } from "../../components/shared/numbers.js";
import { engine } from "../engine/index.js";

const UNCHANGED = engine.toJson(engine.UNTOUCHED);
const CLIPPED = 60; // characters of a sentence quoted in a message

const KEPT = 4; // translations of one sentence: those shown, those tried, and those before them

// One sentence that a model translates with any changes, as engine/changes.js asks for it. The last ones are
// kept, because a tried translation is shown next.
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
    : [gained >= 0 ? "gained" : "lost", gained ? twoDecimals(Math.abs(gained)) : "nothing"];
  const heads = [engine.headOf(before, before, { title: "Before", facts: [] }),
    engine.headOf(after, before, { title: "After", facts: [fact] })];
  const offered = engine.offeredFor(model.tokenizer, sentence, own, before, after);
  const drawn = engine.payloadOf(traces);
  const flagged = model.doubt ? drawn.map((one, n) => ({ ...one, flags: engine.flagsOf(traces[n], model.doubt) })) : drawn;
  return { traces: flagged, what_if: { ...offered, heads } };
}

// One sentence by several models, each with its heading.
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

// The sentence still shown below a refusal; a long one is cut. The twin of `still_below` in app/wording.py.
export function stillBelow(sentence) {
  const characters = [...sentence];
  const clipped = characters.length <= CLIPPED ? sentence : `${characters.slice(0, CLIPPED - 1).join("").trimEnd()}…`;
  return `Below is still “${clipped}”`;
}

// Says what makes a sentence unlike those the model was trained on; "" when nothing does. The twin of `remark` in app/wording.py.
export function remarkOf(model, text, { bytes: [first, end], strange: hardly, spelling }) {
  const [language] = model.config.languages;
  const { ids, words, wordOf, text: whole } = model.tokenizer.encode(text, language);
  const foreign = engine.notEnglish(whole, language, spelling);
  if (foreign) return foreign;
  const sizes = words.map((_, word) => wordOf.filter((other) => other === word).length);
  const inBytes = new Set(wordOf.filter((_, n) => ids[n] >= first && ids[n] < end));
  const strange = [...new Set(words.map(({ start, stop }) => whole.slice(start, stop))
    .filter((_, word) => sizes[word] >= hardly || inBytes.has(word)))];
  const plain = language === "plain";
  const parts = [];
  if (!plain && !/\p{L}/u.test(whole)) parts.push("It has no words, unlike the sentences the model learned from.");
  if (ids.length > model.usualLength) {
    const usual = `at least 99% of the ${plain ? "sequences" : "sentences"} the model learned from have at most ${model.usualLength}`;
    parts.push(`It has ${ids.length} tokens; ${usual}.`);
  }
  if (strange.length) {
    const shortened = (word) => ([...word].length < 30 ? word : `${[...word].slice(0, 29).join("")}…`);
    const quoted = (word) => (/^["“”„‟«»‹›‘’‚]$/u.test(word) ? `the mark ${word}` : `“${shortened(word)}”`);
    const named = strange.slice(0, 3).map(quoted).join(", ");
    const piecemeal = `hardly knows ${named}: it reads ${strange.length > 1 ? "them" : "it"} piece by piece`;
    parts.push(`The model ${plain ? `does not know ${named}; it knows ${model.known}` : piecemeal}.`);
  }
  return parts.join(" ");
}

// Says how many of ten translations with this chance are acceptable. The twin of `out_of_ten` in app/wording.py.
function outOfTen(chance) {
  const tenths = Math.floor(10 * chance + 0.5);
  const many = { 0: "fewer than 1 of 10", 10: "over 9 of 10" }[tenths] ?? `about ${tenths} of 10`;
  return `${many} such translations ${tenths === 1 ? "is" : "are"} acceptable (chrF ≥ 60)`;
}

const isOwn = ({ stop, intervention }) => stop !== "forced" && engine.isUntouched(intervention);

const CARRIED = "carried over from the source, in place of the words that look most at it (Jean et al. 2015)";

// A translation, each word with its first and last step, and unknown words carried over and marked; if it is the model's own,
// the word that holds the least probable token is underlined. The twin of `marked` in app/wording.py.
export function marked(trace) {
  const { text, wordOf } = trace.target;
  const carried = engine.carriedOver(trace);
  const weak = isOwn(trace) ? engine.weakestOf(trace) : -1;
  const steps = (first, stop) => ({ "data-from": wordOf.indexOf(first) + 1, "data-step": wordOf.lastIndexOf(stop - 1) + 1 });
  const parts = carried.map(({ span, target, text: put }) => {
    const [left, right] = put.split(put.trim());
    return { span, nodes: [left, element("mark", { ...steps(target.start, target.stop), title: CARRIED }, put.trim()), right] };
  });
  for (const [word, span] of engine.spansOf(trace.target).entries()) {
    if (carried.some(({ target }) => word >= target.start && word < target.stop)) continue;
    const least = Math.min(...trace.logProbabilities.filter((_, token) => wordOf[token] === word));
    const title = word === weak ? { title: `the least certain word: ${percent(Math.exp(least))} for its least likely token` } : {};
    parts.push({ span, nodes: [element(word === weak ? "u" : "span", { ...steps(word, word + 1), ...title }, text.slice(span.start, span.stop))] });
  }
  parts.sort((one, other) => one.span.start - other.span.start);
  const nodes = parts.flatMap(({ span, nodes: own }, place) => [text.slice(place ? parts[place - 1].span.stop : 0, span.start), ...own]);
  return text ? [...nodes, text.slice(parts.at(-1)?.span.stop ?? 0)] : ["—"];
}

// Two texts as nodes, with what fell out of the first struck through and what is new in the second marked: words outside
// their longest common sequence. The twin of `compared` in app/wording.py.
function compared(text, other) {
  const [parts, otherParts] = [text, other].map((one) => one.split(/([\p{L}\p{N}]+)/u)); // every second one is a word
  const [words, others] = [parts, otherParts].map((all) => all.filter((_, i) => i % 2).map((word) => word.toLowerCase()));
  const common = Array.from({ length: words.length + 1 }, () => Array(others.length + 1).fill(0)); // from word i and word j on
  for (let i = words.length - 1; i >= 0; i -= 1) {
    for (let j = others.length - 1; j >= 0; j -= 1) {
      common[i][j] = words[i] === others[j] ? common[i + 1][j + 1] + 1 : Math.max(common[i + 1][j], common[i][j + 1]);
    }
  }
  const same = [new Set(), new Set()];
  for (let i = 0, j = 0; i < words.length && j < others.length;) {
    if (words[i] === others[j]) {
      same[0].add(i++);
      same[1].add(j++);
    } else if (common[i + 1][j] >= common[i][j + 1]) i += 1;
    else j += 1;
  }
  const nodes = (all, kept, tag) => all.map((part, i) => (i % 2 && !kept.has((i - 1) / 2) ? element(tag, {}, part) : part));
  return [nodes(parts, same[0], "s"), nodes(otherParts, same[1], "mark")];
}

// Two translations under each other: what fell out of the first is struck through, what is new in the second marked.
export function comparison({ names: [first, second], text: was, told }, text, lang) {
  const row = (name, nodes) => element("span", { class: "compared-row" }, element("small", {}, name), element("span", { lang }, ...nodes));
  const [before, after] = compared(was, text);
  return [row(first, before), row(second, after), ...(told ? [element("small", {}, told)] : [])];
}

// How likely a translation is and who wrote it; for the model's own, how many like it are acceptable. The twin of `answer`
// in app/screens/translate/screen.py.
export function aboutOf(trace, doubt) {
  const { stop, targetIds, intervention } = trace;
  const logProbability = engine.logProbabilityOf(trace);
  const who = stop === "forced" ? "a given translation" : "the model's translation";
  const changed = engine.isUntouched(intervention) ? "" : ", with what you changed";
  const mean = percent(Math.exp(logProbability / targetIds.length));
  const doubted = doubt && isOwn(trace) ? outOfTen(engine.chanceOf(trace, doubt)) : "";
  const cut = stop === "limit" ? "stopped at the limit before the model ended the sentence" : "";
  const likely = `log-probability ${twoDecimals(logProbability)}, probability per token ${mean}`;
  return [doubted, cut, engine.carriedNote(trace), `${who}${changed}`, likely, `${targetIds.length} token${targetIds.length === 1 ? "" : "s"}`].filter(Boolean).join(" · ");
}
