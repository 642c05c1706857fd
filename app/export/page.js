// Page: the stepper on a separate page. Its address stores the view; a clicked number is described at the bottom.

import { element, nothing } from "../components/shared/elements.js";
import { open } from "../components/stepper/trace_reading.js";
import { mount } from "../components/stepper/stepper.js";
import { addressed, addressWriter, bottomPanel, tellHeight, viewOf } from "./page_parts.js";
import { unmerged } from "./engine/quantity.js";
import { named, numberOf } from "./number.js";

const place = (id) => /** @type {any} */ (document.getElementById(id));
const data = JSON.parse(place("data").textContent);
const told = place("number");
const main = /** @type {any} */ (document.querySelector("main"));
const traces = data.traces.map(open);
const writeAddress = addressWriter();
const panel = bottomPanel(told, closed);
let stepper = show();
tellHeight();

function show() {
  const view = viewOf(addressed(), data.opening, [data.opening.rows, "output", "input"]);
  return mount(main, { ...data, ...view }, {
    onInspect: tell, onView: keep, beside: { open: () => !told.hidden, pinned: () => false, place: nothing, closed: nothing },
  });
}

function keep({ step, units, rows, large, attention, layer, head, picture, phase }) {
  const choosable = data.traces.some((trace) => trace.heads); // an attention, a layer and a head can be looked at
  const drawable = data.traces.every((trace) => trace.network);
  const look = { ...(choosable ? { attention, layer, head } : {}), ...(drawable ? { picture, phase } : {}) };
  writeAddress({ step, units, rows, large: large ? "1" : "0", ...look });
}

function tell(asked) {
  const trace = traces[asked.trace];
  const { name, value, share, words } = numberOf(trace, unmerged(asked, named(trace)), data.numbers);
  panel.show(name, traces.length > 1 ? trace.head.title : "",
    element("p", { class: "value" }, element("output", {}, value), ...(share ? [element("span", {}, ` ≈ ${share}`)] : [])),
    element("p", {}, words));
}

function closed() {
  stepper.refresh();
  main.firstChild.focus({ preventScroll: true });
}

window.addEventListener("hashchange", () => {
  told.hidden = true;
  stepper.destroy();
  stepper = show();
});
if (window === window.top) main.firstChild.focus({ preventScroll: true });
