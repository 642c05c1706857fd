// Scrubber: back through the run and forth again, by button, slider and key; at its end it follows what comes.

import { icon } from "../shared/controls.js";
import { button, element } from "../shared/elements.js";

const [WHOLE, SLOWEST, FASTEST] = [8000, 600, 60]; // milliseconds that all moments play in, and that one stays

export function scrubberView(act) {
  const named = (name, label, go) => button(
    { class: "key", "data-testid": `scrub-${name}`, "aria-label": label, title: label }, go, icon(name));
  const play = named("play", "Play the run again", () => toggle());
  const slider = element("input",
    { type: "range", min: 0, max: 0, step: 1, "aria-label": "Moment of the run", "data-testid": "scrub" });
  const place = element("span", { class: "where", "data-testid": "where" });
  const manual = (target) => () => { stop(); act.go(target()); };
  const node = element("div", { class: "transport", role: "group", "aria-label": "Moments of the run" },
    element("div", { class: "buttons" },
      named("first", "First moment", manual(() => 0)), named("prev", "Previous moment", manual(() => now - 1)), play,
      named("next", "Next moment", manual(() => now + 1)), named("last", "Newest moment", manual(() => last))),
    slider, place);
  slider.addEventListener("input", () => { stop(); act.go(Number(slider.value)); });
  let [now, last, timer] = [0, 0, 0];

  function toggle() {
    if (timer) return stop();
    start();
  }

  function start() {
    if (last < 1) return;
    if (now >= last) act.go(0);
    play.replaceChildren(icon("pause"));
    play.setAttribute("aria-label", "Pause");
    tick();
  }

  function tick() {
    timer = setTimeout(() => {
      act.go(now + 1);
      if (now < last) tick();
      else stop();
    }, Math.min(SLOWEST, Math.max(FASTEST, WHOLE / last)));
  }

  function stop() {
    clearTimeout(timer);
    timer = 0;
    play.replaceChildren(icon("play"));
    play.setAttribute("aria-label", "Play the run again");
  }

  function show(moment, count, text) {
    [now, last] = [moment, Math.max(0, count - 1)];
    slider.max = String(last);
    slider.value = String(moment);
    slider.disabled = count < 2;
    slider.setAttribute("aria-valuetext", text);
    place.textContent = text;
  }

  const keys = {
    ArrowLeft: manual(() => now - 1),
    ArrowRight: manual(() => now + 1),
    Home: manual(() => 0),
    End: manual(() => last),
    " ": toggle,
  };
  return { node, show, stop, keys, slider };
}
