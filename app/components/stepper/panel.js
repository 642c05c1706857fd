// Panel: one step from top to bottom, in the order of its arithmetic; attention from elsewhere lacks some of it.

import { button, element, heading, quiet, rove, upAndDown } from "../shared/elements.js";
import { about, exact, percent, twoDecimals } from "../shared/numbers.js";
import { rowBarsView, weightRowsView, write } from "./bars.js";
import { endingOf, fedLine } from "./step_text.js";
import { BY_HAND, componentOf, isLookedAt, nameOf, pen, startsFromZeros } from "./trace_reading.js";

// Array, name and symbol of each vector. Of the token looked at means of the one with the greatest weight. The stream is
// the residual stream, FFN the feed-forward network; a number's arithmetic spells both out.
const RECURRENT = [
  ["state", "State", "s"],
  ["cell", "Cell state", "m"],
  ["context", "Context", "c"],
  ["attentional", "Attentional vector", "h̃"],
];
const ANNOTATION = ["annotation", "Annotation", "h"];
const OF_HEAD = [
  ["normalised", "Normalised", "x"],
  ["query", "Query", "q"],
  ["key", "Key", "k"],
  ["value", "Value", "v"],
  ["mixed", "Values mixed", "z"],
  ["joined", "Heads joined", "o"],
  ["stream", "Stream + heads", "x"],
  ["hidden", "FFN, hidden", "f"],
  ["feed_forward", "FFN, output", "o"],
  ["stream_after", "Stream + FFN", "x"],
];
const HALVES = "Two readers make an annotation: the upper half has read from the left up to this token, "
  + "the lower half from the right.";

export function panelView(trace, pixels, act) {
  const head = element("p", { class: "head" });
  const ending = element("p", { class: "ending" });
  const bars = rowBarsView(trace, act);
  const likely = trace.atOnce || !trace.top_probability ? null : nextTokensView(trace, act);
  const edits = act.editing && !trace.atOnce;
  const weighing = edits && trace.look?.head !== 0 ? weightRowsView(trace, act, act.draft) : null;
  const writing = edits ? tokenFieldView(trace, act) : null;
  const handles = /** @type {any[]} */ ([weighing, writing].filter(Boolean));
  for (const handle of handles) handle.node.inert = !act.edit; // holds the place
  const last = trace.look?.attention === "encoder" ? ANNOTATION : ["attentional", "Output vector", "h̃"];
  const vectors = (trace.look ? [...OF_HEAD, last] : RECURRENT).filter(([kind]) => trace[kind]?.width > 0)
    .map((names) => vectorView(trace, names, pixels, act));
  const strips = element("div", { class: `vectors${vectors.length > 6 ? " many" : ""}` }, ...vectors.map(({ node }) => node));
  const lacks = trace.file ? fileNotes(trace) : null;
  const order = /** @type {any[]} */ (act.several || trace.look ? [bars, weighing, likely, writing, { node: strips }] : [bars, lacks, { node: strips }, likely]);
  const decoding = element("div", { class: "decoding" }, ...order.filter(Boolean).map(({ node }) => node));
  if (trace.look && lacks) decoding.append(lacks.node);
  const encoding = trace.look || trace.file ? null : vectorView(trace, ANNOTATION, pixels, act);
  const node = element("div", { class: "panel" }, head, element("div", { class: "stage" }, decoding,
    ...(encoding ? [element("div", { class: "encoding" }, encoding.node, element("p", { class: "note" }, HALVES))] : [])), ending);

  function show(step) {
    node.classList.toggle("reading", step < 0);
    head.replaceChildren(...headOf(trace, step));
    if (step < 0) return encoding?.show(trace.sourceLength + step);
    bars.show(step);
    for (const part of [likely, lacks, ...handles]) part?.show(step);
    for (const vector of vectors) vector.show(step - 1);
    const ended = !trace.atOnce && !trace.file && step === trace.writes ? endingOf(trace) : "";
    if (ending.textContent === ended) return;
    ending.textContent = ended;
    bars.resize(); // it takes some of the room, and the strongest row stays in sight
  }
  return { node, show, arrange: bars.arrange, resize: bars.resize, redraw: bars.redraw, preview: likely?.preview };
}

function headOf(trace, step) {
  const reading = trace.atOnce ? `${nameOf(trace.look)}: reading ` : "Reading ";
  if (step < 0) return [quiet(reading), trace.sourceToken(trace.source.tokens[trace.sourceLength + step])];
  if (step === 0 && (trace.look || trace.file)) return ["Before the first step"];
  if (step === 0) return ["Initial state", quiet(startsFromZeros(trace) ? ", all zeros" : "")];
  if (!trace.atOnce && !trace.file?.links) return fedLine(trace, step - 1);
  const label = trace.target.tokens[step - 1];
  return [quiet(trace.atOnce ? reading : "Target token "), element("b", {}, trace.targetToken(label))];
}

