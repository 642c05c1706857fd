// Whole vector: all components of one vector, large enough to tell apart; each opens its arithmetic.

import { button, element } from "../shared/elements.js";
import { decode, twoDecimals } from "../shared/numbers.js";
import { strip } from "../stepper/strip.js";

const ACROSS = 64; // components side by side
const HALF = { forwards: 0, backwards: 1 }; // of an annotation
const OF_ANNOTATION = ["annotation", "share", "forwards", "backwards"];
const CALLED = {
  forwards: "reader from the left", backwards: "reader from the right", annotation: "annotation", share: "share of an annotation",
  embedding: "embedding", fed_embedding: "embedding of the token fed in", context: "context", state: "state", cell: "cell state", attentional: "attentional vector",
};
const HOLDS = { forwards: "state of the reader from the left", backwards: "state of the reader from the right" };
const LETTERS = { embedding: "x", fed_embedding: "y", annotation: "h", context: "c", state: "s", cell: "m", attentional: "h̃" };

// The parts beside the drawing of a recurrent network: the open whole vector, and the list of vectors to open.
export function fingerprintParts(trace, pixels, act) {
  const rows = (kind) => decode(trace.network.coordinates[kind]);
  const whole = wholeVector(trace, pixels, act);
  const chooser = vectorChooser(trace, (kind, place) => whole.open(kind, place, rows(kind).row(place.position ?? place.step)));
  const share = Math.round(100 * trace.network.shares.annotation);
  const note = element("p", { class: "note" }, `A fingerprint shows the 12 directions in which vectors of a kind differ most, ${share}% of the variance of annotations; blue is below the mean, orange above.`);
  note.append(" ", chooser.node);
  const say = (kind, values, cell) => (!values || cell < 0 ? CALLED[kind]
    : `${CALLED[kind]}, cell ${cell + 1} of ${values.length}: ${twoDecimals(values[cell])} standard deviations`);
  function follow(t) {
    whole.follow(t);
    chooser.show(t);
  }
  return { nodes: [whole.node, note], open: whole.open, say, follow };
}

function wholeVector(trace, pixels, act) {
  const title = element("p", { class: "title" });
  const box = element("div");
  const told = element("p", { class: "note" });
  const close = button({ class: "switch", "data-testid": "whole-vector-close" }, hide, "close");
  const node = element("section", { class: "whole-vector", "aria-label": "Whole vector", "data-testid": "whole-vector", hidden: "hidden" },
    element("div", { class: "whole-vector-head" }, title, close), box, told);
  node.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    event.stopPropagation();
    hide();
  });
  let shown = /** @type {any} */ (null); // the place of the open vector, and its step

  let opener = /** @type {any} */ (null); // what had the keyboard's focus

  const focused = () => /** @type {any} */ (node.getRootNode()).activeElement;

  // Gives the focus back; left in what is hidden it would take the next key.
  function hide() {
    shown = null;
    if (node.contains(focused())) {
      focused().blur();
      opener?.focus({ preventScroll: true });
    }
    node.hidden = true;
  }

  // `place` is {position} of a source token or {step} from 0, −1 before the first; `coordinates` are its tile's.
  function open(kind, place, coordinates) {
    shown = { place };
    if (!node.contains(focused())) opener = focused();
    const { values, quantity, name } = vectorAt(trace, kind, place);
    const bar = strip(values.length, trace.ranges[OF_ANNOTATION.includes(kind) ? "annotation" : kind][1], pixels, act, ACROSS);
    bar.show(name, values, quantity);
    bar.node.tabIndex = 0;
    title.textContent = `${name}: all ${values.length} components`;
    box.replaceChildren(bar.node);
    told.textContent = `Its fingerprint, a_k = v_k · (x − mean) / σ_k: ${Array.from(coordinates, twoDecimals).join(", ")}.`;
    node.hidden = false;
    bar.node.focus({ preventScroll: true });
  }

  // An open vector belongs to a step: it closes when another is shown.
  function follow(t) {
    if (shown?.place.step !== undefined && shown.now !== undefined && shown.now !== t) hide();
    else if (shown) shown.now = t;
  }
  return { node, open, follow };
}

// A vector with its name, and the quantity that each of its components opens.
function vectorAt(trace, kind, { position, step }) {
  const { index } = trace;
  const named = (/** @type {string} */ one, at) => `${HOLDS[one] ?? CALLED[one]}${one in LETTERS ? ` ${LETTERS[one]}${at}` : ""}`;
  if (kind === "embedding") {
    return {
      values: trace.embedding.row(position),
      quantity: (component) => ({ trace: index, kind, position, component }),
      name: `${named(kind, position + 1)} of ${trace.source.tokens[position].text}`,
    };
  }
  if (OF_ANNOTATION.includes(kind)) {
    const all = trace.annotation.row(position);
    const half = all.length / 2;
    const from = (HALF[kind] ?? 0) * half;
    const whole = kind === "share" ? "annotation" : kind;
    return {
      values: kind in HALF ? all.subarray(from, from + half) : all,
      quantity: (component) => ({ trace: index, kind: "annotation", position, component: from + component }),
      name: `${named(whole, position + 1)} at ${trace.source.tokens[position].text}`,
    };
  }
  return {
    values: step < 0 ? trace[`initial_${kind}`].values : trace[kind].row(step),
    quantity: (component) => ({ trace: index, kind, step, component }),
    name: named(kind, kind === "fed_embedding" ? step : step + 1),
  };
}

// Opens a vector of the step from the keyboard, which does not reach the drawing.
function vectorChooser(trace, open) {
  const ofStep = ["context", "state", "cell", "attentional", "fed_embedding"].filter((kind) => trace.network.coordinates[kind]);
  const ofTokens = ["annotation", "embedding"].filter((kind) => trace.network.coordinates[kind]);
  const options = [...ofStep.map((kind) => [kind, CALLED[kind]]),
    ...ofTokens.flatMap((kind) => trace.source.tokens.map((label, i) => [`${kind} ${i}`, `${kind} of ${label.text}`]))];
  const list = element("select", { "aria-label": "Vector", "data-testid": "whole-vector-of" }, ...options.map(([value, name]) => element("option", { value }, name)));
  const press = button({ class: "number", "data-testid": "whole-vector-open" }, () => {
    const [kind, position] = list.value.split(" ");
    open(kind, position ? { position: Number(position) } : { step: t });
  }, "all components");
  const node = element("span", { class: "whole" }, press, " of ", list);
  let t = -1;
  function show(now) {
    t = now;
    ofStep.forEach((kind, i) => { list.options[i].disabled = t < 0; });
    if (t < 0 && ofStep.includes(list.value)) list.value = "annotation 0";
  }
  return { node, show };
}
