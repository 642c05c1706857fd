// Panels of a step, in the order of its arithmetic: of a recurrent network, of a head of a Transformer, and of a file that
// lacks some of it.

import { button, element, heading, quiet, rove, scroller, tabStop, upAndDown } from "../shared/elements.js";
import { exact, percent, twoDecimals } from "../shared/numbers.js";
import { barFrame, barOf, barsView, rowBarsView, weightRowsView, write } from "./bars.js";
import { UNSEEN } from "./draft.js";
import { endingOf, fedLine } from "./step_text.js";
import { VECTORS, namedStrip, strip, stripName, vectorName } from "./strip.js";
import { BY_HAND, componentOf, isLookedAt, nameOf, pen, readAs, startsFromZeros } from "./trace_reading.js";

// Panel: one step from top to bottom, in the order of its arithmetic.

export function panelView(trace, pixels, act) {
  const head = element("p", { class: "head" });
  const ending = element("p", { class: "ending" });
  const decoding = decodingView(trace, pixels, act);
  const encoding = encodingView(trace, pixels, act);
  const node = element("div", { class: "panel" },
    head, element("div", { class: "stage" }, decoding.node, encoding.node), ending);

  function show(step, pinned) {
    node.classList.toggle("reading", step < 0);
    encoding.show(step);
    decoding.show(step, pinned);
    const ended = step === trace.steps ? endingOf(trace) : "";
    if (ending.textContent !== ended) {
      ending.textContent = ended;
      decoding.resize(); // it takes some of the room, and the strongest row stays in sight
    }
    const reads = trace.source.tokens[trace.sourceLength + step];
    if (step < 0) head.replaceChildren(quiet("Reading "), trace.sourceToken(reads));
    else if (step === 0) head.replaceChildren("Initial state", quiet(startsFromZeros(trace) ? ", all zeros" : ""));
    else head.replaceChildren(...fedLine(trace, step - 1));
  }

  const resize = () => { decoding.resize(); encoding.resize(); };
  return { node, show, arrange: decoding.arrange, resize, redraw: decoding.redraw, preview: decoding.preview };
}

function decodingView(trace, pixels, act) {
  const bars = rowBarsView(trace, act);
  const likely = nextTokensView(trace, act);
  const handles = act.editing ? [weightRowsView(trace, act, act.draft), tokenFieldView(trace, act)] : [];
  const kinds = Object.keys(VECTORS).filter((kind) => trace[kind].width > 0);
  const strips = Object.fromEntries(kinds.map((kind) =>
    [kind, namedStrip(kind, VECTORS[kind], { width: trace[kind].width, reach: trace.ranges[kind][1] }, pixels, act)]));
  const vectors = (...some) => element("div", { class: "vectors" },
    ...kinds.filter((kind) => some.includes(kind)).map((kind) => strips[kind].node));
  const [weighing, writing] = handles.map((handle) => handle.node);
  const node = element("div", { class: "decoding" }, ...(act.changing
    ? [bars.node, weighing, likely.node, writing, vectors(...kinds)].filter(Boolean)
    : act.several
      ? [vectors("state", "cell"), bars.node, vectors("context", "attentional"), likely.node]
      : [bars.node, vectors(...kinds), likely.node]));
  if (!act.edit) for (const handle of [weighing, writing].filter(Boolean)) handle.inert = true; // holds the place

  function show(step, pinned) {
    const t = step - 1;
    bars.show(step, pinned);
    likely.show(step);
    for (const handle of handles) handle.show(step);
    for (const kind of kinds) {
      const values = step > 0 ? trace[kind].row(t) : step === 0 ? trace[`initial_${kind}`]?.values : null;
      strips[kind].show(step, values ?? null, (component) => ({ trace: trace.index, kind, step: t, component }),
        trace.marks.vectors(t).has(kind));
    }
  }

  return {
    node, show, arrange: bars.arrange, resize: bars.resize, redraw: bars.redraw, preview: likely.preview,
  };
}

const HALVES = "Two readers make an annotation: the upper half has read from the left up to this token, "
  + "the lower half from the right.";

