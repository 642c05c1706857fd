// Token field: under the next tokens, a field for any other word, and buttons for the end and the model's choice.

import { button, element } from "../shared/elements.js";

const ANY_WORD = "What you type starts a new word; begin with · to continue the word before.";

export function tokenFieldView(trace, act) {
  let t = -1;
  const field = element("input", {
    type: "text", class: "text", "aria-label": "Write any other word", placeholder: "any other word", maxlength: 200,
    lang: trace.target.language, autocomplete: "off", "data-testid": "write-text", "data-handle": "write-text",
  });
  const small = (name, text, go) =>
    button({ class: "small", "data-testid": name, "data-handle": name }, () => t >= 0 && go(), text);
  const write = small("write", "Write it", () => {
    if (field.value.trim()) act.edit({ kind: "text", step: t, text: field.value });
    else field.focus();
  });
  field.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && !event.isComposing) write.click();
  });
  act.describe(field, () => ANY_WORD);
  const free = small("free", "let the model choose", () =>
    trace.marks.forced.has(t) && act.edit({ kind: "free", step: t }));
  const node = element("div", { class: "extras" },
    element("div", { class: "choices" }, field, write, free),
    element("p", { class: "note" }, "Press a token to write it instead, or its number for the arithmetic. ", ANY_WORD));

  function show(step) {
    if (t !== step - 1) field.value = "";
    t = step - 1;
    free.setAttribute("aria-disabled", String(!trace.marks.forced.has(t)));
  }
  return { node, show };
}
