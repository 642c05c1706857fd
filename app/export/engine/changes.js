// Changes: what a person changes in one translation, as a value; the edits that make it, with undo and refusals; and what the
// page says of it. The twin of model/changes, without vectors; everything that is not changed is left to the model.
//
// Words are changed before anything is read, so positions are those of the changed sentence. In a Transformer all fields
// but the last two hold for every head of every layer's cross-attention.
//
//     words         [word of the source, text in its place]      hidden       source positions that are masked
//     tokens        [step, id of the token written there]        bonus        [step, position, what is added to the score]
//     weights       [step, [a weight for each position]]         temperature  of the softmax that makes weights of scores
//     heads_off     [attention, layer, head]                     adds nothing to the residual stream: all weights are 0
//     head_weights  [attention, layer, head, row, [weights]]     used in place of that row's softmax
//
// Steps and positions count from 0, in tokens. `at` is a source position in the encoder, and a step elsewhere.

import { END, tokenLabel } from "../../components/shared/alignment.js";
import { inParts, total } from "../../components/shared/numbers.js";
import { NO_STEERING } from "./seq2seq.js";
import { STOP } from "./tokenizer.js";
import { either, lengthOf, normalise, slice, WORDLIKE, words } from "./words.js";

/** @type {any} */
export const UNTOUCHED = {
  words: [], tokens: [], weights: [], hidden: [], bonus: [], temperature: 1, heads_off: [], head_weights: [],
};

// Kinds of change by the name of their field, in the order of a list of changes: the columns of a row and a text.
export const KINDS = {
  words: { columns: ["word", "text"], text: ({ own, text }) => `“${own}” is replaced by “${text}”` },
  hidden: { columns: ["position"], text: ({ positions }) => `${positions} is masked` },
  temperature: { columns: ["temperature"], text: ({ temperature }) => `softmax temperature ${short(temperature)}` },
  heads_off: { columns: ["attention", "layer", "head"], text: ({ named }) => `${named} is switched off` },
  tokens: { columns: ["step", "token"], text: ({ where, written }) => `${where}: ${written}` },
  weights: { columns: ["step", "weights"], text: ({ where }) => `${where}: weights set by hand` },
  bonus: { columns: ["step", "position", "bonus"], text: ({ where, added, positions }) => `${where}: ${added} the score of ${positions}` },
  head_weights: {
    columns: ["attention", "layer", "head", "at", "weights"], text: ({ where, named }) => `${where}: weights of ${named} set by hand`,
  },
};
const CONTENT = ["text", "temperature", "token", "weights", "bonus"]; // columns that name no place

const NEAR = 1e-4; // how far the sum of a row of weights may be from 1
export const TEMPERATURES = [0.05, 20]; // from the sharpest to the flattest softmax
const FARTHEST_BONUS = 1000;
const LONGEST_WORD = 200; // characters of a word put in place of another
export const JOINT = "·"; // typed first, it continues the word before

const isPlace = (value) => Number.isInteger(value) && value >= 0;
const inRange = (low, high) => (value) => typeof value === "number" && value >= low && value <= high;
const ACCEPTS = {
  attention: (value) => ["encoder", "decoder", "cross"].includes(value),
  text: (value) => typeof value === "string" && lengthOf(value) <= LONGEST_WORD && normalise(value) !== "",
  weights: (row) => Array.isArray(row) && row.every(inRange(0, 1 + NEAR)) && Math.abs(row.reduce((sum, one) => sum + one, 0) - 1) <= NEAR,
  bonus: inRange(-FARTHEST_BONUS, FARTHEST_BONUS),
  temperature: inRange(...TEMPERATURES),
};

export const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);
export const isUntouched = (changes) => same(changes, UNTOUCHED);

// Throws an error that says what is wrong with the value itself; `check` tests whether it fits a sentence.
export function interventionOf(values) {
  for (const name of Object.keys(values)) if (!Object.hasOwn(KINDS, name)) throw new Error(`${name} is not a change that can be made`);
  const changes = { ...UNTOUCHED, ...values };
  for (const name of Object.keys(KINDS)) checkRows(name, rowsOf(changes, name));
  const both = changes.heads_off.find((head) => changes.head_weights.some((row) => isHead(head, row)));
  if (both) throw new Error(`${headName(both)} is switched off and given weights; only one can be`);
  return changes;
}

