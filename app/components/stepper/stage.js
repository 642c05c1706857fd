// Stage: everything that a stepper draws, and what a visitor does to it, as one value that each function here changes
// in place. `stage.view` is the view, `stage.data` comes from payload.py, `stage.hears` has the callbacks that
// stepper.js lists.

import { WHOLE, phaseBeside } from "../network/phases.js";
import { networkView } from "../network/view.js";
import { BESIDE } from "../network/drawing.js";
import { listenToKeys, switches, transport } from "../shared/controls.js";
import { button, element, headView, nothing, tooltip, topOf } from "../shared/elements.js";
import { signedPixels } from "../shared/numbers.js";
import { sayAsking } from "./bars.js";
import { draftOf } from "./draft.js";
import { guessView, guessable } from "./guess.js";
import { chooserView, heatmapCanvasView, heatmapView } from "./heatmap.js";
import { openedNumber } from "./open_number.js";
import { panelView } from "./panel.js";
import { sentenceView } from "./sentence.js";
import { mayPlay, stepByHand, storyOf } from "./story.js";
import { sayColumn, sayPlace, sayWeight } from "./step_text.js";
import { AFTERWARDS, ALIGNMENT, EVERYWHERE, NETWORK, clamp, isLarge, limits, lookedAt, ofHead, open, readAs, rowStepOf } from "./trace_reading.js";

// An empty stage; `update` of stepper.js fills it.
export function stageOf(root, data, hears) {
  const { describe, hide } = tooltip(root);
  const stage = {
    root, data, hears, hide,
    view: { step: 0, units: "words", rows: "output", large: false, glosses: Boolean(data.glosses), edit: false, guess: false, ...EVERYWHERE },
    edits: sender(hears.onEdit),
    previews: hears.onPreview && previewer(hears.onPreview),
    opened: openedNumber(root, hears.beside, hears.onInspect),
    drawn: "", // the attention of a Transformer in the frames
    told: null, // how rows are read, until the page has confirmed it
    stopListening: nothing,
  };
  const inspect = (quantity) => stage.opened.ask(quantity);
  stage.act = {
    inspect, describe, previewing: stage.previews?.ask ?? nothing, say: sayWeight, pin: nothing,
    number: (text, quantity) => button({ class: "number" }, () => inspect(quantity), text),
    go: (step) => go(stage, step), advance: () => advance(stage), phase: (phase) => change(stage, { phase }), restore: () => redraw(stage),
  };
  stage.story = storyOf({ show: (step, phase) => tellStep(stage, step, phase), tell: hears.onTold });
  stage.guess = guessView({ on: () => stage.view.guess, trace: () => stage.traces.at(-1), go: (step) => go(stage, step), tell: hears.onTold });
  stage.presenting = presentation(root, () => stage.view.large, () => change(stage, { large: false }));
  return stage;
}

// Redraws everything. The controls come first in keyboard order, though they are drawn below.
export function build(stage) {
  const { root, data, act } = stage;
  stage.hide();
  stage.moves?.stop();
  stage.stopListening();
  stage.columns = element("div", { class: "frames" });
  drawFrames(stage);
  stage.range = limits(stage.traces);
  const editing = data.what_if ? stage.edits.send : null;
  stage.chooser = stage.traces.some((trace) => trace.look) ? chooserView((place) => look(stage, place), editing) : null;
  stage.moves = transport(stage.range, act);
  stage.choices = switches(() => ({ ...stage.view, picture: pictureOn(stage) }), (settings) => change(stage, settings), {
    changeable: Boolean(data.what_if), links: stage.traces.every((trace) => trace.file?.links), posterior: readable(stage) ? AFTERWARDS : "",
    typing: stage.hears.typing, speed: stage.moves.speed,
    guesses: Boolean(data.what_if) && guessable(stage.traces.at(-1)),
  });
  stage.says = element("output", { class: stage.several ? "unseen" : "says", "aria-live": "polite", "data-testid": "announce" });
  const { chips, present, menu, pictures } = stage.choices;
  const viewing = root.querySelector("[data-testid=view][aria-expanded=true]");
  const bar = element("div", { class: "bar-below" }, ...[stage.moves.node, chips, stage.hears.keeping, present, menu].filter(Boolean));
  const chooser = stage.chooser ? [stage.chooser.node] : [];
  const fold = stage.several && !stage.changing ? [foldView(stage)] : [];
  root.replaceChildren(bar, ...(drawable(data) ? [pictures] : []), stage.says, stage.guess.node, ...chooser, stage.columns, ...fold, root.querySelector(".tip"));
  if (viewing) menu.querySelector("button").click();
  root.classList.toggle("several", stage.several);
  root.classList.toggle("changing", stage.changing);
  root.style.setProperty("--columns", stage.traces.length);
  root.style.setProperty("--rows", -stage.range.first);
  stage.stopListening = listenToKeys(root, stage.moves.slider, {
    ...stage.moves.keys, "Shift+ArrowRight": () => byHand(stage, 1), "Shift+ArrowLeft": () => byHand(stage, -1),
  });
}

