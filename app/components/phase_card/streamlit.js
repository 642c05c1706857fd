// Phase card: one phase of the network's picture on its own, and two buttons that go through the steps.

import { networkView } from "../network/view.js";
import { icon } from "../shared/controls.js";
import { button, element, nothing, tooltip } from "../shared/elements.js";
import { signedPixels } from "../shared/numbers.js";
import { unpack } from "../shared/packed.js";
import { open } from "../stepper/trace_reading.js";

const mounted = new WeakMap();

export default function ({ data: packed, parentElement, setTriggerValue }) {
  const data = unpack(packed);
  let one = mounted.get(parentElement);
  if (one?.id !== data.id + data.phase) {
    one?.end();
    one = { id: data.id + data.phase };
    Object.assign(one, draw(parentElement, data, (quantity) => one.tell("inspect", { ...quantity, nonce: Date.now() })));
    mounted.set(parentElement, one);
  }
  one.tell = setTriggerValue;
  return () => {
    mounted.get(parentElement)?.end();
    mounted.delete(parentElement);
  };
}

function draw(parent, { traces, signed, phase, step: first }, inspect) {
  const trace = open(traces[0], 0);
  const root = element("section", { class: "stepper networked phase-card", "aria-label": "This phase on your sentence", "data-testid": "phase-card" });
  const { describe } = tooltip(root);
  const act = {
    inspect, describe, phase: nothing, only: phase, hues: signed, draft: { row: () => null },
    number: (text, quantity) => button({ class: "number" }, () => inspect(quantity), text),
  };
  const view = networkView(trace, signedPixels(signed), act);
  const place = element("span", { class: "where" });
  const key = (name, label, way) => button({ class: "key", "aria-label": label, title: label }, () => go(step + way), icon(name));
  const keys = [key("prev", "Step back", -1), key("next", "Step forward", 1)];
  let step = first;
  function go(to) {
    step = Math.min(trace.steps, Math.max(1, to));
    place.textContent = `step ${step} of ${trace.steps}`;
    keys[0].disabled = step === 1;
    keys[1].disabled = step === trace.steps;
    view.show(step, null, { phase });
  }
  root.append(view.node, element("div", { class: "buttons" }, ...keys, place));
  parent.append(root);
  go(first);
  const observer = new ResizeObserver(() => view.resize());
  observer.observe(root);
  view.resize();
  return {
    end: () => {
      observer.disconnect();
      root.remove();
    },
  };
}