// Checks rows by themselves: every column has a value that is accepted, and no place is named twice.
function checkRows(name, rows) {
  const { columns } = KINDS[name], places = new Set();
  for (const row of Array.isArray(rows) ? rows : [[]]) {
    const cells = columns.length > 1 ? row : [row];
    const wrong = columns.find((column, i) => !(Array.isArray(cells) && cells.length === columns.length && (ACCEPTS[column] ?? isPlace)(cells[i])));
    if (wrong === "text") {
      throw new Error(`source word ${row[0] + 1}: what stands in its place is “${String(row[1]).slice(0, 40)}”; `
        + `accepted are 1 to ${LONGEST_WORD} characters that are not all blank`);
    }
    const place = String(cells.filter((_, i) => !CONTENT.includes(columns[i])));
    if (wrong || places.has(place)) throw new Error(`${name}: ${JSON.stringify(row)} is not a change that can be made`);
    places.add(place);
  }
}

// From JSON that a stranger may have written.
export function interventionFrom(text) {
  try {
    return interventionOf(JSON.parse(text) ?? {});
  } catch (error) {
    throw error instanceof SyntaxError ? new Error("what was changed is not JSON") : error;
  }
}

// The fields that differ from an unchanged translation.
export const toJson = (changes) => JSON.stringify(Object.fromEntries(
  Object.entries(changes).filter(([name, value]) => !same(value, UNTOUCHED[name]))));

// A field as rows: a temperature is one unless it is 1; and these changes with other rows in one field.
export const rowsOf = (changes, name) =>
  (name !== "temperature" ? changes[name] : changes.temperature === 1 ? [] : [changes.temperature]);
export const withRows = (changes, name, rows) => ({ ...changes, [name]: name === "temperature" ? rows[0] ?? 1 : rows });

// Checks that this fits a sentence and a model: `reach` marks the source positions that the model can look at, `layout` has
// the layers, and heads of each, by attention.
export function check(changes, { reach, layout, vocabulary }) {
  const open = reach.map((is, i) => is && !changes.hidden.includes(i));
  for (const [name, kind] of Object.entries(KINDS)) {
    for (const values of rowsOf(changes, name).map((row) => valuesOf(kind, row))) {
      const reason = misfit(values, { open, layout, vocabulary });
      if (reason) throw new Error(`${values.step === undefined ? name : `step ${values.step + 1}`}: ${reason}`);
    }
  }
  if (open.some(Boolean)) return;
  throw new Error("every source token is masked; at least one that the model can look at has to stay");
}

function misfit({ attention, layer, head, position, step, token, weights }, { open, layout, vocabulary }) {
  const [layers, heads] = layout[attention] ?? [0, 0];
  if (attention && !(layer < layers && head < heads)) return "the model has no such head";
  if (position >= open.length) return `the source has ${open.length} tokens`;
  if (token !== undefined && !(token >= STOP && token < vocabulary)) return `token ${token} cannot be written`;
  const width = attention === "decoder" ? step + 1 : open.length;
  if (weights && weights.length !== width) return `there are ${weights.length} weights for ${width} positions`;
  const masked = ["encoder", "decoder"].includes(attention) ? -1 : (weights ?? []).findIndex((weight, i) => weight > 0 && !open[i]);
  return masked < 0 ? "" : `source token ${masked + 1} has a weight and is masked; its weight must be 0`;
}

// Checks that a translation with this many steps has all the named steps.
export function checkEnd(changes, steps) {
  const late = Object.entries(KINDS).flatMap(([name, kind]) => rowsOf(changes, name).map((row) => valuesOf(kind, row).step))
    .filter((step) => step >= steps);
  if (!late.length) return;
  const length = `${steps} step${steps > 1 ? "s" : ""}`;
  throw new Error(`step ${Math.min(...late) + 1} is past the end: the translation has ${length}`);
}

// The changes of attention at one step.
export function steeringAt({ weights, hidden, bonus, temperature, heads_off, head_weights }, step, positions) {
  const heads = { heads_off, head_weights };
  if (!weights.length && !hidden.length && !bonus.length && temperature === 1) return { ...NO_STEERING, heads };
  const added = new Float32Array(positions);
  for (const [at, position, value] of bonus) if (at === step) added[position] = value;
  const row = weights.find(([at]) => at === step)?.[1] ?? null;
  return { bonus: added, temperature, hidden: new Set(hidden), weights: row, heads };
}

