// Help at a question mark. Streamlit shows it to a mouse and to the keyboard alone, so a finger's tap is told as a mouse's
// arrival. The mark lies within its label, where a press would also turn a switch.
(() => {
  for (const kind of ["pointerdown", "pointerup", "click"]) document.addEventListener(kind, (event) => {
    const { target, pointerType } = /** @type {PointerEvent & { target: Element }} */ (event);
    if (!target.closest("[data-testid=stTooltipIcon]")) return;
    if (kind === "pointerup") {
      const arrival = new PointerEvent("pointerover", { bubbles: true, pointerType: "mouse" });
      if (pointerType === "touch") setTimeout(() => target.dispatchEvent(arrival));
    } else if (target.closest("label")) {
      event.stopPropagation();
      if (kind === "click") event.preventDefault();
    }
  }, true);
})();
