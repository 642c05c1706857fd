// Page: what runs in every page of the app before Streamlit's own scripts, which are modules.

// One entry in the browser's history per move. Streamlit makes more: the opened page twice if the visit writes a link
// there, so that the first Back would do nothing; one entry for each parameter of a preset; and, before another page,
// the page being left with the parameters of the next one, where Back would find none of its settings. This runs
// before Streamlit's script.
(() => {
  const { history, location } = window;
  const push = history.pushState.bind(history);
  let pressed = false; // true if anything was pressed since the last entry
  history.pushState = (state, title, address) => {
    const { pathname, search } = new URL(address ?? "", location.href);
    const same = !pressed && (pathname === location.pathname || search === location.search);
    pressed = false;
    if (pathname !== location.pathname) delete document.documentElement.dataset.newcomer;
    return same ? history.replaceState(state, title, address) : push(state, title, address);
  };
  for (const press of ["pointerdown", "keydown", "click"]) window.addEventListener(press, () => { pressed = true; }, true);
})();

// Arrival: the address of Streamlit's server, whether this is the browser's first visit, the placeholder until the
// page is drawn, and the end of what holds only while it opens. It runs before Streamlit's script.
(() => {
  const page = document.documentElement;
  const base = new URL("./", window.location.href); // else Streamlit also tries below the screen's own address, in vain
  const streamlit = /** @type {any} */ (window);
  streamlit.__streamlit = { ...streamlit.__streamlit, BACKEND_BASE_URL: base.href };

  try {
    // A phone's menu lies over the page: one that was open is not opened again.
    if (window.innerWidth < 768) Object.keys(localStorage).filter((key) => key.startsWith("stSidebarCollapsed")).forEach((key) => localStorage.removeItem(key));
    // A newcomer's banner stays until another page is opened, so that nothing moves.
    if (window.localStorage.getItem("regard-seen") === null && !/[?&]embed=/.test(window.location.search)) page.dataset.newcomer = "new";
  } catch { /* a browser that keeps nothing */ }

  // What is held back until it has its place is released at the visitor's first action: what is hidden again while a part
  // is fetched loses the keyboard's focus.
  const release = () => document.getElementById("unplaced")?.remove();
  for (const kind of ["mousedown", "keydown"]) window.addEventListener(kind, release, { capture: true, once: true });

  const opening = document.getElementById("opening");
  const read = ["stHtml", "stMarkdown", "stHeading", "stAlert", "stException"]
    .map((kind) => `[data-testid=stMain] [data-testid=${kind}]`);
  new MutationObserver((_, watch) => {
    if (!document.querySelector([...read, "[role=dialog]"].join())) return;
    opening?.remove();
    setTimeout(release, 10_000);
    watch.disconnect();
  }).observe(document.getElementById("root") ?? document.body, { childList: true, subtree: true });
})();

// Embedded: the style sheet has rules for it, and the page around it is told its height, so that its frame need not scroll.
(() => {
  if (!/[?&]embed=true/.test(window.location.search)) return;
  document.documentElement.dataset.embedded = "";
  let content = /** @type {HTMLElement | null} */ (null);
  const watch = new ResizeObserver(() => window.parent.postMessage({ regardHeight: content?.offsetHeight }, "*"));
  new MutationObserver(() => {
    const found = /** @type {HTMLElement | null} */ (document.querySelector("[data-testid=stMainBlockContainer]"));
    if (found === content) return;
    watch.disconnect();
    content = found;
    if (found) watch.observe(found);
  }).observe(document.getElementById("root") ?? document.body, { childList: true, subtree: true });
})();

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
