// Stepper: traces side by side on one shared step. `mount` draws them into `parent`, returns how to update and end it.
//
// `data` is what payload.py makes, with step, units, rows and large. `onInspect(quantity)` hears which number was
// clicked, `onView({step, units, rows, large})` hears what is looked at.

const FEW = 8; // words or tokens of a sentence that can be written large
const SETTINGS = ["units", "rows", "large"];

function mount(parent, data, { onInspect = nothing, onView = nothing } = {}) {
  const root = element("section",
    { class: "stepper", "data-testid": "stepper", "aria-label": "Stepper", tabindex: "-1" });
  const { describe, hide } = tooltip(root);
  const view = { step: 0, units: "words", rows: "output", large: false, glosses: false };
  let given = {};
  let nonce = 0;
  let traces, frames, readings, range, moves, choices, says;
  let stopListening = nothing;
  parent.append(root);

  function inspect(quantity) {
    nonce = Math.max(nonce + 1, Date.now());
    onInspect({ ...quantity, nonce });
  }
  const number = (text, quantity) => button({ class: "number" }, () => inspect(quantity), text);
  const act = { inspect, number, describe, say: sayWeight, go, pin: nothing };

  function build() {
    hide();
    moves?.stop();
    stopListening();
    const pixels = signedPixels(data.signed);
    traces = data.traces.map(open);
    range = limits(traces);
    frames = traces.map((trace) => frameView(trace, pixels, act, traces.length > 1));
    moves = transport(range, act);
    choices = switches(() => view, change);
    says = element("output", { class: "says", "aria-live": "polite", "data-testid": "announce" });
    const tip = root.querySelector(".tip");
    const columns = element("div", { class: "frames" }, ...frames.map((frame) => frame.node));
    root.replaceChildren(says, columns, choices.node, moves.node, tip);
    root.style.setProperty("--columns", traces.length);
    stopListening = listenToKeys(root, moves.slider, moves.keys);
  }

  const resize = () => frames.forEach((frame) => frame.resize());

  function go(step) {
    view.step = clamp(step, range);
    show();
  }

  function change(settings) {
    Object.assign(view, settings);
    arrange();
    show();
  }

  function arrange() {
    root.classList.toggle("large", view.large);
    readings = traces.map((trace) => readAs(trace, view));
    frames.forEach((frame, i) => frame.arrange(readings[i], view.glosses));
    resize();
    choices.show();
  }

  function show() {
    root.dataset.step = String(view.step);
    frames.forEach((frame) => frame.show(view));
    moves.show(view.step, sayPlace(view.step, traces));
    says.replaceChildren(...traces.map((trace, i) => element("div", {},
      ...(traces.length > 1 ? [element("b", {}, trace.name), " "] : []),
      ...sayStep(trace, readings[i], stepOf(trace, view.step), number))));
    onView({ step: view.step, units: view.units, rows: view.rows, large: view.large });
  }

  // New traces are drawn anew; of the settings only those that differ from the last ones given replace a person's own.
  function update(newData) {
    data = newData;
    const other = data.id !== given.id;
    if (other) build();
    for (const name of SETTINGS) if (data[name] !== given[name]) view[name] = data[name];
    if (other || data.step !== given.step) view.step = clamp(data.step, range);
    given = { id: data.id, step: data.step, units: data.units, rows: data.rows, large: data.large };
    arrange();
    show();
  }

  // A click leaves the keyboard with the stepper as a whole, so that arrow keys go on stepping; Tab leads to the parts.
  root.addEventListener("mousedown", (event) => {
    if (!event.composedPath()[0].closest("button, td, th, path, .strip")) return;
    event.preventDefault();
    root.focus({ preventScroll: true });
  });
  let width = 0;
  const resizing = new ResizeObserver(([{ contentRect }]) => {
    if (contentRect.width !== width) resize();
    width = contentRect.width;
  });
  resizing.observe(root);
  document.fonts.addEventListener("loadingdone", resize);
  update(data);

  function destroy() {
    moves.stop();
    stopListening();
    resizing.disconnect();
    document.fonts.removeEventListener("loadingdone", resize);
    root.remove();
  }
  return { update, destroy };
}

// One trace: its sentence, its heatmap and the panel of the current step.
function frameView(trace, pixels, shared, named) {
  let pinned = null;
  let view = null;
  const act = { ...shared, pin };
  const parts = [sentenceView(trace, act), panelView(trace, pixels, act), heatmapView(trace, act)];
  const name = named ? [element("p", { class: "model" }, trace.name)] : [];
  const node = element("article", { class: "frame" },
    ...name, element("div", { class: "parts" }, ...parts.map((part) => part.node)));
  function arrange(reading, glosses) {
    pinned = null;
    node.classList.toggle("few", Math.max(reading.columns.length, reading.chips.length) <= FEW);
    for (const part of parts) part.arrange(reading, glosses);
  }
  function pin(column) {
    pinned = pinned === column ? null : column;
    show(view);
    resize();
  }
  function show(newView) {
    view = newView;
    for (const part of parts) part.show(stepOf(trace, view.step), pinned);
  }
  const resize = () => parts.forEach((part) => part.resize());
  return { node, arrange, show, resize };
}

function sayWeight(reading, row, column) {
  const weight = reading.weights.at(row, column);
  const rowName = reading.chips[reading.chipOfRow(row)].text;
  return `${rowName} looks at ${reading.columns[column].text}: ${exact(weight)} = ${percent(weight)}`;
}

function sayPlace(step, traces) {
  const longest = Math.max(...traces.map((trace) => trace.steps));
  const read = Math.max(...traces.map((trace) => trace.sourceLength));
  if (step < 0) return `reading ${read + step + 1} of ${read}`;
  return step === 0 ? "initial state" : `step ${step} of ${longest}`;
}