// A vector as a strip below its name and the ends of its scale.
function vectorView(trace, /** @type {string[]} */ [kind, title, symbol], pixels, act) {
  const values = trace[kind];
  const reach = trace.ranges[kind]?.[1] ?? values.values.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  const bar = strip(values.width, reach, pixels, act);
  bar.node.dataset.kind = kind;
  bar.node.tabIndex = 0;
  const [index, mark, called] = [element("sub"), element("span"), element("span", { class: "called" }, title)];
  const name = element("span", { class: "vector-name" }, called, " ", element("span", { class: "symbol" }, element("i", {}, symbol), index, mark));
  const node = element("div", { class: "named-strip" },
    element("div", { class: "strip-name" }, name, element("small", {}, `± ${twoDecimals(reach)}`)), bar.node);

  // `t` is the row of the token that asks, from 0, or of the one that is read; −1 is the initial state.
  function show(t) {
    const looked = isLookedAt(kind) && t >= 0;
    const row = looked ? trace.looked_at[t] : t;
    const of = looked ? ` of ${trace.source.tokens[row].text}` : "";
    const shown = t < 0 ? trace[`initial_${kind}`]?.values ?? null : values.row(row);
    const set = kind === "annotation" ? trace.marks.annotations.has(t) : trace.marks.vectors(t).has(kind);
    index.textContent = shown ? String(row + 1) : "";
    mark.replaceChildren(...pen(set ? [BY_HAND] : []));
    called.title = title + of;
    bar.show(shown ? `${title} ${symbol}${row + 1}${of}` : title, shown, (component) => componentOf(trace, kind, row, component));
  }
  return { node, show };
}

// Strip: a vector as colours, blue below 0 and orange above, its components in rows of at most `STRIP_WIDTH`.

const STRIP_WIDTH = 256;

// `quantity(component)` names a component's number; `name` is the vector's name.
export function strip(size, reach, pixels, act, across = STRIP_WIDTH) {
  const lines = Math.ceil(size / across);
  const columns = Math.ceil(size / lines);
  const canvas = element("canvas", { width: columns, height: lines });
  const cursor = element("span", { class: "cursor" });
  const node = element("div", {
    class: "strip", role: "slider", tabindex: "-1", "aria-valuemin": "1", "aria-valuemax": String(size),
  }, canvas, cursor);
  const context = canvas.getContext("2d");
  const image = context.createImageData(columns, lines);
  const paint = new Uint32Array(image.data.buffer);
  let values = null;
  let name = "";
  let quantity;
  let chosen = 0;

  function show(newName, newValues, newQuantity) {
    [name, values, quantity] = [newName, newValues, newQuantity];
    node.classList.toggle("blank", !values);
    node.setAttribute("aria-label", name);
    if (values) {
      for (let i = 0; i < size; i += 1) paint[i] = pixels[Math.round((values[i] / (reach || 1) + 1) * 127.5)];
      context.putImageData(image, 0, 0);
    }
    speak();
  }

  const say = () => (values ? `${name}, component ${chosen + 1} of ${size}: ${about(values[chosen])}` : "");
  function speak() {
    const text = values ? `component ${chosen + 1}: ${about(values[chosen])}` : "not computed yet";
    node.setAttribute("aria-valuetext", text);
  }

  function choose(component) {
    chosen = Math.min(size - 1, Math.max(0, component));
    node.setAttribute("aria-valuenow", String(chosen + 1));
    cursor.style.left = `${(100 * (chosen % columns)) / columns}%`;
    cursor.style.top = `${(100 * Math.floor(chosen / columns)) / lines}%`;
    cursor.style.width = `${100 / columns}%`;
    cursor.style.height = `${100 / lines}%`;
    speak();
  }

  function under(event) {
    const area = node.getBoundingClientRect();
    const column = Math.min(columns - 1, Math.max(0, Math.floor(((event.clientX - area.left) / area.width) * columns)));
    const line = Math.min(lines - 1, Math.max(0, Math.floor(((event.clientY - area.top) / area.height) * lines)));
    return line * columns + column;
  }

  const inspect = () => values && act.inspect(quantity(chosen));
  act.describe(node, (event) => {
    if (event.type !== "focusin") choose(under(event));
    return say();
  });
  node.addEventListener("click", (event) => { choose(under(event)); inspect(); });
  node.addEventListener("keydown", (event) => {
    const moves = { ArrowLeft: -1, ArrowRight: 1, PageUp: -16, PageDown: 16, Home: -size, End: size };
    const move = moves[event.key];
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (!move && event.key !== "Enter") return;
    event.preventDefault();
    event.stopPropagation();
    if (!move) return inspect();
    choose(chosen + move);
    node.dispatchEvent(new FocusEvent("focusin", { bubbles: true, composed: true }));
  });
  choose(0);
  return { node, show };
}

