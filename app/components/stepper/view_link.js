// The view in the page's link, and the view that was left on each screen, kept until the page is closed.

const LINK_EVERY = 350; // milliseconds; browsers refuse more than some 100 changes of the link in half a minute
const LEFT = ["step", "units", "picture", "phase", "attention", "layer", "head"]; // of a view, kept while the visit lasts
const leftViews = new Map(); // by screen

// Writes the last view into the link at once and then at most every LINK_EVERY, keeping the link's other parameters.
// app/visitor/question.py defines them: the subject's, and the view's with the value that a link leaves out.
export function viewLink({ link: names, ...opening }) {
  const subject = () => {
    const link = new URL(window.location.href).searchParams;
    return names.subject.map((name) => link.get(name)).join("\n");
  };
  const screen = window.location.pathname;
  let view = /** @type {any} */ (null);
  let number = "";
  let waiting = /** @type {any} */ (null);
  let timer = 0;
  let shown = subject();
  function read() {
    const link = new URL(window.location.href).searchParams;
    return Object.fromEntries(Object.entries(names.view).map(([name, ordinary]) => [name, link.get(name) ?? ordinary]));
  }
  function flush() {
    timer = 0;
    if (!waiting || subject() !== shown) return;
    const link = new URL(window.location.href);
    for (const [name, ordinary] of Object.entries(names.view)) {
      const named = name === "step" && !link.searchParams.has(name); // a step named by a link stays named
      const value = typeof waiting[name] === "boolean" ? Number(waiting[name]) : waiting[name];
      set(link, name, String(value), named ? String(opening.step) : ordinary);
    }
    waiting = null;
    if (link.href !== window.location.href) window.history.replaceState(window.history.state, "", link);
    timer = setTimeout(flush, LINK_EVERY);
  }
  function write(looked) {
    view = looked;
    waiting = { ...view, number };
    if (!timer) flush();
  }
  function name(opened) {
    number = opened;
    if (view) write(view);
  }
  function follow() {
    shown = subject();
    flush();
  }
  function stop() {
    const { step, ...looked } = view ?? {};
    if (view) leftViews.set(screen, { subject: shown, view: step === opening.step ? looked : view });
    clearTimeout(timer);
    window.removeEventListener("pagehide", flush);
  }
  // The view to open with: the one that was left on this screen, unless the link names another or the subject is.
  function left() {
    const link = new URL(window.location.href).searchParams;
    const one = leftViews.get(screen);
    if (one?.subject !== shown || Object.keys(names.view).some((name) => link.has(name))) return {};
    return Object.fromEntries(LEFT.filter((name) => name in one.view).map((name) => [name, one.view[name]]));
  }
  window.addEventListener("pagehide", flush);
  const opens = (data) => { opening = data; };
  return { read, left, write, name, follow, stop, opens };
}

function set(link, name, value, ordinary) {
  if (value === ordinary) link.searchParams.delete(name);
  else link.searchParams.set(name, value);
}