// A head's name in words.
const headName = ([attention, layer, head]) => `${attention} attention, layer ${layer + 1}, head ${head + 1}`;

export const isHead = (one, other) => one[0] === other[0] && one[1] === other[1] && one[2] === other[2];

// The values of a row by column, with `at` as a position or a step.
function valuesOf({ columns }, row) {
  const values = Object.fromEntries(columns.map((column, i) => [column, columns.length > 1 ? row[i] : row]));
  if ("at" in values) values[values.attention === "encoder" ? "position" : "step"] = values.at;
  return values;
}

// These changes for a sentence with a replaced word: only this many `first` and `last` positions of all `old` and `made` ones
// are the same. Changes at positions that have no successor are dropped, as is a row whose weight was on such positions.
export function carriedAll(changes, { old, made, first, last }) {
  const between = Math.max(0, made - last - first);
  const moved = (position) =>
    (position < first ? position : position >= old - last && position < old ? position + made - old : null);
  function spread(row) {
    const sum = row.slice(first, old - last).reduce((total, weight) => total + weight, 0);
    if (sum && !between) return null;
    return [...row.slice(0, first), ...Array.from({ length: between }, () => sum / between), ...row.slice(old - last)];
  }
  function carried(kind, row) {
    const values = valuesOf(kind, row);
    if ("position" in values) values.at = values.position = moved(values.position);
    if ("weights" in values && values.attention !== "decoder") values.weights = spread(values.weights);
    return kind.columns.map((column) => values[column]);
  }
  return Object.entries(KINDS).reduce((whole, [name, kind]) => {
    const rows = rowsOf(changes, name).map((row) => carried(kind, row)).filter((cells) => !cells.includes(null));
    return withRows(whole, name, kind.columns.length > 1 ? rows : rows.flat());
  }, changes);
}

// Each change as `{order, text, rows}`, sorted later by its order: its step, or below 0 for the encoder or the whole
// translation. Neighbouring tokens of one word that are masked or written are one.
export function described(name, rows, before, after) {
  const kind = KINDS[name];
  const side = { hidden: after.source, tokens: after.target }[name];
  const whole = ["words", "hidden", "temperature", "heads_off"].includes(name);
  return (side ? runs(rows, side) : rows.map((row) => [row])).map((group) => {
    const values = group.map((row) => valuesOf(kind, row));
    return { order: whole ? -2 : values[0].step ?? -1, text: kind.text(wordsOf(values, before, after)), rows: group };
  });
}

// Rows next to each other in one word.
function runs(rows, { wordOf }) {
  const place = (row) => (Array.isArray(row) ? row[0] : row);
  const found = [];
  for (const row of [...rows].sort((one, other) => place(one) - place(other))) {
    const last = found.length ? place(found.at(-1).at(-1)) : NaN;
    if (last === place(row) - 1 && wordOf[last] === wordOf[place(row)]) found.at(-1).push(row);
    else found.push([row]);
  }
  return found;
}

// What the text of a change may name.
function wordsOf(values, before, after) {
  const [one] = values;
  const steps = values.map(({ step }) => step);
  const positions = "position" in one ? quoted(after.source, values.map(({ position }) => position)) : "";
  return {
    ...one, positions,
    own: before.source.words[one.word],
    named: "attention" in one ? headName([one.attention, one.layer, one.head]) : "",
    added: "bonus" in one ? `${short(Math.abs(one.bonus))} ${one.bonus > 0 ? "added to" : "taken from"}` : "",
    where: one.step === undefined ? positions
      : steps.length === 1 ? `step ${steps[0] + 1}` : `steps ${steps[0] + 1} to ${steps.at(-1) + 1}`,
    written: "token" in one ? writtenText(before.target, after.target, steps) : "",
  };
}

// The text of neighbouring tokens, in quotation marks; a dot precedes tokens that continue a word.
function quoted({ text, tokens, wordOf, characters }, places) {
  if (!places.length) return "";
  const [first, last] = [places[0], places.at(-1)];
  if (tokens[first] === END && first === tokens.length - 1) return "the end of the sentence";
  const shown = text.slice(characters[first].start, characters[last].stop);
  const inside = first > 0 && wordOf[first] === wordOf[first - 1];
  return `“${inside ? JOINT : ""}${shown || tokenLabel(tokens[first])}”`;
}

