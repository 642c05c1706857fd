// Page: the stepper on a separate page. Its address stores the view; a clicked number is described at the bottom.

import { element, nothing } from "../components/shared/elements.js";
import { open } from "../components/stepper/trace_reading.js";
import { mount } from "../components/stepper/stepper.js";
import { bottomPanel } from "./bottom_panel.js";
import { addressWriter, hasAddress, viewOf } from "./page_address.js";
import { numberOf, unmerged } from "./number.js";

const place = (id) => /** @type {any} */ (document.getElementById(id));
const data = JSON.parse(place("data").textContent);
const pages = data.pages ?? { "": data }; // by the number of the sentence, in the report of a text
const told = place("number");
const main = /** @type {any} */ (document.querySelector("main"));
let sentence = "";
let given = /** @type {any} */ (null);
let traces = /** @type {any} */ ([]);
const writeAddress = addressWriter();
const panel = bottomPanel(told, closed);
let stepper = show();

function show() {
  const said = new URLSearchParams(hasAddress ? window.location.hash.slice(1) : "");
  const asked = said.get("sentence") ?? "";
  sentence = Object.hasOwn(pages, asked) ? asked : Object.keys(pages)[0];
  given = pages[sentence];
  traces = given.traces.map(open);
  const view = viewOf(said, given.opening, [given.opening.rows, "output", "input"]);
  return mount(main, { ...given, ...view }, {
    onInspect: tell, onView: keep, beside: { open: () => !told.hidden, pinned: () => false, place: nothing, closed: nothing },
  });
}

function keep({ step, units, rows, large, attention, layer, head, picture, phase }) {
  const choosable = given.traces.some((trace) => trace.heads); // an attention, a layer and a head can be looked at
  const drawable = given.traces.every((trace) => trace.network);
  const look = { ...(choosable ? { attention, layer, head } : {}), ...(drawable ? { picture, phase } : {}) };
  writeAddress({ sentence, step, units, rows, large: large ? "1" : "0", ...look });
}

function tell(asked) {
  const trace = traces[asked.trace];
  const { name, value, share, words } = numberOf(trace, unmerged(trace, asked), given.numbers);
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
