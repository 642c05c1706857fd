// Dragging: the weights of the current step while they are dragged, until they are sent; the lines of the sentence and the
// sliders, which drag them.

import { drawing, element, nothing } from "../shared/elements.js";
import { inParts, percent, total } from "../shared/numbers.js";
import { sayAtStep } from "./step_text.js";
import { isLarge, positionsOf, stepsOf, where } from "./trace_reading.js";

export function draftOf(trace, { now, draw, send, restore }) {
  let base = /** @type {any} */ (null); // the row when the drag began, whose proportions count
  let row = /** @type {any} */ (null); // as it is drawn
  let step = -1;
  let place = -1; // the position of the slider used last
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

  const handle = (to) => ({
    move: (value) => now() >= 0 && put(rescaled(base ?? row ?? own(), to, value, open())),
    settle: (later) => (later ? sending.soon() : sending.now()),
    take: () => {
      if (to !== place && base) flush();
      place = to;
      chose();
    },
    grab, drop,
  });

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

  return {
    handle, put, flush, grab, drop, open,
    chosen: () => (open()[place] ? place : own().indexOf(Math.max(...own()))),
    settle: () => sending.now(),
    row: () => row,
    base: () => base ?? row ?? own(),
    set: (weights) => send({ kind: "weights", step: now(), row: weights }),
    onChoice: (hear) => { chose = hear; },
  };
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

// Lines: from the current target to the words that this step looks at, thicker for larger weights. Lines of earlier
// words stay, faint; a word of several steps has their mean.

const FAINTEST = 0.005; // of a weight; a fainter line would be invisible
const GHOST = 0.15; // of a weight of an earlier step

// `at.target(chip)` and `at.source(column)` are the points where a line ends, in pixels.
export function linesView(trace, act, at) {
  const [ghosts, rowLines] = ["ghosts", "row-lines"].map((name) => drawing("g", { class: name }));
  const node = drawing("svg", { class: "lines", "aria-hidden": "true" }, ghosts, rowLines);
  const view = { reading: /** @type {any} */ (null), now: 0, heaviest: -1 }; // step, column looked at most
  const drag = lineDrag(node, view, act, at, draw);
  let earlier = [];
  const changeable = () => act.weighable && !view.reading.posterior;

  // A click on a line opens its number; the end of a drag is no click.
  const line = (quantity, says) => drawing("path", {
    hidden: true, says: () => !drag.held() && says(), onclick: () => drag.moved() || act.inspect(quantity()),
  });

  function arrange(reading) {
    view.reading = reading;
    rowLines.replaceChildren(...reading.columns.map((_, column) => line(
      () => reading.quantityAtStep(view.now - 1, column), () => sayAtStep(trace, reading, view.now - 1, column))));
    const { values, width } = reading.weights;
    earlier = isLarge(trace) ? [] : where(Array.from(values), (weight) => weight >= GHOST).map((place) => {
      const [row, column] = [Math.floor(place / width), place % width];
      return { row, column, path: line(() => reading.quantity(row, column), () => act.say(reading, row, column)) };
    });
    ghosts.replaceChildren(...earlier.map(({ path }) => path));
    if (changeable()) rowLines.childNodes.forEach((path, column) => drag.hold(path, () => column));
  }

  function draw(now = view.now) {
    view.now = now;
    const { reading } = view;
    const row = now > 0 ? reading.rowOf[now - 1] : -1;
    const dragged = act.draft.row();
    const weights = row < 0 ? [] : dragged
      ? reading.columns.map((_, column) => total(positionsOf(reading, column).map((i) => dragged[i]))) : reading.atStep(now - 1);
    rowLines.childNodes.forEach((path, column) => drawLine(path, row, column, weights[column] ?? 0));
    for (const one of earlier) drawLine(one.path, one.row, one.column, one.row < row ? reading.weights.at(one.row, one.column) : 0, 4);
    view.heaviest = weights.indexOf(Math.max(...weights));
    const drawn = row >= 0 && (drag.held() || weights[view.heaviest] > 0); // a head that is switched off has no line
    if (changeable() && drawn) drag.place();
    else drag.hide();
  }

  function drawLine(path, row, column, weight, thickest = 9) {
    path.toggleAttribute("hidden", weight < FAINTEST);
    if (weight < FAINTEST) return;
    path.setAttribute("d", curve(at.target(view.reading.chipOfRow(row)), at.source(column)));
    path.setAttribute("stroke-width", 1 + thickest * weight);
    path.setAttribute("stroke-opacity", 0.3 + 0.7 * weight);
  }

  return { node, grip: drag.node, arrange, draw, beckon: drag.beckon };
}

// A line from a target chip up to a source chip, which stays between the two rows.
export function curve(from, to) {
  const bend = (from.y - to.y) / 2;
  return `M${from.x} ${from.y}C${from.x} ${from.y - bend} ${to.x} ${to.y + bend} ${to.x} ${to.y}`;
}

// Line drag: a line dragged to another word takes its weight along; between two words, the nearer one gets more.
//
// A finger can only drag a line by its grip, at the upper end of the heaviest line. The grip is an HTML element because
// browsers obey `touch-action: none` there, not within an SVG: else they take the gesture for scrolling. The keyboard has
// the sliders of the weights.

const STARTS = 4; // pixels after which a press becomes a drag
const SNAPS = 0.08; // share of the way between two words; closer than this, one word gets all weight
const BELOW = 9; // pixels from a word to the middle of the knob

// `view` is what the lines show: reading, step and heaviest column. `at.source(column)` is where a line ends, in pixels.
export function lineDrag(svg, view, act, at, draw) {
  const grip = element("div", { class: "line-grip", hidden: true, "data-testid": "line-grip" },
    element("span", { class: "knob" }), element("span", { class: "asks" }, "drag me"));
  let held = /** @type {any} */ (null); // the dragged line: its column, its row of weights at the start, and its current place
  let moved = false; // true until the click that ends a drag, which opens nothing

  function hold(handle, column) {
    handle.addEventListener("selectstart", (event) => event.preventDefault());
    dragged(handle, {
      begin: ({ pointerType, clientX }) => {
        if (view.now < 1 || (pointerType === "touch" && handle !== grip)) return false;
        act.draft.grab();
        held = { column: column(), nearest: column(), from: clientX, x: null, own: act.draft.base() };
        return true;
      },
      move({ clientX }) {
        if (held.x === null && Math.abs(clientX - held.from) < STARTS) return;
        moved = true;
        for (const node of [svg, grip]) node.classList.add("held");
        grip.classList.remove("beckoning");
        const { row, ...where } = led(view.reading, act.draft.open(), at, held, clientX - svg.getBoundingClientRect().left);
        Object.assign(held, where);
        act.draft.put(row);
      },
      end(cancelled) {
        held = null;
        for (const node of [svg, grip]) node.classList.remove("held");
        if (!moved) return;
        setTimeout(() => { moved = false; }); // after the click that ends the drag
        if (cancelled) act.draft.drop();
        else act.draft.settle();
        draw();
      },
    });
  }
  hold(grip, () => view.heaviest);

  function place() {
    const { x, y } = at.source(held ? held.nearest : view.heaviest);
    grip.hidden = false;
    grip.style.setProperty("--x", `${held?.x ?? x}px`);
    grip.style.transform = `translate(var(--x), ${y + BELOW}px)`;
  }
  return {
    node: element("div", { class: "grip-layer", "aria-hidden": "true" }, grip), hold, place,
    hide: () => { grip.hidden = true; }, beckon: () => grip.classList.add("beckoning"),
    held: () => held !== null, moved: () => moved,
  };
}

// The row of weights, the nearest column and the place of the line when `held` is at `x`. Masked words get nothing.
function led(reading, open, at, { own, column }, x) {
  const tokens = (other) => positionsOf(reading, other).filter((i) => open[i]);
  const columns = where(reading.columns, () => true).filter((other) => tokens(other).length);
  const past = columns.findIndex((other) => at.source(other).x > x);
  const right = columns.at(past < 0 ? -1 : past);
  const left = columns.at(past < 0 ? -1 : Math.max(0, past - 1));
  const [from, to] = [at.source(left).x, at.source(right).x];
  const exactly = left === right ? 1 : (x - from) / (to - from);
  const share = exactly < SNAPS ? 0 : exactly > 1 - SNAPS ? 1 : exactly;
  const row = Array.from(own);
  const carried = total(positionsOf(reading, column).map((i) => row[i]));
  for (const i of positionsOf(reading, column)) row[i] = 0;
  for (const [other, part] of left === right ? [[left, 1]] : [[left, 1 - share], [right, share]]) {
    for (const i of tokens(other)) row[i] += (carried * part) / tokens(other).length;
  }
  const inside = Math.min(Math.max(x, at.source(columns[0]).x), at.source(columns.at(-1)).x);
  return { row, x: inside, nearest: share < 0.5 ? left : right };
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
