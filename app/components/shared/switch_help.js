// Help of a switch: its question mark lies within its label, where a press would also turn the switch.
(() => {
  for (const kind of ["pointerdown", "click"]) document.addEventListener(kind, (event) => {
    const pressed = /** @type {Element} */ (event.target);
    if (!pressed.closest("label [data-testid=stTooltipIcon]")) return;
    event.stopPropagation();
    if (kind === "click") event.preventDefault();
  }, true);
})();