// The switch that opens what stands below the heatmaps of several columns, in all of them at once.
function foldView(stage) {
  const { root } = stage;
  const node = button({ class: "switch fold", "aria-expanded": String(!root.classList.toggle("folded", !stage.unfolded)) }, () => {
    stage.unfolded = !root.classList.toggle("folded");
    node.setAttribute("aria-expanded", String(stage.unfolded));
    if (stage.unfolded) stage.frames.forEach((frame) => frame.resize());
  }, "Scores, states and next tokens");
  return node;
}

export function drawFrames(stage) {
  const { data, view } = stage;
  const looked = shownAttention(stage);
  const pixels = signedPixels(data.signed);
  stage.drawn = JSON.stringify(looked);
  stage.traces = columnsOf(data, view.edit, looked);
  stage.several = stage.traces.length > 1;
  stage.changing = stage.several && Boolean(data.what_if);
  const { several, changing } = stage;
  stage.frames = stage.traces.map((trace, place) => frameView(trace, pixels, {
    ...stage.act, several, changing, place, editing: changing, hues: data.signed, memory: data.memory,
    edit: data.what_if && place === stage.traces.length - 1 ? stage.edits.send : null,
  }));
  stage.frames.forEach(({ node }, i, { length }) => {
    node.dataset.place = `${i + 1} of ${length}${i + 1 < length ? " →" : ""}`;
  });
  stage.columns.replaceChildren(...stage.frames.map((frame) => frame.node));
}

// One trace's sentence, heatmap and panel of the current step. With several, each describes its own step.

const FEW = 8; // most words or tokens of a sentence written large

function frameView(trace, pixels, shared) {
  let view = /** @type {any} */ (null);
  const draft = draftOf(trace, {
    now: () => rowStepOf(trace, view?.step ?? 0) - 1,
    draw: () => {
      parts.forEach((part) => part.redraw?.());
      if (draft.row() && !trace.atOnce) shared.previewing(placed({ step: rowStepOf(trace, view.step) - 1, row: draft.row() }));
    },
    restore: shared.restore,
    send: (change) => shared.edit?.(trace.look ? { ...placed(change), kind: "head_weights" } : change),
  });
  const placed = (change) => (trace.look ? ofHead(trace, change) : change);
  const act = {
    ...shared, draft, pin: (column) => heat.pin?.(column),
    weighable: shared.edit && (!trace.look || trace.look.head > 0), // a mean of heads is no attention of its own
    rewordable: shared.edit && (!trace.look || trace.look.attention === "cross"),
  };
  const { several } = act;
  const panel = panelView(trace, pixels, act);
  const [sentence, heat] = [sentenceView(trace, act), isLarge(trace) ? heatmapCanvasView(trace, act) : heatmapView(trace, act)];
  /** @type {any[]} */
  const parts = act.changing ? [sentence, panel, heat] : [sentence, heat, panel]; // in visual order
  const network = trace.network && trace.look?.head !== 0 ? networkView(trace, pixels, act) : null;
  if (network) parts.push(network);
  const title = trace.head?.title ?? trace.name;
  const here = element("p", { class: "here", "data-testid": "here" });
  const node = element("article", { class: "frame", "aria-label": title, "data-attention": trace.look?.attention },
    ...(trace.head ? [headView(trace, act)] : several ? [element("h2", { class: "model" }, title)] : []),
    ...(several ? [here] : []),
    element("div", { class: "parts" }, ...parts.map((part) => part.node)));
  function arrange(reading, glosses) {
    draft.flush();
    node.classList.toggle("few", Math.max(reading.columns.length, reading.chips.length) <= FEW);
    for (const part of parts) part.arrange(reading, glosses);
  }
  function show(newView) {
    if (view?.step !== newView.step) draft.flush();
    view = { ...newView };
    const seen = node.closest(".networked") ? [sentence, heat, network] : parts; // the others are drawn once selected
    for (const part of seen) part.show(rowStepOf(trace, view.step), view);
  }
  const resize = () => parts.forEach((part) => part.resize());
  const say = (sentence) => here.replaceChildren(sentence);
  const language = trace.target.language;
  function preview(answer) {
    if (!draft.row()) return null;
    for (const part of parts) part.preview?.(answer);
    return element("div", {}, "With these weights: ", element("span", { class: "whole target-word", lang: language }, answer.text));
  }
  const says = () => network?.says() ?? null; // about the phase that is lit
  return { node, title, says, light: (phase) => network?.lightUp(phase), weighable: Boolean(act.weighable), arrange, show, say, resize, preview, beckon: sentence.beckon };
}

