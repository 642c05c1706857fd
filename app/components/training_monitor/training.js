// Training: one or two runs on the same axes, live or recorded, as a Streamlit component.
//
// `data` comes from app/screens/watch/payload.py.

import { listenToKeys, transport } from "../shared/controls.js";
import { element, tooltip } from "../shared/elements.js";
import { component } from "../shared/mounting.js";
import { CURVES, axisEnd, curveView, latest, sampleOf } from "./curves.js";
import { FEW_COLUMNS, attentionView, predictionsView } from "./examples.js";

const [WHOLE, SLOWEST, FASTEST] = [8000, 600, 60]; // milliseconds for playing all moments, and for showing one
const MOMENTS = {
  test: "scrub", slider: "scrub", all: "Moments of the run", each: "Moment of the run", play: "Play the run again",
  ways: { prev: "Previous moment", next: "Next moment" },
  opening: 0, paced: true, place: { "data-testid": "where" },
  stay: (last) => Math.min(SLOWEST, Math.max(FASTEST, WHOLE / last)),
};

export default component((parent, data) => {
  const root = element("section",
    { class: "stepper learning", "data-testid": "learning", "aria-label": "The run", tabindex: "-1" });
  const announced = element("output", { class: "unseen", "aria-live": "polite", "data-testid": "announce" });
  const state = element("strong", {});
  const detail = element("span", {});
  const { describe, hide } = tooltip(root);
  const curves = CURVES.map((curve) => curveView(curve, goTo));
  const panels = element("div", { class: "panels" });
  const scrubber = transport({ first: 0, last: 0 }, { go }, MOMENTS);
  let runs = [];
  let parts = [];
  let moments = [];
  let chosen = 0; // an index in `moments`
  let follows = true; // the newest moment
  let shape = "";
  let id = null;
  root.prepend(announced, element("p", { class: "status", "data-testid": "status" }, state, detail),
    element("div", { class: "seen" }, element("div", { class: "curves" }, ...curves.map((curve) => curve.node)), panels),
    scrubber.node);
  parent.append(root);

  function build() {
    hide();
    parts = runs.map((run) => [attentionView(run, describe), predictionsView(run)]);
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

  function goTo(update) {
    scrubber.stop();
    go(moments.findLastIndex((moment) => moment <= update));
  }

  function show() {
    const update = moments[chosen] ?? 0;
    const upToNow = follows ? Math.max(update, ...runs.map((run) => run.notes.at(-1)?.[0] ?? 0)) : update;
    root.dataset.update = String(update);
    curves.forEach((curve) => curve.show(upToNow));
    runs.forEach((run, place) => parts[place].forEach((part) => part.show(latest(run.looks, update))));
    scrubber.show(chosen, moments.length ? `after update ${update.toLocaleString("en")}` : "no update yet",
      Math.max(0, moments.length - 1));
    scrubber.slider.disabled = moments.length < 2;
  }

  function update(given) {
    runs = given.runs;
    state.textContent = given.state;
    detail.textContent = given.detail;
    root.dataset.state = given.kind;
    if (announced.textContent !== given.announce) announced.textContent = given.announce;
    if (given.id !== id) {
      scrubber.stop();
      follows = true;
    }
    id = given.id;
    const newShape = JSON.stringify([id, runs.map(({ title, about, examples }) => [title, about, examples])]);
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
});
