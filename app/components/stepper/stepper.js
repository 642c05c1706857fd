// Stepper: traces side by side on one shared step. `mount` draws them into `parent`, returns how to update and end it.
//
// `data` is what payload.py makes, with step, units, rows and large, and where the translation can be changed with edit
// and heard. `onInspect(quantity)` hears which number was clicked, `onView({step, units, rows, large, edit})` what is
// looked at, `onEdit(changes)` what is changed.

const FEW = 8; // words or tokens of a sentence that can be written large
const SETTINGS = ["units", "rows", "large"];

function mount(parent, data, { onInspect = nothing, onView = nothing, onEdit = nothing } = {}) {
  const root = element("section",
    { class: "stepper", "data-testid": "stepper", "aria-label": "Stepper", tabindex: "-1" });
  const { describe, hide } = tooltip(root);
  const view = { step: 0, units: "words", rows: "output", large: false, glosses: false, edit: false };
  const edits = sender(onEdit);
  let given = {};
  let nonce = 0;
  let traces, frames, readings, range, moves, choices, says, several;
  let postponed = null;
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
    traces = columnsOf(data, view.edit);
    range = limits(traces);
    several = traces.length > 1;
    const changing = several && Boolean(data.what_if);
    frames = traces.map((trace, place) => frameView(trace, pixels, {
      ...act, several, changing, place, editing: view.edit,
      edit: view.edit && place === traces.length - 1 ? edits.send : null,
    }));
    moves = transport(range, act);
    choices = switches(() => view, change, {
      changeable: Boolean(data.what_if), links: traces.every((trace) => trace.file?.links),
    });
    says = element("output", { class: several ? "unseen" : "says", "aria-live": "polite", "data-testid": "announce" });
    const tip = root.querySelector(".tip");
    const columns = element("div", { class: "frames" }, ...frames.map((frame) => frame.node));
    root.replaceChildren(says, columns, choices.node, moves.node, tip);
    root.classList.toggle("several", several);
    root.classList.toggle("changing", changing);
    root.style.setProperty("--columns", traces.length);
    root.style.setProperty("--rows", -range.first);
    stopListening = listenToKeys(root, moves.slider, moves.keys);
  }

  const resize = () => frames.forEach((frame) => frame.resize());

  function go(step) {
    view.step = clamp(step, range);
    show();
  }

  function change(settings) {
    Object.assign(view, settings);
    keepingFocus(root, () => {
      if ("edit" in settings) build();
      arrange();
      show();
    });
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
    const said = traces.map((trace, i) => element("div", {}, ...sayColumn(trace, readings[i], view.step, number)));
    if (several) {
      says.textContent = traces.map((trace, i) => `${frames[i].title}: ${said[i].textContent}`).join(" ");
      frames.forEach((frame, i) => frame.say(said[i]));
    } else says.replaceChildren(...said);
    onView({ step: view.step, units: view.units, rows: view.rows, large: view.large, edit: view.edit });
  }

  // New traces are drawn anew; of the settings only those that differ from the last ones given replace a person's own.
  // The step stays while the sentence does: other models of it are looked at where the last ones were.
  // Nothing is drawn anew under a hand that drags.
  function update(newData) {
    postponed = root.querySelector(".held") ? newData : null;
    if (postponed) return;
    data = newData;
    edits.heard(data.heard ?? 0);
    const sentence = data.traces[0].source.words.map((word) => word.text).join(" ");
    const handlesOut = Boolean(data.edit && !given.edit);
    if (handlesOut) view.edit = true;
    keepingFocus(root, () => {
      if (data.id !== given.id || handlesOut) build();
      for (const name of SETTINGS) if (data[name] !== given[name]) view[name] = data[name];
      view.step = clamp(sentence === given.sentence ? view.step : data.step, range);
      given = { id: data.id, sentence, units: data.units, rows: data.rows, large: data.large, edit: data.edit };
      arrange();
      show();
    });
  }

  // A click leaves the keyboard with the stepper as a whole, so that arrow keys go on stepping; Tab leads to the parts.
  root.addEventListener("mousedown", (event) => {
    if (!event.composedPath()[0].closest("button, td, th, path, .strip")) return;
    event.preventDefault();
    root.focus({ preventScroll: true });
  });
  root.addEventListener("pointerup", () => postponed && update(postponed));
  listenToUndo(root, (edit) => data.what_if && edits.send(edit));
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

// One trace: its sentence, its heatmap and the panel of the current step. One of several says itself what happens there.
function frameView(trace, pixels, shared) {
  let pinned = null;
  let view = null;
  const act = { ...shared, pin };
  const { several } = act;
  const panel = trace.file ? fileView(trace, act) : panelView(trace, pixels, act);
  const [sentence, heat] = [sentenceView(trace, act), heatmapView(trace, act)];
  const parts = several && !act.changing ? [sentence, heat, panel] : [sentence, panel, heat]; // as they are seen
  const title = trace.head?.title ?? trace.name;
  const here = element("p", { class: "here", "data-testid": "here" });
  const node = element("article", { class: "frame", "aria-label": title },
    ...(trace.head ? [headView(trace, act)] : several ? [element("h2", { class: "model" }, title)] : []),
    ...(several ? [here] : []),
    element("div", { class: "parts" }, ...parts.map((part) => part.node)));
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
  const say = (sentence) => here.replaceChildren(sentence);
  return { node, title, arrange, show, say, resize };
}

function sayWeight(reading, row, column) {
  const weight = reading.weights.at(row, column);
  const rowName = reading.chips[reading.chipOfRow(row)].text;
  if (reading.links) return `${rowName} is ${weight ? "" : "not "}linked to ${reading.columns[column].text}`;
  return `${rowName} looks at ${reading.columns[column].text}: ${exact(weight)} = ${percent(weight)}`;
}

function sayPlace(step, traces) {
  const longest = Math.max(...traces.map((trace) => trace.steps));
  const read = -limits(traces).first;
  if (step < 0) return `reading ${read + step + 1} of ${read}`;
  if (step === 0) return read ? "initial state" : "start";
  return `step ${step} of ${longest}`;
}
