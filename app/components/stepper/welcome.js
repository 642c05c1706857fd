// Welcome: on a first visit the translation plays once by itself, and three hints name the main gestures.
//
// `visit.first` says whether it is a first visit; `visit.plays` whether it may play by itself.

import { element } from "../shared/elements.js";

const BEFORE = 700; // milliseconds until it plays, and how long a step stays
const EACH = 520;
const HINTS = { step: "→ steps", number: "click a number", line: "drag a line" };
export const ANOTHER = { first: false, plays: false };

export function welcomeOf(root, visit) {
  const hints = Object.fromEntries(Object.entries(HINTS).map(([name, text]) => [name, element("span", {}, text)]));
  const node = element("p", { class: "hints", "data-testid": "hints" }, ...Object.values(hints));
  let timer = 0;

  // True if a line can be dragged: in a mean of several heads, none can.
  function draggable(can) {
    hints.line.hidden = !can;
  }

  function did(name) {
    if (timer) return;
    hints[name].remove();
    if (!node.children.length) node.remove();
  }

  // Plays every step once, then returns to the opening step; any action of the visitor ends it.
  function play(steps, go, opening, beckon) {
    if (!visit.first) return;
    root.append(node);
    if (!visit.plays || window.matchMedia("(prefers-reduced-motion: reduce)").matches) return beckon();
    let step = 0;
    root.classList.add("playing-itself");
    const next = () => {
      step += 1;
      go(step > steps ? opening : step);
      timer = setTimeout(step > steps ? () => { end(); beckon(); } : next, EACH);
    };
    const end = () => {
      clearTimeout(timer);
      timer = 0;
      root.classList.remove("playing-itself");
      for (const kind of ["pointerdown", "keydown", "wheel"]) document.removeEventListener(kind, end, true);
    };
    for (const kind of ["pointerdown", "keydown", "wheel"]) document.addEventListener(kind, end, true);
    timer = setTimeout(next, BEFORE);
  }
  return { did, draggable, play, end: () => clearTimeout(timer) };
}