// The tokens written at some steps, and the earlier ones there if they differ.
function writtenText(before, after, steps) {
  const earlier = steps.filter((step) => step < before.tokens.length);
  const [now, then] = [quoted(after, steps), quoted(before, earlier)];
  const verb = after.tokens[steps[0]] === END ? "ends the sentence" : `writes ${now}`;
  if (now !== then) return then ? `${verb} instead of ${then}` : verb;
  if (earlier.length === steps.length && steps.every((step) => after.tokens[step] === before.tokens[step])) return `${verb}, as before`;
  return `${verb} as other tokens`;
}

const short = (value) => String(Number(value.toPrecision(6)));

// Words of a person: put in place of a source word, or typed as the next words of the translation, by the rules of
// model/word_alignment/detokenize.py.
//
// Changes at other positions stay with their tokens. A new source word may have fewer or more tokens than the old one, so
// that all positions after it move:
//
//     old     I | have | a | bl | ue | car        weights  .1 | .1 | .0 | .2 | .4 | .2
//     new     I | have | a | red | car            weights  .1 | .1 | .0 | .6 | .2

const OPENING = "("; // no space follows it, in any language with spaces between words
const VOWEL = "a"; // follows an elision: the tokens of l' are those of l'a

// Matches two neighbours, one per line, that are written without a space between them.
const rule = (...patterns) => new RegExp(patterns.join("|"), "u");
const BRACKET = "^[(\\[{]\\n";
const JOINING = {
  en: rule(`\\n${either("n?'")}(?:${either("s|m|re|ve|ll|d|t")})$`, `${either("s")}\\n'$`, BRACKET,
    "\\n[.,;:!?…)\\]}%]+$"),
  fr: rule("'\\n", `\\n${either("'hui")}$`, `\\n-${WORDLIKE}`, BRACKET, "\\n[.,…)\\]}%]+$"),
  plain: rule("(?!)"),
  any: rule(BRACKET, "\\n[.,;:!?…)\\]}%]+$"),
};

// These changes with a word of the sentence replaced by a text; the word's own text leaves it alone.
export function reword(tokenizer, sentence, changes, word, text) {
  const encode = (given) => tokenizer.encode(given, tokenizer.languages[0]);
  const plain = encode(sentence);
  checkWord(plain, word);
  const own = slice(plain.text, plain.words[word]);
  const asked = new Map([...changes.words, [word, normalise(text, tokenizer.languages[0])]]);
  const instead = [...asked].sort(([one], [other]) => one - other)
    .filter(([place, said]) => place !== word || said !== own);
  const [old, made] = [changes.words, instead].map((some) => encode(changedText(plain, some)));
  const [before, after] = [changes.words, instead].map((some) => spansWith(plain, some)[word]);
  const [first, last] = untouched(old, made, before, after);
  return { ...carriedAll(changes, { old: old.ids.length + 1, made: made.ids.length + 1, first, last }), words: instead };
}

// The sentence with some words replaced.
export function changedText(plain, words) {
  let { text } = plain;
  for (const [word, instead] of [...words].sort(([one], [other]) => other - one)) {
    checkWord(plain, word);
    const { start, stop } = plain.words[word];
    text = text.slice(0, start) + normalise(instead) + text.slice(stop);
  }
  return text;
}

// Where each word of the sentence stands once some are replaced, in characters of the changed text's normal form, where
// a mark joins the letter before it.
export function spansWith(plain, words) {
  const [text, instead] = [changedText(plain, words), new Map(words)];
  const normal = (end) => normalise(`${text.slice(0, end)}|`).length - 1; // "|" keeps a space at the end
  let moved = 0;
  return plain.words.map(({ start, stop }, place) => {
    const length = instead.has(place) ? normalise(instead.get(place)).length : stop - start;
    const span = { start: normal(start + moved), stop: normal(start + moved + length) };
    moved += length - (stop - start);
    return span;
  });
}

