// Pulse: sends a beat every `seconds` while the page is visible, and tells the page's stepper the step of the class.
//
// A beat carries the step in the page's link, which the page's stepper writes there, or null.
// Beats are spread by up to a tenth of the interval, at random, so that a class does not ask all at once; nothing random is
// shown. The next beat is planned when the answer to the last one arrives, so that a busy server is asked less often.

import { component } from "../shared/mounting.js";

const PATIENCE = 5; // times the interval after which an answer counts as lost

export default component((parent, data, send) => {
  let now = data;
  let told = data.step;
  let timer = 0;
  const plan = (seconds) => {
    clearTimeout(timer);
    timer = window.setTimeout(beat, 1000 * seconds * (0.9 + 0.2 * Math.random()));
  };
  const beat = () => {
    if (document.hidden) return; // goes on when the page is seen again
    const step = new URL(window.location.href).searchParams.get("step");
    send("beat", { nonce: Date.now(), step: step === null ? null : Math.trunc(Number(step)) });
    plan(PATIENCE * now.seconds);
  };
  const update = (next) => {
    now = next;
    if (now.step !== null && now.step !== told) document.dispatchEvent(new CustomEvent("regard-step", { detail: now.step }));
    told = now.step;
    plan(now.seconds);
  };
  document.addEventListener("visibilitychange", beat);
  update(data);
  return {
    update,
    destroy() {
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", beat);
    },
  };
});
