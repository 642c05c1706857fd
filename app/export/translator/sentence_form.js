// Sentence form: the sentence, a translation to force, the model, and whether to compare all models of its languages.

import { button } from "../../components/shared/elements.js";
import { engine } from "../engine/index.js";

const ANY = "any"; // language of what a model reads later, in its own

// `ask(sentence, own, mine)` receives the typed texts, `mine` meaning to read them as typed; `use(name)` another
// model; `typed(text)` a sentence being typed, and `entered()` is called when it is complete.
export function sentenceForm({ ask, use, compare, typed: hear, entered }) {
  const place = (id) => /** @type {any} */ (document.getElementById(id));
  const [field, ownField, choice, all] = ["sentence", "given", "model", "compare"].map(place);
  let shown = /** @type {any} */ (null); // the question that the fields show

  const typed = () => {
    entered();
    const same = field.value === shown.sentence && engine.normalise(ownField.value, ANY) === shown.given;
    if (!same) ask(field.value, ownField.value);
  };
  for (const one of [field, ownField]) {
    one.addEventListener("change", typed);
    one.addEventListener("keydown", (event) => { if (event.key === "Enter" && !event.isComposing) typed(); });
  }
  field.addEventListener("input", () => hear(field.value));
  place("translate").addEventListener("click", () => ask(field.value, ownField.value));
  choice.addEventListener("change", () => use(choice.value));
  all.addEventListener("change", () => compare(all.checked));

  // The page shows other words than the field's last sentence.
  function drafted() {
    shown = { ...shown, sentence: null };
  }

  // The question, with its sentence and the translation to force as typed if they are read otherwise.
  function show(question, { asTyped, ownTyped, languages: [source, target] }) {
    shown = { sentence: asTyped || question.sentence, given: question.given };
    [field.value, ownField.value] = [shown.sentence, shown.given];
    [choice.value, all.checked] = [question.model, question.compare];
    const note = engine.visibleNote(asTyped, source);
    const ownNote = engine.visibleNote(ownTyped, target);
    const corrected = engine.normalise(asTyped, source) !== question.sentence;
    place("read-as").replaceChildren(
      asTyped ? `Read as “${question.sentence}”${note ? ` (${note})` : ""} ` : "",
      corrected && asTyped ? button({ class: "small", "data-testid": "keep-mine" }, () => ask(asTyped, ownField.value, true), "Keep mine") : "",
      ownNote ? ` Forced as “${engine.normalise(ownTyped, target)}” (${ownNote})` : "",
    );
  }

  // Labels of the fields and examples, which depend on the model.
  function offer({ examples, sentenceLabel, ownLabel, invitation }) {
    place("sentence-label").textContent = sentenceLabel;
    place("own-label").textContent = ownLabel;
    field.placeholder = invitation;
    place("examples").replaceChildren(...Object.entries(examples).map(([label, sentence]) =>
      button({ class: "small", title: sentence }, () => ask(sentence, ""), label)));
  }
  return { show, offer, drafted };
}
