// Story: decoding plays once by itself, from the first step to the one that is worth looking at, phase by phase.

import { PHASES } from "./step_text.js";
import { nothing } from "../shared/elements.js";

const [EACH, ALL] = [1200, 12000]; // milliseconds of a step, and at most of all
const STOPS = ["pointerdown", "keydown", "wheel", "touchmove", "input", "click"];
const PAUSE = "[data-testid=control-play]";
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

  function end(event) {
    // The button that plays and its key, Space, pause the story themselves; Space in a field or on a button acts there.
    if (!timer || event?.key === " " || event?.composedPath()[0].closest?.(PAUSE)) return;
    stop();
    tell(null);
    ended();
  }

  // Tells these steps, and ends at `opening`; any action of the visitor ends it before. `then()` is called at its end.
  function play(steps, opening, then) {
    end();
    const slice = Math.min(EACH, ALL / steps) / PHASES.length;
    const began = performance.now();
    ended = then;
    for (const kind of STOPS) document.addEventListener(kind, end, true);
    const next = () => {
      const moment = Math.floor((performance.now() - began) / slice + 0.5); // a machine with other things to do leaves moments out
      const [step, phase] = [1 + Math.floor(moment / PHASES.length), moment % PHASES.length];
      if (step > steps) {
        show(opening, "");
        return end();
      }
      timer = setTimeout(next, slice);
      tell(phase === WRITES ? step : step - 1);
      show(step, PHASES[phase]);
    };
    next();
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
  const pressed = (target) => Number(target.closest?.(`${selector} [data-step]`)?.dataset.step ?? 0); // the word's step, or 0
  return { tell, mark, draw, pressed };
}