// For each word of the changed text, the word of the sentence that it overlaps most.
export const originsOf = (places, words) => words.map((word) => {
  const shared = places.map((place) => Math.min(place.stop, word.stop) - Math.max(place.start, word.start));
  return shared.indexOf(Math.max(...shared));
});

// How many tokens before and after the word are the same in both, `</s>` among them.
function untouched(old, made, before, after) {
  const both = [[old, before], [made, after]];
  const head = Math.min(...both.map(([one, word]) => count(one.characters, ({ stop }) => stop <= word.start)));
  const tail = Math.min(...both.map(([one, word]) => count(one.characters.toReversed(), ({ start }) => start >= word.stop)));
  const first = count(old.ids.slice(0, head), (id, i) => id === made.ids[i]);
  const ends = made.ids.toReversed();
  return [first, count(old.ids.toReversed().slice(0, tail), (id, i) => id === ends[i]) + 1];
}

// How many items pass before the first that does not.
function count(items, holds) {
  const end = items.findIndex((item, i) => !holds(item, i));
  return end < 0 ? items.length : end;
}

function checkWord(plain, word) {
  if (word >= 0 && word < plain.words.length) return;
  throw new Error(`source word ${word + 1} is past the end: the sentence has ${plain.words.length} words`);
}

// The tokens that write a text after the earlier ones. It starts a new word, except after an elision (l', qu') and if
// the text begins with a mark that takes no space (a full stop, a comma, a hyphen) or with `JOINT`.
export function tokensOf(tokenizer, before, text, step) {
  const language = tokenizer.languages[1];
  const typed = normalise(text, language);
  const close = typed.startsWith(JOINT);
  const asked = close ? typed.slice(JOINT.length).trim() : typed;
  if (!asked) throw new Error(`step ${step + 1}: nothing was typed; type a word, or ${JOINT} and how the word goes on`);
  const earlier = tokenizer.read(before, language).text;
  const last = words(earlier, language).map((span) => slice(earlier, span)).at(-1);
  const following = standsClose(asked, VOWEL, language) ? VOWEL : "";
  if (last === undefined || !(close || standsClose(last, asked.split(" ")[0], language))) {
    const begun = between(tokenizer, "", asked, following);
    return tokenizer.decode(begun) === asked ? begun : tokenizer.encode(asked, language).ids;
  }
  const goesOn = between(tokenizer, last, asked, following);
  return tokenizer.decode(goesOn) === asked ? goesOn : between(tokenizer, OPENING, asked, "");
}

// These changes with tokens forced from a step on. Tokens forced there before are dropped, with the rest of their
// word.
function forced(changes, trace, step, tokens) {
  const { wordOf } = trace.target;
  const isRest = (place) => place >= step && place < wordOf.length && wordOf[place] === wordOf[step];
  const tokensAt = new Map(changes.tokens.filter(([place]) => !isRest(place)));
  tokens.forEach((id, place) => tokensAt.set(step + place, id));
  return { ...changes, tokens: [...tokensAt].sort(([one], [other]) => one - other) };
}

// The tokens of a text that stands between two others without spaces.
function between(tokenizer, beginning, text, following) {
  const { ids, characters } = tokenizer.encode(beginning + text + following, tokenizer.languages[1]);
  const end = beginning.length + text.length;
  return ids.filter((_, i) => characters[i].start >= beginning.length && characters[i].start < end);
}

// True if text has no space between these two.
const standsClose = (last, first, language) =>
  (Object.hasOwn(JOINING, language) ? JOINING[language] : JOINING.any).test(`${last}\n${first}`);

// Session: edits, each tried before it is kept, or refused with the reason.
//
//     session     {history, refused: why the last edit was refused or "", heard: the number of the last edit}
//     history     {present, past: earlier changes, future: those undone}
//     translator  {tokenizer, sentence, translate(changes)}; `translate` throws where the changes cannot be made
//     edit        one gesture in the stepper, which becomes part of the intervention

const UNDO_STEPS = 200; // undo steps kept

// The history with a new present, forgetting undone states. The same present is no change.
const changed = (history, present) => (same(present, history.present)
  ? history
  : { present, past: [...history.past, history.present].slice(-UNDO_STEPS), future: [] });