// The annotations, one strip for each source token that the encoder has reached.
function encodingView(trace, pixels, act) {
  const width = trace.annotation.width;
  const [, high] = trace.ranges.annotation;
  const large = strip(width, high, pixels, act);
  const [symbol, mark] = [element("sub"), element("span")];
  const rows = trace.source.tokens.map((label) => {
    const bar = strip(width, high, pixels, act);
    const name = element("span", { class: "name" }, trace.sourceToken(label));
    return { bar, node: element("div", { class: "row" }, name, bar.node) };
  });
  const list = element("div", { class: "annotations" }, ...rows.map((row) => row.node));
  const node = element("div", { class: "encoding" },
    element("div", { class: "named-strip large" }, stripName("Annotation", "h", symbol, high, mark), large.node),
    element("p", { class: "note" }, HALVES),
    heading("Annotations so far"), list);
  const sight = scroller(list, 1); // not where it fades
  let current = null;
  large.node.tabIndex = 0;
  large.node.dataset.kind = "annotation";
  rove(list, () => rows.map((row) => row.bar.node), upAndDown);

  function show(step) {
    if (step >= 0) return;
    const place = trace.sourceLength + step;
    const draw = (bar, position) => bar.show(`annotation h${position + 1} of ${trace.source.tokens[position].text}`,
      trace.annotation.row(position), (component) => ({ trace: trace.index, kind: "annotation", position, component }));
    symbol.textContent = String(place + 1);
    mark.replaceChildren(...pen(trace.marks.annotations.has(place) ? [BY_HAND] : []));
    draw(large, place);
    rows.forEach((row, position) => {
      row.node.classList.toggle("future", position > place);
      row.node.classList.toggle("current", position === place);
      if (position <= place && row.bar.node.classList.contains("blank")) draw(row.bar, position);
    });
    tabStop(current, rows[place].bar.node);
    current = rows[place].bar.node;
    sight.follow([place, rows.length]);
  }

  for (const row of rows) row.bar.show("annotation", null);
  return { node, show, resize: () => sight.measure() };
}

// Panel of a Transformer: one row of one attention from top to bottom, in the order of its arithmetic.

// Vectors before the weights and after them: array, name and symbol. Vectors of the token looked at are those of the
// token with the greatest weight. The stream is the residual stream, FFN the feed-forward network; a number's
// arithmetic spells both out.
const BEFORE = [
  ["normalised", "Normalised", "x"],
  ["query", "Query", "q"],
  ["key", "Key", "k"],
];
const AFTER = [
  ["value", "Value", "v"],
  ["mixed", "Values mixed", "z"],
  ["joined", "Heads joined", "o"],
  ["stream", "Stream + heads", "x"],
  ["hidden", "FFN, hidden", "f"],
  ["feed_forward", "FFN, output", "o"],
  ["stream_after", "Stream + FFN", "x"],
];

export function headsPanelView(trace, pixels, act) {
  const encoding = trace.look.attention === "encoder";
  const head = element("p", { class: "head" });
  const ending = element("p", { class: "ending" });
  const bars = barsView(trace, act);
  const likely = encoding ? null : nextTokensView(trace, act);
  const handles = act.editing && !encoding
    ? [...(trace.look.head ? [weightRowsView(trace, act, act.draft)] : []), tokenFieldView(trace, act)] : [];
  const last = [encoding ? ["annotation", "Annotation", "h"] : ["attentional", "Output vector", "h̃"]];
  const group = (rows) => rows.filter(([name]) => trace[name]).map((row) => vectorView(trace, row, pixels, act));
  const [before, after] = [group(BEFORE), [...group(AFTER), ...group(last)]];
  const vectors = (views) => element("div", { class: `vectors${views.length > 6 ? " many" : ""}` }, ...views.map((view) => view.node));
  const stage = element("div", { class: "decoding" }, bars.node,
    ...handles.map((handle) => handle.node), ...(likely ? [likely.node] : []), vectors([...before, ...after]));
  if (!act.edit) for (const handle of handles) handle.node.inert = true; // keeps the place
  const node = element("div", { class: "panel" }, head, element("div", { class: "stage" }, stage), ending);

  function show(step, pinned) {
    const t = step - 1;
    bars.show(step, pinned);
    likely?.show(step);
    for (const handle of handles) handle.show(step);
    for (const view of [...before, ...after]) view.show(t);
    ending.textContent = !encoding && step === trace.writes ? endingOf(trace) : "";
    if (t < 0) head.replaceChildren("Before the first token");
    else if (encoding) head.replaceChildren(quiet(`${nameOf(trace.look)}: reading `), trace.sourceToken(trace.target.tokens[t]));
    else head.replaceChildren(...fedLine(trace, t));
  }

  return { node, show, arrange: bars.arrange, resize: bars.resize, redraw: bars.redraw, preview: likely?.preview };
}

