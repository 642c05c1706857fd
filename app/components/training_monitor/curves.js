// Records: a run's notes so far, by update; the server sends new ones, and missed ones are requested again. Curves: loss
// and exact match of every run, on shared axes that grow in a few large steps.

import { drawing, element } from "../shared/elements.js";
import { percent } from "../shared/numbers.js";

// The rows so far with the new ones, or null if some between are missing. A row begins with its update.
export function joined(kept, { since, rows }) {
  const last = kept.length ? kept.at(-1)[0] : 0;
  return since > last ? null : [...kept.filter(([update]) => update <= since), ...rows];
}

// How many rows are from this update or earlier.
function upTo(rows, update) {
  let [low, high] = [0, rows.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (rows[middle][0] <= update) low = middle + 1;
    else high = middle;
  }
  return low;
}

export const latest = (rows, update) => rows[upTo(rows, update) - 1];

export const LOSS = 1; // index in a note, after its update
export const EXACT = 2;
export const WEIGHTS = 1; // index in a look, after its update
export const WRITTEN = 2;
export const FOUND = 3;


const PLOT = { height: 176, left: 44, right: 12, top: 10, bottom: 22 };
const ROUND = [1, 2, 3, 5, 10];
const LEAST_UPDATES = 500;

// The least round number not below the value: 1, 2, 3 or 5 times a power of ten.
function roundUp(value) {
  const power = 10 ** Math.floor(Math.log10(value));
  return power * (ROUND.find((step) => step * power >= value) ?? 10);
}

export const CURVES = [
  {
    name: "loss", title: "Loss", unit: "nats per token", field: LOSS,
    write: (value) => value.toFixed(3),
    tick: (value) => String(value),
    top: (greatest) => Math.max(1, Math.ceil(greatest)),
  },
  {
    name: "exact", title: "Exact", unit: "held-out sequences", field: EXACT,
    write: percent, tick: (value) => `${Math.round(100 * value)}%`, top: () => 1,
  },
];

export function curveView(curve, act) {
  const svg = drawing("svg", { class: "plot", height: PLOT.height, role: "img", "data-testid": `curve-${curve.name}` });
  const values = element("span", { class: "values" });
  const node = element("figure", { class: "curve" },
    element("figcaption", { class: "title" }, curve.title, element("small", {}, curve.unit), values), svg);
  const mark = drawing("line", { class: "mark", y1: PLOT.top, y2: PLOT.height - PLOT.bottom });
  let runs = [];
  let end = LEAST_UPDATES;
  let top = 1;
  let width = 0;
  let dots = [];

  const across = (update) => PLOT.left + (update / end) * (width - PLOT.left - PLOT.right);
  const up = (value) => PLOT.height - PLOT.bottom - (value / top) * (PLOT.height - PLOT.bottom - PLOT.top);
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
    svg.replaceChildren(...grid(), mark, ...runs.flatMap(lines), ...dots);
  }

  function grid() {
    const rungs = [0, 0.5, 1].map((share) => share * top);
    const stops = [0, 0.25, 0.5, 0.75, 1].map((share) => share * end);
    return [
      ...rungs.map((value) => drawing("path", { class: "rung", d: `M${PLOT.left} ${up(value)}H${width - PLOT.right}` })),
      ...rungs.map((value) => drawing("text", { class: "tick", x: PLOT.left - 6, y: up(value) + 4, "text-anchor": "end" },
        curve.tick(value))),
      ...stops.map((stop, place) => drawing("text", {
        class: "tick", x: across(stop), y: PLOT.height - 4, "text-anchor": place === stops.length - 1 ? "end" : "middle",
      }, place ? stop.toLocaleString("en") : "0")),
    ];
  }

  function lines(run, place) {
    const points = measured(run).map((note) => [across(note[0]), up(Math.min(top, note[curve.field]))]);
    const line = points.map(([x, y], i) => `${i ? "L" : "M"}${x.toFixed(1)} ${y.toFixed(1)}`).join("");
    return [drawing("path", { class: `line run-${place}`, d: line })];
  }

  function show(chosen) {
    mark.setAttribute("x1", across(chosen));
    mark.setAttribute("x2", across(chosen));
    mark.classList.toggle("hidden", chosen === 0);
    const notes = runs.map((run) => latest(measured(run), chosen));
    notes.forEach((note, place) => dots[place]?.setAttribute("d", note ? markOf(place, note) : ""));
    values.replaceChildren(...notes.map((note, place) => element("span", { class: "value" },
      ...(runs.length > 1 ? [sampleOf(place)] : []), note ? curve.write(note[curve.field]) : "–")));
    svg.setAttribute("aria-label", `${curve.title}, ${curve.unit}, by update. ${runs.map((run, place) =>
      `${runs.length > 1 ? `${run.title}: ` : ""}${notes[place] ? said(notes[place]) : "nothing measured yet"}`).join("; ")}`);
  }

  const said = (note) => `${curve.write(note[curve.field])} at update ${note[0].toLocaleString("en")}`;

  // A dot for one run, a square for the other, to tell them apart without colour.
  function markOf(place, note) {
    const [x, y] = [across(note[0]), up(Math.min(top, note[curve.field]))];
    return place ? `M${x - 4.5} ${y - 4.5}h9v9h-9z` : `M${x - 5} ${y}a5 5 0 1 0 10 0a5 5 0 1 0 -10 0`;
  }

  const updateAt = (event) => {
    const { left } = svg.getBoundingClientRect();
    return Math.max(0, end * (event.clientX - left - PLOT.left) / (width - PLOT.left - PLOT.right));
  };
  act.describe(svg, (event) => {
    const notes = event.type === "focusin" ? [] : runs.map((run) => latest(measured(run), updateAt(event)));
    return notes.map((note, place) => note && `${runs.length > 1 ? `${runs[place].title}: ` : ""}${said(note)}`)
      .filter(Boolean).join(" · ");
  });
  svg.addEventListener("click", (event) => act.goTo(updateAt(event)));
  return { node, update, draw, show };
}

// A sample of a run's line, with its dashes and its mark.
export function sampleOf(place) {
  return drawing("svg", { class: "sample", width: 26, height: 12, "aria-hidden": "true" },
    drawing("path", { class: `line run-${place}`, d: "M1 6H25" }),
    drawing("path", { class: `dot run-${place}`, d: place ? "M9 2h8v8h-8z" : "M9 6a4 4 0 1 0 8 0a4 4 0 1 0 -8 0" }));
}

// An end of the axis that covers all updates so far and seldom moves.
export const axisEnd = (runs) => roundUp(Math.max(LEAST_UPDATES, ...runs.map((run) => run.notes.at(-1)?.[0] ?? 0)));