const WAYS = {
  undo: ({ present, past, future }) => (past.length
    ? { present: past.at(-1), past: past.slice(0, -1), future: [...future, present] }
    : { present, past, future }),
  redo: ({ present, past, future }) => (future.length
    ? { present: future.at(-1), past: [...past, present], future: future.slice(0, -1) }
    : { present, past, future }),
  reset: (history) => changed(history, UNTOUCHED),
};

export const NOTHING_CHANGED = { history: { present: UNTOUCHED, past: [], future: [] }, refused: "", heard: 0 };

const EDITS = {
  token: ({ step, token }, { shown }) => forced(shown.intervention, shown, step, [token]),
  text: ({ step, text }, { tokenizer, shown }) =>
    forced(shown.intervention, shown, step, tokensOf(tokenizer, shown.targetIds.slice(0, step), text, step)),
  free: ({ step }, { shown }) => forced(shown.intervention, shown, step, []),
  weights: ({ step, row }, { shown: { intervention } }) =>
    ({ ...intervention, weights: placed(intervention.weights, [step], row.length && rounded(row)) }),
  // Moves weights set by hand on masked positions to the others, in proportion.
  mask({ positions, masked }, { shown: { intervention } }) {
    const others = intervention.hidden.filter((position) => !positions.includes(position));
    const hidden = [...new Set(masked ? [...others, ...positions] : others)].sort((one, other) => one - other);
    const weights = intervention.weights.map(([step, row]) => [step, without(row, hidden)]);
    const ofHeads = intervention.head_weights.map(([attention, layer, head, step, row]) =>
      [attention, layer, head, step, attention === "cross" ? without(row, hidden) : row]);
    return { ...intervention, hidden, weights, head_weights: ofHeads };
  },
  word: ({ word, text }, { tokenizer, sentence, shown }) => reword(tokenizer, sentence, shown.intervention, word, text),
  bonus: ({ step, position, value }, { shown: { intervention } }) =>
    ({ ...intervention, bonus: placed(intervention.bonus, [step, position], value) }),
  temperature: ({ value }, { shown: { intervention } }) => ({ ...intervention, temperature: value }),
  // Switches a head of a Transformer off, forgetting weights set by hand in it, or on again.
  head({ attention, layer, head, off }, { shown: { intervention } }) {
    const named = [attention, layer, head];
    const others = intervention.heads_off.filter((one) => !isHead(one, named));
    const rows = intervention.head_weights.filter((row) => !isHead(row, named) || !off);
    return { ...intervention, heads_off: inOrder(off ? [...others, named] : others), head_weights: rows };
  },
  // Sets the weights of one row of one head, switching the head on again if it was off.
  head_weights({ attention, layer, head, step, row }, { shown: { intervention } }) {
    const named = [attention, layer, head];
    const off = intervention.heads_off.filter((one) => !isHead(one, named));
    const rows = placed(intervention.head_weights, [...named, step], row.length && rounded(row));
    return { ...intervention, heads_off: off, head_weights: rows };
  },
};

// The changes with one more; `asked` is `{tokenizer, sentence, shown}`, `shown` being the trace with the changes so far.
export function edited(edit, asked) {
  if (!Object.hasOwn(EDITS, edit.kind)) throw new Error(`${edit.kind} is not a change that can be made`);
  return interventionOf(EDITS[edit.kind](edit, asked));
}

// The rows with one whose place and content these are; without content the place is left to the model.
function placed(rows, place, content) {
  const others = rows.filter((row) => place.some((value, i) => row[i] !== value));
  return inOrder(content ? [...others, [...place, content]] : others);
}

// By place, such as attention, layer, head and row.
const inOrder = (rows) => rows.sort((one, other) => {
  const at = one.findIndex((value, i) => value !== other[i]);
  return one[at] < other[at] ? -1 : 1;
});

// Unchanged if nothing is removed from it, or nothing would be left.
function without(row, hidden) {
  const kept = row.map((weight, place) => (hidden.includes(place) ? 0 : weight));
  const sum = total(kept);
  if (!sum || kept.every((weight, place) => weight === row[place])) return row;
  return rounded(kept.map((weight) => weight / sum));
}

// A row that does not add up to 1 is left as it is, and refused elsewhere; NaN does not.
const rounded = (row) => (Math.abs(total(row) - 1) < 1e-4 ? inParts(row) : row);