// A vector of the current row, with its name above it.
function vectorView(trace, [name, title, symbol], pixels, act) {
  const values = trace[name];
  const reach = values.values.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  const card = namedStrip(name, [title, symbol], { width: values.width, reach }, pixels, act);

  function show(t) {
    const set = name === "annotation" ? trace.marks.annotations.has(t) : trace.marks.vectors(t).has(name);
    if (t < 0) return card.show(0, null, null, set);
    const row = isLookedAt(name) ? trace.looked_at[t] : t;
    const of = isLookedAt(name) ? ` of ${trace.source.tokens[row].text}` : "";
    card.show(row + 1, values.row(row), (component) => quantity(row, component), set, of);
    card.heading.title = of ? `${title}${of}${trace.weight.at(t, row) > 0 ? ", which it looks at most" : ""}` : "";
  }

  function quantity(row, component) {
    if (name === "annotation") return { trace: trace.index, kind: name, position: row, component };
    return name === "attentional" ? { trace: trace.index, kind: name, step: row, component } : componentOf(trace, name, row, component);
  }
  return { node: card.node, show };
}

// From a file, or from a program by `regard.show`: the panel of a step of an incomplete trace. Missing parts keep
// their place, in grey, with a message.

const LACKS = {
  weights: {
    state: "The file has no states: they stay inside the program that wrote it.",
    score: "The file has weights, but no scores.",
    context: "The file has no vectors, so the context cannot be summed from them.",
    next: "The file does not say how likely this token or any other was.",
  },
  links: {
    state: "Links have no states.",
    score: "A link is there or it is not, without a score; a token may have none, one or several.",
    context: "Links have no vectors.",
    next: "Links do not say how likely this token or any other was.",
  },
};
const GIVEN = {
  state: "No vectors were given.",
  score: "No scores were given, only weights.",
  context: "Without vectors there is no context to sum.",
  next: "No probabilities of other tokens were given.",
};
const whyOf = (trace) => (trace.file.given ? GIVEN : LACKS[trace.file.links ? "links" : "weights"]);
const LACKED = { recurrent: [[["State", "s"]], [["Context", "c"], ["Attentional vector", "h̃"]]],
  heads: [[["Query", "q"], ["Key", "k"]], [["Value", "v"], ["Values mixed", "z"]]] };

export function fileView(trace, act) {
  const why = whyOf(trace);
  const head = element("p", { class: "head" });
  const bars = trace.file.scored?.includes(trace.look?.attention ?? "cross") ? barsView(trace, act) : weightsView(trace, act);
  const next = trace.top_probability ? nextTokensView(trace, act) : lackingTokens(trace, act, why.next);
  const [before, after] = LACKED[trace.look ? "heads" : "recurrent"];
  const node = element("div", { class: "panel from-file" }, head,
    element("div", { class: "stage" }, element("div", { class: "decoding" },
      bars.node, lacking(before, why.state), lacking(after, why.context), ...(trace.atOnce ? [] : [next.node]))));

  function show(step, pinned) {
    const t = step - 1;
    bars.show(step, pinned);
    if (!trace.atOnce) next.show(step);
    if (t < 0) return head.replaceChildren("Before the first step");
    const writes = element("b", {}, trace.targetToken(trace.target.tokens[t]));
    if (trace.atOnce) return head.replaceChildren(quiet(`${nameOf(trace.look)}: reading `), writes);
    head.replaceChildren(...(trace.file.links ? [quiet("Target token "), writes] : fedLine(trace, t)));
  }
  return { node, show, arrange: bars.arrange, resize: bars.resize };
}

