// Before and after: two columns; changes are sent until they are acknowledged, and undone by key.

import { lookedAt } from "./heads.js";
import { open } from "./trace_reading.js";

// The traces to show. A changeable one is shown alone, after its changes, and knows what it was before; side by side,
// both columns are equal until something is changed. `look` is the attention of a Transformer that is shown.
export function columnsOf(data, beside, look) {
  const { traces, what_if: offered } = data;
  const opened = (raw, place) => open(lookedAt(raw, look), place);
  if (!offered) return traces.map(opened);
  if (!beside) {
    const before = traces.length > 1 ? opened(traces[0], 0) : null;
    return [{ ...opened({ ...traces.at(-1), changes: offered }, traces.length - 1), before }];
  }
  return [traces[0], traces.at(-1)].map((raw, place) => opened(
    { ...raw, head: offered.heads[place], changes: place ? offered : undefined }, Math.min(place, traces.length - 1)));
}

// `tell(changes)` receives all changes not yet acknowledged, so that none is lost when several come at once.
export function sender(tell) {
  let waiting = [];
  let number = 0;
  function send(change) {
    number = Math.max(number + 1, Date.now());
    waiting.push({ ...change, number });
    tell([...waiting]);
  }
  function heard(last) {
    waiting = waiting.filter((change) => change.number > last);
  }
  return { send, heard };
}

// Ctrl+Z and Ctrl+Shift+Z (or Ctrl+Y), unless text is being typed.
export function listenToUndo(root, send) {
  root.addEventListener("keydown", (event) => {
    const key = event.key.toLowerCase();
    const typing = event.composedPath()[0].matches("input[type=text], input[type=number]");
    if (typing || event.altKey || !(event.ctrlKey || event.metaKey) || !["z", "y"].includes(key)) return;
    event.preventDefault();
    send({ kind: key === "y" || event.shiftKey ? "redo" : "undo" });
  });
}

// Redraws and keeps the keyboard focus: at the same handle, else at the stepper as a whole.
export function keepingFocus(root, draw) {
  const focused = root.getRootNode().activeElement;
  const inside = focused && root.contains(focused);
  const handle = inside && focused.closest("[data-handle]")?.dataset.handle;
  const scrolled = root.matches(".changing") ? root.querySelector(".frames").scrollLeft : null;
  draw();
  if (root.matches(".changing")) {
    const frames = root.querySelector(".frames");
    frames.scrollLeft = scrolled ?? frames.lastChild.offsetLeft; // where a phone starts
  }
  if (!inside || root.contains(focused)) return;
  const same = handle && root.querySelector(`[data-handle="${CSS.escape(handle)}"]`);
  (same || root).focus({ preventScroll: true });
}
