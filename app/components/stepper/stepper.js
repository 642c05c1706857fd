// Stepper: traces side by side on one shared step. `mount` draws them into `parent`, returns how to update and end it.
//
// `beside` shows the arithmetic of a number that was clicked, as open_number.js says.
// `data` is what payload.py makes, with step, units, rows and large, and where the translation can be changed with edit
// and heard. `onInspect(quantity)` hears which number was clicked, `onView({step, units, rows, large, edit})` what is
// looked at, `onEdit(changes)` what is changed, `onPreview({step, row, nonce})` weights while they are dragged, to be
// answered through `preview`, `onRows(rows)` that the posterior is read or no longer: `data.posterior` says that it can be
// asked for, and the next data bring it. `visit` says whether it is a first one, as welcome.js says.

import { listenToKeys, switches, transport } from "../shared/controls.js";
import { button, element, nothing, tooltip, topOf } from "../shared/elements.js";
import { signedPixels } from "../shared/numbers.js";
import { columnsOf, keepingFocus, listenToUndo, sender } from "./before_after.js";
import { chooserView } from "./chooser.js";
import { frameView } from "./frame.js";
import { EVERYWHERE } from "./heads.js";
import { NOTHING_BESIDE, openedNumber } from "./open_number.js";
import { sayAsking } from "./posterior.js";
import { presentation } from "./presentation.js";
import { previewer } from "./preview.js";
import { AFTERWARDS, clamp, limits, readAs } from "./trace_reading.js";
import { sayColumn, sayPlace, sayWeight } from "./step_text.js";
import { ANOTHER, welcomeOf } from "./welcome.js";

const SETTINGS = ["units", "rows", "large", "attention", "layer", "head"];

