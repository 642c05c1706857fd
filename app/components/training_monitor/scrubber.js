// Scrubber: moves back and forth through the run by button, slider and key; at the end it follows the newest moment.

import { transport } from "../shared/controls.js";

const [WHOLE, SLOWEST, FASTEST] = [8000, 600, 60]; // milliseconds for playing all moments, and for showing one
const MOMENTS = {
  test: "scrub", slider: "scrub", all: "Moments of the run", each: "Moment of the run", play: "Play the run again",
  ways: { first: "First moment", prev: "Previous moment", next: "Next moment", last: "Newest moment" },
  opening: 0, paced: true, place: { "data-testid": "where" },
  stay: (last) => Math.min(SLOWEST, Math.max(FASTEST, WHOLE / last)),
};

export function scrubberView(act) {
  const moves = transport({ first: 0, last: 0 }, act, MOMENTS);
  function show(moment, count, text) {
    moves.show(moment, text, Math.max(0, count - 1));
    moves.slider.disabled = count < 2;
  }
  return { ...moves, show };
}
