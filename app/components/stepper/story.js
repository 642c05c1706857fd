// Story: decoding plays once by itself, from the first step to the one that is worth looking at, phase by phase.

import { PHASES } from "../network/phases.js";
import { nothing } from "../shared/elements.js";

const BEFORE = 700; // milliseconds in which the whole translation is there to read
const [EACH, ALL] = [1200, 12000]; // milliseconds of a step, and at most of all
const STOPS = ["pointerdown", "keydown", "wheel", "touchmove"];
const WRITES = PHASES.length - 1;

// `show(step, phase)` shows a moment, `tell(step)` the translation up to a step, or all of it for null.
export function storyOf({ show, tell }) {
  let timer = 0;
  let ended = nothing;

  function stop() {
    clearTimeout(timer);
    timer = 0;
    for (const kind of STOPS) document.removeEventListener(kind, end, true);
  }

  function end() {
    if (!timer) return;
    stop();
    tell(null);
    ended();
  }

  // Tells these steps, and ends at `opening`; any action of the visitor ends it before. `then()` is called at its end.
  function play(steps, opening, then) {
    end();
    const slice = Math.min(EACH, (ALL - BEFORE) / steps) / PHASES.length;
    let began = 0;
    ended = then;
    for (const kind of STOPS) document.addEventListener(kind, end, true);
    const next = () => {
      began ||= performance.now();
      const moment = Math.floor((performance.now() - began) / slice + 0.5); // a machine with other things to do leaves moments out
      const [step, phase] = [1 + Math.floor(moment / PHASES.length), moment % PHASES.length];
      if (step > steps) {
        show(opening, "");
        return end();
      }
      tell(phase === WRITES ? step : step - 1);
      show(step, PHASES[phase]);
      timer = setTimeout(next, slice);
    };
    timer = setTimeout(next, BEFORE);
  }
  return { play, end, stop, playing: () => timer !== 0 };
}

// Whether it may play: not for a visitor who has stepped by hand in this visit, nor for one who asks for less motion.
let stepped = false;
export const stepByHand = () => { stepped = true; };
export const mayPlay = () => !stepped && !window.matchMedia("(prefers-reduced-motion: reduce)").matches;

// Headline: the translation in large letters above the stepper. A story lets its words come; the step's word is marked.
//
// A word has its first and last step as `data-from` and `data-step`.

export function headlineOf(selector) {
  let told = /** @type {number | null} */ (null);
  let now = 0;
  function draw() {
    for (const word of document.querySelectorAll(`${selector} [data-step]`)) {
      const [from, last] = [word.getAttribute("data-from"), word.getAttribute("data-step")].map(Number);
      word.classList.toggle("coming", told !== null && last > told);
      word.classList.toggle("now", from <= now && now <= last);
    }
  }
  function tell(step) {
    told = step;
    draw();
  }
  function mark(step) {
    if (step === now) return;
    now = step;
    draw();
  }
  // The step of the word that was pressed, or 0.
  const pressed = (target) => Number(target.closest?.(`${selector} [data-step]`)?.dataset.step ?? 0);
  return { tell, mark, draw, pressed };
}
