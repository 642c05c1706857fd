// Links within the app. Streamlit gives those to the first page no path, so that in another tab they led to the screen
// they are on, and takes a click that asks for another tab as a plain one. They get their path before they are used.
(() => {
  const first = new URL("./", window.location.href).href;
  const linkOf = ({ target }) => /** @type {HTMLAnchorElement | null} */ (target.closest?.("a[href]"));
  // In a narrow window of a desktop, where Streamlit leaves the menu over the page.
  const OPEN = "[data-testid=stSidebar][data-collapsed=false] [data-testid=stSidebarCollapseButton] button";
  const closeMenu = () => setTimeout(() => /** @type {HTMLElement | null} */ (document.querySelector(OPEN))?.click(), 300);
  for (const kind of ["pointerover", "pointerdown", "focusin"]) document.addEventListener(kind, (event) => {
    const link = linkOf(event);
    const address = link?.getAttribute("href");
    if (address === "" || address?.startsWith("?")) link?.setAttribute("href", first + address);
  }, true);
  document.addEventListener("click", (event) => {
    if (!linkOf(event)) return;
    if (event.ctrlKey || event.metaKey || event.shiftKey) event.stopImmediatePropagation();
    else if (linkOf(event)?.closest("[data-testid=stSidebar]")) closeMenu();
  }, true);
})();
