// The stepper as a Streamlit component: sends clicked numbers to Python, and writes the view into the page's link.

import { component, unpack } from "../shared/mounting.js";
import { numberInLink, numberOfLink, stored, typingOf } from "./requests.js";
import { saveMenuOf } from "./save_menu.js";
import { mount } from "./stepper.js";
import { headlineOf } from "./story.js";

let first = true; // the page's first stepper opens the number of the link

export default component((parent, packed, send) => {
  const data = unpack(packed);
  const link = viewLink(data);
  const { number, glosses } = link.read();
  const left = link.left();
  // What the server gives, except for what a person chose in its place before.
  const chosen = (now) => ({ ...now, ...Object.fromEntries(Object.entries(left).filter(([name]) => name !== "step" && now[name] === data[name])) });
  let draft = data.typing?.draft;
  const keeping = saveMenuOf(() => stepper.shown());
  const headline = headlineOf(".answer .translation");
  const typing = data.typing && typingOf((text, nonce) => send("typed", { text, nonce }));
  const stepper = mount(parent, { ...data, ...left, glosses: glosses === "1" }, {
    onInspect: (quantity) => {
      send("inspect", quantity);
      link.name(numberInLink(quantity));
    },
    onEdit: (changes) => send("edit", changes), onRows: (rows) => send("rows", rows),
    onView: (view) => draft || link.write(view), // the link belongs to the last sentence entered
    beside: { ...drawer, closed: () => link.name("") }, keeping, typing,
    ...(data.what_if ? {
      onPreview: (question) => send("preview", question), onTold: headline.tell, onStep: headline.mark, tells: { first: !link.names("step") },
    } : {}),
  });
  if (data.what_if) stored((storage) => storage.setItem("regard-seen", "1")); // the banner for newcomers is not drawn again
  const gone = listen(stepper, typing, headline);
  const linked = first && numberOfLink(number);
  if (linked) stepper.open(linked);
  first = false;

  function update(packed) {
    const data = unpack(packed);
    draft = data.typing?.draft;
    stepper.update(chosen(data));
    link.follow(data);
    typing?.answered(data.typing.heard, true);
  }
  function destroy() {
    gone.abort();
    stepper.destroy();
    link.stop();
  }
  return { update, destroy };
});

// Listens to the page; aborting what it returns ends that.
function listen(stepper, typing, headline) {
  const gone = new AbortController();
  const on = (kind, hear) => document.addEventListener(kind, hear, { signal: gone.signal });
  const closing = () => {
    const within = document.activeElement?.closest(".st-key-arithmetic");
    drawer.close();
    stepper.refresh();
    if (within) stepper.refocus();
  };
  on("regard-preview", ({ detail }) => {
    if (detail.refused) typing?.answered(detail.nonce, false);
    else stepper.preview(detail);
  });
  on("regard-step", ({ detail }) => stepper.go(detail));
  on("click", ({ target }) => {
    if (target.closest?.(".st-key-present-here button")) stepper.present();
    if (headline.pressed(target)) stepper.go(headline.pressed(target));
    if (target.closest?.(".st-key-close-arithmetic button")) closing();
  });
  for (const kind of ["input", "change", "keydown"]) on(kind, ({ type, target, key }) => {
    if (key === "Escape" && !target.closest?.(TAKES_ESCAPE)) closing();
    if (!typing || !target.closest?.(".st-key-sentence")) return;
    if (type === "input") typing.typed(target.value);
    else if (type === "change" || key === "Enter") typing.entered();
  });
  const followChanges = changesFocus(on);
  const watch = new MutationObserver(() => {
    stepper.refresh();
    headline.draw();
    followChanges();
  });
  watch.observe(document.querySelector("[data-testid=stMain]") ?? document.body, { childList: true, subtree: true });
  gone.signal.addEventListener("abort", () => watch.disconnect());
  return gone;
}