// What attention from elsewhere lacks, in a sentence, and what the weights of the row add up to.
function fileNotes(trace) {
  const { links, given, scored } = trace.file;
  const some = [!scored?.includes(trace.look?.attention ?? "cross") && "scores", "states and vectors",
    !trace.atOnce && !trace.top_probability && "the likeliest tokens"].filter(Boolean).join(", ");
  const sum = element("p", { class: "note", "data-testid": "sum" });
  const node = element("div", {}, sum, element("p", { class: "note", "data-testid": "lacks" }, `${given ? "Not given" : "Not in the file"}: ${some}.${given || links ? "" : " They stay in the program that wrote it."}`));
  function show(step) {
    const whole = step > 0 ? trace.weight.row(step - 1).reduce((all, weight) => all + weight, 0) : 0;
    const { text } = trace.target.tokens[Math.max(0, step - 1)];
    sum.textContent = links || step < 1 ? ""
      : `${given ? "The weights" : "The file's weights"} ${trace.atOnce ? "from" : "for"} ${text} sum to ${(100 * whole).toFixed(2)}%.`;
  }
  return { node, show };
}

// Next tokens: the five likeliest, ten on request, all beyond ten as one row, and how the token taken scored.
//
// If the translation can be changed, a press writes that token instead, and its number opens the arithmetic.

const FEW = 5;

function nextTokensView(trace, act) {
  const { against } = trace.marks, count = trace.top_probability.width;
  const list = element("div", { class: "likely" });
  const logarithm = button({ class: "number", "data-testid": "log-probability" },
    () => t >= 0 && act.inspect({ trace: trace.index, kind: "log_probability", step: t }));
  const taken = element("span");
  const logarithms = element("p", { class: "note taken" }, "Log-probability of ", taken, " ", logarithm);
  const met = button({ class: "number met", "data-testid": "met" },
    () => t >= 0 && act.inspect({ trace: trace.index, kind: "met", step: t }), "Met in training");
  const title = heading("Next token", "probability");
  const more = button({ class: "number met", "data-testid": "ten-tokens", "aria-pressed": "false" }, () => {
    const ten = list.classList.toggle("ten");
    more.setAttribute("aria-pressed", String(ten));
    more.textContent = `${ten ? FEW : count} tokens`;
    show(t + 1);
  }, `${count} tokens`);
  if (act.memory) title.append(met);
  if (count > FEW) title.append(more);
  const node = element("section", {}, title, list);
  let t = -1;
  const rows = Array.from({ length: count }, (_, rank) => rowOf(
    () => ({ trace: trace.index, kind: "probability", step: t, token: trace.top_ids[t][rank] }),
    () => trace.top_probability.at(t, rank), rank));
  const others = rowOf(() => ({ trace: trace.index, kind: "rest", step: t }), () => trace.rest.at(t), count);
  others.node.classList.add("others");
  const all = [...rows, others];
  const inList = () => all.filter((row) => !row.node.hidden);
  list.append(...all.map((row) => row.node), logarithms);
  rove(list, () => inList().map((row) => row.press), upAndDown);
  if (act.edit) rove(list, () => inList().flatMap((row) => row.number ?? []), upAndDown);
  act.describe(others.press, () => t >= 0 && `all tokens beyond the ${count} likeliest: ${exact(others.value())}`);
  act.describe(logarithm, () => t >= 0 && `log-probability ${exact(trace.log_probability.at(t))}`);

  /** @returns {any} */
  function rowOf(quantity, value, rank) {
    const [name, figure, bar, delta] = ["name", "figure", "fill", "delta"].map((kind) => element("span", { class: kind }));
    const track = element("span", { class: "track" }, bar);
    const parts = { name, figure, bar, delta, value };
    const inspect = () => t >= 0 && act.inspect(quantity());
    const hook = { "data-testid": rank < count ? "top-token" : "all-others", "data-rank": String(rank) };
    if (!act.edit || rank === count) {
      const node = button({ class: "bar", tabindex: rank ? -1 : 0, ...hook }, inspect, name, figure, track, delta);
      act.describe(node, () => t >= 0 && `probability ${exact(value())}`);
      return { ...parts, node, press: node };
    }
    const force = () => t >= 0 && act.edit({ kind: "token", step: t, token: trace.top_ids[t][rank] });
    const press = button(
      { class: "write", tabindex: rank ? -1 : 0, "data-testid": "write-token", "data-handle": `write-${rank}` },
      force, element("span", { class: "unseen" }, "write "), name, element("span", { class: "unseen" }, " instead"));
    const number = button({ class: "press", tabindex: -1, "data-testid": "open-probability" }, inspect, figure);
    act.describe(number, () => t >= 0 && `probability ${exact(value())}`);
    const node = element("div", { class: "bar", ...hook }, press, number, track, delta);
    return { ...parts, node, press, number };
  }

  // The last of the five makes room for a less likely token that was written.
  function show(step) {
    t = step - 1;
    list.classList.toggle("blank", t < 0);
    if (t < 0) return;
    const written = trace.top_ids[t].indexOf(trace.target_ids[t]);
    rows.forEach((row, rank) => {
      row.node.hidden = !list.matches(".ten") && rank !== written && rank >= FEW - Number(written >= FEW);
      writeRow(row, rank === written, trace.top_labels[t][rank], row.value());
      row.delta.textContent = sayChange(against?.[t]?.[rank], rank);
    });
    if (against) {
      list.classList.toggle("compared", t < against.length);
      title.querySelector("small").textContent = t < against.length ? "probability; change in rank and in points" : "probability; not comparable: other words came before";
    }
    others.name.textContent = `beyond ${count}`;
    write(others, others.value(), percent(others.value()));
    taken.replaceChildren(trace.targetToken(trace.target.tokens[t]));
    logarithm.textContent = twoDecimals(trace.log_probability.at(t));
    logarithm.dataset.value = String(trace.log_probability.at(t));
  }

  function writeRow(row, isTaken, label, probability) {
    row.name.replaceChildren(trace.targetToken(label));
    row.node.classList.toggle("taken", isTaken);
    if (row.number) row.press.setAttribute("aria-pressed", String(isTaken));
    write(row, probability, percent(probability));
    row.delta.textContent = "";
  }

  // Likeliest tokens of this step with weights that are being dragged.
  function preview({ labels, probabilities, rest, written, rank, log_probability: logged }) {
    if (t < 0) return;
    rows.forEach((row, place) => writeRow(row, place === rank, labels[place], probabilities[place]));
    write(others, rest, percent(rest));
    taken.replaceChildren(trace.targetToken(written));
    logarithm.textContent = twoDecimals(logged);
  }

  return { node, show, preview };
}

