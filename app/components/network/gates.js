// Gates: the decoder's cell as a box with its gates in it, each drawn by sixteen components, most closed first.
//
// A gate multiplies component by component: 0 lets nothing through, 1 everything. `profile` and `openness` come from
// payload.py.

import { drawing } from "../shared/elements.js";
import { decode, percent } from "../shared/numbers.js";
import { text } from "./wires.js";

const DOES = {
  forget: "how much of the old cell state stays", input: "how much of the candidate enters the cell state",
  output: "how much of the cell state becomes the state", update: "how much of the old state stays",
  reset: "how much of the old state enters the candidate",
};
const GATE = { width: 84, apart: 92, top: 20 };

// `at` is {x, y, width, height}, x being the box's left edge.
export function cellView({ index, network, state }, at, { describe, inspect }) {
  const [openness, profile] = [decode(network.openness), decode(network.profile)];
  const count = network.gates.length;
  const first = at.x + at.width - 8 - count * GATE.apart;
  const gates = network.gates.map((name, g) => {
    const gate = gateView({ x: first + (g + 0.5) * GATE.apart, y: at.y, height: at.height - GATE.top - 7 }, name);
    describe(gate.node, () => gate.told());
    return gate;
  });
  let now = -1;
  const ground = drawing("rect", { x: at.x, y: at.y, width: at.width, height: at.height, rx: 6 });
  const node = drawing("g", { class: "box pressed" }, ground,
    text(at.x + 14, at.y + at.height / 2 + 5, network.cell.toUpperCase()), ...gates.map((gate) => gate.node));

  // A press opens the largest component of the state that the cell makes.
  const largest = () => state.row(now).reduce((most, value, j, row) => (Math.abs(value) > Math.abs(row[most]) ? j : most), 0);
  node.addEventListener("click", () => now >= 0 && inspect({ trace: index, kind: "state", step: now, component: largest() }));
  describe(ground, () => now >= 0 && `${network.cell.toUpperCase()} cell: press for the arithmetic of component ${largest() + 1}, the largest of the new state`);

  function show(t) {
    now = t;
    const size = profile.width / count;
    const of = (g) => (t < 0 ? null : profile.row(t).subarray(g * size, (g + 1) * size));
    gates.forEach((gate, g) => gate.show(of(g), openness.at(Math.max(0, t), g)));
  }
  return { node, show };
}

function gateView({ x, y, height }, name) {
  const size = 16;
  const left = x - GATE.width / 2;
  const top = y + GATE.top;
  const bars = Array.from({ length: size }, (_, i) => drawing("rect", { class: "opening", x: left + (i * GATE.width) / size, width: GATE.width / size }));
  const label = text(x, y + 14, "", { class: "aside", "text-anchor": "middle" });
  const node = drawing("g", { class: "gate", "data-gate": name }, label,
    drawing("rect", { class: "ground", x: left, y: top, width: GATE.width, height }), ...bars);
  let mean = 0;
  function show(values, openness) {
    mean = openness;
    label.textContent = values ? `${name} ${Math.round(100 * mean)}%` : name;
    bars.forEach((bar, i) => {
      const high = values ? values[i] * height : 0;
      bar.setAttribute("y", top + height - high);
      bar.setAttribute("height", high);
    });
  }
  const told = () => `${name} gate, open ${percent(mean)} on average: ${DOES[name]}`;
  return { node, show, told };
}
