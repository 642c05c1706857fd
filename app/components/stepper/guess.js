// Guess where it looks: before each step the visitor presses the source word that he expects to have the most weight.
// No step is shown before it was guessed. The score stands beside that of the diagonal, which expects position t of the
// source at step t, and of the seven days before, which this browser remembers.

import { button, element, rove, sideways } from "../shared/elements.js";
import { percent } from "../shared/numbers.js";
import { stored } from "./requests.js";
import { fedAt, readAs, where } from "./trace_reading.js";

const STORE = "regard-guesses"; // in localStorage: steps guessed, rightly, and rightly by the diagonal, by day
const WEEK = 7;

// True for a trace whose steps can be guessed: a decoder's attention, or one of its heads.
export const guessable = (trace) => trace.attends && (trace.look?.attention ?? "cross") === "cross";

// The columns with the most weight at step t, counted from 0, and the one on the diagonal.
export function answerAt(reading, t) {
  const weights = reading.atStep(t);
  const most = Math.max(...weights);
  return { most, heaviest: where(weights, (weight) => weight === most), diagonal: reading.columnOf[Math.min(t, reading.columnOf.length - 1)] };
}

// The days with one more guess. Those that no score needs any more are left out.
export function counted(days, today, right, diagonal) {
  const recent = Object.entries(days).filter(([day, counts]) => Number(day) >= today - WEEK && counts?.length === 3);
  const [steps, ...rightly] = days[today] ?? [0, 0, 0];
  return { ...Object.fromEntries(recent), [today]: [steps + 1, rightly[0] + Number(right), rightly[1] + Number(diagonal)] };
}

export function sayScore(days, today) {
  const [steps, right, diagonal] = days[today] ?? [0, 0, 0];
  const before = where(Array.from({ length: WEEK }, (_, back) => days[today - 1 - back]), Boolean);
  const sum = (place) => before.reduce((total, back) => total + days[today - 1 - back][place], 0);
  return [
    ...(steps ? [`Today you were right at ${right} of ${steps} ${steps === 1 ? "step" : "steps"}, the diagonal, which takes the source tokens in turn, at ${diagonal}.`] : []),
    ...(before.length ? [`In the seven days before, you were right at ${percent(sum(1) / sum(0))} of ${sum(0)}.`] : []),
  ].join(" ");
}

const today = () => Math.floor((Date.now() / 60_000 - new Date().getTimezoneOffset()) / (24 * 60));
const remembered = () => stored((storage) => JSON.parse(storage.getItem(STORE) ?? "{}")) ?? {};

// `on()` says whether the visitor guesses, `trace()` is the trace on view; `go(step)` shows a step, and `tell(step)`
// the translation up to a step, or all of it for null.
export function guessView({ on, trace, go, tell }) {
  const [question, outcome, score] = ["p", "output", "p"].map((tag) => element(tag, { class: "about" }));
  const words = element("div", { class: "words", role: "group", "aria-label": "Source words" });
  const node = element("div", { class: "guess", role: "group", "aria-label": "Guess where it looks", "data-testid": "guessing", hidden: "hidden" },
    element("div", { class: "asks-for" }, outcome, question), element("div", { class: "asks-for" }, words, score));
  let shown = 0; // steps guessed
  let sentence = "";
  let days = remembered();
  rove(words, () => [...words.children], sideways);
  const active = () => on() && guessable(trace());
  const read = () => readAs(trace(), { units: "words", rows: "output" });

  // The step that may be shown in place of this one. Another sentence, another model or the switch begins anew.
  function within(step) {
    if (!active()) {
      if (sentence) tell(null);
      sentence = "";
      return step;
    }
    const { name, source } = trace();
    const asked = JSON.stringify([name, source.words.map(({ text }) => text)]);
    if (asked !== sentence) {
      [sentence, shown] = [asked, 0];
      outcome.textContent = "";
      words.replaceChildren(...read().columns.map((label, column) => button(
        { class: "switch", tabindex: column ? -1 : 0, "aria-label": `${label.text}, word ${column + 1}` }, () => press(column), trace().sourceToken(label))));
    }
    return Math.min(step, shown);
  }

  function press(column) {
    const reading = read();
    const { most, heaviest, diagonal } = answerAt(reading, shown);
    const right = heaviest.includes(column);
    days = counted({ ...days, ...remembered() }, today(), right, heaviest.includes(diagonal));
    stored((storage) => storage.setItem(STORE, JSON.stringify(days)));
    shown += 1;
    const word = (place) => `“${reading.columns[place].text}”`;
    const looked = `step ${shown} looks most at ${word(heaviest[0])} (${percent(most)}).`;
    outcome.textContent = right ? `Right: ${looked}` : `You pressed ${word(column)}; ${looked}`;
    go(shown);
    if (shown >= trace().writes) node.closest(".stepper").focus({ preventScroll: true }); // the words are gone
  }

  function show() {
    node.hidden = !active();
    if (node.hidden) return;
    const over = shown >= trace().writes;
    words.hidden = over;
    question.replaceChildren(...(over ? ["Every step is guessed."]
      : [`Step ${shown + 1}: after `, element("b", { class: "target-word" }, trace().targetToken(fedAt(trace(), shown))), ", which word will it look at most?"]));
    score.textContent = sayScore(days, today());
    tell(shown);
  }
  return { node, within, show };
}
