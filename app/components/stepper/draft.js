// Draft: the weights of the current step while they are being dragged, until they are sent.

import { nothing } from "../shared/elements.js";
import { inParts, total } from "../shared/numbers.js";
import { positionsOf, stepsOf } from "./marks.js";
import { paused, rescaled } from "./sliders.js";

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

  function move(to, value) {
    base ??= row ?? own();
    step = now();
    row = inParts(rescaled(base, to, value, open()));
    draw();
  }

  // A whole row, such as from a line dragged elsewhere.
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
      move: (value) => now() >= 0 && move(to, value),
      settle: (later) => (later ? sending.soon() : sending.now()),
      take: () => take(to),
      grab, drop,
    };
  }

  // Before a drag begins: pending changes are sent, so that undoing the drag undoes nothing else.
  function grab() {
    if (sending.waits()) sending.now();
  }

  // Undoes a drag: nothing of it is sent.
  function drop() {
    [base, row] = [null, null];
    restore();
  }

  // Sends pending changes; the drawing returns to the trace's own.
  function flush() {
    grab();
    [base, row] = [null, null];
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
