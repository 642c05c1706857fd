// Translator: a page that translates by itself. Its state, its parts (form, weights, changes, posteriors, beam search, the
// number that is open), and what happens to a question.

import { button, element, mathematics, quiet } from "../../components/shared/elements.js";
import { bytesFrom, exact, megabytes, twoDecimals } from "../../components/shared/numbers.js";
import { mount } from "../../components/stepper/stepper.js";
import { headlineOf } from "../../components/stepper/story.js";
import { AFTERWARDS, EVERYWHERE } from "../../components/stepper/trace_reading.js";
import { final } from "../../components/working/digits.js";
import { powersOfTen, workingView } from "../../components/working/working.js";
import { engine } from "../engine/index.js";
import { addressed, addressWriter, bottomPanel, tellHeight, viewOf } from "../page_parts.js";
import { aboutOf, changeable, comparison, marked, problemOf, remarkOf, sideBySide, stillBelow, translatorOf } from "./answers.js";

const place = (id) => /** @type {any} */ (document.getElementById(id));
const ANY = "any"; // language of what a model reads later, in its own: the width of letters is kept until then
const BLIND = "This is another model, trained without attention: it could not look back at any word, and got the same summary at every step.";
const LONGEST_SENTENCE = 10_000; // CHARACTERS of model/readable.py, as in the report of a text
const LONGEST_CHANGE = 200_000; // as in app/visitor/question.py

// The page's state.

const data = JSON.parse(place("data").textContent);
data.spelling.known = new TextDecoder().decode(await unpacked(bytesFrom(data.spelling.known)));
const main = /** @type {any} */ (document.querySelector("main"));
const names = data.models.map(({ name }) => name);
const described = (name) => data.models.find((model) => model.name === name);
const [loaded, reading] = [new Map(), new Map()]; // models and what will be models, by name
const writeAddress = addressWriter();

let question = /** @type {any} */ (null); // {sentence, given, model, compare}
let asTyped = ""; // the sentence as typed, if it was read otherwise
let ownTyped = ""; // and the forced translation
let view = /** @type {any} */ (null); // {step, units, rows, large, edit, attention, layer, head}
let linked = /** @type {any} */ (null); // changes in the address, until they are made
let session = engine.changes.NOTHING_CHANGED;
let translator = /** @type {any} */ (null); // for the question, once its model is loaded
let answers = /** @type {any} */ (null); // {models, traces, before, after, drawn}
let stepper = /** @type {any} */ (null);
let turn = 0;
let seen = 0; // the step in view
let attended = /** @type {any} */ (null); // {sentence, text} of the last translation with attention
const headline = headlineOf("#translation");
place("translation").addEventListener("click", ({ target }) => headline.pressed(target) && stepper.go(headline.pressed(target)));

// Sentence form: the sentence, a translation to force, the model, and whether to compare all models of its languages.

const [field, ownField, choice, all] = ["sentence", "given", "model", "compare"].map(place);

// Asks for what is typed, unless the fields still show the question.
function asked() {
  const same = field.value === (asTyped || question.sentence) && engine.normalise(ownField.value, ANY) === question.given;
  if (!same) askSentence(field.value, ownField.value);
}
for (const one of [field, ownField]) {
  one.addEventListener("change", asked);
  one.addEventListener("keydown", (event) => { if (event.key === "Enter" && !event.isComposing) asked(); });
}
place("translate").addEventListener("click", () => askSentence(field.value, ownField.value));
choice.addEventListener("change", () => use(choice.value));
all.addEventListener("change", () => ask({ compare: all.checked }));

// Shows the question, with its sentence and the translation to force as typed if they are read otherwise.
function showQuestion() {
  const [source, target] = languages();
  [field.value, ownField.value] = [asTyped || question.sentence, question.given];
  [choice.value, all.checked] = [question.model, question.compare];
  const note = engine.visibleNote(asTyped, source);
  const ownNote = engine.visibleNote(ownTyped, target);
  const corrected = engine.normalise(asTyped, source) !== question.sentence;
  place("read-as").replaceChildren(
    asTyped ? `Read as “${question.sentence}”${note ? ` (${note})` : ""} ` : "",
    corrected && asTyped ? button({ class: "small", "data-testid": "keep-mine" }, () => askSentence(asTyped, ownField.value, true), "Keep mine") : "",
    ownNote ? ` Forced as “${engine.normalise(ownTyped, target)}” (${ownNote})` : "",
  );
}

