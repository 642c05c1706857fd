// Frame: one trace's sentence, heatmap and panel of the current step. With several, each describes its own step.

import { element, headView } from "../shared/elements.js";
import { networkView } from "../network/view.js";
import { draftOf } from "./draft.js";
import { fileView, headsPanelView, panelView } from "./panel.js";
import { isLarge, ofHead, rowStepOf } from "./trace_reading.js";
import { heatmapView } from "./heatmap.js";
import { heatmapCanvasView } from "./heatmap_canvas.js";
import { sentenceView } from "./sentence.js";

const FEW = 8; // most words or tokens of a sentence written large

export function frameView(trace, pixels, shared) {
  let pinned = null;
  let view = /** @type {any} */ (null);
  const draft = draftOf(trace, {
    now: () => rowStepOf(trace, view?.step ?? 0) - 1,
    draw: () => {
      parts.forEach((part) => part.redraw?.());
      if (draft.row() && !trace.atOnce) shared.previewing(placed({ step: rowStepOf(trace, view.step) - 1, row: draft.row() }));
    },
    restore: shared.restore,
    send: (change) => shared.edit?.(trace.look ? { ...placed(change), kind: "head_weights" } : change),
  });
  const placed = (change) => (trace.look ? ofHead(trace, change) : change);
  const act = {
    ...shared, pin, draft,
    weighable: shared.edit && (!trace.look || trace.look.head > 0), // a mean of heads is no attention of its own
    rewordable: shared.edit && (!trace.look || trace.look.attention === "cross"),
  };
  const { several } = act;
  const panel = trace.file ? fileView(trace, act) : trace.look ? headsPanelView(trace, pixels, act) : panelView(trace, pixels, act);
  const [sentence, heat] = [sentenceView(trace, act), isLarge(trace) ? heatmapCanvasView(trace, act) : heatmapView(trace, act)];
  const writing = writingView(trace);
  /** @type {any[]} */
  const parts = act.changing ? [writing, sentence, panel, heat] : [writing, sentence, heat, panel]; // in visual order
  const network = trace.network && trace.look?.head !== 0 ? networkView(trace, pixels, act) : null;
  if (network) parts.push(network);
  const title = trace.head?.title ?? trace.name;
  const here = element("p", { class: "here", "data-testid": "here" });
  const node = element("article", { class: "frame", "aria-label": title, "data-attention": trace.look?.attention },
    ...(trace.head ? [headView(trace, act)] : several ? [element("h2", { class: "model" }, title)] : []),
    ...(several ? [here] : []),
    element("div", { class: "parts" }, ...parts.map((part) => part.node)));
  function arrange(reading, glosses) {
    pinned = null;
    draft.flush();
    node.classList.toggle("few", Math.max(reading.columns.length, reading.chips.length) <= FEW);
    for (const part of parts) part.arrange(reading, glosses);
  }
  function pin(column) {
    pinned = pinned === column ? null : column;
    show(view);
    resize();
  }
  function show(newView) {
    if (view?.step !== newView.step) draft.flush();
    view = { ...newView };
    const seen = node.closest(".networked") ? [sentence, heat, network] : parts; // the others are drawn once selected
    for (const part of seen) part.show(rowStepOf(trace, view.step), pinned, view);
  }
  const resize = () => parts.forEach((part) => part.resize());
  const say = (sentence) => here.replaceChildren(sentence);
  const language = trace.target.language;
  function preview(answer) {
    if (!draft.row()) return null;
    for (const part of parts) part.preview?.(answer);
    return element("div", {}, "With these weights: ", element("span", { class: "whole target-word", lang: language }, answer.text));
  }
  const says = () => network?.says() ?? null; // about the phase that is lit
  return { node, title, says, light: (phase) => network?.lightUp(phase), weighable: Boolean(act.weighable), arrange, show, say, resize, preview, beckon: sentence.beckon };
}

// In a presentation, the target sentence so far; the rest keeps its room, invisible.
function writingView({ target }) {
  const texts = textsOf(target);
  const pieces = texts.map(([, text]) => element("span", {}, text));
  const node = element("p", { class: "writing", lang: target.language, dir: "auto", "aria-hidden": "true" },
    ...pieces.flatMap((piece, t) => [texts[t][0], piece]));
  node.style.setProperty("--letters", String(node.textContent.length));

  function show(step) {
    pieces.forEach((piece, t) => {
      piece.classList.toggle("future", t >= step);
      piece.classList.toggle("latest", t === step - 1);
    });
  }
  return { node, show, arrange() {}, resize() {} };
}

// The text that each token adds: the space before it, and itself. Files whose tokens lack spaces get one between
// words.
function textsOf({ tokens, apart, word_of: wordOf }) {
  const told = apart.some(Boolean);
  return tokens.map(({ text, kind }, t) => {
    if (kind === "control" || kind === "byte") return ["", ""];
    const blank = told ? apart[t] : t > 0 && wordOf[t] !== wordOf[t - 1];
    return [blank && t > 0 ? " " : "", text];
  });
}
