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
