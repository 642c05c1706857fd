// The stepper as a Streamlit component: clicked numbers go to Python, what is looked at goes into the page's link.

const mounted = new WeakMap();
const LINK_EVERY = 350; // milliseconds; browsers refuse more than some 100 changes of the link in half a minute

export default function ({ data, parentElement, setTriggerValue }) {
  let one = mounted.get(parentElement);
  if (one) {
    one.tell = setTriggerValue;
    one.stepper.update(data);
    one.link.follow();
  } else {
    one = { tell: setTriggerValue, link: linkWriter() };
    const onInspect = (quantity) => one.tell("inspect", quantity);
    const onEdit = (changes) => one.tell("edit", changes);
    one.stepper = mount(parentElement, data, { onInspect, onEdit, onView: one.link.write });
    mounted.set(parentElement, one);
  }
  return () => {
    one.stepper.destroy();
    one.link.stop();
    mounted.delete(parentElement);
  };
}

// What the page is about; the rest of its link says how it is looked at.
function subject() {
  const link = new URL(window.location.href).searchParams;
  return ["sentence", "given", "model", "change"].map((name) => link.get(name)).join("\n");
}

// Goes back to an earlier sentence with the browser: Streamlit does not, so the page is read again from its link.
// Writes the last view at once and then at most every LINK_EVERY, keeping the link's other parameters.
function linkWriter() {
  let waiting = null;
  let timer = 0;
  let shown = subject();
  function flush() {
    timer = 0;
    if (!waiting || subject() !== shown) return;
    const link = new URL(window.location.href);
    const { step, units, rows, large, edit } = waiting;
    waiting = null;
    set(link, "step", String(step), null);
    set(link, "units", units, "words");
    set(link, "rows", rows, "output");
    set(link, "large", large ? "1" : "0", "0");
    set(link, "edit", edit ? "1" : "0", "0");
    if (link.href !== window.location.href) window.history.replaceState(window.history.state, "", link);
    timer = setTimeout(flush, LINK_EVERY);
  }
  function write(view) {
    waiting = view;
    if (!timer) flush();
  }
  function follow() {
    shown = subject();
    flush();
  }
  function back() {
    if (subject() !== shown) window.location.reload();
  }
  function stop() {
    clearTimeout(timer);
    window.removeEventListener("pagehide", flush);
    window.removeEventListener("popstate", back);
  }
  window.addEventListener("pagehide", flush);
  window.addEventListener("popstate", back);
  return { write, follow, stop };
}

function set(link, name, value, ordinary) {
  if (value === ordinary) link.searchParams.delete(name);
  else link.searchParams.set(name, value);
}
