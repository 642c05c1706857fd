// Entry of the stepper, and the gliding of its parts.

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
// or at the last one, and the drawing glides to its new place; `typing` is the switch for that. With `tells`, a sentence
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
    const [places, step = data.step] = typed ? [placesOf(stage.root),
      stepInDraft(stage.traces.at(-1), stage.view.step, data.traces.at(-1), given.draft)] : [];
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
    if (typed) glide(stage.root, places);
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

// Gliding: while a sentence is typed, parts that one translation shares with the next move to their new places.
//
// A token is identified by its text and the number of equal tokens before it, a line of the step by its source. The cells
// of the heatmap stand where they are drawn: each part that moves is styled and drawn again in every frame.


const TIME = 120; // milliseconds
const MOST = 100; // parts that move; if there are more, all are drawn in their new places

// The current place of everything, by name.
export function placesOf(root) {
  return new Map(Array.from(named(root), ([name, node]) => [name, where(node)]));
}

// Moves the parts in `before` from there to their current places.
function glide(root, before) {
  if (window.matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  const moved = Array.from(named(root), ([name, node]) => ({ node, from: before.get(name), to: where(node) }));
  if (moved.length > MOST) return;
  for (const { node, from, to } of moved) {
    if (from && from.x !== undefined) slide(node, from.x - to.x, from.y - to.y);
    else if (from && from.d && to.d) node.animate([{ d: `path("${from.d}")` }, { d: `path("${to.d}")` }], ease);
  }
}

const ease = { duration: TIME, easing: "ease-out" };

function slide(node, x, y) {
  if (Math.abs(x) + Math.abs(y) < 1) return;
  node.animate([{ transform: `translate(${x}px, ${y}px)` }, { transform: "none" }], ease);
}

function where(node) {
  if (node.tagName === "path") return { d: node.hasAttribute("hidden") ? "" : node.getAttribute("d") };
  const { x, y } = node.getBoundingClientRect();
  return { x, y };
}

function* named(root) {
  for (const frame of root.querySelectorAll(".frame")) {
    const of = (selector) => Array.from(frame.querySelectorAll(selector));
    const [sources, targets] = [of(".sources > .chip"), of(".targets .chip")].map(counted);
    yield* sources.map(([name, node]) => [`source ${name}`, node]);
    yield* targets.map(([name, node]) => [`target ${name}`, node]);
    yield* of(".row-lines path").map((path, column) => [`line ${sources[column]?.[0]}`, path]);
  }
}

// Nodes with their texts as names, numbered if several are equal.
function counted(nodes) {
  const seen = new Map();
  return nodes.map((node) => {
    const text = node.textContent;
    seen.set(text, (seen.get(text) ?? 0) + 1);
    return [`${text} ${seen.get(text)}`, node];
  });
}
