// Curves: loss and exact match of every run, on shared axes that grow in a few large steps.

import { drawing, element } from "../shared/elements.js";
import { percent } from "../shared/numbers.js";

// The last row from this update or earlier; a row begins with its update.
export const latest = (rows, update) => rows.findLast(([at]) => at <= update);

const PLOT = { height: 176, left: 44, right: 12, top: 10, bottom: 22 };
const LEAST_UPDATES = 500;

export const CURVES = [
  {
    name: "loss", title: "Loss", unit: "nats per token", field: 1, write: (value) => value.toFixed(3), tick: String,
    top: (greatest) => Math.max(1, Math.ceil(greatest)),
  },
  {
    name: "exact", title: "Exact", unit: "held-out sequences", field: 2,
    write: percent, tick: (value) => `${Math.round(100 * value)}%`, top: () => 1,
  },
];

export function curveView(curve, goTo) {
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
export function sampleOf(place) {
  return drawing("svg", { class: "sample", width: 26, height: 12, "aria-hidden": "true" },
    drawing("path", { class: `line run-${place}`, d: "M1 6H25" }),
    drawing("path", { class: `dot run-${place}`, d: markOf(place, 13, 6) }));
}

// An end of the axis that covers all updates so far and seldom moves: 1, 2, 3 or 5 times a power of ten.
export function axisEnd(runs) {
  const last = Math.max(LEAST_UPDATES, ...runs.map((run) => run.notes.at(-1)?.[0] ?? 0));
  const power = 10 ** Math.floor(Math.log10(last));
  return power * ([1, 2, 3, 5].find((step) => step * power >= last) ?? 10);
}
