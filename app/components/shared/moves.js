// One entry in the browser's history for each move. Streamlit makes more: the page that is opened and, where the visit
// has a link to write there, that page once more, on which the first Back would stay; of one preset an entry for each
// parameter; and before another page the one that is left, with the parameters of the one to come, where Back would
// find none of its settings. This stands before Streamlit's script.
(() => {
  const { history, location } = window;
  const push = history.pushState.bind(history);
  let pressed = false; // anything since the last entry
  history.pushState = (state, title, address) => {
    const { pathname, search } = new URL(address ?? "", location.href);
    const same = !pressed && (pathname === location.pathname || search === location.search);
    pressed = false;
    return same ? history.replaceState(state, title, address) : push(state, title, address);
  };
  for (const press of ["pointerdown", "keydown", "click"]) window.addEventListener(press, () => { pressed = true; }, true);
})();
