// A focused button that is disabled for a moment, as while its file is made, gets the focus back, unless it has moved on.
(() => {
  document.addEventListener("focusout", ({ target, relatedTarget }) => {
    const left = /** @type {HTMLButtonElement} */ (target);
    if (relatedTarget || !left.disabled) return;
    new MutationObserver((_, watch) => {
      if (left.disabled) return;
      watch.disconnect();
      if (document.activeElement === document.body) left.focus({ preventScroll: true });
    }).observe(left, { attributeFilter: ["disabled"] });
  });
})();