// Makes the new edits, in order.
export const hear = (session, edits, translator) => edits.reduce((now, { number, ...edit }) =>
  (number > now.heard ? { ...make(now, edit, translator), heard: number } : now), session);

// Makes one edit, or undo, redo or reset.
export function make(session, edit, translator) {
  if (Object.hasOwn(WAYS, edit.kind)) return { ...session, history: WAYS[edit.kind](session.history), refused: "" };
  try {
    const { tokenizer, sentence } = translator;
    const shown = translator.translate(session.history.present);
    return put(session, edited(edit, { tokenizer, sentence, shown }), translator);
  } catch (error) {
    return { ...session, refused: error.message };
  }
}

// Replaces all changes by these, if the sentence can be translated with them.
export function put(session, changes, translator) {
  try {
    translator.translate(changes);
  } catch (error) {
    return { ...session, refused: error.message };
  }
  return { ...session, history: changed(session.history, changes), refused: "" };
}

// Marks: what the stepper marks in a translation with changes, lists in plain words and offers next.

const BETWEEN = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.2, 1.5, 2, 3, 5, 10]; // temperatures on offer
const ALIGNED = "This page has no sentences that people have aligned.";

// The changes of a trace as `{text, without}`, those of the whole translation first.
export function toldOf(tokenizer, sentence, before, after) {
  const changes = after.intervention;
  const found = Object.keys(KINDS).flatMap((name) => {
    const rows = rowsOf(changes, name);
    return described(name, rows, before, after).map(({ order, text, rows: made }) => {
      const word = name === "words" ? made[0][0] : null;
      const without = word === null ? withRows(changes, name, rows.filter((row) => !made.includes(row)))
        : reword(tokenizer, sentence, changes, word, before.source.words[word]); // moves other changes back
      return { order, text, without };
    });
  });
  return found.sort((one, other) => one.order - other.order);
}

export function offeredFor(tokenizer, sentence, given, before, after) {
  const { tokens, weights, hidden, bonus, temperature, heads_off: off, head_weights: rows } = after.intervention;
  return {
    forced: tokens.map(([step]) => step),
    fed: fedSteps(tokenizer, given, after),
    weights: weights.map(([step]) => step),
    hidden,
    bonus,
    heads_off: off,
    head_weights: rows.map((row) => row.slice(0, 4)),
    temperature,
    temperatures: [...new Set([...TEMPERATURES, ...BETWEEN, temperature])].sort((one, other) => one - other),
    words: sourceWords(tokenizer, sentence, after),
    gold: after.targetIds.map(() => ({ row: [], why: ALIGNED })),
    against: isUntouched(after.intervention) ? null : against(before, after),
  };
}

// Steps that were neither chosen by the model nor forced: those of a given translation before what was forced.
function fedSteps(tokenizer, given, { targetIds, intervention }) {
  const own = given ? tokenizer.encode(given, tokenizer.languages[1]).ids.length : 0;
  const length = Math.min(own, targetIds.length, ...intervention.tokens.map(([step]) => step));
  return Array.from({ length }, (_, step) => step);
}

// For each current source word: the index of its word in the sentence, and that word before and now.
function sourceWords(tokenizer, sentence, { source, intervention }) {
  const encode = (text) => tokenizer.encode(text, tokenizer.languages[0]);
  const plain = encode(sentence);
  const now = new Map(intervention.words);
  const own = plain.words.map((span) => slice(plain.text, span));
  return originsOf(spansWith(plain, intervention.words), encode(source.text).words)
    .map((word) => ({ word, was: own[word], now: now.get(word) ?? own[word] }));
}

// For each step that both reached by the same tokens: the likeliest tokens after as [rank before, gain in
// probability], null for one that was not among the likeliest before.
function against(before, after) {
  const until = before.targetIds.findIndex((id, step) => id !== after.targetIds[step]);
  const most = Math.min(before.targetIds.length, after.targetIds.length);
  const length = until < 0 ? most : Math.min(until + 1, most);
  return Array.from({ length }, (_, step) => after.topIds[step].map((id, rank) => {
    const was = before.topIds[step].indexOf(id);
    const probability = (trace, place) => trace.topProbabilities.values[step * trace.topProbabilities.width + place];
    return was < 0 ? null : [was, probability(after, rank) - probability(before, was)];
  }));
}
