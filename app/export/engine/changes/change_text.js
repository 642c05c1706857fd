// Change text: each change in plain words, with the changes that remain without it. The twin of
// model/changes/change_text.py.

import { headName } from "./head_changes.js";
import { tokenLabel } from "../labels.js";
import { reword } from "./rewording.js";
import { END, slice } from "../words.js";
import { JOINT } from "./forced_text.js";

// The changes of a trace as `{text, without}`, those of the whole translation first.
export function toldOf(tokenizer, sentence, before, after) {
  const byStep = [...tokens(before, after), ...weights(after.intervention), ...bonus(after), ...headWeights(after)];
  return [
    ...words(tokenizer, sentence, after.intervention), ...hidden(after), ...temperature(after.intervention),
    ...headsOff(after.intervention), ...byStep.sort((one, other) => one.step - other.step),
  ];
}

function words(tokenizer, sentence, changes) {
  const plain = tokenizer.encode(sentence, tokenizer.languages[0]);
  const own = plain.words.map((span) => slice(plain.text, span));
  return changes.words.map(([word, text]) => ({
    text: `“${own[word]}” is replaced by “${text}”`, without: reword(tokenizer, sentence, changes, word, own[word]),
  }));
}

// Neighbouring tokens of one word count as one change.
const hidden = ({ source, intervention }) => runs(intervention.hidden, source).map((positions) => ({
  text: `${named(source, positions)} is masked`,
  without: { ...intervention, hidden: intervention.hidden.filter((position) => !positions.includes(position)) },
}));

const temperature = (changes) => (changes.temperature === 1 ? [] : [{
  text: `softmax temperature ${short(changes.temperature)}`, without: { ...changes, temperature: 1 },
}]);

const tokens = (before, { target, intervention }) =>
  runs(intervention.tokens.map(([step]) => step), target).map((steps) => ({
    step: steps[0],
    text: `${atSteps(steps)}: ${writes(before.target, target, steps)}`,
    without: { ...intervention, tokens: intervention.tokens.filter(([step]) => !steps.includes(step)) },
  }));

// The tokens written at some steps, and the earlier ones there if they differ.
function writes(before, after, steps) {
  const now = named(after, steps);
  const earlier = steps.filter((step) => step < before.tokens.length);
  const then = named(before, earlier);
  const verb = after.tokens[steps[0]] === END ? "ends the sentence" : `writes ${now}`;
  if (now !== then) return then ? `${verb} instead of ${then}` : verb;
  if (earlier.length === steps.length && steps.every((step) => after.tokens[step] === before.tokens[step])) return `${verb}, as before`;
  const [apart, was] = [after, before].map(({ tokens: all }) => all[steps[0]].startsWith(" "));
  return `${verb} ${apart === was ? "as other tokens" : apart ? "after a blank" : "without a blank before it"}`;
}

const weights = (changes) => changes.weights.map((change) => ({
  step: change[0],
  text: `${atSteps([change[0]])}: weights set by hand`,
  without: { ...changes, weights: changes.weights.filter((other) => other !== change) },
}));

const bonus = ({ source, intervention }) => intervention.bonus.map((change) => {
  const [step, position, value] = change;
  const done = `${short(Math.abs(value))} ${value > 0 ? "added to" : "taken from"}`;
  return {
    step,
    text: `${atSteps([step])}: ${done} the score of ${named(source, [position])}`,
    without: { ...intervention, bonus: intervention.bonus.filter((other) => other !== change) },
  };
});

const headsOff = (changes) => changes.heads_off.map((head) => ({
  text: `${headName(head)} is switched off`,
  without: { ...changes, heads_off: changes.heads_off.filter((other) => other !== head) },
}));

// A row of the encoder is that of a source token, and stands before the first step.
const headWeights = ({ source, intervention }) => intervention.head_weights.map((change) => {
  const [attention, layer, head, row] = change;
  const encoding = attention === "encoder";
  const where = encoding ? named(source, [row]) : atSteps([row]);
  return {
    step: encoding ? -1 : row,
    text: `${where}: weights of ${headName([attention, layer, head])} set by hand`,
    without: { ...intervention, head_weights: intervention.head_weights.filter((other) => other !== change) },
  };
});

// Places next to each other in one word.
function runs(places, { wordOf }) {
  const found = [];
  for (const place of [...places].sort((one, other) => one - other)) {
    const last = found.at(-1)?.at(-1);
    if (last === place - 1 && wordOf[last] === wordOf[place]) found.at(-1).push(place);
    else found.push([place]);
  }
  return found;
}

// The text of neighbouring tokens, in quotation marks; a dot precedes tokens that continue a word.
function named({ text, tokens: all, wordOf, characters }, places) {
  if (!places.length) return "";
  const [first, last] = [places[0], places.at(-1)];
  if (all[first] === END && first === all.length - 1) return "the end of the sentence";
  const shown = text.slice(characters[first].start, characters[last].stop);
  const inside = first > 0 && wordOf[first] === wordOf[first - 1];
  return `“${inside ? JOINT : ""}${shown || tokenLabel(all[first])}”`;
}

// Counted from 1.
const atSteps = (steps) => (steps.length === 1 ? `step ${steps[0] + 1}` : `steps ${steps[0] + 1} to ${steps.at(-1) + 1}`);

const short = (value) => String(Number(value.toPrecision(6)));
