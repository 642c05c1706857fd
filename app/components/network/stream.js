// Stream: the residual stream of the token that asks, past one attention of a layer (Vaswani et al. 2017, section 3).
//
//     q = W_Q LayerNorm(x)      x = x + W_O [z of head 1 ; z of head 2 ; …]      x = x + FFN(LayerNorm(x))

import { drawing } from "../shared/elements.js";
import { fedAt } from "../stepper/trace_reading.js";
import { cut, formula, part, plain, symbol, text, wire } from "./wires.js";
import { mixedByHeads } from "./vectors.js";

const HEADS = { left: 60, room: 184, apart: 6 }; // from the decoder's left edge
const STREAM = 304;
const WIDE = 104; // of a tile with all components of the stream

export function streamView(trace, places, blend, make) {
  const { decoder, score, context, height } = places;
  const [x, asks, bottom] = [decoder + STREAM, decoder + 126, height - 14 - 125];
  const y = (share) => share * (bottom / 283); // 283 units lie above the likeliest tokens where the picture is lowest
  let t = -1;
  const here = () => ({ step: t });
  const wide = (kind, top, middle = x) => trace[kind] && make({ x: middle, y: y(top), width: WIDE, height: y(18) }, trace[kind].width, kind, here);
  const [normalised, stream, after] = [wide("normalised", 26, asks), wide("stream", 178), wide("stream_after", 240)];
  const query = make({ x: asks, y: y(70), width: 64, height: y(38) }, trace.query.width, "query", here);
  const fed = text(x, 14, "", { class: "target-name", "text-anchor": "middle", lang: trace.target.language });
  const name = symbol(query.right + 8, query.middle + 4, "q", { "text-anchor": "start" });
  const joined = joinedView(trace, { left: decoder + HEADS.left, y: y(148), height: y(30) }, make, here);
  const plus = [[x, joined.middle], [x, y(228)]].slice(0, after ? 2 : 1);
  const level = score + 20;
  const down = query.left - 50;
  const node = drawing("g", {},
    part("read ask", fed, wire([x, 19], [x, y(35)], [normalised.right + 2, y(35)]), aside((x + normalised.right) / 2, y(35) - 5, "normalise"),
      normalised.node, wire([asks, normalised.bottom + 1], [asks, query.top - 2]), aside(asks + 18, query.top - 6, "W_Q"), query.node, name.node),
    part("ask", wire([query.left - 2, query.middle], [down, query.middle], [down, level], [places.right + 2, level]),
      aside(down + 52, query.bottom + 16, `q · k_i / √${trace.query.width}`)),
    part("write", wire([x, y(35)], [x, plus[0][1] - 7]), joined.node,
      wire([blend.right + 1, context.y + context.height / 2], [joined.own.x, context.y + context.height / 2], [joined.own.x, joined.own.bottom + 2]),
      wire([joined.right, joined.middle], [x - 7, joined.middle]), aside((joined.right + x) / 2 - 2, joined.middle - 6, "W_O"), ...plus.map(sum),
      wire([x, plus[0][1] + 7], [x, stream.top - 1]), stream.node, ...(after ? feedForward(x, stream, after, plus[1][1]) : []),
      onward(trace, x, (after ?? stream).bottom, bottom)));

  // While a weight is dragged, the vectors after it are unknown.
  function show(step, held) {
    t = step - 1;
    node.classList.toggle("absent", t < 0);
    if (t < 0) return;
    const row = (kind) => trace[kind].row(t);
    normalised.paint(row("normalised"));
    query.paint(row("query"));
    stream.paint(held ? null : row("stream"));
    after?.paint(held ? null : row("stream_after"));
    joined.show(t, held);
    fed.textContent = cut(plain(fedAt(trace, t)), 130);
    name.show(step);
  }
  return { node, show, at: { likely: { x: decoder + 254, y: bottom } }, out: [] };
}

const aside = (x, y, words) => formula(x, y, words, { class: "aside", "text-anchor": "middle" });
const sum = (/** @type {number[]} */ [x, y]) => drawing("g", { class: "sum" }, drawing("circle", { cx: x, cy: y, r: 7 }), drawing("path", { d: `M${x - 4} ${y}h8M${x} ${y - 4}v8` }));

// The mixed values of all heads of the layer, side by side; the head on view is marked.
function joinedView(trace, { left, y, height }, make, here) {
  const all = mixedByHeads(trace);
  const apart = HEADS.room / all.length;
  const tiles = all.map((rows, head) => make({ x: left + (head + 0.5) * apart, y, width: Math.min(64, apart - HEADS.apart), height }, rows.width, "other", () => ({ ...here(), head })));
  const own = trace.look.head - 1;
  const names = tiles.map((one, head) => text(one.x, y - 4, `head ${head + 1}`.slice(apart < 40 ? 5 : 0),
    { class: head === own ? "aside own" : "aside", "text-anchor": "middle" }));
  tiles[own].node.classList.add("own");
  const show = (t, held) => tiles.forEach((one, head) => one.paint(held && head === own ? null : all[head].row(t)));
  return { node: drawing("g", {}, ...names, ...tiles.map((one) => one.node)), own: tiles[own], right: tiles.at(-1).right + 2, middle: y + height / 2, show };
}

function feedForward(x, stream, after, level) {
  const box = { x: x + 68, y: (stream.bottom + level) / 2 - 13, width: 54, height: 18 };
  const middle = box.x + box.width / 2;
  return [wire([x, stream.bottom + 1], [x, level - 7]), wire([stream.right + 2, stream.middle], [middle, stream.middle], [middle, box.y - 1]),
    drawing("g", { class: "box" }, drawing("rect", { ...box, rx: 5 }), text(middle, box.y + 13, "FFN", { "text-anchor": "middle" })),
    wire([middle, box.y + box.height], [middle, level], [x + 8, level]), wire([x, level + 7], [x, after.top - 1]), after.node];
}

// The stream's next destination.
export function next({ look, heads }) {
  if (look.attention === "decoder") return "cross-attention";
  if (look.layer < heads[look.attention].layers.length) return `layer ${look.layer + 1}`;
  return look.attention === "encoder" ? "annotation" : "";
}

function onward(trace, x, top, bottom) {
  const to = next(trace);
  return drawing("g", {}, wire([x, top + 1], [x, bottom - 3]), formula(x + 8, bottom - 10, to ? `to ${to}` : "normalise, W_e", { class: "aside" }));
}
