// Stage: the state of a stepper's drawing and its view, as one value that each function here changes in place.
//
// `stage.view` is the view, `stage.data` comes from payload.py, `stage.hears` has the callbacks that stepper.js lists.

import { listenToKeys, switches, transport } from "../shared/controls.js";
import { button, element, nothing, tooltip, topOf } from "../shared/elements.js";
import { signedPixels } from "../shared/numbers.js";
import { BESIDE } from "../network/layout.js";
import { phaseBeside, WHOLE } from "../network/phases.js";
import { columnsOf, keepingFocus, sender } from "./before_after.js";
import { chooserView } from "./chooser.js";
import { frameView } from "./frame.js";
import { EVERYWHERE } from "./heads.js";
import { openedNumber } from "./open_number.js";
import { sayAsking } from "./posterior.js";
import { presentation } from "./presentation.js";
import { previewer } from "./preview.js";
import { sayColumn, sayPlace, sayWeight } from "./step_text.js";
import { AFTERWARDS, ALIGNMENT, clamp, limits, NETWORK, readAs } from "./trace_reading.js";
import { welcomeOf } from "./welcome.js";

const ROOMY = "(min-width: 1800px) and (min-height: 900px)"; // as in network.css

// An empty stage; `update` of stepper.js fills it.
export function stageOf(root, data, hears) {
  const { describe, hide } = tooltip(root);
  const stage = {
    root, data, hears, hide,
    view: { step: 0, units: "words", rows: "output", large: false, glosses: Boolean(data.glosses), edit: false, ...EVERYWHERE },
    edits: sender(hears.onEdit),
    previews: hears.onPreview && previewer(hears.onPreview),
    welcome: welcomeOf(root, hears.visit),
    opened: openedNumber(root, hears.beside, hears.onInspect),
    drawn: "", // the attention of a Transformer in the frames
    roomy: !data.large && window.matchMedia(ROOMY).matches,
    told: null, // how rows are read, until the page has confirmed it
    stopListening: nothing,
  };
  const inspect = (quantity) => {
    stage.welcome.did("number");
    stage.opened.ask(quantity);
  };
  stage.act = {
    inspect, describe, previewing: stage.previews?.ask ?? nothing, say: sayWeight, pin: nothing,
    number: (text, quantity) => button({ class: "number" }, () => inspect(quantity), text),
    go: (step) => go(stage, step), advance: () => advance(stage), phase: (phase) => change(stage, { phase }), restore: () => redraw(stage),
  };
  stage.presenting = presentation(root, () => stage.view.large, () => change(stage, { large: false }));
  return stage;
}

function edit(stage, change) {
  stage.welcome.did("line");
  stage.edits.send(change);
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
  const editing = data.what_if ? (change) => edit(stage, change) : null;
  stage.chooser = stage.traces.some((trace) => trace.look) ? chooserView((place) => look(stage, place), editing) : null;
  stage.moves = transport(stage.range, act);
  if (stage.hears.keeping) stage.moves.node.append(stage.hears.keeping);
  stage.choices = switches(() => ({ ...stage.view, picture: pictureOn(stage) }), (settings) => change(stage, settings), {
    changeable: Boolean(data.what_if), links: stage.traces.every((trace) => trace.file?.links), posterior: readable(stage) ? AFTERWARDS : "",
  });
  if (stage.hears.typing) stage.choices.node.append(stage.hears.typing);
  stage.says = element("output", { class: stage.several ? "unseen" : "says", "aria-live": "polite", "data-testid": "announce" });
  const bar = element("div", { class: "bar-below" }, stage.moves.node, stage.choices.node);
  const chooser = stage.chooser ? [stage.chooser.node] : [];
  const pictures = drawable(data) ? [stage.choices.pictures] : [];
  root.replaceChildren(bar, ...pictures, stage.says, ...chooser, stage.columns, root.querySelector(".tip"));
  root.classList.toggle("several", stage.several);
  root.classList.toggle("changing", stage.changing);
  root.style.setProperty("--columns", stage.traces.length);
  root.style.setProperty("--rows", -stage.range.first);
  stage.stopListening = listenToKeys(root, stage.moves.slider, {
    ...stage.moves.keys, "Shift+ArrowRight": () => byHand(stage, 1), "Shift+ArrowLeft": () => byHand(stage, -1),
  });
}

