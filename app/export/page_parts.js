// Page parts: what a page of its own has around the stepper: the view in its address, the panel at its bottom, and its
// height, told to the page around it.

import { button, element, nothing } from "../components/shared/elements.js";
import { PHASES } from "../components/stepper/step_text.js";
import { ALIGNMENT, NETWORK } from "../components/stepper/trace_reading.js";

const EVERY = 350; // milliseconds; browsers refuse more than some 100 changes of the address in half a minute

const hasAddress = window.location.protocol !== "about:"; // a notebook's frame has none

export const addressed = () => new URLSearchParams(hasAddress ? window.location.hash.slice(1) : "");

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

// Describes the clicked number at the bottom of a page; the steps stay above it.
export function bottomPanel(panel, closed = nothing) {
  const room = () => document.documentElement.style.setProperty("--below", `${panel.offsetHeight}px`);
  function show(name, owner, ...nodes) {
    panel.replaceChildren(
      element("p", { class: "name" }, name[0].toUpperCase() + name.slice(1), owner ? ` · ${owner}` : ""),
      ...nodes, button({ class: "close", "aria-label": "Close", title: "Close" }, close, "×"));
    panel.hidden = false;
    room();
  }
  function close() {
    if (panel.hidden) return;
    panel.hidden = true;
    closed();
    room();
  }
  window.addEventListener("resize", room);
  window.addEventListener("keydown", (event) => { if (event.key === "Escape") close(); });
  return { show, close };
}

// Tells the page around an embedded one how high it is, so that its frame need not scroll.
export function tellHeight() {
  const { body } = document;
  const tell = () => window.parent.postMessage({ regardHeight: Math.ceil(body.getBoundingClientRect().height) }, "*");
  if (window.parent !== window) new ResizeObserver(tell).observe(body);
}
