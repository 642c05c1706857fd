// Head's parts: the parts beside the drawing of a Transformer's head. Every cell is a component, which a click opens.

import { element, nothing } from "../shared/elements.js";
import { about } from "../shared/numbers.js";
import { componentAt } from "./vectors.js";

const CALLED = {
  embedded: "embedding with its position", query: "query", key: "key", value: "value", share: "value times its weight", mixed: "values mixed", other: "values mixed by a head",
  normalised: "stream, normalised", joined: "heads joined", stream: "stream plus heads", stream_after: "stream plus feed-forward network",
};

export function headParts(trace, act) {
  const note = element("p", { class: "note" }, `A cell is a component: keys, queries and values have ${trace.value.width}, the stream ${trace.stream.width}; blue is below 0, orange above. Values, their shares and their mixture have one scale. Press a cell for its arithmetic.`);
  const say = (kind, values, cell) => (!values || cell < 0 ? CALLED[kind]
    : `${CALLED[kind]}, component ${cell + 1} of ${values.length}: ${about(values[cell])}`);
  const open = (kind, place, values, cell) => cell >= 0 && act.inspect(componentAt(trace, kind, place, cell));
  return { nodes: [note], open, say, follow: nothing };
}
