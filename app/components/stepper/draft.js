// Draft: the weights of the current step while they are dragged, until they are sent, and the sliders that drag them.

import { element, nothing } from "../shared/elements.js";
import { inParts, percent, total } from "../shared/numbers.js";
import { positionsOf, stepsOf, where } from "./trace_reading.js";

export function draftOf(trace, { now, draw, send, restore }) {
  let base = /** @type {any} */ (null); // the row when the drag began, whose proportions count
  let row = /** @type {any} */ (null); // as it is drawn
  let step = -1;
  let place = -1;
  let chose = nothing;
  const sending = paused(() => {
    if (row) send({ kind: "weights", step, row });
    base = null;
  });
  const own = () => Array.from(trace.weight.row(now()));
  const open = () => own().map((_, i) => Boolean(trace.mask.at(now(), i)));

  // Draws a whole row, such as from a line dragged elsewhere.
  function put(weights) {
    base ??= row ?? own();
    step = now();
    row = inParts(weights);
    draw();
  }

  function take(to) {
    if (to !== place && base) flush();
    place = to;
    chose();
  }

  function handle(to) {
    return {
      move: (value) => now() >= 0 && put(rescaled(base ?? row ?? own(), to, value, open())),
      settle: (later) => (later ? sending.soon() : sending.now()),
      take: () => take(to),
      grab, drop,
    };
  }

  // Before a drag begins: pending changes are sent, so that undoing the drag undoes nothing else.
  function grab() {
    if (sending.waits()) sending.now();
  }

  // Sends pending changes; the drawing returns to the trace's own.
  function flush() {
    grab();
    [base, row] = [null, null];
  }

  // Undoes a drag: nothing of it is sent.
  function drop() {
    [base, row] = [null, null];
    restore();
  }

  function chosen() {
    const weights = own();
    const can = open();
    return can[place] ? place : weights.indexOf(Math.max(...weights));
  }

  return {
    handle, put, flush, grab, drop, open, chosen,
    settle: () => sending.now(),
    row: () => row,
    base: () => base ?? row ?? own(),
    set: (weights) => send({ kind: "weights", step: now(), row: weights }),
    onChoice: (hear) => { chose = hear; },
  };
}

// The current step's weight for each column, including the drag.
export function draftedStep(reading, t, draft) {
  const dragged = draft.row();
  if (!dragged) return reading.atStep(t);
  return reading.columns.map((_, column) => total(positionsOf(reading, column).map((i) => dragged[i])));
}

// The weights of the current step's row, including the drag; a row of several steps is their mean.
export function drafted(trace, reading, t, draft) {
  const row = reading.rowOf[t];
  const weights = Array.from(reading.weights.row(row));
  const [dragged, own] = [draft.row(), trace.weight.row(t)];
  if (!dragged) return weights;
  const steps = stepsOf(reading, row).length;
  return weights.map((weight, column) =>
    weight + total(positionsOf(reading, column).map((i) => dragged[i] - own[i])) / steps);
}

// Sliders: a row of weights that always adds up to 1, each dragged at its end or moved by key.


const PAUSE = 400; // milliseconds from the last key until it is sent

// Sets one weight; the other open ones keep their proportions in what is left, or share it equally if all are 0.
export function rescaled(row, place, value, open) {
  const others = where(open, Boolean).filter((i) => i !== place);
  const wanted = others.length ? Math.min(1, Math.max(0, value)) : 1;
  const before = total(others.map((i) => row[i]));
  const share = (i) => (before > 0 ? row[i] / before : 1 / others.length);
  return row.map((_, i) => (i === place ? wanted : others.includes(i) ? share(i) * (1 - wanted) : 0));
}

// `move(value)` is called with each new value, `settle(soon)` when it rests, `take()` when it gets the keyboard focus,
// `grab()` when a drag begins, and `drop()` when the browser cancels the drag.
export function sliderOf(name, place, { move, settle, take, grab, drop }) {
  const fill = element("span", { class: "fill" });
  const grip = element("span", { class: "grip" });
  const rail = element("span", { class: "rail" }, element("span", { class: "track" }, fill), grip);
  const node = element("div", {
    class: "slider", role: "slider", tabindex: "0", "aria-label": name, "aria-valuemin": "0", "aria-valuemax": "100",
    "data-testid": "weight-slider", "data-handle": `weight-${place}`,
  }, rail);
  let weight = 0;
  const closed = () => node.getAttribute("aria-disabled") === "true";
  node.addEventListener("focus", () => take());
  dragged(node, rail, closed, { move, settle, grab, drop });
  moved(node, closed, () => weight, { move, settle });

  function show(value, open) {
    weight = value;
    fill.style.transform = `scaleX(${value})`;
    grip.style.left = `${100 * value}%`;
    node.setAttribute("aria-valuenow", (100 * value).toFixed(1));
    node.setAttribute("aria-valuetext", percent(value));
    node.setAttribute("aria-disabled", String(!open));
  }
  return { node, show };
}

// By pointer. The browser cancels a drag that it takes for scrolling.
function dragged(node, rail, closed, { move, settle, grab, drop }) {
  let held = false;
  const under = ({ clientX }) => {
    const { left, width } = rail.getBoundingClientRect();
    return Math.round((1000 * (clientX - left)) / width) / 1000;
  };
  node.addEventListener("selectstart", (event) => event.preventDefault()); // WebKit ignores user-select here
  node.addEventListener("pointerdown", (event) => {
    if (event.button !== 0 || closed()) return;
    grab();
    node.setPointerCapture(event.pointerId);
    held = true;
    node.classList.add("held");
    move(under(event));
  });
  node.addEventListener("pointermove", (event) => held && move(under(event)));
  const end = (act) => () => {
    node.classList.remove("held");
    if (held) act();
    held = false;
  };
  node.addEventListener("pointerup", end(() => settle(false)));
  node.addEventListener("pointercancel", end(drop));
}

// By key: a hundredth at a time, a tenth with Shift or a page key, or to either end.
function moved(node, closed, weight, { move, settle }) {
  node.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: 10, PageDown: -10 }[event.key];
    const ends = { Home: 0, End: 1 }[event.key];
    if (event.altKey || event.ctrlKey || event.metaKey || (step === undefined && ends === undefined)) return;
    event.preventDefault();
    event.stopPropagation();
    if (closed()) return;
    const far = event.shiftKey && Math.abs(step) === 1 ? 10 : 1;
    move(ends ?? (Math.round(1000 * weight()) + 10 * far * step) / 1000);
    settle(true);
  });
}

// Waits for a pause before acting; pending actions can be done immediately.
export function paused(act) {
  let timer = 0;
  const now = () => {
    clearTimeout(timer);
    timer = 0;
    act();
  };
  const soon = () => {
    clearTimeout(timer);
    timer = setTimeout(now, PAUSE);
  };
  return { now, soon, waits: () => timer !== 0 };
}
