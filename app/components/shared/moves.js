// One entry in the browser's history for each move. Streamlit enters the page that is opened and, where the visit has
// a link to write there, that page once more: the first Back would stay on it. This stands before Streamlit's script.
(() => {
  const { history, location } = window;
  const push = history.pushState.bind(history);
  let opened = true; // a page, where nothing was pressed since
  history.pushState = (state, title, address) => {
    const elsewhere = new URL(address, location.href).pathname !== location.pathname;
    if (opened && !elsewhere) return history.replaceState(state, title, address);
    opened = elsewhere;
    return push(state, title, address);
  };
  for (const press of ["pointerdown", "keydown", "click"]) window.addEventListener(press, () => { opened = false; }, true);
})();
