// Weight rows: rows of weights to choose from, under the bars, and the temperature of the softmax.

import { button, element } from "../shared/elements.js";
import { inParts } from "../shared/numbers.js";
import { paused } from "./sliders.js";

const ONE_STEP = "There is no step before the first.";

// `weigher` holds the row of the current step: `open()`, `chosen()`, `set(row)`.
export function weightRowsView(trace, act, weigher) {
  const { marks } = trace;
  let t = -1;
  const evenly = () => {
    const open = weigher.open();
    return open.map((is) => (is ? 1 / open.filter(Boolean).length : 0));
  };
  const gold = () => {
    const { row, why } = marks.gold[t] ?? { row: [], why: "" };
    return row.length ? row : why;
  };
  const one = () => weigher.open().map((_, i) => (i === weigher.chosen() ? 1 : 0));
  /** @type {Record<string, [string, () => number[] | string]>} */
  const rows = {
    equal: ["equal", evenly],
    one: ["all on one", one],
    before: ["as the step before", () => (t > 0 ? Array.from(trace.weight.row(t - 1)) : ONE_STEP)],
    gold: ["gold link", gold],
  };
  const buttons = Object.entries(rows).map(([name, [text, row]]) => {
    const node = button({ class: "small", "data-testid": `weigh-${name}`, "data-handle": `weigh-${name}` }, () => {
      if (t >= 0 && typeof row() !== "string") weigher.set(inParts(row()));
    }, text);
    act.describe(node, () => t >= 0 && typeof row() === "string" && row());
    return { node, row };
  });
  const own = button({ class: "small", "data-testid": "weigh-own", "data-handle": "weigh-own" },
    () => t >= 0 && marks.weighed.has(t) && weigher.set([]), "the model's own");
  const heat = temperatureView(marks, act);
  const node = element("div", { class: "extras" },
    element("div", { class: "choices", role: "group", "aria-label": "Weights of this step" },
      element("span", { class: "legend" }, "Set weights"), ...buttons.map((one) => one.node), own),
    heat.node);

  function show(step) {
    t = step - 1;
    if (t < 0) return;
    for (const { node: snap, row } of buttons) snap.setAttribute("aria-disabled", String(typeof row() === "string"));
    own.setAttribute("aria-disabled", String(!marks.weighed.has(t)));
    choose();
  }
  function choose() {
    if (t < 0) return;
    buttons[1].node.textContent = `all on “${trace.source.tokens[weigher.chosen()].text}”`;
  }
  weigher.onChoice(choose);
  return { node, show };
}

// The temperature of the whole translation: below 1 the softmax looks at less, above 1 at more.
function temperatureView({ temperature, temperatures, off }, act) {
  const told = element("output", { class: "figure" });
  const slider = element("input", {
    type: "range", class: "temperature", min: 0, max: temperatures.length - 1, step: 1, "data-testid": "temperature",
    "data-handle": "temperature", "aria-label": "Softmax temperature of the whole translation",
  });
  const value = () => temperatures[Number(slider.value)];
  const tell = () => {
    told.textContent = String(value());
    slider.setAttribute("aria-valuetext", String(value()));
  };
  const sending = paused(() => act.edit?.({ kind: "temperature", value: value() }));
  slider.value = String(temperatures.indexOf(temperature));
  slider.addEventListener("input", tell);
  slider.addEventListener("change", sending.soon);
  tell();
  const node = element("label", { class: "temperature-field" },
    element("span", { class: "legend" }, off === undefined ? "Softmax temperature" : "Softmax temperature, all cross-attention"), slider, told);
  return { node };
}
