// Stepper: traces side by side on one shared step.
//
// `mount` draws them into `parent`. Its `stage` is everything that a stepper draws, and what a visitor does to it, as one
// value that each function here changes in place: `stage.view` is the view, `stage.data` comes from payload.py, with the
// opening's settings, and with edit and heard if the translation can be changed; `stage.host` is the page around it.

import { networkView } from "../network/view.js";
import { BESIDE } from "../network/drawing.js";
import { goesOn, label, likeliestLabels } from "../shared/alignment.js";
import { listenToKeys, switches, transport } from "../shared/controls.js";
import { button, element, headView, nothing, tooltip, topOf } from "../shared/elements.js";
import { signedPixels } from "../shared/numbers.js";
import { draftOf } from "./dragging.js";
import { guessView, guessable } from "./guess.js";
import { chooserView, heatmapCanvasView, heatmapView } from "./heatmap.js";
import { panelView } from "./panel.js";
import { NOTHING_BESIDE, latest, openedNumber, sender } from "./requests.js";
import { sentenceView } from "./sentence.js";
import { mayPlay, stepByHand, storyOf } from "./story.js";
import { WHOLE, phaseBeside, sayColumn, sayPlace, sayWeight } from "./step_text.js";
import {
  AFTERWARDS, ALIGNMENT, EVERYWHERE, NETWORK, clamp, isLarge, limits, lookedAt, ofHead, onOneScale, open, readAs, rowStepOf,
  stepInDraft,
} from "./trace_reading.js";

// The page around a stepper, which hears what it says.
const HOST = {
  onInspect: nothing, // the number that was clicked
  onView: nothing, // the view, whenever it changes
  onEdit: nothing, // changes of the translation, until data acknowledge them
  onPreview: null, // weights during a drag, {step, row, nonce}, to be answered through `preview`
  onRows: nothing, // whether the posterior is read: `data.posterior` says that it can be requested; the next data bring it
  onStep: nothing, // the step on view
  onTold: nothing, // how far a story has come
  beside: NOTHING_BESIDE, // shows the arithmetic of a number, as requests.js says
  tells: null, // a sentence that is entered is told as a story, the first one too if `tells.first`
  keeping: null, // the save menu, which stands among the controls
  typing: null, // the switch of requests.js; while `data.typing.draft`, the step stays at its word or at the last one
};
const SETTINGS = ["units", "rows", "picture", "phase", "large", "attention", "layer", "head"];
const PARTS = "button, td, th, path, .strip"; // a click on these leaves the keyboard focus on the stepper as a whole
const GIVEN_UP = 4000; // milliseconds after which the next preview is requested without the answer to the last

/** @param {Record<string, any>} host */
export function mount(parent, data, host = {}) {
  const root = element("section",
    { class: "stepper", "data-testid": "stepper", "aria-label": "Stepper", tabindex: "-1" });
  const gone = new AbortController();
  const stage = stageOf(root, data, { ...HOST, ...host }, gone.signal);
  parent.append(root);
  const update = updating(stage);
  listenToSize(stage, gone.signal);
  listenToHands(stage, update);
  update(data);
  const beckon = () => stage.frames.at(-1).beckon();
  if (host.tells?.first) tell(stage, beckon);
  else if (host.tells) beckon();

  const shown = () => ({
    traces: stage.traces, readings: stage.readings, view: { ...stage.view, picture: pictureOn(stage) }, root,
    hues: stage.data.signed,
  });
  return {
    update, shown, open: stage.opened.ask, refresh: stage.opened.refresh, refocus: stage.opened.focus,
    preview: (answer) => preview(stage, answer), present: () => stage.choices.present.click(),
    go: (step) => go(stage, step),
    destroy() {
      stage.story.stop();
      stage.moves.stop();
      stage.stopListening();
      gone.abort();
      root.remove();
    },
  };
}