export function drawFrames(stage) {
  const { data, view } = stage;
  const looked = lookedAt(stage);
  const pixels = signedPixels(data.signed);
  stage.drawn = JSON.stringify(looked);
  stage.traces = columnsOf(data, view.edit, looked);
  stage.several = stage.traces.length > 1;
  stage.changing = stage.several && Boolean(data.what_if);
  const { several, changing } = stage;
  stage.frames = stage.traces.map((trace, place) => frameView(trace, pixels, {
    ...stage.act, several, changing, place, editing: changing, hues: data.signed, memory: data.memory,
    edit: data.what_if && place === stage.traces.length - 1 ? (change) => edit(stage, change) : null,
  }));
  stage.frames.forEach(({ node }, i, { length }) => {
    node.dataset.place = `${i + 1} of ${length}${i + 1 < length ? " →" : ""}`;
  });
  stage.columns.replaceChildren(...stage.frames.map((frame) => frame.node));
}

// The attention of a Transformer on view: the encoder's while it reads. The network's picture is of a single head, the
// first if none was chosen.
function lookedAt(stage) {
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
const outdated = (stage) => stage.chooser && JSON.stringify(lookedAt(stage)) !== stage.drawn;

export function go(stage, step) {
  stage.welcome.did("step");
  stage.view.step = clamp(step, stage.range);
  relook(stage);
}

// Where no picture was chosen it is the network of a single translation that opens in a window with room for its heatmap too.
export function pictureOn({ view, data, roomy }) {
  const single = Boolean(data.what_if) || data.traces.length === 1;
  return drawable(data) ? view.picture || (roomy && single ? NETWORK : ALIGNMENT) : ALIGNMENT;
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
  root.dataset.step = String(view.step);
  frames.forEach((frame) => frame.show(view));
  stage.moves.show(view.step, sayPlace(view.step, traces));
  root.setAttribute("aria-busy", String(asking(stage)));
  saySteps(stage);
  stage.welcome.show(frames.at(-1).weighable && view.rows !== AFTERWARDS, stage.several ? null : stage.says.firstChild);
  stage.chooser?.show(stage.data.traces.findLast((one) => one.heads), stage.data.what_if, lookedAt(stage));
  stage.opened.follow(view.step);
  const { step, units, rows, large, glosses, edit: beside, attention, layer, head, picture, phase } = view;
  const heads = stage.chooser ? { attention, layer, head } : {};
  stage.hears.onView({ step, units, rows, large, glosses, edit: beside, ...EVERYWHERE, picture, phase, ...heads });
}

// The sentence about the step: below the controls, or above each of several columns.
function saySteps(stage) {
  const { traces, frames, says } = stage;
  const said = traces.map((trace, i) => element("div", {}, ...(asking(stage) ? sayAsking(trace)
    : sayColumn(trace, stage.readings[i], stage.view.step, stage.act.number))));
  if (!stage.several) return says.replaceChildren(...said);
  says.textContent = traces.map((trace, i) => `${frames[i].title}: ${said[i].textContent}`).join(" ");
  frames.forEach((frame, i) => frame.say(said[i]));
}

// The room that the window leaves for the frames, so that all of a short sentence is visible. If it has not changed,
// nothing is written, because that would cost another layout.
export function resize({ root, view, columns, frames }) {
  const above = view.large ? columns.getBoundingClientRect().top : topOf(columns);
  const room = `${window.innerHeight - above - root.querySelector(".bar-below").offsetHeight}px`;
  if (root.style.getPropertyValue("--room") !== room) root.style.setProperty("--room", room);
  frames.forEach((frame) => frame.resize());
}
