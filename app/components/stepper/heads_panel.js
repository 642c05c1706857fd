// Panel of a Transformer: one row of one attention from top to bottom, in the order of its arithmetic.

import { element, quiet } from "../shared/elements.js";
import { componentOf, isLookedAt, nameOf } from "./heads.js";
import { barsView } from "./bars.js";
import { nextTokensView } from "./next_tokens.js";
import { endingOf, fedLine } from "./step_text.js";
import { namedStrip } from "./strip.js";
import { weightRowsView } from "./weight_rows.js";
import { tokenFieldView } from "./token_field.js";

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
