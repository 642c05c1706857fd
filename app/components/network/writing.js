// Writing: the likeliest next tokens with their probabilities, and the chosen one's place in the sentence.

import { drawing } from "../shared/elements.js";
import { exact, percent } from "../shared/numbers.js";
import { cut, plain, text, wire } from "./wires.js";

const SHOWN = 5; // likeliest tokens
const LINE = 21;
const ROOM = { name: 66, figure: 116, bar: 56 }; // units from the list's left edge
const CHARACTER = 7.6;
const GAP = 18;

export function writingView(trace, places, decoder, act) {
  const { x, y } = decoder.at.likely;
  const rows = writtenRows(trace, { x, y }, act);
  const sentence = drawing("g", { class: "written-row" });
  const likely = drawing("g", { class: "part", "data-phases": "write" }, ...decoder.out, ...rows.map((row) => row.node));
  const node = drawing("g", {},
    likely,
    drawing("g", { class: "part", "data-phases": "write read" }, sentence));

  function show(step, held) {
    node.classList.toggle("absent", step < 0);
    likely.classList.toggle("absent", step < 1);
    if (step < 0) return;
    if (!held) rows.forEach((row) => row.show(step - 1));
    sentence.replaceChildren(...writtenSoFar(trace, places, held ? [...writtenOf(trace, step - 1), UNKNOWN] : writtenOf(trace, step), { x: x + ROOM.name - 20, y: y + rows.length * LINE }));
  }

  // Candidates while weights are dragged.
  const preview = ({ labels, probabilities }) => rows.forEach((row, rank) => row.write(labels[rank], probabilities[rank], rank === 0));
  return { node, show, preview };
}

// The likeliest tokens, one below the other from this place.
export const writtenRows = (trace, { x, y }, { inspect, describe }) =>
  Array.from({ length: Math.min(SHOWN, trace.top_probability.width) }, (_, rank) => rowOf(trace, { x, y: y + rank * LINE, rank, inspect, describe }));

function rowOf(trace, { x, y, rank, inspect, describe }) {
  const name = text(x + ROOM.name, y + 12, "", { class: "target-name", "text-anchor": "end", lang: trace.target.language });
  const figure = text(x + ROOM.figure, y + 12, "", { class: "figure number", "text-anchor": "end", "data-net-rank": rank });
  const bar = drawing("rect", { class: "chance", x: x + ROOM.figure + 6, y: y + 2, height: 12 });
  const node = drawing("g", { class: "candidate" }, name, figure, bar);
  let t = -1;
  figure.addEventListener("click", () => t >= 0 && inspect({ trace: trace.index, kind: "probability", step: t, token: trace.top_ids[t][rank] }));
  describe(figure, () => t >= 0 && `probability ${exact(trace.top_probability.at(t, rank))}`);
  function write(label, probability, taken) {
    name.textContent = cut(plain(label), ROOM.name, CHARACTER);
    figure.textContent = percent(probability);
    bar.setAttribute("width", Math.max(0.5, probability * ROOM.bar));
    node.classList.toggle("taken", taken);
  }
  function show(now) {
    t = now;
    if (t >= 0) write(trace.top_labels[t][rank], trace.top_probability.at(t, rank), trace.top_ids[t][rank] === trace.target_ids[t]);
  }
  return { node, show, write };
}

const UNKNOWN = { text: "…", kind: "word" };
const writtenOf = (trace, step) => [trace.begin, ...trace.target.tokens.slice(0, step)];

// The sentence up to this step, or its end if it is long.
function writtenSoFar(trace, places, labels, from) {
  const step = labels.length - 1;
  const widths = labels.map((label) => plain(label).length * CHARACTER + GAP);
  const room = from.x - places.left - 3 * GAP;
  let first = 0;
  const length = () => widths.slice(first).reduce((sum, width) => sum + width, 0);
  while (first < labels.length - 1 && length() > room) first += 1;
  let x = places.left;
  const nodes = labels.slice(first).map((label, i) => {
    const place = first + i;
    const node = text(x, places.written, plain(label), {
      class: `target-name${place === step ? " current" : place === step - 1 ? " fed" : ""}`, lang: trace.target.language,
    });
    x += widths[place];
    return node;
  });
  const level = places.written - 5;
  return step ? [...nodes, wire([from.x, from.y], [from.x, level], [x, level])] : nodes;
}
