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

// `value()` is the weight and `open()` is false where it is masked. `move(value)` is called with each new value,
// `settle(soon)` when it rests, `take()` when it gets the keyboard focus, `grab()` when a drag begins, and `drop()` when
// the browser cancels the drag.
export function sliderOf(name, place, { value, open, move, settle, take, grab, drop }) {
  const rail = element("span", { class: "rail" },
    element("span", { class: "track" },
      element("span", { class: "fill", style: { transform: () => `scaleX(${value()})` } })),
    element("span", { class: "grip", style: { left: () => `${100 * value()}%` } }));
  const node = element("div", {
    class: "slider", role: "slider", tabindex: "0", "aria-label": name, "aria-valuemin": "0", "aria-valuemax": "100",
    "data-testid": "weight-slider", "data-handle": `weight-${place}`, "aria-disabled": () => String(!open()),
    "aria-valuenow": () => (100 * value()).toFixed(1), "aria-valuetext": () => percent(value()),
    onfocus: take, onkeydown: pressed, onselectstart: (event) => event.preventDefault(), // WebKit ignores user-select
  }, rail);
  const under = ({ clientX }) => {
    const { left, width } = rail.getBoundingClientRect();
    return Math.round((1000 * (clientX - left)) / width) / 1000;
  };
  dragged(node, {
    begin: (event) => {
      if (!open()) return false;
      grab();
      node.classList.add("held");
      move(under(event));
      return true;
    },
    move: (event) => move(under(event)),
    end: (cancelled) => {
      node.classList.remove("held");
      if (cancelled) drop(); // the browser takes it for scrolling
      else settle(false);
    },
  });

  // By key: a hundredth at a time, a tenth with Shift or a page key, or to either end.
  function pressed(event) {
    const step = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: 10, PageDown: -10 }[event.key];
    const ends = { Home: 0, End: 1 }[event.key];
    if (event.altKey || event.ctrlKey || event.metaKey || (step === undefined && ends === undefined)) return;
    event.preventDefault();
    event.stopPropagation();
    if (!open()) return;
    const far = event.shiftKey && Math.abs(step) === 1 ? 10 : 1;
    move(ends ?? (Math.round(1000 * value()) + 10 * far * step) / 1000);
    settle(true);
  }
  return node;
}

// A drag by pointer: `begin(event)` returns false if there is none, `end(cancelled)` comes after the last `move(event)`.
export function dragged(node, { begin, move, end }) {
  let held = false;
  node.addEventListener("pointerdown", (event) => {
    if (event.button !== 0 || !begin(event)) return;
    node.setPointerCapture(event.pointerId);
    held = true;
  });
  node.addEventListener("pointermove", (event) => held && move(event));
  for (const kind of ["pointerup", "pointercancel"]) node.addEventListener(kind, () => {
    if (held) end(kind === "pointercancel");
    held = false;
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