// The places of the likeliest tokens; the target token's probability may still be known.
function lackingTokens(trace, act, why) {
  const chance = button({ class: "number" }, () => t >= 0 && act.inspect({ trace: trace.index, kind: "probability", step: t }));
  const known = trace.probability ? [element("p", { class: "note" }, "Probability of the token: ", chance)] : [];
  const node = element("section", { class: "lacking" }, heading("Next token"),
    element("div", { class: "likely" }, ...Array.from({ length: 6 }, () =>
      element("div", { class: "bar" }, element("span", { class: "name" }), element("span"), hatched("track")))),
    ...known, element("p", { class: "note" }, why));
  let t = -1;
  function show(step) {
    t = step - 1;
    if (t >= 0 && trace.probability) chance.textContent = percent(trace.probability.at(t));
  }
  return { node, show };
}

const hatched = (kind) => element("span", { class: `${kind} hatched`, "aria-hidden": "true" });

// The places of vectors, with one sentence on why they are empty.
function lacking(names, why) {
  return element("section", { class: "lacking" },
    element("div", { class: "vectors" }, ...names.map(([title, symbol]) =>
      element("div", { class: "named-strip" },
        element("div", { class: "strip-name" }, vectorName(title, symbol)),
        hatched("empty")))),
    element("p", { class: "note" }, why));
}

// The bars of the weights, with an empty place for the scores.
function weightsView(trace, act) {
  const note = element("p", { class: "note", "data-testid": "sum" });
  const { links, given } = trace.file;
  const own = readAs(trace, { units: "tokens", rows: "output" });

  function weightBar(label, i, at) {
    const bar = barOf("weight", `weight of ${label.text}`, i, at((t) => act.inspect(own.quantity(t, i))));
    act.describe(bar.press, at((t) => act.say(own, t, i)));
    return bar;
  }

  function draw(t, [, weights]) {
    note.textContent = t < 0 ? "" : saySum(trace, t);
    if (t < 0) return;
    weights.forEach((bar, i) => {
      const weight = own.weights.at(t, i);
      write(bar, weight, own.written(weight));
      bar.node.classList.toggle("heaviest", weight > 0 && i === own.lookedAt[t]);
    });
  }

  return barFrame(trace, own, {
    headings: [element("span"), element("div", { class: "lacking" }, heading("Score")),
      links ? heading("Link") : heading("Weight", given ? "as given" : "as in the file")],
    notes: [note, element("p", { class: "note lacking" }, whyOf(trace).score)],
    columns: [() => ({ node: element("span", { class: "bar score" }, hatched("track")) }), weightBar], draw,
  });
}

// The sum of a step's weights, in the file.
function saySum(trace, t) {
  const sum = trace.look ? trace.weight.row(t).reduce((all, weight) => all + weight, 0) : trace.file.sums[t];
  const { text } = trace.target.tokens[t];
  if (trace.file.links) {
    const count = sum === 0 ? "no source token" : sum === 1 ? "one source token" : `${sum} source tokens`;
    return `${text} is linked to ${count}.`;
  }
  return `${trace.file.given ? "The weights" : "The file's weights"} ${trace.atOnce ? "from" : "for"} ${text} sum to ${(100 * sum).toFixed(2)}%.`;
}

// Next tokens: the five likeliest, ten on request, all beyond ten as one row, and how the token that was taken scored.
//
// If the translation can be changed, a press writes that token instead, and its number opens the arithmetic.


