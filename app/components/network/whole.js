// Whole: the wide picture, with all of a step in one drawing.

import { drawing } from "../shared/elements.js";
import { lineDrag } from "../stepper/line_drag.js";
import { readAs } from "../stepper/trace_reading.js";
import { askingView } from "./asking.js";
import { decoderView } from "./decoder.js";
import { encoderView, keysView } from "./encoder.js";
import { layoutOf } from "./layout.js";
import { mixingView } from "./mixing.js";
import { WHOLE } from "./phases.js";
import { streamView } from "./stream.js";
import { hasEmbeddings } from "./vectors.js";
import { formula } from "./wires.js";
import { writingView } from "./writing.js";

export function wholeView(trace, room, make, act) {
  const places = layoutOf(trace.source.tokens.length, room, hasEmbeddings(trace));
  const svg = drawing("svg", {
    class: "drawing", "aria-hidden": "true", viewBox: `0 0 ${places.width} ${places.height}`,
    width: places.width * places.scale, height: places.height * places.scale,
  });
  const encoder = (trace.look ? keysView : encoderView)(trace, places, make);
  const asking = askingView(trace, places, act);
  const mixing = mixingView(trace, places, encoder, make, act);
  const decoder = trace.look ? streamView(trace, places, mixing.blend, make) : decoderView(trace, places, { encoder, context: mixing.blend }, make, act);
  const writing = trace.atOnce ? null : writingView(trace, places, decoder, act); // an encoder writes nothing
  svg.append(rowNames(trace, places), mixing.node, encoder.node, asking.node, decoder.node, ...(writing ? [writing.node] : []));

  const drag = act.weighable ? ribbonDrag(trace, places, svg, act) : null;
  if (drag) mixing.ribbons.forEach((ribbon, i) => drag.hold(ribbon, () => i));

  // While a ribbon is held, the parts after the context are not known yet.
  function show(step, weights, blend, say, held) {
    drag?.show(step, weights);
    const t = weights.length ? Math.max(0, step - 1) : -1;
    svg.classList.toggle("before", t < 0);
    encoder.show(step);
    asking.show(t, weights);
    mixing.show(t, weights, blend, held);
    decoder.show(step, held);
    writing?.show(step, held);
  }

  // Where a long sentence's picture is scrolled to, in pixels: the token being read; the end, where the decoder asks and
  // writes; else as near to it as leaves the heaviest token in sight.
  function sight(step, phase, weights) {
    if (step < 0) return places.x(trace.sourceLength + step) * places.scale - room.width / 2;
    if (step === 0 || ["ask", "write"].includes(phase)) return places.width * places.scale;
    return (places.x(weights.indexOf(Math.max(...weights))) - 1.5 * places.column) * places.scale;
  }
  return { nodes: [svg, ...(drag ? [drag.node] : [])], show, sight, preview: (answer) => writing?.preview(answer) };
}

// Dims the parts that do not belong to a phase.
export function lightPhase(box, phase) {
  for (const part of box.querySelectorAll(".part")) {
    part.classList.toggle("dim", phase !== WHOLE && !part.dataset.phases.split(" ").includes(phase));
  }
}

// The upper end of a ribbon can be dragged to another token, as a line can.
function ribbonDrag(trace, places, svg, act) {
  const view = { now: 0, heaviest: -1, reading: readAs(trace, { units: "tokens", rows: "output" }) };
  const at = { source: (i) => ({ x: places.x(i) * places.scale, y: places.shareEnd * places.scale }) };
  const drag = lineDrag(svg, view, act, at, () => drag.place());
  function show(step, weights) {
    view.now = step;
    view.heaviest = weights.indexOf(Math.max(...weights));
    if (step > 0 && (drag.held() || weights[view.heaviest] > 0)) drag.place();
    else drag.hide();
  }
  return { node: drag.node, hold: drag.hold, show };
}

// The names of the rows, at the left edge.
function rowNames(trace, places) {
  const { low, high, share } = places.tile;
  const rows = [
    ...(hasEmbeddings(trace) ? [["read", "embedding x_i", places.embedding + low / 2]] : []),
    ...(trace.look ? [["read ask", "key k_i", places.forwards + low], ["read mix", "value v_i", places.annotation + high / 2]]
      : [["read", "read →", places.forwards + low / 2], ["read", "read ←", places.backwards + low / 2],
        ["read ask mix", "annotation h_i", places.annotation + high / 2]]),
    ...(trace.attends ? [["ask weigh", "score e_i", places.scoreText - 4]] : []),
    ["weigh mix", "weight α_i", places.weight - 4], ["mix", trace.look ? "share α_i v_i" : "share α_i h_i", places.share + share / 2],
  ];
  return drawing("g", {}, ...rows.map(([phases, words, y]) => drawing("g", { class: phases.startsWith("read") ? "part" : "part later", "data-phases": phases },
    formula(places.names, y + 4, words, { class: "aside" }))));
}