// Labels of the fields and examples, which depend on the model.
function offer({ examples, sentenceLabel, ownLabel, invitation }) {
  place("sentence-label").textContent = sentenceLabel;
  place("own-label").textContent = ownLabel;
  field.placeholder = invitation;
  place("examples").replaceChildren(...Object.entries(examples).map(([label, sentence]) =>
    button({ class: "small", title: sentence }, () => askSentence(sentence, ""), label)));
}

// Weights: the models of the page, described in its data, whose weights are read when a model is first used: from the
// element that holds them or from the file beside the page; and other packed data of the page.

const SHORT = "Fetch or save it again; a download may have been interrupted.";

// Reads a model's weights once, however many questions come meanwhile; after a failure it may be tried again.
function called(name) {
  if (!reading.has(name)) reading.set(name, read(name).catch((error) => { reading.delete(name); throw error; }));
  return reading.get(name);
}

async function read(name) {
  const { tokenizer, axes: packed, ...about } = described(name);
  const axes = bytesFrom(packed);
  const weights = await (about.file ? fetched(about) : held(about));
  tell(`Reading the weights of ${name} …`);
  await painted();
  loaded.set(name, { ...about, ...engine.modelOf({ ...about, tokenizer, weights, axes }) });
  return loaded.get(name);
}

async function held(model) {
  tell(`Reading the weights of ${model.name} …`);
  await painted();
  const node = place(`weights-${names.indexOf(model.name)}`);
  const text = node?.textContent.trim() ?? "";
  if (text.length < model.size) {
    throw new Error(`this file is cut short: ${megabytes(text.length)} of ${megabytes(model.size)} of the weights of `
      + `${model.name} are here. ${SHORT}`);
  }
  const packed = bytesFrom(text);
  node?.remove(); // needed only once
  try {
    return await unpacked(packed);
  } catch {
    throw new Error(`the weights of ${model.name} are damaged. ${SHORT}`);
  }
}

// Piece by piece: with a Response, Firefox's console would also report damage that is reported here.
async function unpacked(packed) {
  const pieces = [];
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  for (const reader = stream.getReader(); ;) {
    const { done, value } = await reader.read();
    if (done) break;
    pieces.push(value);
  }
  return new Uint8Array(await new Blob(pieces).arrayBuffer());
}

async function fetched(model) {
  if (window.location.protocol === "file:") {
    throw new Error(`opened from disk a page may not read the file beside it, ${model.file}. Serve the folder `
      + "(python -m http.server), or export one file that holds everything (--html)");
  }
  const answer = /** @type {any} */ (await fetch(model.file).catch(() => null));
  if (!answer?.ok) throw new Error(`${model.file} could not be fetched (${answer?.status ?? "no connection"})`);
  const bytes = new Uint8Array(model.size);
  let received = 0;
  for (const reader = answer.body.getReader(); ;) {
    const { done, value } = await reader.read();
    if (done) break;
    if (received + value.length <= model.size) bytes.set(value, received);
    received += value.length;
    tell(`Fetching ${model.name}: ${megabytes(received)} of ${megabytes(model.size)}`, received / model.size);
  }
  if (received !== model.size) {
    throw new Error(`${model.file} has ${megabytes(received)} in place of ${megabytes(model.size)}. ${SHORT}`);
  }
  return bytes;
}

// Resolves once the page has painted its current state.
const painted = () => new Promise((done) => { requestAnimationFrame(() => setTimeout(done)); });

// Changes: each change in plain words and removable, with undo and redo.
function showChanges(told) {
  const { history: { past, future }, refused } = session;
  const node = place("changes");
  node.hidden = !refused && !past.length && !future.length;
  const ways = Object.entries({ undo: past, redo: future, reset: told }).map(([way, some]) => button(
    { class: "small", "data-testid": way, "aria-disabled": String(!some.length) }, () => some.length && change("make", { kind: way }),
    way[0].toUpperCase() + way.slice(1)));
  const each = told.map(({ text, without }) => element("li", {}, button(
    { class: "small", title: "Remove this change", "data-testid": "change" }, () => change("put", without), `${text} ×`)));
  node.replaceChildren(
    element("h2", {}, "What was changed"),
    ...(refused ? [element("p", { class: "refused", role: "alert" }, `This change was not made: ${refused}`)] : []),
    element("p", { class: "ways" }, ...ways),
    each.length ? element("ul", {}, ...each) : element("p", { class: "note" }, "Nothing is changed."));
}

