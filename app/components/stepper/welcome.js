// Welcome: on a first visit the translation plays once by itself, and three hints name the main gestures.
//
// `visit.first` says whether it is a first visit; `visit.plays` whether it may play by itself.

import { element } from "../shared/elements.js";

const BEFORE = 700; // milliseconds until it plays, and how long a step stays
const EACH = 520;
const HINTS = { step: "→ steps", number: "press a number", line: "drag a line" };
export const ANOTHER = { first: false, plays: false };

export function welcomeOf(root, visit) {
  const hints = Object.fromEntries(Object.entries(HINTS).map(([name, text]) => [name, element("span", {}, text)]));
  const node = element("p", { class: "hints", "data-testid": "hints" }, ...Object.values(hints));
  let timer = 0, sentence = null;

  // What the hints say and where: in a mean of several heads, no line can be dragged; a sentence that needs their room
  // has it.
  function show(draggable, said) {
    hints.line.hidden = !draggable;
    sentence = said;
    giveWay();
  }

  function giveWay() {
    if (!node.isConnected || !sentence) return;
    const { left, top, bottom } = node.getBoundingClientRect(), text = document.createRange();
    text.selectNodeContents(sentence);
    const covered = [...text.getClientRects()].some((line) => line.right > left && line.bottom > top && line.top < bottom);
    node.style.visibility = covered ? "hidden" : "";
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
    giveWay();
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
  return { did, show, play, end: () => clearTimeout(timer) };
}