// Once pressed, a button of the list of changes may be disabled or gone: the focus goes to Undo or Redo.
function changesFocus(on) {
  let pressed = false;
  on("focusin", () => { pressed = false; });
  on("click", ({ target }) => { pressed = Boolean(target.closest?.(".st-key-changes-list")); });
  return () => {
    const focused = /** @type {any} */ (document.activeElement);
    if (!pressed || (focused !== document.body && !focused.disabled)) return;
    const way = /** @type {any} */ (document.querySelector(".st-key-changes-list [data-testid=stButton] button:enabled"));
    way?.focus({ preventScroll: true });
  };
}

// The drawer with the arithmetic, which Python draws on the side away from the number.
const DRAWER = ".st-key-arithmetic .arithmetic-open:not([data-closing])";
const TAKES_ESCAPE = "input, textarea, [role=dialog], [role=listbox]";
const drawer = {
  close: () => document.querySelector(DRAWER)?.setAttribute("data-closing", ""), // before the server has, so that no step reopens it
  open: () => document.querySelector(DRAWER) !== null,
  pinned: () => /** @type {any} */ (document.querySelector(DRAWER))?.dataset.pinned === "1",
  place(node) {
    document.querySelector("[data-closing]")?.removeAttribute("data-closing");
    const page = document.documentElement;
    const [number, frame] = [node.getBoundingClientRect(), node.closest(".frames")?.getBoundingClientRect()];
    const heat = node.getRootNode().querySelector(".stepper:not(.several) .heat")?.getBoundingClientRect();
    const left = frame ? number.left + number.width / 2 > frame.left + frame.width / 2 : false;
    const under = left && heat && heat.right < number.left; // over the heatmap, so that the lines stay visible
    page.dataset.arithmetic = left ? "left" : "right";
    page.style.setProperty("--drawer-top", under ? `${Math.min(heat.top, window.innerHeight / 2)}px` : "3.75rem");
    page.style.setProperty("--drawer-width", under ? `${heat.right + 8}px` : "27rem");
    if (window.innerWidth <= 1000) requestAnimationFrame(() => node.scrollIntoView({ block: "nearest" }));
  },
};

// The view in the page's link, and the view that was left on each screen, kept until the page is closed.

const LINK_EVERY = 350; // milliseconds; browsers refuse more than some 100 changes of the link in half a minute
const LEFT = ["step", "units", "picture", "phase", "attention", "layer", "head"]; // of a view, kept while the visit lasts
const leftViews = new Map(); // by screen

// Writes the last view into the link at once and then at most every LINK_EVERY, keeping the link's other parameters.
// app/visitor/question.py defines them: the subject's, and the view's with the value that a link leaves out.
function viewLink({ link: names, ...opening }) {
  const parameters = () => new URL(window.location.href).searchParams;
  const subject = () => names.subject.map((name) => parameters().get(name)).join("\n");
  const screen = window.location.pathname;
  let view = /** @type {any} */ (null);
  let number = "";
  let waiting = /** @type {any} */ (null);
  let timer = 0;
  let shown = subject();
  const read = () => Object.fromEntries(
    Object.entries(names.view).map(([name, ordinary]) => [name, parameters().get(name) ?? ordinary]));
  function flush() {
    timer = 0;
    if (!waiting || subject() !== shown) return;
    const link = new URL(window.location.href);
    for (const [name, ordinary] of Object.entries(names.view)) {
      const named = name === "step" && !link.searchParams.has(name); // a step named by a link stays named
      const value = typeof waiting[name] === "boolean" ? Number(waiting[name]) : waiting[name];
      if (String(value) === (named ? String(opening.step) : ordinary)) link.searchParams.delete(name);
      else link.searchParams.set(name, String(value));
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
  // New data of the page: their opening, and the subject in the link.
  function follow(data) {
    opening = data;
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
    const one = leftViews.get(screen);
    if (one?.subject !== shown || Object.keys(names.view).some((name) => parameters().has(name))) return {};
    return Object.fromEntries(LEFT.filter((name) => name in one.view).map((name) => [name, one.view[name]]));
  }
  window.addEventListener("pagehide", flush);
  return { read, left, write, name, follow, stop, names: (name) => parameters().has(name) };
}
