// Panel: one step from top to bottom, in the order of its arithmetic.

import { element, heading, quiet, rove, scroller, tabStop, upAndDown } from "../shared/elements.js";
import { nextTokensView } from "./next_tokens.js";
import { BY_HAND, pen } from "./marks.js";
import { rowBarsView } from "./posterior.js";
import { startsFromZeros } from "./trace_reading.js";
import { endingOf, fedLine } from "./step_text.js";
import { namedStrip, strip, stripName, VECTORS } from "./strip.js";
import { weightRowsView } from "./weight_rows.js";
import { tokenFieldView } from "./token_field.js";

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
  const sizeOf = (kind) => ({ width: trace[kind].width, reach: trace.ranges[kind][1] });
  const strips = Object.fromEntries(kinds.map((kind) =>
    [kind, namedStrip(kind, VECTORS[kind], sizeOf(kind), pixels, act)]));
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