function nextTokensView(trace, act) {
  const { against } = trace.marks, count = trace.top_probability.width;
  const list = element("div", { class: "likely" });
  const logarithm = button({ class: "number", "data-testid": "log-probability" },
    () => t >= 0 && act.inspect({ trace: trace.index, kind: "log_probability", step: t }));
  const taken = element("span");
  const logarithms = element("p", { class: "note taken" }, "Log-probability of ", taken, " ", logarithm);
  const title = heading("Next token", "probability");
  let ten = false; // or five
  const more = button({ class: "number met", "data-testid": "ten-tokens", "aria-pressed": "false" }, () => {
    ten = !ten;
    more.setAttribute("aria-pressed", String(ten));
    more.textContent = ten ? `${FEW} tokens` : `${count} tokens`;
    list.classList.toggle("ten", ten);
    if (t >= 0) choose();
  }, `${count} tokens`);
  const inList = () => all.filter((row) => !row.node.hidden);
  const node = element("section", {}, title, list);
  if (act.memory) {
    title.append(button({ class: "number met", "data-testid": "met" },
      () => t >= 0 && act.inspect({ trace: trace.index, kind: "met", step: t }), "Met in training"));
  }
  if (count > FEW) title.append(more);
  let t = -1;
  const rows = Array.from({ length: count }, (_, rank) => rowOf(
    () => ({ trace: trace.index, kind: "probability", step: t, token: trace.top_ids[t][rank] }),
    () => trace.top_probability.at(t, rank), rank));
  const others = rowOf(() => ({ trace: trace.index, kind: "rest", step: t }), () => trace.rest.at(t), count);
  others.node.classList.add("others");
  const all = [...rows, others];
  list.append(...all.map((row) => row.node), logarithms);
  rove(list, () => inList().map((row) => row.press), upAndDown);
  act.describe(others.press, () => t >= 0 && `all tokens beyond the ${count} likeliest: ${exact(others.value())}`);
  act.describe(logarithm, () => t >= 0 && `log-probability ${exact(trace.log_probability.at(t))}`);

  /** @returns {any} */
  function rowOf(quantity, value, rank) {
    const name = element("span", { class: "name" });
    const figure = element("span", { class: "figure" });
    const bar = element("span", { class: "fill" });
    const delta = element("span", { class: "delta" });
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
  if (act.edit) rove(list, () => inList().flatMap((row) => row.number ?? []), upAndDown);

  // The five likeliest, the last of them making room for a less likely token that was written; or all ten.
  function choose() {
    const written = trace.top_ids[t].indexOf(trace.target_ids[t]);
    rows.forEach((row, rank) => { row.node.hidden = !(ten || rank === written || rank < FEW - Number(written >= FEW)); });
  }

  function show(step) {
    t = step - 1;
    list.classList.toggle("blank", t < 0);
    if (t < 0) return;
    choose();
    rows.forEach((row, rank) => {
      const isTaken = trace.top_ids[t][rank] === trace.target_ids[t];
      row.name.replaceChildren(trace.targetToken(trace.top_labels[t][rank]));
      row.node.classList.toggle("taken", isTaken);
      if (row.number) row.press.setAttribute("aria-pressed", String(isTaken));
      if (against) compare(row.delta, against[t]?.[rank], rank);
    });
    if (against) {
      list.classList.toggle("compared", t < against.length);
      title.querySelector("small").textContent = t < against.length ? COMPARED : APART;
    }
    others.name.textContent = `beyond ${count}`;
    for (const row of all) write(row, row.value(), percent(row.value()));
    taken.replaceChildren(trace.targetToken(trace.target.tokens[t]));
    logarithm.textContent = twoDecimals(trace.log_probability.at(t));
    logarithm.dataset.value = String(trace.log_probability.at(t));
  }

  // A token's rank and probability compared with those before; undefined if the step cannot be compared.
  function compare(delta, was, rank) {
    delta.textContent = "";
    delta.removeAttribute("title");
    if (was === undefined || t >= against.length) return;
    if (was === null) {
      delta.textContent = "▲ new";
      delta.title = `not among the ${count} likeliest before`;
      return;
    }
    const [before, change] = was;
    const moved = before - rank;
    if (!moved && Math.abs(change) < UNSEEN) return;
    const arrow = moved > 0 ? `▲${moved}` : moved < 0 ? `▼${-moved}` : "";
    const points = (100 * change).toFixed(1).replace("-", "−");
    const gained = Math.abs(change) < UNSEEN ? "" : ` ${change > 0 ? "+" : ""}${points}`;
    delta.textContent = `${arrow}${gained}`;
    delta.title = `rank ${before + 1} before; probability ${change > 0 ? "+" : ""}${points} points`;
  }

  // Likeliest tokens of this step with weights that are being dragged.
  function preview({ labels, probabilities, rest, written, rank, log_probability: logged }) {
    if (t < 0) return;
    rows.forEach((row, place) => {
      row.name.replaceChildren(trace.targetToken(labels[place]));
      row.node.classList.toggle("taken", place === rank);
      row.delta.textContent = "";
      if (row.number) row.press.setAttribute("aria-pressed", String(place === rank));
      write(row, probabilities[place], percent(probabilities[place]));
    });
    write(others, rest, percent(rest));
    taken.replaceChildren(trace.targetToken(written));
    logarithm.textContent = twoDecimals(logged);
  }

  return { node, show, preview };
}

const FEW = 5; // next tokens, before more are asked for
const COMPARED = "probability; change in rank and in points";
const APART = "probability; not comparable: other words came before";

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