function stageOf(root, data, host, gone) {
  const { hide } = tooltip(root);
  const stage = {
    root, data, host, hide,
    view: { step: 0, units: "words", rows: "output", large: false, glosses: Boolean(data.glosses), edit: false,
      guess: false, lit: "", ...EVERYWHERE },
    edits: sender(host.onEdit),
    previews: latest((place, nonce) => host.onPreview({ ...place, nonce }), GIVEN_UP),
    previewed: 0, // the number of the latest answer
    opened: openedNumber(root, host.beside, host.onInspect),
    drawn: "", // the attention of a Transformer in the frames
    requested: null, // how rows are read, until the page has confirmed it
    stopListening: nothing,
    told: element("output", { class: "unseen", "aria-live": "polite", "data-testid": "told" }), // at the end of a story
  };
  const inspect = (quantity) => stage.opened.ask(quantity);
  stage.act = {
    inspect, previewing: host.onPreview ? stage.previews.ask : nothing, say: sayWeight, pin: nothing,
    number: (text, quantity, says = nothing) => button({ class: "number", says }, () => inspect(quantity), text),
    go: (step) => go(stage, step), advance: () => advance(stage), pause: () => pause(stage), phase: (phase) => change(stage, { phase }),
    restore: () => redraw(stage),
  };
  stage.story = storyOf({
    show(step, phase) {
      const same = stage.view.step === step;
      stage.view.lit = phase;
      if (same && phase) return stage.frames.forEach((frame) => frame.light(phase));
      stage.view.step = step;
      return relook(stage);
    },
    tell: host.onTold,
  });
  stage.guess = guessView({ on: () => stage.view.guess, trace: () => stage.traces.at(-1), go: (step) => go(stage, step),
    tell: host.onTold });
  stage.presenting = presentation(root, () => stage.view.large, () => change(stage, { large: false }), gone);
  return stage;
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
    const sentence = data.traces[0].source.words.join(" ");
    const typed = Boolean(stage.traces && (data.typing?.draft || given.draft));
    const step = typed ? stepInDraft(stage.traces.at(-1), stage.view.step, data.traces.at(-1), given.draft) : data.step;
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
    if (entered && stage.host.tells) tell(stage);
  };
}

function settle(stage, given) {
  const { data, view } = stage;
  if (stage.requested === data.rows) stage.requested = null;
  for (const name of SETTINGS) {
    const waits = name === "rows" && stage.requested;
    if (data[name] !== undefined && data[name] !== given[name] && !waits) view[name] = data[name];
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
  // Ctrl+Z and Ctrl+Shift+Z (or Ctrl+Y), unless text is being typed.
  root.addEventListener("keydown", (event) => {
    const key = event.key.toLowerCase();
    const typing = event.composedPath()[0].matches("input[type=text], input[type=number]");
    if (typing || event.altKey || !(event.ctrlKey || event.metaKey) || !["z", "y"].includes(key)) return;
    event.preventDefault();
    if (stage.data.what_if) stage.edits.send({ kind: key === "y" || event.shiftKey ? "redo" : "undo" });
  });
}

function listenToSize(stage, signal) {
  const fit = () => resize(stage);
  let width = 0;
  const observer = new ResizeObserver(([{ contentRect }]) => {
    if (contentRect.width !== width) fit();
    width = contentRect.width;
  });
  observer.observe(stage.root);
  window.addEventListener("resize", fit, { signal });
  document.fonts.addEventListener("loadingdone", fit, { signal });
  signal.addEventListener("abort", () => observer.disconnect());
}

function preview(stage, answer) {
  stage.previews.answered(answer.nonce);
  if (answer.nonce <= stage.previewed || !answer.tokens) return;
  stage.previewed = answer.nonce;
  const frame = stage.frames.at(-1);
  const { tokens, written } = answer;
  const said = frame.preview({ ...answer, labels: likeliestLabels(tokens), written: label(written, goesOn(written)) });
  if (said && stage.several) frame.say(said);
  else if (said) stage.says.replaceChildren(said);
}

// Redraws everything. The controls come first in keyboard order, though they are drawn below.
function build(stage) {
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
    changeable: Boolean(data.what_if), links: stage.traces.every((trace) => trace.file?.links),
    posterior: readable(stage) ? AFTERWARDS : "",
    typing: stage.host.typing, speed: stage.moves.speed,
    guesses: Boolean(data.what_if) && guessable(stage.traces.at(-1)),
  });
  stage.says = element("output",
    { class: stage.several ? "unseen" : "says", "aria-live": "polite", "data-testid": "announce" });
  const { chips, present, menu, pictures } = stage.choices;
  const viewing = root.querySelector("[data-testid=view][aria-expanded=true]");
  const bar = element("div", { class: "bar-below" },
    ...[stage.moves.node, chips, stage.host.keeping, present, menu].filter(Boolean));
  root.replaceChildren(...[bar, drawable(data) && pictures, stage.says, stage.told, stage.guess.node, stage.chooser?.node,
    stage.columns, stage.several && !stage.changing && foldView(stage), root.querySelector(".tip")].filter(Boolean));
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
  const node = button({ class: "switch fold",
    "aria-expanded": String(!root.classList.toggle("folded", !stage.unfolded)) }, () => {
    stage.unfolded = !root.classList.toggle("folded");
    node.setAttribute("aria-expanded", String(stage.unfolded));
    if (stage.unfolded) stage.frames.forEach((frame) => frame.resize());
  }, "Scores, states and next tokens");
  return node;
}

