// Phase cards: one phase of the network's picture for each trace, and two buttons that go through the steps.

import { networkView } from "../network/view.js";
import { icon } from "../shared/controls.js";
import { button, element, nothing, tooltip } from "../shared/elements.js";
import { component, unpack } from "../shared/mounting.js";
import { signedPixels } from "../shared/numbers.js";
import { lookedAt, open } from "../stepper/trace_reading.js";

const [SAID, LONGER, TITLE] = [44, 20, 26]; // pixels of the sentence above a drawing, of a head's third line, and of a title
const FIRST_HEAD = { attention: "encoder", layer: 1, head: 1 }; // of a Transformer
const [BESIDE, AROUND, LEAST] = [900, 566, 200]; // pixels: a page with text beside, what else is on it, a card's drawing

export default component((parent, packed, send) => {
  let shown = "";
  let end = nothing;
  function update(packed) {
    const data = unpack(packed);
    const id = data.id + data.phase + data.covered;
    if (id === shown) return;
    shown = id;
    end();
    end = draw(parent, data, (quantity) => send("inspect", { ...quantity, nonce: Date.now() }));
  }
  update(packed);
  return { update, destroy: () => end() };
});

function draw(parent, { traces, titles, signed, phase, step: first, covered }, inspect) {
  const root = element("section", { class: "stepper networked phase-card", "aria-label": "This phase on your sentence", "data-testid": "phase-card" });
  tooltip(root);
  const titled = traces.length > 1 ? TITLE : 0;
  const tallest = () => (innerWidth < BESIDE ? Infinity : Math.max(LEAST, innerHeight - AROUND) - titled);
  const act = {
    inspect, tallest, phase: nothing, only: phase, hues: signed, draft: { row: () => null },
    number: (text, quantity) => button({ class: "number" }, () => inspect(quantity), text),
  };
  const cards = traces.map((raw, i) => {
    const trace = open(lookedAt(raw, FIRST_HEAD), i);
    const hides = (at) => covered && (phase === "read" ? i === traces.length - 1 : !trace.attends || at === first); // without attention every step is alike
    return oneCard(trace, networkView(trace, signedPixels(signed), { ...act, hides }), traces.length > 1 ? titles[i] : "", hides);
  });
  const steps = Math.max(...cards.map((card) => card.steps));
  const place = element("span", { class: "where" });
  const unit = traces.some(({ heads }) => heads) ? "token" : "step"; // an encoder's tokens ask all at once
  const key = (name, label, way) => button({ class: "key", "aria-label": label, title: label }, () => go(step + way), icon(name));
  const keys = [key("prev", "Step back", -1), key("next", "Step forward", 1)];
  let step = first;
  function go(to) {
    step = Math.min(steps, Math.max(1, to));
    place.textContent = `${unit} ${step} of ${steps}`;
    keys[0].disabled = step === 1;
    keys[1].disabled = step === steps;
    for (const card of cards) card.show(step, phase);
  }
  function resize() {
    root.style.setProperty("--tallest", `${tallest() + SAID + (traces.some(({ heads }) => heads) ? LONGER : 0)}px`);
    cards.forEach((card) => card.view.resize());
  }
  root.append(element("div", { class: "cards" }, ...cards.map((card) => card.node)), element("div", { class: "buttons" }, ...keys, place));
  parent.append(root);
  go(first);
  const observer = new ResizeObserver(resize);
  observer.observe(root);
  resize();
  return () => {
    observer.disconnect();
    root.remove();
  };
}

// A card below a title that distinguishes it; it stays at its last step while a longer translation continues.
function oneCard(trace, view, title, hides) {
  const name = element("p", { class: "card-title", "data-testid": "card-title" });
  name.hidden = !title;
  if (title) view.node.setAttribute("aria-label", `Network: ${title}`);
  function show(step, phase) {
    name.textContent = step > trace.steps ? `${title}, at its last step, ${trace.steps}` : title;
    view.node.classList.toggle("covered", hides(step));
    view.node.classList.toggle("constant", !trace.attends);
    view.show(Math.min(step, trace.steps), { phase });
  }
  return { view, steps: trace.steps, show, node: element("div", {}, name, view.node) };
}
