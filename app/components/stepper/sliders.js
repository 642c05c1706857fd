// Sliders: a row of weights that always adds up to 1, each dragged at its end or moved by key.

import { element } from "../shared/elements.js";
import { percent, total } from "../shared/numbers.js";
import { where } from "./marks.js";

const PAUSE = 400; // milliseconds from the last key until it is sent
export const UNSEEN = 0.0005; // a change of a share too small to show

// Sets one weight; the other open ones keep their proportions in what is left, or share it equally if all are 0.
export function rescaled(row, place, value, open) {
  const others = where(open, Boolean).filter((i) => i !== place);
  const wanted = others.length ? Math.min(1, Math.max(0, value)) : 1;
  const before = total(others.map((i) => row[i]));
  const share = (i) => (before > 0 ? row[i] / before : 1 / others.length);
  return row.map((_, i) => (i === place ? wanted : others.includes(i) ? share(i) * (1 - wanted) : 0));
}

// `move(value)` is called with each new value, `settle(soon)` when it rests, `take()` when it gets the keyboard focus,
// `grab()` when a drag begins, and `drop()` when the browser cancels the drag.
export function sliderOf(name, place, { move, settle, take, grab, drop }) {
  const fill = element("span", { class: "fill" });
  const grip = element("span", { class: "grip" });
  const was = element("span", { class: "was", hidden: "hidden" });
  const rail = element("span", { class: "rail" }, element("span", { class: "track" }, fill), was, grip);
  const node = element("div", {
    class: "slider", role: "slider", tabindex: "0", "aria-label": name, "aria-valuemin": "0", "aria-valuemax": "100",
    "data-testid": "weight-slider", "data-handle": `weight-${place}`,
  }, rail);
  let weight = 0;
  const closed = () => node.getAttribute("aria-disabled") === "true";
  node.addEventListener("focus", () => take());
  dragged(node, rail, closed, { move, settle, grab, drop });
  moved(node, closed, () => weight, { move, settle });

  function show(value, open) {
    weight = value;
    fill.style.transform = `scaleX(${value})`;
    grip.style.left = `${100 * value}%`;
    node.setAttribute("aria-valuenow", (100 * value).toFixed(1));
    node.setAttribute("aria-valuetext", percent(value));
    node.setAttribute("aria-disabled", String(!open));
  }
  // A mark at the earlier value, unless that rounds to the same.
  function showBefore(value) {
    was.hidden = value === null || Math.abs(value - weight) < UNSEEN;
    if (!was.hidden) was.style.left = `${100 * value}%`;
  }
  return { node, show, showBefore };
}

// By pointer. The browser cancels a drag that it takes for scrolling.
function dragged(node, rail, closed, { move, settle, grab, drop }) {
  let held = false;
  const under = ({ clientX }) => {
    const { left, width } = rail.getBoundingClientRect();
    return Math.round((1000 * (clientX - left)) / width) / 1000;
  };
  node.addEventListener("selectstart", (event) => event.preventDefault()); // WebKit ignores user-select here
  node.addEventListener("pointerdown", (event) => {
    if (event.button !== 0 || closed()) return;
    grab();
    node.setPointerCapture(event.pointerId);
    held = true;
    node.classList.add("held");
    move(under(event));
  });
  node.addEventListener("pointermove", (event) => held && move(under(event)));
  const end = (act) => () => {
    node.classList.remove("held");
    if (held) act();
    held = false;
  };
  node.addEventListener("pointerup", end(() => settle(false)));
  node.addEventListener("pointercancel", end(drop));
}

// By key: a hundredth at a time, a tenth with Shift or a page key, or to either end.
function moved(node, closed, weight, { move, settle }) {
  node.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: 10, PageDown: -10 }[event.key];
    const ends = { Home: 0, End: 1 }[event.key];
    if (event.altKey || event.ctrlKey || event.metaKey || (step === undefined && ends === undefined)) return;
    event.preventDefault();
    event.stopPropagation();
    if (closed()) return;
    const far = event.shiftKey && Math.abs(step) === 1 ? 10 : 1;
    move(ends ?? (Math.round(1000 * weight()) + 10 * far * step) / 1000);
    settle(true);
  });
}

// Waits for a pause before acting; pending actions can be done immediately.
export function paused(act) {
  let timer = 0;
  const now = () => {
    clearTimeout(timer);
    timer = 0;
    act();
  };
  const soon = () => {
    clearTimeout(timer);
    timer = setTimeout(now, PAUSE);
  };
  return { now, soon, waits: () => timer !== 0 };
}
