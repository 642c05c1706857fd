// Translator: the page's state, and what happens when something is asked, changed, looked at or clicked.

import { button, element } from "../../components/shared/elements.js";
import { mount } from "../../components/stepper/stepper.js";
import { engine } from "../engine/index.js";
import { addressWriter, askedByAddress } from "./address.js";
import { aboutOf, changeable, problemOf, remarkOf, sideBySide, translations } from "./answers.js";
import { changesView } from "./changes.js";
import { derivationView } from "./derivation.js";
import { formulaOf } from "./formulas.js";
import { nBestView } from "./n_best.js";
import { painted, weightsOf } from "./weights.js";

const data = JSON.parse(document.getElementById("data").textContent);
const [field, ownField, choice, compare] = ["sentence", "given", "model", "compare"].map((id) => document.getElementById(id));
const place = (id) => document.getElementById(id);
const main = document.querySelector("main");
const names = data.models.map(({ name }) => name);
const loaded = new Map(); // models whose weights are read, by name
const writeAddress = addressWriter();

let question = null; // {sentence, given, model, compare}
let view = null; // {step, units, rows, large, edit}
let history = engine.history.BEGINNING;
let refused = ""; // why the last change was not made
let heard = 0; // the number of the last change that the stepper sent
let answers = null; // {models, traces, before, after}
let opened = []; // numbers, from the one that was clicked to the one in view
let stepper = null;
let turn = 0;

const described = (name) => data.models.find((model) => model.name === name);

async function modelCalled(name) {
  if (!loaded.has(name)) {
    const { tokenizer, ...about } = described(name);
    const weights = await weightsOf(about, names.indexOf(name), tell);
    tell(`Reading the weights of ${name} …`);
    await painted();
    loaded.set(name, { ...about, ...engine.modelOf({ ...about, tokenizer, weights }) });
  }
  return loaded.get(name);
}

// Answers the question as it stands; what is asked meanwhile is answered instead.
async function answer() {
  const mine = (turn += 1);
  try {
    const models = [];
    for (const name of question.compare ? names.filter(sameLanguages) : [question.model]) models.push(await modelCalled(name));
    if (mine !== turn) return;
    const model = models.find(({ name }) => name === question.model);
    const wrong = problemOf(model, question.sentence, 0, data.longest) || problemOf(model, question.given, 1, data.longest);
    tell(wrong);
    if (!wrong) show(question.compare ? { models, ...sideBySide(models, question) } : changedAnswer(model));
  } catch (error) {
    tell(`This cannot be translated: ${error.message}`);
  }
}

const sameLanguages = (name) => String(described(name).config.languages) === String(described(question.model).config.languages);

// With the changes so far; those that cannot be made are refused, and the last ones that could stay.
function changedAnswer(model) {
  let made;
  try {
    made = translations(model, question, history.present);
  } catch (error) {
    refused = error.message;
    history = history.past.length ? engine.history.WAYS.undo(history) : engine.history.BEGINNING;
    made = translations(model, question, history.present);
  }
  const { before, after } = made;
  const traces = before === after ? [before] : [before, after];
  return { models: traces.map(() => model), traces, before, after, drawn: changeable(model, question, made) };
}

// A translation that beam search found.
function showHypothesis({ ids, stop }) {
  const model = loaded.get(question.model);
  const trace = engine.force(model, question.sentence, ids, stop);
  show({ models: [model], traces: [trace], before: trace, after: trace, drawn: { traces: engine.payloadOf([trace]) } });
}

function show({ drawn, ...found }) {
  answers = found;
  close();
  const trace = found.after ?? found.traces[0];
  const opening = Math.floor((Math.max(...found.traces.map(({ targetIds }) => targetIds.length)) + 1) / 2);
  const settings = { ...view, step: view.step ?? opening, heard, id: `${turn} ${performance.now()}`, signed: data.signed };
  view.step = null; // a step in the address is that of the first answer
  if (stepper) stepper.update({ ...drawn, ...settings });
  else {
    main.replaceChildren();
    stepper = mount(main, { ...drawn, ...settings }, { onInspect: (asked) => inspect([asked]), onView: keep, onEdit: edit });
  }
  const text = found.traces.length > 1 && !found.after ? "" : trace.target.text || "—";
  place("translation").replaceChildren(element("span", { lang: engine.tagOf(trace.target.language) }, text));
  place("about").textContent = text ? aboutOf(trace, data.unsure) : "";
  place("remark").textContent = remarkOf(found.models[0], question.sentence, data);
  document.title = `${trace.source.text}${text ? ` → ${text}` : ""}`;
  const told = found.after ? engine.toldOf(found.models[0].tokenizer, question.sentence, found.before, found.after) : [];
  changes.show(history, told, refused);
  refused = "";
}

function keep(looked) {
  view = { ...looked, step: null };
  const { sentence, given: own, model, compare: all } = question;
  const { step, units, rows, large } = looked;
  writeAddress({
    sentence, given: own, model: names.length > 1 ? model : "", compare: all ? "1" : "",
    change: engine.isUntouched(history.present) ? "" : engine.toJson(history.present),
    step, units, rows, large: large ? "1" : "",
  });
}

