// Training: one or two runs on the same axes, live or recorded. `mountTraining` draws them into `parent` and returns
// functions to update and end it.
//
// `data` comes from app/screens/watch/payload.py. `onLost()` is called when something that was sent never arrived.

import { listenToKeys, transport } from "../shared/controls.js";
import { element, nothing, tooltip } from "../shared/elements.js";
import { FEW_COLUMNS, attentionView, predictionsView } from "./examples.js";
import { CURVES, axisEnd, curveView, joined, latest, sampleOf } from "./curves.js";

export function mountTraining(parent, data, { onLost = nothing } = {}) {
  const root = element("section",
    { class: "stepper learning", "data-testid": "learning", "aria-label": "The run", tabindex: "-1" });
  const announced = element("output", { class: "unseen", "aria-live": "polite", "data-testid": "announce" });
  const state = element("strong", {});
  const detail = element("span", {});
  const { describe, hide } = tooltip(root);
  const act = { describe, go, goTo };
  const curves = CURVES.map((curve) => curveView(curve, act));
  const panels = element("div", { class: "panels" });
  const scrubber = scrubberView(act);
  let runs = [];
  let parts = [];
  let moments = [];
  let chosen = 0; // an index in `moments`
  let follows = true;
  let shape = "";
  let id = null;
  root.prepend(announced, element("p", { class: "status", "data-testid": "status" }, state, detail),
    element("div", { class: "seen" }, element("div", { class: "curves" }, ...curves.map((curve) => curve.node)), panels),
    scrubber.node);
  parent.append(root);

  function build() {
    hide();
    parts = runs.map((run) => [attentionView(run, act), predictionsView(run)]);
    panels.replaceChildren(...runs.map((run, place) => element("article", { class: "panel", "aria-label": run.title },
      element("h2", { class: "run-title" }, ...(runs.length > 1 ? [sampleOf(place)] : []), run.title,
        element("small", {}, run.about)),
      element("div", { class: "halves" }, ...parts[place].map((part) => part.node)))));
    root.classList.toggle("several", runs.length > 1);
    root.classList.toggle("long", Math.max(...runs.map((run) => run.target.length)) > FEW_COLUMNS);
  }

  function go(place) {
    chosen = Math.min(moments.length - 1, Math.max(0, place));
    follows = chosen === moments.length - 1;
    show();
  }

  // The moment nearest to an update.
  function goTo(update) {
    scrubber.stop();
    const after = moments.findIndex((moment) => moment >= update);
    if (after < 0) return go(moments.length - 1);
    go(after && update - moments[after - 1] < moments[after] - update ? after - 1 : after);
  }

  function show() {
    const update = moments[chosen] ?? 0;
    const upToNow = follows ? Math.max(update, ...runs.map((run) => run.notes.at(-1)?.[0] ?? 0)) : update;
    root.dataset.update = String(update);
    curves.forEach((curve) => curve.show(upToNow));
    runs.forEach((run, place) => parts[place].forEach((part) => part.show(latest(run.looks, update))));
    scrubber.show(chosen, moments.length, moments.length ? `after update ${update.toLocaleString("en")}` : "no update yet");
  }

  // Adds new points to the same run's; if some between are missing, all are requested again.
  function take(given) {
    const same = given.id === id;
    const records = given.runs.map((run, place) => ({
      notes: joined(same ? runs[place].notes : [], run.notes),
      looks: joined(same ? runs[place].looks : [], run.looks),
    }));
    if (records.some(({ notes, looks }) => !notes || !looks)) {
      onLost();
      if (!same) return false;
    }
    runs = given.runs.map((run, place) => ({
      ...run,
      notes: records[place].notes ?? runs[place].notes,
      looks: records[place].looks ?? runs[place].looks,
    }));
    id = given.id;
    return true;
  }

  function update(given) {
    const before = id;
    state.textContent = given.state;
    detail.textContent = given.detail;
    root.dataset.state = given.kind;
    if (announced.textContent !== given.announce) announced.textContent = given.announce;
    if (!take(given)) return;
    if (id !== before) {
      scrubber.stop();
      follows = true;
    }
    const newShape = JSON.stringify([id, runs.map(({ title, about, source, target, examples }) =>
      [title, about, source, target, examples])]);
    if (newShape !== shape) build();
    shape = newShape;
    moments = [...new Set(runs.flatMap((run) => run.looks.map(([moment]) => moment)))].sort((a, b) => a - b);
    chosen = Math.min(follows ? moments.length - 1 : chosen, moments.length - 1);
    const end = axisEnd(runs);
    curves.forEach((curve) => curve.update(runs, end));
    show();
  }

  const stopListening = listenToKeys(root, scrubber.slider, scrubber.keys);
  const resizing = new ResizeObserver(() => {
    curves.forEach((curve) => curve.draw());
    show();
  });
  resizing.observe(root);
  update(data);

  function destroy() {
    scrubber.stop();
    stopListening();
    resizing.disconnect();
    root.remove();
  }
  return { update, destroy };
}

// Scrubber: moves back and forth through the run by button, slider and key; at the end it follows the newest moment.
const [WHOLE, SLOWEST, FASTEST] = [8000, 600, 60]; // milliseconds for playing all moments, and for showing one
const MOMENTS = {
  test: "scrub", slider: "scrub", all: "Moments of the run", each: "Moment of the run", play: "Play the run again",
  ways: { prev: "Previous moment", next: "Next moment" },
  opening: 0, paced: true, place: { "data-testid": "where" },
  stay: (last) => Math.min(SLOWEST, Math.max(FASTEST, WHOLE / last)),
};

function scrubberView(act) {
  const moves = transport({ first: 0, last: 0 }, act, MOMENTS);
  function show(moment, count, text) {
    moves.show(moment, text, Math.max(0, count - 1));
    moves.slider.disabled = count < 2;
  }
  return { ...moves, show };
}
