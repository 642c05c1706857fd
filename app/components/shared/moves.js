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
    return same ? history.replaceState(state, title, address) : push(state, title, address);
  };
  for (const press of ["pointerdown", "keydown", "click"]) window.addEventListener(press, () => { pressed = true; }, true);
})();