// Asks something else; what was changed belongs to what was asked before.
function ask(asked) {
  question = { ...question, ...asked };
  [field.value, ownField.value] = [question.sentence, question.given];
  [choice.value, compare.checked] = [question.model, question.compare];
  history = engine.history.BEGINNING;
  nBest.clear();
  return answer();
}

function use(name) {
  const before = String(described(question.model).config.languages);
  const { config, examples } = described(name);
  const other = String(config.languages) !== before;
  ask({ model: name, ...(other ? { sentence: Object.values(examples)[0] ?? "", given: "" } : {}) });
  offerExamples();
}

function offerExamples() {
  const { examples, sentenceLabel, ownLabel, invitation } = described(question.model);
  place("sentence-label").textContent = sentenceLabel;
  place("own-label").textContent = ownLabel;
  field.placeholder = invitation;
  place("examples").replaceChildren(...Object.entries(examples).map(([label, sentence]) =>
    button({ class: "small", title: sentence }, () => ask({ sentence, given: "" }), label)));
}

function edit(edits) {
  for (const { number, ...asked } of edits) {
    if (number <= heard) continue;
    heard = number;
    make(asked);
  }
  answer();
}

function make(asked) {
  const { WAYS, changed } = engine.history;
  try {
    if (Object.hasOwn(WAYS, asked.kind)) history = WAYS[asked.kind](history);
    else {
      const { tokenizer } = loaded.get(question.model);
      const changes = engine.edited(asked, { tokenizer, sentence: question.sentence, shown: answers.after });
      const wrong = problemOf(loaded.get(question.model), engine.reworded(loaded.get(question.model), question.sentence, changes), 0, data.longest);
      if (wrong) throw new Error(wrong);
      history = changed(history, changes);
    }
  } catch (error) {
    refused = error.message;
  }
}

function inspect(asked) {
  opened = asked.map((one) => engine.unmerged(one, answers.traces[one.trace]));
  const last = opened.at(-1);
  const [trace, model] = [answers.traces[last.trace], answers.models[last.trace]];
  const working = engine.workOut(last, trace, model);
  const asking = trace.maker.wiring === "bahdanau" ? last.step - 1 : last.step;
  const owner = answers.traces.length > 1 ? (answers.after ? ["before", "after"][last.trace] : model.title) : "";
  const panel = place("number");
  panel.replaceChildren(...derivationView(
    { working, name: engine.nameOf(last, trace, data.phrases), formula: formulaOf(working.form, last, asking), owner, asked: opened },
    { open: (further) => inspect([...opened, further]), back: () => inspect(opened.slice(0, -1)), close }));
  panel.hidden = false;
  room();
}

function close() {
  if (place("number").hidden) return;
  place("number").hidden = true;
  room();
}

// The steps stay above what is told.
const room = () => document.documentElement.style.setProperty("--below", `${place("number").offsetHeight}px`);

function tell(text, share) {
  place("status").textContent = text;
  place("progress").hidden = share === undefined;
  if (share !== undefined) place("progress").value = share;
}

const changes = changesView(place("changes"), {
  go: (way) => { make({ kind: way }); answer(); },
  put: (present) => { history = engine.history.changed(history, present); answer(); },
});
const nBest = nBestView(place("n-best"), {
  search(width) {
    const model = loaded.get(question.model);
    const language = engine.tagOf(model.config.languages[1]);
    return engine.search(model, question.sentence, { width }).map((found) =>
      ({ ...found, language, text: model.tokenizer.decode(found.ids) }));
  },
  show: showHypothesis,
});

function begin() {
  const asked = askedByAddress(names, data.view);
  const first = Object.values(described(asked.model).examples)[0] ?? "";
  view = { step: asked.step, units: asked.units, rows: asked.rows, large: asked.large, edit: Boolean(asked.change) };
  question = { sentence: engine.normalise(asked.sentence ?? first), given: engine.normalise(asked.given), model: asked.model, compare: asked.compare };
  const answered = ask({});
  offerExamples();
  try {
    if (asked.change) history = engine.history.changed(history, engine.interventionFrom(asked.change));
  } catch (error) {
    refused = error.message;
  }
  return answered;
}

const typed = () => {
  const asked = { sentence: engine.normalise(field.value), given: engine.normalise(ownField.value) };
  if (asked.sentence !== question.sentence || asked.given !== question.given) ask(asked);
};
for (const one of [field, ownField]) {
  one.addEventListener("change", typed);
  one.addEventListener("keydown", (event) => { if (event.key === "Enter" && !event.isComposing) typed(); });
}
place("translate").addEventListener("click", () => ask({ sentence: engine.normalise(field.value), given: engine.normalise(ownField.value) }));
choice.addEventListener("change", () => use(choice.value));
compare.addEventListener("change", () => ask({ compare: compare.checked }));
window.addEventListener("resize", room);
window.addEventListener("hashchange", begin);
window.addEventListener("keydown", (event) => { if (event.key === "Escape") close(); });

// For the browser's console: `await regard.translate("I love you.")` is what the stepper draws, with every number.
globalThis.regard = Object.freeze({
  engine, names, modelCalled,
  translate: async (sentence, changes = {}, own = "", name = names[0]) =>
    engine.payloadOf([engine.translate(await modelCalled(name), sentence, engine.interventionOf(changes), own)])[0],
});
begin();