// Posteriors: for all traces of an answer, how likely each source token alone makes each token written. They take as
// long as many translations, so they are computed in pieces that let the page do other things.

const PIECE = 50; // milliseconds

// The answer with its posteriors; null as soon as `wanted` returns false.
async function withPosteriors(answer, wanted) {
  const traces = [];
  for (const [place, trace] of answer.traces.entries()) {
    const posterior = await inPieces(engine.posterior(answer.models[place], trace), wanted);
    if (!posterior) return null;
    traces.push({ ...trace, posterior });
  }
  const payload = engine.payloadOf(traces);
  const drawn = answer.drawn.traces.map((trace, place) => ({ ...trace, posterior: payload[place].posterior }));
  return { ...answer, traces, drawn: { ...answer.drawn, traces: drawn } };
}

async function inPieces(work, wanted) {
  for (let since = -Infinity; ;) {
    if (performance.now() - since > PIECE) {
      await painted();
      if (!wanted()) return null;
      since = performance.now();
    }
    const { done, value } = work.next();
    if (done) return value;
  }
}

// N-best list: the final translations of a beam search, best first. A press shows one in the stepper.

const WIDTH = 5;

const nBest = element("ol", {});
const nBestNote = element("p", { class: "note" });
place("n-best").replaceChildren(
  element("h2", {}, "Beam search"), button({ class: "small", "data-testid": "search" }, search, `Search with a beam of ${WIDTH}`), nBestNote, nBest);

async function search() {
  nBestNote.textContent = "Searching …";
  await painted();
  const model = loaded.get(question.model);
  const hypotheses = engine.search(model, question.sentence, WIDTH);
  nBestNote.textContent = "Ranked by log-probability with length normalisation (Wu et al. 2016, equation 14, α 0.6).";
  nBest.replaceChildren(...hypotheses.map((found, rank) => element("li", {},
    button({ class: "hypothesis", lang: engine.tagOf(languages()[1]), "data-testid": "hypothesis" }, () => showHypothesis(model, found),
      model.tokenizer.decode(found.ids) || "—"),
    quiet(` score ${twoDecimals(found.score)}, log-probability ${twoDecimals(found.logProbability)}`
      + `${rank ? "" : ", the best"}${found.stop === "limit" ? ", cut at the limit" : ""}`))));
}

// Number panel: a clicked number opened at the bottom of the page: its formula, the formula with its numbers, the number
// recomputed, and a way back to earlier ones.

const panel = bottomPanel(place("number"));

// `asked` lists the numbers opened, from the clicked one to the one in view.
function openNumber(asked) {
  const { models, traces, after } = answers;
  const opened = asked.map((one) => engine.unmerged(one, traces[one.trace]));
  const last = opened.at(-1);
  const [trace, model] = [traces[last.trace], models[last.trace]];
  const working = engine.workOut(last, trace, model, data.numbers);
  const owner = traces.length > 1 ? (after ? ["before", "after"][last.trace] : model.title) : "";
  panel.show(engine.nameOf(last, trace, data.numbers.phrases), owner,
    ...(opened.length > 1 ? [button({ class: "back" }, () => openNumber(opened.slice(0, -1)), "‹ Back")] : []),
    element("p", { class: "formula" }, ...mathematics(working.formula)),
    ...(working.terms.length ? [workingView(working, (further) => openNumber([...opened, further]))] : []),
    element("p", { class: "value" }, ...agreement(working)));
}

function agreement({ shown, redone, difference, tolerance, agrees, tells }) {
  if (shown === null) {
    return [element("output", {}, powersOfTen(final(redone))), quiet(" computed here; the translation stores none")];
  }
  const doubt = `. Too small to tell: for a sum of this size, float32 rounds by up to ${powersOfTen(tolerance.toExponential(0))}`;
  return [
    element("output", {}, exact(Math.fround(shown))),
    quiet(` shown · recomputed ${powersOfTen(final(redone))} · difference ${difference ? powersOfTen(difference.toExponential(0)) : "0"}`
      + (agrees && !tells ? doubt : "")),
    ...(agrees ? [] : [element("strong", {}, " These do not agree.")]),
  ];
}

