// Menu: the actions on a source word, below its chip.

import { button, element } from "../shared/elements.js";
import { isMasked, positionsOf, wordOf } from "./marks.js";

// `pin(column)` is a chip's action if nothing can be changed; `chips()` are the current chips.
export function menuView(trace, act, chips) {
  const node = element("div", { class: "menu", role: "dialog", hidden: "hidden", "data-testid": "source-menu" });
  let opened = null;

  function open(reading, column, pinned) {
    if (opened === column) return close(true);
    opened = column;
    const word = wordOf(trace, reading, column);
    const masked = isMasked(trace, reading, column);
    const item = (hook, text, go) => button({ class: "small", "data-testid": hook }, () => {
      close(true);
      go();
    }, text);
    const mask = item("menu-mask", masked ? "Unmask it" : "Mask it",
      () => act.edit({ kind: "mask", positions: positionsOf(reading, column), masked: !masked }));
    const pin = item("menu-pin", pinned === column ? "Unpin its column" : "Pin its column", () => act.pin(column));
    const back = () => act.edit({ kind: "word", word: word.word, text: word.was });
    const kept = word && word.was !== word.now ? [item("menu-back", `Back to “${word.was}”`, back)] : [];
    node.setAttribute("aria-label", `Change “${reading.columns[column].text}”`);
    node.replaceChildren(element("div", { class: "choices" }, mask, pin, ...kept), ...(word ? [replacing(word)] : []));
    node.hidden = false;
    chips().forEach((chip, i) => chip.setAttribute("aria-expanded", String(i === column)));
    place(chips()[column]);
    mask.focus({ preventScroll: true });
  }

  function replacing({ word, now }) {
    const field = element("input", {
      type: "text", class: "text", "aria-label": `Replace “${now}” with`, placeholder: `instead of “${now}”`,
      maxlength: 200, lang: trace.source.language, autocomplete: "off", "data-testid": "menu-text",
    });
    const replace = () => {
      const text = field.value.trim();
      if (!text) return field.focus();
      close(true);
      act.edit({ kind: "word", word, text });
    };
    field.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && !event.isComposing) replace();
    });
    return element("div", { class: "choices" }, field,
      button({ class: "small", "data-testid": "menu-replace" }, replace, "Replace"));
  }

  // Below the chip, and within the sentence.
  function place(chip) {
    const room = node.parentElement.clientWidth - node.offsetWidth;
    const left = chip.offsetLeft - chip.parentElement.scrollLeft;
    node.style.left = `${Math.max(0, Math.min(left, room))}px`;
    node.style.top = `${chip.offsetTop + chip.offsetHeight + 4}px`;
  }

  // If the keyboard focus was within it, it returns to the chip.
  function close(back = false) {
    if (opened === null) return;
    const chip = chips()[opened];
    opened = null;
    node.hidden = true;
    for (const each of chips()) each.setAttribute("aria-expanded", "false");
    if (back) chip?.focus({ preventScroll: true });
  }

  node.addEventListener("mousedown", (event) => event.stopPropagation()); // keeps the keyboard focus in the menu
  node.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    event.stopPropagation();
    close(true);
  });
  node.addEventListener("focusout", ({ relatedTarget }) => {
    if (!relatedTarget || node.contains(relatedTarget) || chips().includes(relatedTarget)) return;
    close();
  });
  return { node, open, close };
}
