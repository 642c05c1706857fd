// Training: one or two runs on the same axes, live or recorded, as a Streamlit component.
//
// `data` comes from app/screens/watch/payload.py.

import { listenToKeys, transport } from "../shared/controls.js";
import { drawing, element, refresh, tooltip } from "../shared/elements.js";
import { component } from "../shared/mounting.js";
import { percent } from "../shared/numbers.js";
import { FEW_COLUMNS, attentionView, predictionsView } from "./examples.js";

const [WHOLE, SLOWEST, FASTEST] = [8000, 600, 60]; // milliseconds for playing all moments, and for showing one
const MOMENTS = {
  test: "scrub", slider: "scrub", all: "Moments of the run", each: "Moment of the run", play: "Play the run again",
  ways: { prev: "Previous moment", next: "Next moment" },
  opening: 0, paced: true, place: { "data-testid": "where" },
  stay: (last) => Math.min(SLOWEST, Math.max(FASTEST, WHOLE / last)),
};

export default component((parent, first) => {
  let data = first;
  const root = element("section", {
    class: "stepper learning", "data-testid": "learning", "aria-label": "The run", tabindex: "-1", "data-state": () => data.kind,
  });
  const { describe, hide } = tooltip(root);
  const curves = CURVES.map((curve) => curveView(curve, goTo));
  const panels = element("div", { class: "panels" });
  const scrubber = transport({ first: 0, last: 0 }, { go }, MOMENTS);
  let runs = [];
  let parts = [];
  let moments = []; // updates
  let chosen = 0; // an index in `moments`
  let follows = true; // the newest moment
  let shape = "";
  root.prepend(element("output", { class: "unseen", "aria-live": "polite", "data-testid": "announce" }, () => data.announce),
    element("p", { class: "status", "data-testid": "status" },
      element("strong", {}, () => data.state), element("span", {}, () => data.detail)),
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
    if (!runs.length || given.id !== data.id) {
      scrubber.stop();
      follows = true;
    }
    data = given;
    runs = data.runs;
    refresh(root);
    const newShape = JSON.stringify([data.id, runs.map(({ title, about, examples }) => [title, about, examples])]);
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
  update(first);

  function destroy() {
    scrubber.stop();
    stopListening();
    resizing.disconnect();
    root.remove();
  }
  return { update, destroy };
});

// Curves: loss and exact match of every run, on shared axes that grow in a few large steps.

// The last row from this update or earlier; a row begins with its update.
const latest = (rows, update) => rows.findLast(([at]) => at <= update);

const PLOT = { height: 176, left: 44, right: 12, top: 10, bottom: 22 };
const LEAST_UPDATES = 500;

const CURVES = [
  {
    name: "loss", title: "Loss", unit: "nats per token", field: 1, write: (value) => value.toFixed(3), tick: String,
    top: (greatest) => Math.max(1, Math.ceil(greatest)),
  },
  {
    name: "exact", title: "Exact", unit: "held-out sequences", field: 2,
    write: percent, tick: (value) => `${Math.round(100 * value)}%`, top: () => 1,
  },
];

function curveView(curve, goTo) {
  const svg = drawing("svg", { class: "plot", height: PLOT.height, role: "img", "data-testid": `curve-${curve.name}` });
  const values = element("span", { class: "values" });
  const node = element("figure", { class: "curve" },
    element("figcaption", { class: "title" }, curve.title, element("small", {}, curve.unit), values), svg);
  const mark = drawing("line", { class: "mark", y1: PLOT.top, y2: PLOT.height - PLOT.bottom });
  let runs = [];
  let [end, top, width] = [LEAST_UPDATES, 1, 0];
  let dots = [];

  const across = (update) => PLOT.left + (update / end) * (width - PLOT.left - PLOT.right);
  const up = (value) => PLOT.height - PLOT.bottom - (value / top) * (PLOT.height - PLOT.bottom - PLOT.top);
  const point = (note) => [across(note[0]), up(note[curve.field])];
  const measured = (run) => run.notes.filter((note) => note[curve.field] !== null);

  function update(newRuns, newEnd) {
    [runs, end] = [newRuns, newEnd];
    top = curve.top(Math.max(0, ...runs.flatMap((run) => measured(run).map((note) => note[curve.field]))));
    draw();
  }

  function draw() {
    width = svg.clientWidth;
    if (!width) return;
    dots = runs.map((_, place) => drawing("path", { class: `dot run-${place}` }));
    svg.replaceChildren(...grid(), mark, ...runs.map(line), ...dots);
  }

  function grid() {
    const rungs = [0, 0.5, 1].map((share) => share * top);
    const stops = [0, 0.25, 0.5, 0.75, 1].map((share) => share * end);
    return [
      ...rungs.map((value) => drawing("path", { class: "rung", d: `M${PLOT.left} ${up(value)}H${width - PLOT.right}` })),
      ...rungs.map((value) => drawing("text", { class: "tick", x: PLOT.left - 6, y: up(value) + 4, "text-anchor": "end" },
        curve.tick(value))),
      ...stops.map((stop) => drawing("text", {
        class: "tick", x: across(stop), y: PLOT.height - 4, "text-anchor": stop === end ? "end" : "middle",
      }, stop.toLocaleString("en"))),
    ];
  }

  function line(run, place) {
    const points = measured(run).map(point);
    const d = points.map(([x, y], i) => `${i ? "L" : "M"}${x.toFixed(1)} ${y.toFixed(1)}`).join("");
    return drawing("path", { class: `line run-${place}`, d });
  }

  function show(chosen) {
    mark.setAttribute("x1", across(chosen));
    mark.setAttribute("x2", across(chosen));
    const notes = runs.map((run) => latest(measured(run), chosen));
    notes.forEach((note, place) => dots[place]?.setAttribute("d", note ? markOf(place, ...point(note)) : ""));
    values.replaceChildren(...notes.map((note, place) => element("span", { class: "value" },
      ...(runs.length > 1 ? [sampleOf(place)] : []), note ? curve.write(note[curve.field]) : "–")));
    const texts = notes.map((note, place) => `${runs[place].title}: ${note
      ? `${curve.write(note[curve.field])} at update ${note[0].toLocaleString("en")}` : "nothing measured yet"}`);
    svg.setAttribute("aria-label", `${curve.title}, ${curve.unit}, by update. ${texts.join("; ")}`);
  }

  svg.addEventListener("click", (event) => {
    const { left } = svg.getBoundingClientRect();
    goTo(end * (event.clientX - left - PLOT.left) / (width - PLOT.left - PLOT.right));
  });
  return { node, update, draw, show };
}

// A dot for one run, a square for the other, to tell them apart without colour.
const markOf = (place, x, y) =>
  (place ? `M${x - 4.5} ${y - 4.5}h9v9h-9z` : `M${x - 5} ${y}a5 5 0 1 0 10 0a5 5 0 1 0 -10 0`);

// A sample of a run's line, with its dashes and its mark.
function sampleOf(place) {
  return drawing("svg", { class: "sample", width: 26, height: 12, "aria-hidden": "true" },
    drawing("path", { class: `line run-${place}`, d: "M1 6H25" }),
    drawing("path", { class: `dot run-${place}`, d: markOf(place, 13, 6) }));
}

// An end of the axis that covers all updates so far and seldom moves: 1, 2, 3 or 5 times a power of ten.
function axisEnd(runs) {
  const last = Math.max(LEAST_UPDATES, ...runs.map((run) => run.notes.at(-1)?.[0] ?? 0));
  const power = 10 ** Math.floor(Math.log10(last));
  return power * ([1, 2, 3, 5].find((step) => step * power >= last) ?? 10);
}