// A token's rank and probability compared with those before, `[rank, gain]`; null if it was not among the likeliest.
function sayChange(was, rank) {
  if (!was) return was === null ? "▲ new" : "";
  const moved = was[0] - rank;
  const points = (100 * was[1]).toFixed(1);
  const gained = Number(points) ? ` ${was[1] > 0 ? "+" : "−"}${points.replace("-", "")}` : "";
  return `${moved > 0 ? `▲${moved}` : moved < 0 ? `▼${-moved}` : ""}${gained}`;
}

// Token field: under the next tokens, a field for any other word, and buttons for the end and the model's choice.

const ANY_WORD = "What you type starts a new word; begin with · to continue the word before.";

function tokenFieldView(trace, act) {
  let t = -1;
  const field = element("input", {
    type: "text", class: "text", "aria-label": "Write any other word", placeholder: "any other word", maxlength: 200,
    lang: trace.target.language, autocomplete: "off", "data-testid": "write-text", "data-handle": "write-text",
  });
  const small = (name, text, go) =>
    button({ class: "small", "data-testid": name, "data-handle": name }, () => t >= 0 && go(), text);
  const write = small("write", "Write it", () => {
    if (field.value.trim()) act.edit({ kind: "text", step: t, text: field.value });
    else field.focus();
  });
  field.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && !event.isComposing) write.click();
  });
  act.describe(field, () => ANY_WORD);
  const free = small("free", "let the model choose", () =>
    trace.marks.forced.has(t) && act.edit({ kind: "free", step: t }));
  const node = element("div", { class: "extras" },
    element("div", { class: "choices" }, field, write, free),
    element("p", { class: "note" }, "Press a token to write it instead, or its number for the arithmetic. ", ANY_WORD));

  function show(step) {
    if (t !== step - 1) field.value = "";
    t = step - 1;
    free.setAttribute("aria-disabled", String(!trace.marks.forced.has(t)));
  }
  return { node, show };
}
