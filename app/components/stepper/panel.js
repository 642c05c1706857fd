// Panel: one step from top to bottom, in the order of its arithmetic; attention from elsewhere lacks some of it.

import { button, element, onEnter, quiet, refresh, rove, upAndDown } from "../shared/elements.js";
import { about, exact, percent, total, twoDecimals } from "../shared/numbers.js";
import { rowBarsView, weightRowsView } from "./bars.js";
import { endingOf, fedLine } from "./step_text.js";
import { BY_HAND, componentOf, isLookedAt, nameOf, pen, startsFromZeros } from "./trace_reading.js";

// Array, name and symbol of each vector. Of the token looked at means of the one with the greatest weight. The stream is
// the residual stream, FFN the feed-forward network; a number's arithmetic spells both out.
const RECURRENT = [
  ["state", "State", "s"], ["cell", "Cell state", "m"], ["context", "Context", "c"],
  ["attentional", "Attentional vector", "h̃"],
];
const ANNOTATION = ["annotation", "Annotation", "h"];
const OF_HEAD = [
  ["normalised", "Normalised", "x"], ["query", "Query", "q"], ["key", "Key", "k"], ["value", "Value", "v"],
  ["mixed", "Values mixed", "z"], ["joined", "Heads joined", "o"], ["stream", "Stream + heads", "x"],
  ["hidden", "FFN, hidden", "f"],
  ["feed_forward", "FFN, output", "o"], ["stream_after", "Stream + FFN", "x"],
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
  const at = { row: -1 }; // of the vectors: the token that asks, from 0, or the one that is read; −1 is the initial state
  const vectors = (trace.look ? [...OF_HEAD, last] : RECURRENT).filter(([kind]) => trace[kind]?.width > 0)
    .map((names) => vectorView(trace, names, pixels, at, act));
  const strips = element("div", { class: `vectors${vectors.length > 6 ? " many" : ""}` }, ...vectors);
  const lacks = trace.file ? fileNotes(trace) : null;
  const order = /** @type {any[]} */ (act.several || trace.look ? [bars, weighing, likely, writing, { node: strips }] : [bars, lacks, { node: strips }, likely]);
  const decoding = element("div", { class: "decoding" }, ...order.filter(Boolean).map(({ node }) => node));
  if (trace.look && lacks) decoding.append(lacks.node);
  const encoding = trace.look || trace.file ? null
    : element("div", { class: "encoding" }, vectorView(trace, ANNOTATION, pixels, at, act), element("p", { class: "note" }, HALVES));
  const node = element("div", { class: "panel" }, head,
    element("div", { class: "stage" }, decoding, ...(encoding ? [encoding] : [])), ending);

  function show(step) {
    node.classList.toggle("reading", step < 0);
    head.replaceChildren(...headOf(trace, step));
    at.row = step < 0 ? trace.sourceLength + step : step - 1;
    if (step < 0) return encoding && refresh(encoding);
    bars.show(step);
    for (const part of [likely, lacks, ...handles]) part?.show(step);
    refresh(strips);
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
function vectorView(trace, /** @type {string[]} */ [kind, title, symbol], pixels, at, act) {
  const values = trace[kind];
  const reach = trace.ranges[kind]?.[1] ?? values.values.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  const looked = () => isLookedAt(kind) && at.row >= 0;
  const row = () => (looked() ? trace.looked_at[at.row] : at.row);
  const called = () => title + (looked() ? ` of ${trace.source.tokens[row()].text}` : "");
  const shown = () => (at.row < 0 ? trace[`initial_${kind}`]?.values ?? null : values.row(row()));
  const byHand = () => (kind === "annotation" ? trace.marks.annotations.has(at.row) : trace.marks.vectors(at.row).has(kind));
  const bar = strip({
    size: values.width, reach, pixels, values: shown,
    name: () => (shown() ? `${title} ${symbol}${row() + 1}${called().slice(title.length)}` : title),
    open: (component) => act.inspect(componentOf(trace, kind, row(), component)),
  });
  bar.dataset.kind = kind;
  bar.tabIndex = 0;
  return element("div", { class: "named-strip" }, element("div", { class: "strip-name" },
    element("span", { class: "vector-name" }, element("span", { class: "called" }, called), " ",
      element("span", { class: "symbol" }, element("i", {}, symbol),
      element("sub", {}, () => (shown() ? String(row() + 1) : "")),
      element("span", {}, () => pen(byHand() ? [BY_HAND] : [])))),
    element("small", {}, `± ${twoDecimals(reach)}`)), bar);
}

// Strip: a vector as colours, blue below 0 and orange above, its components in rows of at most `across`. `name()` and
// `values()` are the vector's own, null before it is computed; `open(component)` opens a component's number.
export function strip({ size, reach, pixels, values, name, open, across = 256 }) {
  const lines = Math.ceil(size / across);
  const columns = Math.ceil(size / lines);
  const cursor = element("span", { class: "cursor" });
  const canvas = element("canvas", { width: columns, height: lines, draws: () => values() && paint() });
  let chosen = 0;
  const component = () => `component ${chosen + 1}`;
  const node = element("div", {
    class: "strip", role: "slider", tabindex: "-1", "aria-valuemin": "1", "aria-valuemax": String(size),
    classes: { blank: () => !values() },
    "aria-label": name, "aria-valuenow": () => String(chosen + 1),
    "aria-valuetext": () => (values() ? `${component()}: ${about(values()[chosen])}` : "not computed yet"),
    says: (event) => {
      if (event.type !== "focusin") choose(under(event));
      return values() ? `${name()}, ${component()} of ${size}: ${about(values()[chosen])}` : "";
    },
    onclick: (event) => { choose(under(event)); inspect(); },
    onkeydown: pressed,
  }, canvas, cursor);

  function paint() {
    const context = canvas.getContext("2d");
    const image = context.createImageData(columns, lines);
    const shown = values();
    new Uint32Array(image.data.buffer).set(Array.from({ length: size },
      (_, i) => pixels[Math.round((shown[i] / (reach || 1) + 1) * 127.5)]));
    context.putImageData(image, 0, 0);
  }
  function choose(place) {
    chosen = Math.min(size - 1, Math.max(0, place));
    Object.assign(cursor.style, {
      left: `${(100 * (chosen % columns)) / columns}%`, top: `${(100 * Math.floor(chosen / columns)) / lines}%`,
      width: `${100 / columns}%`, height: `${100 / lines}%`,
    });
    refresh(node);
  }
  function under({ clientX, clientY }) {
    const { left, top, width, height } = node.getBoundingClientRect();
    const within = (share, count) => Math.min(count - 1, Math.max(0, Math.floor(share * count)));
    return within((clientY - top) / height, lines) * columns + within((clientX - left) / width, columns);
  }
  const inspect = () => values() && open(chosen);
  function pressed(event) {
    const move = { ArrowLeft: -1, ArrowRight: 1, PageUp: -16, PageDown: 16, Home: -size, End: size }[event.key];
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || (!move && event.key !== "Enter")) return;
    event.preventDefault();
    event.stopPropagation();
    if (!move) return inspect();
    choose(chosen + move);
    node.dispatchEvent(new FocusEvent("focusin", { bubbles: true, composed: true }));
  }
  choose(0);
  return node;
}

// What attention from elsewhere lacks, in a sentence, and what the weights of the row add up to.
function fileNotes(trace) {
  const { links, given, scored } = trace.file;
  const some = [!scored?.includes(trace.look?.attention ?? "cross") && "scores", "states and vectors",
    !trace.atOnce && !trace.top_probability && "the likeliest tokens"].filter(Boolean).join(", ");
  const sum = element("p", { class: "note", "data-testid": "sum" });
  const node = element("div", {}, sum, element("p", { class: "note", "data-testid": "lacks" }, `${given ? "Not given" : "Not in the file"}: ${some}.${given || links ? "" : " They stay in the program that wrote it."}`));
  function show(step) {
    sum.textContent = links || step < 1 ? ""
      : `${given || trace.file.divided ? "The weights" : "The file's weights"} ${trace.atOnce ? "from" : "for"} ${trace.target.tokens[step - 1].text} `
      + `sum to ${(100 * total(trace.weight.row(step - 1))).toFixed(2)}%.`;
  }
  return { node, show };
}

// Next tokens: the five likeliest, ten on request, all others as one row, and how the token taken scored.
//
// If the translation can be changed, a press writes that token instead, and its number opens the arithmetic.

const FEW = 5;

function nextTokensView(trace, act) {
  const { against } = trace.marks;
  const count = trace.top_probability.width;
  const more = trace.others ? `${trace.others.toLocaleString("en")} more` : `beyond ${count}`; // than the likeliest
  let t = -1;
  let ten = false;
  let dragged = /** @type {any} */ (null); // the answer for weights that are being dragged
  const opens = (kind, token) => () => t >= 0
    && act.inspect({ trace: trace.index, kind, step: t, ...(token && { token: token() }) });
  const told = (text) => () => t >= 0 && text();
  const written = () => dragged?.rank ?? trace.top_ids[t].indexOf(trace.target_ids[t]);
  const compared = () => t < against?.length;

  // The last row makes room for a less likely token that was written.
  function rowOf(rank) {
    const others = rank === count;
    const value = () => (others ? dragged?.rest ?? trace.rest.at(t) : dragged?.probabilities[rank]
      ?? trace.top_probability.at(t, rank));
    const token = () => trace.top_ids[t][rank];
    const inspect = others ? opens("rest") : opens("probability", token);
    const says = told(() => `${others ? `all tokens beyond the ${count} likeliest:` : "probability"} ${exact(value())}`);
    const name = element("span", { class: "name" },
      () => (others ? more : trace.targetToken((dragged?.labels ?? trace.top_labels[t])[rank])));
    const figure = element("span", { class: "figure" }, () => percent(value()));
    const bar = element("span", { class: "track" },
      element("span", { class: "fill", style: { transform: () => `scaleX(${value()})` } }));
    const delta = element("span", { class: "delta" }, () => (dragged ? "" : sayChange(against?.[t]?.[rank], rank)));
    const taken = () => rank === written();
    const all = {
      "data-testid": others ? "all-others" : "top-token", "data-rank": String(rank),
      "data-value": () => String(value()), classes: { taken },
      hidden: () => !ten && !others && !taken() && rank >= FEW - Number(written() >= FEW),
    };
    if (!act.edit || others) {
      const node = button({ class: others ? "bar others" : "bar", tabindex: rank ? -1 : 0, says, ...all }, inspect,
        name, figure, bar, delta);
      return { node, press: node };
    }
    const press = button({ class: "write", tabindex: rank ? -1 : 0, "aria-pressed": () => String(taken()),
      "data-testid": "write-token", "data-handle": `write-${rank}` },
      () => t >= 0 && act.edit({ kind: "token", step: t, token: token() }),
      element("span", { class: "unseen" }, "write "), name, element("span", { class: "unseen" }, " instead"));
    const number = button({ class: "press", tabindex: -1, "data-testid": "open-probability", says }, inspect, figure);
    return { node: element("div", { class: "bar", ...all }, press, number, bar, delta), press, number };
  }

  const rows = Array.from({ length: count + 1 }, (_, rank) => rowOf(rank));
  const inList = () => rows.filter((row) => !row.node.hidden);
  const logarithm = button({
    class: "number", "data-testid": "log-probability",
    says: told(() => `log-probability ${exact(trace.log_probability.at(t))}`),
    "data-value": () => String(trace.log_probability.at(t)),
  }, opens("log_probability"), () => twoDecimals(dragged?.log_probability ?? trace.log_probability.at(t)));
  const list = element("div", { class: "likely", classes: { ten: () => ten, compared } },
    ...rows.map((row) => row.node),
    element("p", { class: "note taken" }, "Log-probability of ",
      element("span", {}, () => trace.targetToken(dragged?.written ?? trace.target.tokens[t])), " ", logarithm));
  const memory = act.memory ? [button({ class: "number met", "data-testid": "met" }, opens("met"), "Met in training")]
    : [];
  const tenTokens = count > FEW ? [button({ class: "number met", "data-testid": "ten-tokens",
    "aria-pressed": () => String(ten) }, () => {
    ten = !ten;
    show(t + 1);
  }, () => `${ten ? FEW : count} tokens`)] : [];
  const means = () => (!against ? "probability" : compared() ? "probability; change in rank and in points"
    : "probability; not comparable: other words came before");
  const node = element("section", {},
    element("p", { class: "title" }, "Next token", element("small", {}, means), ...memory, ...tenTokens), list);
  rove(list, () => inList().map((row) => row.press), upAndDown);
  if (act.edit) rove(list, () => inList().flatMap((row) => row.number ?? []), upAndDown);

  function show(step) {
    [t, dragged] = [step - 1, null];
    list.classList.toggle("blank", t < 0);
    if (t >= 0) refresh(node);
  }
  function preview(answer) {
    dragged = answer;
    if (t >= 0) refresh(node);
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
  const forced = () => trace.marks.forced.has(t);
  const small = (name, text, go, attributes = {}) =>
    button({ class: "small", "data-testid": name, "data-handle": name, ...attributes }, () => t >= 0 && go(), text);
  const write = () => {
    if (field.value.trim()) act.edit({ kind: "text", step: t, text: field.value });
    else field.focus();
  };
  const field = element("input", {
    type: "text", class: "text", "aria-label": "Write any other word", placeholder: "any other word", maxlength: 200,
    lang: trace.target.language, autocomplete: "off", "data-testid": "write-text", "data-handle": "write-text",
    says: () => ANY_WORD, onkeydown: onEnter(() => t >= 0 && write()),
  });
  const free = () => forced() && act.edit({ kind: "free", step: t });
  const node = element("div", { class: "extras" },
    element("div", { class: "choices" }, field, small("write", "Write it", write),
      small("free", "let the model choose", free, { "aria-disabled": () => String(!forced()) })),
    element("p", { class: "note" }, "Press a token to write it instead, or its number for the arithmetic. ", ANY_WORD));

  function show(step) {
    if (t !== step - 1) field.value = "";
    t = step - 1;
    refresh(node);
  }
  return { node, show };
}