// The attention of a Transformer on view: the encoder's while it reads. The network's picture is of a single head, the
// first if none was chosen.
function shownAttention(stage) {
  const { view } = stage;
  const single = networked(stage);
  return { attention: view.step < 0 ? "encoder" : view.attention, layer: view.layer, head: single ? view.head || 1 : view.head, single };
}

// Shows another head, layer or attention; the encoder's attention is at its reading steps.
function look(stage, { attention = stage.view.attention, layer = stage.view.layer, head = stage.view.head }) {
  const { view } = stage;
  stage.moves.stop();
  if (attention === "encoder") view.step = Math.min(view.step, -1);
  else {
    view.step = Math.max(view.step, 1);
    view.attention = attention;
  }
  Object.assign(view, { layer, head });
  keepingFocus(stage.root, () => relook(stage));
}

// Redraws the frames if they do not show the attention on view.
function relook(stage) {
  if (outdated(stage)) {
    drawFrames(stage);
    redraw(stage);
  } else show(stage);
}
const outdated = (stage) => stage.chooser && JSON.stringify(shownAttention(stage)) !== stage.drawn;

// A moment of the story.
function tellStep(stage, step, phase) {
  const same = stage.view.step === step;
  stage.view.lit = phase;
  if (same && phase) return stage.frames.forEach((frame) => frame.light(phase));
  stage.view.step = step;
  return relook(stage);
}

// Tells the story of a translation, if it may: of one that is shown on its own, not of a sentence that is being typed.
export function tell(stage, then = nothing) {
  if (stage.several || stage.data.typing?.draft || stage.view.guess || !mayPlay()) return then();
  stage.says.setAttribute("aria-live", "off");
  return stage.story.play(stage.range.last, stage.view.step, () => {
    stage.view.lit = "";
    stage.says.setAttribute("aria-live", "polite");
    stage.frames.forEach((frame) => frame.light(""));
    report(stage);
    then();
  });
}

export function go(stage, step) {
  stepByHand();
  stage.view.step = clamp(step, stage.range);
  relook(stage);
}

// Where no picture was chosen, a translation on its own opens with the network, several with their alignments.
export function pictureOn({ view, data }) {
  const single = data.what_if ? !view.edit : data.traces.length === 1;
  return drawable(data) ? view.picture || (single ? NETWORK : ALIGNMENT) : ALIGNMENT;
}
const networked = (stage) => pictureOn(stage) === NETWORK;

// One step further while playing, by phases if one is lit. Returns false at the end.
function advance(stage) {
  const { view, range } = stage;
  const byPhases = networked(stage) && (view.phase ?? WHOLE) !== WHOLE;
  const ends = () => view.step >= range.last && (!byPhases || phaseBeside(view.phase, 1).moves > 0);
  if (ends()) return false;
  if (byPhases) goByPhase(stage, 1);
  else go(stage, view.step + 1);
  return !ends();
}

function byHand(stage, way) {
  if (!networked(stage)) return;
  stage.moves.stop();
  goByPhase(stage, way);
}

// Goes to the next or previous phase, of this step or its neighbour; there is none before the first step.
function goByPhase(stage, way) {
  const { view, range } = stage;
  if (view.step < 1) return go(stage, view.step + way);
  const { phase, moves } = phaseBeside(view.phase, way);
  if (view.step + moves > range.last) return;
  view.phase = phase;
  go(stage, view.step + moves);
}