export function mount(parent, data, { onInspect = nothing, onView = nothing, onEdit = nothing, onPreview = null, onRows = nothing, beside = NOTHING_BESIDE, visit = ANOTHER } = {}) {
  const root = element("section",
    { class: "stepper", "data-testid": "stepper", "aria-label": "Stepper", tabindex: "-1" });
  const { describe, hide } = tooltip(root);
  const view = { step: 0, units: "words", rows: "output", large: false, glosses: false, edit: false, ...EVERYWHERE };
  const edits = sender(onEdit);
  const previews = onPreview && previewer(onPreview);
  const welcome = welcomeOf(root, visit);
  const opened = openedNumber(root, beside, onInspect);
  let given = {};
  let traces, frames, readings, range, moves, choices, says, several, columns, chooser;
  let drawn = ""; // the attention of a Transformer that the frames show
  let postponed = null;
  let told = null; // how rows are read, until the page has heard
  let stopListening = nothing;
  parent.append(root);

  function inspect(quantity) {
    welcome.did("number");
    opened.ask(quantity);
  }
  function edit(change) {
    welcome.did("line");
    edits.send(change);
  }
  const number = (text, quantity) => button({ class: "number" }, () => inspect(quantity), text);
  const act = { inspect, previewing: previews?.ask ?? nothing, number, describe, say: sayWeight, go, pin: nothing };

  function build() {
    hide();
    moves?.stop();
    stopListening();
    columns = element("div", { class: "frames" });
    drawFrames();
    range = limits(traces);
    const changing = several && Boolean(data.what_if);
    chooser = traces.some((trace) => trace.look) ? chooserView(look, data.what_if ? edit : null) : null;
    moves = transport(range, act);
    choices = switches(() => view, change, {
      changeable: Boolean(data.what_if), links: traces.every((trace) => trace.file?.links), posterior: readable() ? AFTERWARDS : "",
    });
    says = element("output", { class: several ? "unseen" : "says", "aria-live": "polite", "data-testid": "announce" });
    const tip = root.querySelector(".tip");
    const bar = element("div", { class: "bar-below" }, moves.node, choices.node);
    root.replaceChildren(bar, says, ...(chooser ? [chooser.node] : []), columns, tip); // who comes by the keyboard meets the controls first; they are drawn below
    root.classList.toggle("several", several);
    root.classList.toggle("changing", changing);
    root.style.setProperty("--columns", traces.length);
    root.style.setProperty("--rows", -range.first);
    stopListening = listenToKeys(root, moves.slider, moves.keys);
  }

  function drawFrames() {
    const pixels = signedPixels(data.signed);
    drawn = JSON.stringify(lookedAt());
    traces = columnsOf(data, view.edit, lookedAt());
    several = traces.length > 1;
    const changing = several && Boolean(data.what_if);
    frames = traces.map((trace, place) => frameView(trace, pixels, {
      ...act, several, changing, place, editing: changing,
      edit: data.what_if && place === traces.length - 1 ? edit : null,
    }));
    columns.replaceChildren(...frames.map((frame) => frame.node));
  }

  // Which attention of a Transformer: that of the encoder while it reads.
  const lookedAt = () => ({ attention: view.step < 0 ? "encoder" : view.attention, layer: view.layer, head: view.head });

  // Another head, layer or attention is looked at; that of the encoder is where it reads.
  function look({ attention = view.attention, layer = view.layer, head = view.head }) {
    moves.stop();
    if (attention === "encoder") view.step = Math.min(view.step, -1);
    else {
      view.step = Math.max(view.step, 1);
      view.attention = attention;
    }
    Object.assign(view, { layer, head });
    keepingFocus(root, relook);
  }

  // Draws the frames anew where they do not show what is looked at.
  function relook() {
    if (chooser && JSON.stringify(lookedAt()) !== drawn) {
      drawFrames();
      redraw();
    } else show();
  }

  // What the window has left for the frames, so that all of a short sentence is in view at once. Where it stays as it was
  // nothing is written, or all would be laid out once more.
  function resize() {
    const above = view.large ? columns.getBoundingClientRect().top : topOf(columns);
    const room = `${window.innerHeight - above - root.querySelector(".bar-below").offsetHeight}px`;
    if (root.style.getPropertyValue("--room") !== room) root.style.setProperty("--room", room);
    frames.forEach((frame) => frame.resize());
  }

  function go(step) {
    welcome.did("step");
    view.step = clamp(step, range);
    relook();
  }

  // Whether the posterior is here, or can be.
  const readable = () => Boolean(data.posterior) || traces.every((trace) => trace.posterior);
  const asking = () => view.rows === AFTERWARDS && !traces.every((trace) => trace.posterior);

  function change(settings) {
    const { rows } = view;
    if (settings.rows && (settings.rows === AFTERWARDS) !== (rows === AFTERWARDS) && data.posterior) {
      told = settings.rows;
      onRows(told);
    }
    if ("large" in settings) presenting.ask(settings.large);
    Object.assign(view, settings);
    keepingFocus(root, () => {
      if ("edit" in settings) build();
      redraw();
    });
  }

  function arrange() {
    presenting.show(view.large);
    readings = traces.map((trace) => readAs(trace, view));
    opened.over(traces, readings);
    frames.forEach((frame, i) => frame.arrange(readings[i], view.glosses));
    choices.show();
  }

  // All is written before anything is measured, so that the page is laid out once.
  function redraw() {
    arrange();
    show();
    resize();
  }

  function show() {
    root.dataset.step = String(view.step);
    frames.forEach((frame) => frame.show(view));
    moves.show(view.step, sayPlace(view.step, traces));
    const said = traces.map((trace, i) => element("div", {}, ...(asking() ? sayAsking(trace)
      : sayColumn(trace, readings[i], view.step, number))));
    root.setAttribute("aria-busy", String(asking()));
    if (several) {
      says.textContent = traces.map((trace, i) => `${frames[i].title}: ${said[i].textContent}`).join(" ");
      frames.forEach((frame, i) => frame.say(said[i]));
    } else says.replaceChildren(...said);
    welcome.draggable(frames.at(-1).weighable && view.rows !== AFTERWARDS);
    chooser?.show(data.traces.findLast((one) => one.heads), data.what_if, lookedAt());
    opened.follow(view.step);
    const { step, units, rows, large, edit, attention, layer, head } = view;
    onView({ step, units, rows, large, edit, ...(chooser ? { attention, layer, head } : EVERYWHERE) });
  }

  // New traces are drawn anew; of the settings only those that differ from the last ones given replace a person's own.
  // The step stays while the sentence does: other models of it are looked at where the last ones were.
  // Nothing is drawn anew under a hand that drags.
  function update(newData) {
    postponed = root.querySelector(".held") ? newData : null;
    if (postponed) return;
    data = newData;
    edits.heard(data.heard ?? 0);
    const sentence = data.traces[0].source.words.map((word) => word.text).join(" ");
    const handlesOut = Boolean(data.edit && !given.edit);
    if (handlesOut) view.edit = true;
    keepingFocus(root, () => {
      if (data.id !== given.id || handlesOut) build();
      if (told === data.rows) told = null;
      for (const name of SETTINGS) if (data[name] !== undefined && data[name] !== given[name] && (name !== "rows" || !told)) view[name] = data[name];
      if (view.rows === AFTERWARDS && !readable()) view.rows = "output";
      view.step = clamp(sentence === given.sentence ? view.step : data.step, range);
      if (data.id !== given.id) opened.close();
      given = { id: data.id, sentence, edit: data.edit, ...Object.fromEntries(SETTINGS.map((name) => [name, data[name]])) };
      if (chooser) drawFrames();
      redraw();
    });
  }

  // A click leaves the keyboard with the stepper as a whole, so that arrow keys go on stepping; Tab leads to the parts.
  root.addEventListener("mousedown", (event) => {
    if (!event.composedPath()[0].closest("button, td, th, path, .strip")) return;
    event.preventDefault();
    root.focus({ preventScroll: true });
  });
  root.addEventListener("pointerup", () => postponed && update(postponed));
  const presenting = presentation(root, () => view.large, () => change({ large: false }));
  listenToUndo(root, (edit) => data.what_if && edits.send(edit));
  let width = 0;
  const resizing = new ResizeObserver(([{ contentRect }]) => {
    if (contentRect.width !== width) resize();
    width = contentRect.width;
  });
  resizing.observe(root);
  window.addEventListener("resize", resize);
  document.fonts.addEventListener("loadingdone", resize);
  update(data);

  // The answer to a question about weights that are being dragged.
  function preview(answer) {
    if (!previews?.answered(answer) || !answer.labels) return;
    const said = frames.at(-1).preview(answer);
    if (said && several) frames.at(-1).say(said);
    else if (said) says.replaceChildren(said);
  }

  welcome.play(range.last, go, view.step, () => frames.at(-1).beckon());

  function destroy() {
    welcome.end();
    moves.stop();
    stopListening();
    resizing.disconnect();
    window.removeEventListener("resize", resize);
    presenting.destroy();
    document.fonts.removeEventListener("loadingdone", resize);
    root.remove();
  }
  const shown = () => ({ traces, readings, view: { ...view } });
  return { update, destroy, refresh: opened.refresh, preview, shown };
}