// Questions and views.

// Answers the current question; one asked meanwhile is answered instead.
async function answer() {
  const mine = (turn += 1);
  try {
    const models = [];
    for (const name of question.compare ? names.filter(sameLanguages) : [question.model]) models.push(await called(name));
    if (mine !== turn) return;
    const model = models.find(({ name }) => name === question.model);
    const wrong = problemOf(model, question.sentence, 0, data.longest) || problemOf(model, question.given, 1, data.longest);
    tell(wrong && answers ? `${wrong} ${stillBelow(answers.traces[0].source.text)}` : wrong);
    if (!wrong) show(question.compare ? { models, ...sideBySide(models, question) } : changedAnswer(model));
  } catch (error) {
    tell(`This cannot be translated: ${error.message}`);
  }
}

const sameLanguages = (name) => String(described(name).config.languages) === String(described(question.model).config.languages);

// The translation before and after the changes so far.
function changedAnswer(model) {
  translator ??= translatorOf(model, question, data.longest);
  if (linked) session = engine.changes.put(session, linked, translator);
  linked = null;
  const [before, after] = [engine.UNTOUCHED, session.history.present].map(translator.translate);
  const traces = before === after ? [before] : [before, after];
  return { models: traces.map(() => model), traces, before, after, drawn: changeable(model, question, { before, after }) };
}

// A translation that beam search found.
function showHypothesis(model, { ids, stop }) {
  const trace = engine.force(model, question.sentence, ids, stop);
  show({ models: [model], traces: [trace], before: trace, after: trace, drawn: { traces: engine.payloadOf([trace]) } });
}

function show(found) {
  answers = found;
  panel.close();
  const trace = found.after ?? found.traces[0];
  const text = found.traces.length > 1 && !found.after ? "" : engine.withCarried(trace) || "—";
  const written = text ? marked(trace) : [];
  const lang = engine.tagOf(trace.target.language);
  const other = text && otherOf(found, trace);
  place("translation").replaceChildren(...(other ? comparison(other, text, lang) : [element("span", { lang }, ...written)]));
  place("about").textContent = text ? aboutOf(trace, found.models[0].doubt) : "";
  place("remark").textContent = remarkOf(found.models[0], question.sentence, data);
  document.title = `${trace.source.text}${text ? ` → ${text}` : ""}`;
  const told = found.after ? engine.toldOf(found.models[0].tokenizer, question.sentence, found.before, found.after) : [];
  showChanges(told);
  session = { ...session, refused: "" };
  const opening = engine.tellingStep(found.before ?? found.traces[0], data.telling);
  const settings = { ...view, step: view.step ?? opening, heard: session.heard };
  const named = view.step !== null;
  view.step = null; // a step in the address belongs to the first answer
  draw(settings, named); // last, because it measures the room that is left
  readAfterwards();
}

// The translation to compare with: before the changes, or of the same sentence by the last model that had attention.
function otherOf({ before, after, models: [model] }, trace) {
  if (after && before !== after) return { names: ["before", "after"], text: engine.withCarried(before), told: "" };
  const own = after && !question.given;
  const attends = model.config.score !== "none";
  if (own && attends) attended = { sentence: question.sentence, text: engine.withCarried(trace) };
  return own && !attends && attended?.sentence === question.sentence
    ? { names: ["with attention", "without"], text: attended.text, told: BLIND } : null;
}

function draw(settings, named = true) {
  const shown = { ...answers.drawn, ...settings, id: `${turn} ${performance.now()}`, signed: data.signed, posterior: readable(answers.traces) };
  if (stepper) return stepper.update(shown);
  main.replaceChildren();
  stepper = mount(main, shown, { onInspect: (asked) => openNumber([asked]), onView: keep, onEdit: (edits) => change("hear", edits), onRows: readRows, onTold: headline.tell, onStep: headline.mark, tells: { first: !named } });
}

// True if the posterior can be read: it needs a single attention, which recurrent networks have.
const readable = (traces) => traces.every((trace) => !engine.isTransformer(trace));