// True if a step can be drawn as a picture of the network.
const drawable = ({ traces }) => traces.every((trace) => trace.network);

// True if the posterior is available, or can be requested.
export const readable = ({ data, traces }) => Boolean(data.posterior) || traces.every((trace) => trace.posterior);
const asking = ({ view, traces }) => view.rows === AFTERWARDS && !traces.every((trace) => trace.posterior);

function change(stage, settings) {
  const { view, data } = stage;
  if (settings.rows && (settings.rows === AFTERWARDS) !== (view.rows === AFTERWARDS) && data.posterior) {
    stage.told = settings.rows;
    stage.hears.onRows(stage.told);
  }
  if ("large" in settings) stage.presenting.ask(settings.large);
  if (settings.large && networked(stage)) view.picture = NETWORK; // Present goes on with what is on view
  Object.assign(view, settings);
  keepingFocus(stage.root, () => {
    if ("edit" in settings) build(stage);
    else if (outdated(stage)) drawFrames(stage);
    redraw(stage);
  });
}

// Everything is written before anything is measured, so that the page is laid out once.
export function redraw(stage) {
  arrange(stage);
  show(stage);
  resize(stage);
}

function arrange(stage) {
  const { traces, view, frames } = stage;
  stage.presenting.show(view.large);
  stage.root.classList.toggle("networked", networked(stage));
  stage.root.classList.toggle("long", traces[0].source.tokens.length > BESIDE);
  stage.readings = traces.map((trace) => readAs(trace, view));
  stage.opened.over(traces, stage.readings);
  frames.forEach((frame, i) => frame.arrange(stage.readings[i], view.glosses));
  stage.choices.show();
}

function show(stage) {
  const { root, view, traces, frames } = stage;
  view.step = stage.guess.within(view.step);
  root.dataset.step = String(view.step);
  frames.forEach((frame) => frame.show(view));
  stage.moves.show(view.step, sayPlace(view.step, traces));
  root.setAttribute("aria-busy", String(asking(stage)));
  saySteps(stage);
  stage.guess.show();
  stage.chooser?.show(stage.data.traces.findLast((one) => one.heads), stage.data.what_if, shownAttention(stage));
  stage.opened.follow(view.step);
  stage.hears.onStep(view.step);
  report(stage);
}

// Reports the view, except while a story passes through it.
function report(stage) {
  if (stage.story.playing()) return;
  const { step, units, rows, large, glosses, edit: beside, attention, layer, head, picture, phase } = stage.view;
  const heads = stage.chooser ? { attention, layer, head } : {};
  stage.hears.onView({ step, units, rows, large, glosses, edit: beside, ...EVERYWHERE, picture, phase, ...heads });
}

// The sentence about the step: below the controls, or above each of several columns.
function saySteps(stage) {
  const { traces, frames, says } = stage;
  const ofPhase = (i) => (networked(stage) ? frames[i].says() : null);
  const said = traces.map((trace, i) => element("div", {}, ...(asking(stage) ? sayAsking(trace)
    : ofPhase(i) ?? sayColumn(trace, stage.readings[i], stage.view.step, stage.act.number))));
  if (!stage.several) return says.replaceChildren(...said);
  says.textContent = traces.map((trace, i) => `${frames[i].title}: ${said[i].textContent}`).join(" ");
  frames.forEach((frame, i) => frame.say(said[i]));
}

const FRAMED = 720; // pixels of room at most in another page's frame, which may become as high as this page asks for

// The room that the window leaves for the frames, so that all of a short sentence is visible. If it has not changed,
// nothing is written, because that would cost another layout.
export function resize({ root, view, columns, frames }) {
  const above = view.large ? columns.getBoundingClientRect().top : topOf(columns);
  const high = window.parent === window ? window.innerHeight : Math.min(window.innerHeight, FRAMED);
  const room = `${high - above - root.querySelector(".bar-below").offsetHeight}px`;
  if (root.style.getPropertyValue("--room") !== room) root.style.setProperty("--room", room);
  frames.forEach((frame) => frame.resize());
}

// Before and after: two columns; changes are sent until they are acknowledged, and undone by key.