function drawFrames(stage) {
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

const FEW = 8; // most words or tokens of a sentence written large

// One trace's sentence, heatmap and panel of the current step. With several, each describes its own step.
function frameView(trace, pixels, shared) {
  let view = /** @type {any} */ (null);
  const draft = draftOf(trace, {
    now: () => rowStepOf(trace, view?.step ?? 0) - 1,
    draw: () => {
      parts.forEach((part) => part.redraw?.());
      const step = rowStepOf(trace, view.step) - 1;
      if (draft.row() && !trace.atOnce) shared.previewing(placed({ step, row: draft.row() }));
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
  const [sentence, heat] = [sentenceView(trace, act),
    isLarge(trace) ? heatmapCanvasView(trace, act) : heatmapView(trace, act)];
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
  const resize = () => parts.toReversed().forEach((part) => part.resize()); // a narrow network picture shows the sentence
  const say = (sentence) => here.replaceChildren(sentence);
  function preview(answer) {
    if (!draft.row()) return null;
    for (const part of parts) part.preview?.(answer);
    return element("div", {}, "With these weights: ",
      element("span", { class: "whole target-word", lang: trace.target.language }, answer.text));
  }
  const says = () => network?.says() ?? null; // about the phase that is lit
  return { node, title, says, light: (phase) => network?.lightUp(phase), weighable: Boolean(act.weighable), arrange,
    show, say, resize, preview, beckon: sentence.beckon };
}

// The attention of a Transformer on view: the encoder's while it reads. The network's picture is of a single head, the
// first if none was chosen.
function shownAttention(stage) {
  const { view } = stage;
  const single = networked(stage);
  return { attention: view.step < 0 ? "encoder" : view.attention, layer: view.layer,
    head: single ? view.head || 1 : view.head, single };
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

function relook(stage) {
  if (outdated(stage)) {
    drawFrames(stage);
    redraw(stage);
  } else show(stage);
}
const outdated = (stage) => stage.chooser && JSON.stringify(shownAttention(stage)) !== stage.drawn;

// Tells the story of a translation, if it may: of one that is shown on its own, not of a sentence that is being typed.
function tell(stage, then = nothing) {
  if (stage.several || stage.data.typing?.draft || stage.view.guess || !mayPlay()) return then();
  stage.says.setAttribute("aria-live", "off");
  stage.moves.playing("pause", "Pause");
  return stage.story.play(stage.range.last, stage.view.step, () => {
    stage.view.lit = "";
    stage.moves.stop();
    stage.says.setAttribute("aria-live", "polite");
    const { pieces } = (stage.data.what_if?.heads ?? stage.traces.map((trace) => trace.head)).at(-1);
    stage.told.replaceChildren(
      element("span", { lang: stage.traces[0].target.language }, pieces.map(({ text }) => text).join("")));
    stage.frames.forEach((frame) => frame.light(""));
    report(stage);
    then();
  });
}

// Ends a story; returns false if none is being told.
function pause(stage) {
  const told = stage.story.playing();
  stage.story.end();
  return told;
}

function go(stage, step) {
  stepByHand();
  stage.view.step = clamp(step, stage.range);
  relook(stage);
}

// Where no picture was chosen, a translation on its own opens with the network, several with their alignments.
function pictureOn({ view, data }) {
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

const drawable = ({ traces }) => traces.every((trace) => trace.network);

// True if the posterior is available, or can be requested.
const readable = ({ data, traces }) => Boolean(data.posterior) || traces.every((trace) => trace.posterior);
const asking = ({ view, traces }) => view.rows === AFTERWARDS && !traces.every((trace) => trace.posterior);

function change(stage, settings) {
  const { view, data } = stage;
  if (settings.rows && (settings.rows === AFTERWARDS) !== (view.rows === AFTERWARDS) && data.posterior) {
    stage.requested = settings.rows;
    stage.host.onRows(stage.requested);
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
function redraw(stage) {
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
  stage.opened.follow(view.step, traces, stage.readings);
  stage.host.onStep(view.step);
  report(stage);
}

// Reports the view, except while a story passes through it.
function report(stage) {
  if (stage.story.playing()) return;
  const { step, units, rows, large, glosses, edit: beside, attention, layer, head, picture, phase } = stage.view;
  const heads = stage.chooser ? { attention, layer, head } : {};
  stage.host.onView({ step, units, rows, large, glosses, edit: beside, ...EVERYWHERE, picture, phase, ...heads });
}

// The sentence about the step: below the controls, or above each of several columns.
function saySteps(stage) {
  const { traces, frames, says } = stage;
  const ofPhase = (i) => (networked(stage) ? frames[i].says() : null);
  const said = traces.map((trace, i) => element("div", {}, ...(asking(stage) // the server repeats every step for every token
    ? [`Asking each of the ${trace.sourceLength} source tokens how likely it alone would have made each of the ${trace.steps} tokens written …`]
    : ofPhase(i) ?? sayColumn(trace, stage.readings[i], stage.view.step, stage.act.number))));
  if (!stage.several) return says.replaceChildren(...said);
  says.textContent = traces.map((trace, i) => `${frames[i].title}: ${said[i].textContent}`).join(" ");
  frames.forEach((frame, i) => frame.say(said[i]));
}

const FRAMED = 720; // pixels of room at most in another page's frame, which may become as high as this page asks for

// The room that the window leaves for the frames, so that all of a short sentence is visible. If it has not changed,
// nothing is written, because that would cost another layout.
function resize({ root, view, columns, frames }) {
  const above = view.large ? columns.getBoundingClientRect().top : topOf(columns);
  const high = window.parent === window ? window.innerHeight : Math.min(window.innerHeight, FRAMED);
  const room = `${high - above - root.querySelector(".bar-below").offsetHeight}px`;
  if (root.style.getPropertyValue("--room") !== room) root.style.setProperty("--room", room);
  frames.forEach((frame) => frame.resize());
}

// The traces to show. A changeable one is shown alone, after its changes, on the scales of before and after; side by side,
// both columns are equal until something is changed. `look` is the attention of a Transformer that is shown.
function columnsOf(data, beside, look) {
  const { traces, what_if: offered } = data;
  const opened = (raw, place) => open(lookedAt(raw, look), place);
  if (!offered) return onOneScale(traces.map(opened));
  if (!beside) {
    const shown = opened({ ...traces.at(-1), changes: offered }, traces.length - 1);
    return onOneScale([shown, ...traces.slice(0, -1).map(opened)]).slice(0, 1);
  }
  return onOneScale([traces[0], traces.at(-1)].map((raw, place) => opened(
    { ...raw, head: offered.heads[place], changes: place ? offered : undefined }, Math.min(place, traces.length - 1))));
}

// Redraws and keeps the keyboard focus: at the same handle, else at the stepper as a whole.
function keepingFocus(root, draw) {
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

// Presentation: the stepper alone and large, full screen if the browser allows it. `large()` says whether it is on; `leave()` is called when Escape or the browser ends it.
function presentation(root, large, leave, signal) {
  const page = document.documentElement.classList;
  document.addEventListener("keydown", (event) => large() && event.key === "Escape" && leave(), { signal });
  document.addEventListener("fullscreenchange", () => large() && !document.fullscreenElement && leave(), { signal });
  signal.addEventListener("abort", () => page.remove("presenting"));

  function ask(wanted) {
    if (wanted) root.requestFullscreen?.().catch(nothing);
    else if (document.fullscreenElement) document.exitFullscreen();
  }
  function show(on) {
    root.classList.toggle("large", on);
    page.toggle("presenting", on);
  }
  return { ask, show };
}
