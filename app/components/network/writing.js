// Writing: the likeliest next tokens with their probabilities, and the chosen one's place in the sentence.

import { drawing } from "../shared/elements.js";
import { exact, percent } from "../shared/numbers.js";
import { BESIDE } from "./layout.js";
import { cut, part, plain, text, wire } from "./wires.js";

const SHOWN = 5; // tokens; the last is the one written if it is none of the likeliest
const LINE = 21;
const ROOM = { name: 66, figure: 116, bar: 56 }; // units from the list's left edge
const CHARACTER = 7.6;
const GAP = 18;

export function writingView(trace, places, decoder, act) {
  const { x, y } = decoder.at.likely;
  const rows = writtenRows(trace, { x, y }, act);
  const sentence = drawing("g", { class: "written-row" });
  const likely = part("write", ...decoder.out, ...rows.map((row) => row.node));
  const node = drawing("g", {}, likely, part("write read", sentence));

  function show(step, held) {
    node.classList.toggle("absent", step < 0);
    likely.classList.toggle("absent", step < 1);
    if (step < 0) return;
    if (!held) rows.forEach((row) => row.show(step - 1));
    sentence.replaceChildren(...writtenSoFar(trace, places, held ? [...writtenOf(trace, step - 1), UNKNOWN] : writtenOf(trace, step), { x: x + ROOM.name - 20, y: y + rows.length * LINE }));
  }

  return { node, show, preview: (answer) => writeAnswer(rows, answer) };
}

// The likeliest tokens, one below the other from this place.
export const writtenRows = (trace, { x, y }, { inspect, describe }) =>
  Array.from({ length: Math.min(SHOWN, trace.top_probability.width) }, (_, rank) => rowOf(trace, { x, y: y + rank * LINE, rank, inspect, describe }));

function rowOf(trace, { x, y, rank, inspect, describe }) {
  const name = text(x + ROOM.name, y + 12, "", { class: "target-name", "text-anchor": "end", lang: trace.target.language });
  const figure = text(x + ROOM.figure, y + 12, "", { class: "figure number", "text-anchor": "end", "data-net-rank": rank });
  const bar = drawing("rect", { class: "chance", x: x + ROOM.figure + 6, y: y + 2, height: 12 });
  const node = drawing("g", { class: "candidate" }, name, figure, bar);
  const place = text(0, y + 12, "", { class: "aside" });
  node.append(place);
  let t = -1;
  const now = () => candidates(trace, t)[rank];
  figure.addEventListener("click", () => t >= 0 && inspect({ trace: trace.index, kind: "probability", step: t, token: now().id }));
  describe(figure, () => t >= 0 && `probability ${exact(now().probability)}`);
  function write({ label, probability, taken, beyond }) {
    name.textContent = cut(plain(label), ROOM.name, CHARACTER);
    figure.textContent = percent(probability);
    bar.setAttribute("width", Math.max(0.5, probability * ROOM.bar));
    place.setAttribute("x", x + ROOM.figure + 12 + probability * ROOM.bar);
    place.textContent = beyond;
    node.classList.toggle("taken", taken);
  }
  function show(step) {
    t = step;
    if (t >= 0) write(now());
  }
  return { node, show, write };
}

// The tokens shown at a step.
export function candidates(trace, t) {
  const likeliest = trace.top_labels[t].map((label, i) => ({ label, probability: trace.top_probability.at(t, i), id: trace.top_ids[t][i] }));
  const written = { label: trace.target.tokens[t], probability: trace.probability.at(t), id: trace.target_ids[t] };
  return withWritten(likeliest, written, trace.top_ids[t].indexOf(written.id));
}

// Writes the tokens of an answer into the rows, while weights are dragged.
export function writeAnswer(rows, { labels, probabilities, written, rank, log_probability: logged }) {
  const likeliest = labels.map((label, i) => ({ label, probability: probabilities[i] }));
  const found = withWritten(likeliest, { label: written, probability: Math.exp(logged) }, rank);
  rows.forEach((row, place) => row.write(found[place]));
}

// The likeliest tokens; the one written takes the last place if it is less likely, and then has its rank (-1: beyond all).
function withWritten(likeliest, written, rank) {
  const shown = likeliest.slice(0, SHOWN).map((one, place) => ({ ...one, taken: place === rank, beyond: "" }));
  const beyond = rank < 0 ? `rank >${likeliest.length}` : `rank ${rank + 1}`;
  return rank >= 0 && rank < SHOWN ? shown : [...shown.slice(0, -1), { ...written, taken: true, beyond }];
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
  const scrolled = trace.source.tokens.length > BESIDE; // to its end, where the decoder writes
  let x = scrolled ? from.x - 3 * GAP - length() : places.left;
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
