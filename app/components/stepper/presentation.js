// Presentation: the stepper alone and large, full screen if the browser allows it.

import { nothing } from "../shared/elements.js";

// `large()` says whether it is on; `leave()` is called when Escape or the browser ends it.
export function presentation(root, large, leave) {
  const escaped = (event) => large() && event.key === "Escape" && leave();
  const left = () => large() && !document.fullscreenElement && leave();
  document.addEventListener("keydown", escaped);
  document.addEventListener("fullscreenchange", left);

  function ask(wanted) {
    if (wanted) root.requestFullscreen?.().catch(nothing);
    else if (document.fullscreenElement) document.exitFullscreen();
  }
  function show(on) {
    root.classList.toggle("large", on);
    document.documentElement.classList.toggle("presenting", on);
  }
  function destroy() {
    document.removeEventListener("keydown", escaped);
    document.removeEventListener("fullscreenchange", left);
    document.documentElement.classList.remove("presenting");
  }
  return { ask, show, destroy };
}
