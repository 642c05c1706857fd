// Arrival: the address of Streamlit's server, whether this is the browser's first visit, the placeholder until the
// page is drawn, and the end of what holds only while it opens. It runs before Streamlit's script.
(() => {
  const page = document.documentElement;
  const base = new URL("./", window.location.href); // else Streamlit also tries below the screen's own address, in vain
  const streamlit = /** @type {any} */ (window);
  streamlit.__streamlit = { ...streamlit.__streamlit, BACKEND_BASE_URL: base.href };

  // The line for newcomers disappears at their first action; its space stays until the page changes, so nothing jumps.
  const acted = (event) => {
    if (["Tab", "Shift", "Control", "Alt", "Meta"].includes(event.key)) return;
    page.dataset.newcomer = "acted";
    for (const kind of ["click", "keydown"]) window.removeEventListener(kind, acted, true);
  };
  try {
    if (window.localStorage.getItem("regard-seen") === null && !/[?&]embed=/.test(window.location.search)) {
      page.dataset.newcomer = "new";
      for (const kind of ["click", "keydown"]) window.addEventListener(kind, acted, true);
    }
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