// The stepper reports how rows are read from now on.
function readRows(rows) {
  view.rows = rows;
  readAfterwards();
}

async function readAfterwards() {
  const asked = answers;
  const wanted = () => answers === asked && view.rows === AFTERWARDS && readable(asked.traces);
  if (!wanted() || asked.traces.every(({ posterior }) => posterior)) return;
  const found = await withPosteriors(asked, wanted);
  if (!found || !wanted()) return;
  answers = found;
  draw({ ...view, step: seen, heard: session.heard });
}

function keep(looked) {
  view = { ...looked, step: null };
  seen = looked.step;
  const { sentence, given: own, model, compare: all } = question;
  const { step, units, rows, large } = looked;
  const heads = Object.fromEntries(Object.entries(EVERYWHERE).map(([name, usual]) => [name, looked[name] === usual ? "" : looked[name]]));
  writeAddress({
    sentence, given: own, model: names.length > 1 ? model : "", compare: all ? "1" : "",
    change: engine.isUntouched(session.history.present) ? "" : engine.toJson(session.history.present),
    step, units, rows, large: large ? "1" : "", ...heads,
  });
}

// A sentence is read with capitals, apostrophes and spelling corrected, or as typed; never with invisible characters.
function askSentence(text, own, mine = false) {
  const read = mine ? engine.visible(text, languages()[0]) : engine.readAs(text, languages()[0], data.spelling);
  asTyped = read === text ? "" : text;
  ownTyped = own;
  return ask({ sentence: engine.normalise(read, ANY), given: engine.normalise(own, ANY) });
}

// Asks another question; changes belong to the earlier one.
function ask(asked) {
  question = { ...question, ...asked };
  showQuestion();
  session = { ...engine.changes.NOTHING_CHANGED, heard: session.heard };
  translator = null;
  nBestNote.textContent = "";
  nBest.replaceChildren();
  return answer();
}

const languages = () => described(question.model).config.languages;

function use(name) {
  const before = String(described(question.model).config.languages);
  const { config, examples } = described(name);
  const other = String(config.languages) !== before;
  if (other) asTyped = ownTyped = "";
  ask({ model: name, ...(other ? { sentence: Object.values(examples)[0] ?? "", given: "" } : {}) });
  offer(described(question.model));
}

// Changes the session by a function of `engine.changes`; without a translator another question is being answered.
function change(way, asked) {
  if (!translator) return;
  session = engine.changes[way](session, asked, translator);
  answer();
}

function tell(text, share) {
  place("status").textContent = text;
  place("progress").hidden = share === undefined;
  if (share !== undefined) place("progress").value = share;
}

// Reads the question and the view from the page's address after #. All of it is untrusted.
function begin() {
  const said = addressed();
  const text = (name, longest = LONGEST_SENTENCE) => (said.get(name) ?? "").slice(0, longest);
  const change = text("change", LONGEST_CHANGE);
  const { units, rows } = data.view;
  view = { ...viewOf(said, { ...EVERYWHERE, step: null, units, large: false }, rows), edit: Boolean(change) };
  asTyped = ownTyped = "";
  const model = names.find((name) => name === said.get("model")) ?? names[0];
  const first = data.first || (Object.values(described(model).examples)[0] ?? "");
  const sentence = engine.normalise(said.has("sentence") ? text("sentence") : first, ANY);
  question = { sentence, given: engine.normalise(text("given"), ANY), model, compare: said.get("compare") === "1" };
  const answered = ask({});
  offer(described(question.model));
  try {
    linked = change ? engine.interventionFrom(change) : null;
  } catch (error) {
    session = { ...session, refused: error.message };
  }
  return answered;
}

window.addEventListener("hashchange", begin);
tellHeight();

// For the browser's console: `await regard.translate("I love you.")` is what the stepper draws, with every number.
globalThis.regard = Object.freeze({
  engine, names, modelCalled: called,
  translate: async (sentence, changes = {}, own = "", name = names[0]) =>
    engine.payloadOf([engine.translate(await called(name), sentence, engine.interventionOf(changes), own)])[0],
});
const [early, earlyOwn] = [field.value, ownField.value]; // typed before the page was ready to hear of it
begin();
if (early || earlyOwn) askSentence(early || question.sentence, earlyOwn);
