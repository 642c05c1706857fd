// Decoder: what it reads, its state before and after, and the attentional vector, connected as the model is wired.
//
// Luong et al. (2015) ask with the state after the cell and join the context to it; Bahdanau et al. (2015) ask with the
// state before, and the cell reads the context.

import { drawing } from "../shared/elements.js";
import { decode } from "../shared/numbers.js";
import { decoderPlaces } from "./layout.js";
import { cut, formula, plain, symbol, text, wire } from "./wires.js";

const SCORES = { dot: "s · h_i", general: "s · W_a h_i", scaled_dot: "s · W_a h_i / √H", concat: "v · tanh(W s + U h_i)" };

export function decoderView(trace, places, context, make) {
  const { coordinates, wiring, cell, input_feeding: feeds } = trace.network;
  const at = decoderPlaces(places, trace.network);
  const late = wiring === "bahdanau";
  const rows = Object.fromEntries(["initial_state", "state", "attentional"].map((kind) => [kind, decode(coordinates[kind])]));
  const size = { width: 56, height: places.tile.high };
  const vector = (place, kind, back) => make({ ...place, ...size }, rows[kind].width, kind, (t) => ({ step: t - back }));
  const before = vector(at.before, "state", 1);
  const state = vector(at.state, "state", 0);
  const joined = vector(at.attentional, "attentional", 0);
  const fedBack = feeds ? vector(at.fedBack, "attentional", 1) : null;
  const fed = text(at.fed.x, at.fed.y + 22, "", { class: "target-name", "text-anchor": "middle", lang: trace.target.language });
  const names = {
    before: symbol(before.x + 42, before.middle + 5, "s"), state: symbol(state.x + 42, state.middle + 5, "s"),
    joined: symbol(joined.x, joined.bottom + 15, "h̃"), fedBack: fedBack && symbol(fedBack.x, fedBack.bottom + 15, "h̃"),
    fed: symbol(at.fed.x, at.fed.y + 2, "y"),
  };
  const box = drawing("g", { class: "box" },
    drawing("rect", { x: at.cell.x - at.cell.width / 2, y: at.cell.y, width: at.cell.width, height: at.cell.height, rx: 5 }),
    text(at.cell.x, at.cell.y + 16, cell.toUpperCase(), { "text-anchor": "middle" }));
  const cellWires = inputs({ at, late, before, state, fedBack, context });
  const asker = late ? before : state;
  const asks = drawing("g", { class: "part", "data-phases": "ask" }, ...(trace.attends ? [
    wire([asker.left - 2, asker.middle], [places.right + 2, asker.middle]),
    formula(places.right + 8, asker.middle - 6, SCORES[trace.network.score], { class: "aside over" }),
  ] : []));
  const phases = late ? "write" : "read";
  const group = (lit, ...nodes) => drawing("g", { class: "part", "data-phases": lit }, ...nodes.filter(Boolean));
  const ofState = group(late ? "write" : "read ask write", state.node, names.state.node, text(state.right + 6, state.bottom, "state", { class: "aside" }));
  ofState.classList.add("of-state");
  const node = drawing("g", {},
    group(phases, ...cellWires, fed, names.fed.node, fedBack?.node, names.fedBack?.node, box),
    group(late ? "read ask write" : "read", before.node, names.before.node),
    ofState, asks,
    group("write", ...joinWires(at, { state, context, joined }),
      formula(at.join.x + 2, joined.bottom + 15, "tanh W_c[c ; s]", { class: "aside", "text-anchor": "middle" }), joined.node, names.joined.node));

  function show(step, held) {
    const t = step - 1;
    node.classList.toggle("absent", step < 0);
    if (step < 0) return;
    const early = step === 0;
    const previous = (kind, first) => (t > 0 ? rows[kind].row(t - 1) : first);
    before.paint(early ? null : previous("state", rows.initial_state.row(0)));
    state.paint(early ? rows.initial_state.row(0) : held && late ? null : rows.state.row(t));
    joined.paint(early || held ? null : rows.attentional.row(t));
    fedBack?.paint(early ? null : previous("attentional", null));
    fed.textContent = early ? "" : cut(plain(t ? trace.target.tokens[t - 1] : trace.begin), 90);
    for (const [name, back] of /** @type {[string, number][]} */ (
      [["before", 1], ["state", 0], ["joined", 0], ["fedBack", 1], ["fed", 1]])) {
      names[name]?.show(early && name !== "state" ? "" : step - back);
    }
    node.classList.toggle("starting", early);
  }
  return { node, show, joined, at };
}

// Into the cell: the token that is fed, the state before, and the attentional vector or the context where it reads them.
function inputs({ at, late, before, state, fedBack, context }) {
  const { x, y, width, height } = at.cell;
  const out = wire([x, y + height], [state.x, state.top - 2]);
  if (late) {
    return [out, wire([before.x, before.bottom + 1], [x, y - 1]),
      wire([at.fed.x - 22, at.fed.y + 18], [at.fed.x - 40, at.fed.y + 18], [x + 22, y - 1]),
      wire([context.right + 1, context.middle - 12], [x - width / 2 - 26, context.middle - 12], [x - width / 2 - 26, y + height / 2], [x - width / 2 - 1, y + height / 2])];
  }
  return [out, wire([at.fed.x, at.fed.y + 28], [x, y - 1]),
    wire([before.x, before.bottom + 1], [before.x, y + 6], [x + width / 2 + 1, y + 6]),
    ...(fedBack ? [wire([fedBack.x, fedBack.bottom + 23], [fedBack.x, y + 17], [x + width / 2 + 1, y + 17])] : [])];
}

// The context and the state make the attentional vector.
function joinWires(at, { state, context, joined }) {
  return [wire([context.right + 1, at.join.y], [joined.left - 2, at.join.y]),
    wire([state.x, state.bottom + 1], [at.join.x, at.join.y - 1])];
}
