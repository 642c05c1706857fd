// Page address: what is on view, in the address of a page of its own, so that the address is a link to it.

import { PHASES } from "../components/network/phases.js";
import { ALIGNMENT, NETWORK } from "../components/stepper/trace_reading.js";

const EVERY = 350; // milliseconds; browsers refuse more than some 100 changes of the address in half a minute

export const hasAddress = window.location.protocol !== "about:"; // a notebook's frame has none

// The valid part of the view in an address, which is untrusted; what it lacks is as in `opening`. `rows` can be chosen.
export function viewOf(said, opening, rows) {
  const among = (name, choices) => (choices.includes(said.get(name)) ? said.get(name) : choices[0]);
  const whole = (name, longest) => (longest.test(said.get(name) ?? "") ? Number(said.get(name)) : opening[name]);
  return {
    step: whole("step", /^-?\d{1,4}$/),
    units: among("units", [opening.units, "tokens"]),
    rows: among("rows", rows),
    large: said.has("large") ? said.get("large") === "1" : opening.large,
    attention: among("attention", [opening.attention, "decoder"]),
    layer: whole("layer", /^\d{1,3}$/),
    head: whole("head", /^\d{1,3}$/),
    picture: among("picture", [opening.picture, ALIGNMENT, NETWORK]),
    phase: among("phase", [opening.phase, ...PHASES]),
  };
}

// Writes values after the #, those that are "" left out; not over another link, which is about to be shown.
export function addressWriter() {
  let waiting = null;
  let timer = 0;
  let known = window.location.hash; // as it was last read or written
  function flush() {
    timer = 0;
    if (!waiting || !hasAddress) return;
    const said = new URLSearchParams(Object.entries(waiting).filter(([, value]) => value !== ""));
    waiting = null;
    if (window.location.hash !== known) return;
    if (`#${said}` !== known) window.history.replaceState(null, "", `#${said}`);
    known = window.location.hash;
    timer = setTimeout(flush, EVERY);
  }
  window.addEventListener("pagehide", flush);
  window.addEventListener("hashchange", () => {
    waiting = null;
    known = window.location.hash;
  });
  return (values) => {
    waiting = values;
    timer ||= setTimeout(flush, EVERY);
  };
}
