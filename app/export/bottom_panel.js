// Bottom panel: describes the clicked number at the bottom of a page; the steps stay above it.

import { button, element, nothing } from "../components/shared/elements.js";

export function bottomPanel(panel, closed = nothing) {
  const room = () => document.documentElement.style.setProperty("--below", `${panel.offsetHeight}px`);
  function show(name, owner, ...nodes) {
    panel.replaceChildren(
      element("p", { class: "name" }, name[0].toUpperCase() + name.slice(1), owner ? ` · ${owner}` : ""),
      ...nodes, button({ class: "close", "aria-label": "Close", title: "Close" }, close, "×"));
    panel.hidden = false;
    room();
  }
  function close() {
    if (panel.hidden) return;
    panel.hidden = true;
    closed();
    room();
  }
  window.addEventListener("resize", room);
  window.addEventListener("keydown", (event) => { if (event.key === "Escape") close(); });
  return { show, close };
}