// The traces to show. A changeable one is shown alone, after its changes, and knows what it was before; side by side,
// both columns are equal until something is changed. `look` is the attention of a Transformer that is shown.
export function columnsOf(data, beside, look) {
  const { traces, what_if: offered } = data;
  const opened = (raw, place) => open(lookedAt(raw, look), place);
  if (!offered) return traces.map(opened);
  if (!beside) {
    const before = traces.length > 1 ? opened(traces[0], 0) : null;
    return [{ ...opened({ ...traces.at(-1), changes: offered }, traces.length - 1), before }];
  }
  return [traces[0], traces.at(-1)].map((raw, place) => opened(
    { ...raw, head: offered.heads[place], changes: place ? offered : undefined }, Math.min(place, traces.length - 1)));
}

// `tell(changes)` receives all changes not yet acknowledged, so that none is lost when several come at once.
export function sender(tell) {
  let waiting = [];
  let number = 0;
  function send(change) {
    number = Math.max(number + 1, Date.now());
    waiting.push({ ...change, number });
    tell([...waiting]);
  }
  function heard(last) {
    waiting = waiting.filter((change) => change.number > last);
  }
  return { send, heard };
}

// Ctrl+Z and Ctrl+Shift+Z (or Ctrl+Y), unless text is being typed.
export function listenToUndo(root, send) {
  root.addEventListener("keydown", (event) => {
    const key = event.key.toLowerCase();
    const typing = event.composedPath()[0].matches("input[type=text], input[type=number]");
    if (typing || event.altKey || !(event.ctrlKey || event.metaKey) || !["z", "y"].includes(key)) return;
    event.preventDefault();
    send({ kind: key === "y" || event.shiftKey ? "redo" : "undo" });
  });
}

// Redraws and keeps the keyboard focus: at the same handle, else at the stepper as a whole.
export function keepingFocus(root, draw) {
  const focused = root.getRootNode().activeElement;
  const inside = focused && root.contains(focused);
  const handle = inside && focused.closest("[data-handle]")?.dataset.handle;
  const scrolled = root.matches(".changing") ? root.querySelector(".frames").scrollLeft : null;
  draw();
  if (root.matches(".changing")) {
    const frames = root.querySelector(".frames");
    frames.scrollLeft = scrolled ?? frames.lastChild.offsetLeft; // where a phone starts
  }
  if (!inside || root.contains(focused)) return;
  const same = handle && root.querySelector(`[data-handle="${CSS.escape(handle)}"]`);
  (same || root).focus({ preventScroll: true });
}

// Presentation: the stepper alone and large, full screen if the browser allows it.

// `large()` says whether it is on; `leave()` is called when Escape or the browser ends it.
export function presentation(root, large, leave) {
  const escaped = (event) => large() && event.key === "Escape" && leave();
  const left = () => large() && !document.fullscreenElement && leave();
  document.addEventListener("keydown", escaped);
  document.addEventListener("fullscreenchange", left);

  function ask(wanted) {
    if (wanted) root.requestFullscreen?.().catch(nothing);
    else if (document.fullscreenElement) document.exitFullscreen();
  }
  function show(on) {
    root.classList.toggle("large", on);
    document.documentElement.classList.toggle("presenting", on);
  }
  function destroy() {
    document.removeEventListener("keydown", escaped);
    document.removeEventListener("fullscreenchange", left);
    document.documentElement.classList.remove("presenting");
  }
  return { ask, show, destroy };
}

// Preview: while weights are dragged, the translation that they would give. One request is pending at a time.

const GIVEN_UP = 4000; // milliseconds after which the next request is sent without the answer to the last

function previewer(tell) {
  let waiting = /** @type {any} */ (null);
  let under = 0; // the number of the pending request
  let newest = 0; // the number of the latest answer
  let timer = 0;
  function send() {
    under = Date.now();
    tell({ ...waiting, nonce: under });
    waiting = null;
    timer = setTimeout(done, GIVEN_UP);
  }
  function done() {
    clearTimeout(timer);
    under = 0;
    if (waiting) send();
  }
  function ask(place) {
    waiting = place;
    if (!under) send();
  }
  // True if it answers a later request than the last answer did.
  function answered({ nonce }) {
    if (nonce === under) done();
    if (!(nonce > newest)) return false;
    newest = nonce;
    return true;
  }
  return { ask, answered };
}
