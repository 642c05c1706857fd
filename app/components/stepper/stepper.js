// Entry of the stepper.

import { element, nothing } from "../shared/elements.js";
import {
  build,
  drawFrames,
  go,
  keepingFocus,
  listenToUndo,
  pictureOn,
  readable,
  redraw,
  resize,
  stageOf,
  tell,
} from "./stage.js";
import { NOTHING_BESIDE } from "./open_number.js";
import { AFTERWARDS, clamp, stepInDraft } from "./trace_reading.js";

// Stepper: traces side by side on one shared step. `mount` draws them into `parent`, returns how to update and end it.
//
// `beside` shows the arithmetic of a number that was clicked, as open_number.js says.
// `data` comes from payload.py, with step, units, rows and large, and with edit and heard if the translation can be
// changed. `onInspect(quantity)` receives the clicked number, `onView({step, units, rows, large, glosses, edit})` the
// view, `onEdit(changes)` the changes, `onPreview({step, row, nonce})` weights during a drag, to be answered through
// `preview`, `onRows(rows)` whether the posterior is read: `data.posterior` says that it can be requested, and the
// next data bring it. `data.typing.draft` says that the sentence is still being typed: then the step stays at its word
// or at the last one, and its words glide to their new places; `typing` is the switch for that. With `tells`, a sentence
// that is entered is told as a story, the first one too if `tells.first`: `onTold(step)` hears how far, `onStep(step)` the step. `keeping` is the save menu, which stands among the controls.

const SETTINGS = ["units", "rows", "picture", "phase", "large", "attention", "layer", "head"];
const PARTS = "button, td, th, path, .strip"; // a click on these leaves the keyboard focus on the stepper as a whole

/** @param {Record<string, any>} hears */
export function mount(parent, data, hears = {}) {
  const { onInspect = nothing, onView = nothing, onEdit = nothing, onPreview = null, onRows = nothing, beside = NOTHING_BESIDE, onStep = nothing, onTold = nothing, tells = null, keeping = null, typing = null } = hears;
  const root = element("section",
    { class: "stepper", "data-testid": "stepper", "aria-label": "Stepper", tabindex: "-1" });
  const stage = stageOf(root, data, { onInspect, onView, onEdit, onPreview, onRows, onStep, onTold, tells, beside, keeping, typing });
  parent.append(root);
  const update = updating(stage);
  const stopResizing = listenToSize(stage);
  listenToHands(stage, update);
  update(data);
  const beckon = () => stage.frames.at(-1).beckon();
  if (tells?.first) tell(stage, beckon);
  else if (tells) beckon();

  function destroy() {
    stage.story.stop();
    stage.moves.stop();
    stage.stopListening();
    stopResizing();
    stage.presenting.destroy();
    root.remove();
  }
  const shown = () => ({ traces: stage.traces, readings: stage.readings, view: { ...stage.view, picture: pictureOn(stage) }, root, hues: stage.data.signed });
  const present = () => stage.choices.present.click();
  return { update, destroy, open: stage.opened.ask, refresh: stage.opened.refresh, refocus: stage.opened.focus, preview: (answer) => preview(stage, answer), shown, present, go: (step) => go(stage, step) };
}

// Redraws new traces; only settings that differ from the last ones given replace a person's own. The step stays while
// the sentence does: other models are shown at the same step. Nothing is redrawn during a drag; without data, the
// postponed update is drawn.
function updating(stage) {
  let given = /** @type {any} */ ({});
  let postponed = /** @type {any} */ (null);
  return (newData = postponed) => {
    if (!newData) return;
    postponed = stage.root.querySelector(".held") ? newData : null;
    if (postponed) return;
    const data = newData;
    stage.story.end();
    stage.data = data;
    stage.edits.heard(data.heard ?? 0);
    const sentence = data.traces[0].source.words.map((word) => word.text).join(" ");
    const typed = Boolean(stage.traces && (data.typing?.draft || given.draft));
    const step = typed ? stepInDraft(stage.traces.at(-1), stage.view.step, data.traces.at(-1), given.draft) : data.step;
    const places = typed ? placesOf(stage.root) : null;
    const entered = Boolean(given.id) && (sentence !== given.sentence || Boolean(given.draft)) && !data.typing?.draft;
    const handlesOut = Boolean(data.edit && !given.edit);
    if (handlesOut) stage.view.edit = true;
    keepingFocus(stage.root, () => {
      const another = data.id !== given.id;
      if (another || handlesOut) build(stage);
      settle(stage, given);
      stage.view.step = clamp(sentence === given.sentence ? stage.view.step : step, stage.range);
      if (another) stage.opened.close();
      given = { id: data.id, sentence, edit: data.edit, draft: data.typing?.draft, ...Object.fromEntries(SETTINGS.map((name) => [name, data[name]])) };
      if (stage.chooser) drawFrames(stage);
      redraw(stage);
    });
    if (places) glide(stage.root, places);
    if (entered && stage.hears.tells) tell(stage);
  };
}

function settle(stage, given) {
  const { data, view } = stage;
  if (stage.told === data.rows) stage.told = null;
  for (const name of SETTINGS) {
    if (data[name] !== undefined && data[name] !== given[name] && (name !== "rows" || !stage.told)) view[name] = data[name];
  }
  if (view.rows === AFTERWARDS && !readable(stage)) view.rows = "output";
}

// A click leaves the focus on the stepper as a whole, so that arrow keys go on stepping; Tab leads to the parts.
function listenToHands(stage, update) {
  const { root } = stage;
  root.addEventListener("mousedown", (event) => {
    if (!event.composedPath()[0].closest(PARTS)) return;
    event.preventDefault();
    root.focus({ preventScroll: true });
  });
  for (const end of ["pointerup", "pointercancel"]) root.addEventListener(end, () => update());
  listenToUndo(root, (change) => stage.data.what_if && stage.edits.send(change));
}

// Returns a function that stops listening.
function listenToSize(stage) {
  const fit = () => resize(stage);
  let width = 0;
  const observer = new ResizeObserver(([{ contentRect }]) => {
    if (contentRect.width !== width) fit();
    width = contentRect.width;
  });
  observer.observe(stage.root);
  window.addEventListener("resize", fit);
  document.fonts.addEventListener("loadingdone", fit);
  return () => {
    observer.disconnect();
    window.removeEventListener("resize", fit);
    document.fonts.removeEventListener("loadingdone", fit);
  };
}

// The answer to a preview request.
function preview(stage, answer) {
  if (!stage.previews?.answered(answer) || !answer.labels) return;
  const frame = stage.frames.at(-1);
  const said = frame.preview(answer);
  if (said && stage.several) frame.say(said);
  else if (said) stage.says.replaceChildren(said);
}

// The chips of a sentence that is being typed, by text and the number of equal ones before it, and where they stand.
function placesOf(root) {
  const seen = new Map();
  return new Map(Array.from(root.querySelectorAll(".frame :is(.sources, .targets) .chip"), (node) => {
    const text = `${node.closest(".targets") ? "target" : "source"} ${node.textContent}`;
    seen.set(text, (seen.get(text) ?? 0) + 1);
    const { x, y } = node.getBoundingClientRect();
    return [`${text} ${seen.get(text)}`, { node, x, y }];
  }));
}

function glide(root, before) {
  if (window.matchMedia("(prefers-reduced-motion: reduce)").matches || before.size > 100) return;
  for (const [name, { node, x, y }] of placesOf(root)) {
    const from = before.get(name);
    if (from) node.animate([{ transform: `translate(${from.x - x}px, ${from.y - y}px)` }, { transform: "none" }], { duration: 120, easing: "ease-out" });
  }
}
