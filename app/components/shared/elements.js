// Elements: creating them, naming tokens, moving among them by keyboard. Text is never parsed as HTML.

import { exact, twoDecimals } from "./numbers.js";

/** @type {(...given: any[]) => any} */
export const nothing = () => {};

// An element. A function among its attributes, or as its only child, stands for a value that `refresh` reads; as a child
// it returns text, a node or several. `on…` are listeners, `says` is what hovering or focusing tells, `classes` and
// `style` map names to values, and `draws` is called at each `refresh`.
export const element = (tag, attributes = {}, ...children) => made(document.createElement(tag), attributes, children);

export const drawing = (tag, attributes = {}, ...children) =>
  made(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);

const described = new WeakMap(); // what hovering or focusing a node tells
const live = new WeakMap(); // what `refresh` calls, by node

/** @type {(...given: any[]) => any} */
function made(node, attributes, children) {
  const reads = /** @type {any[]} */ ([]);
  const set = (value, act) => {
    if (typeof value !== "function") return act(value);
    let last;
    return reads.push(() => {
      const now = value();
      if (now !== last) act(now);
      last = now;
    });
  };
  const maps = {
    classes: (name) => (has) => node.classList.toggle(name, Boolean(has)),
    style: (name) => (value) => node.style.setProperty(name, value),
  };
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "says") described.set(node, value);
    else if (name === "draws") reads.push(value);
    else if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (name in maps) for (const [one, own] of Object.entries(value)) set(own, maps[name](one));
    else set(value, (now) => write(node, name, now));
  }
  if (typeof children[0] === "function") set(children[0], (now) => fill(node, now));
  else node.append(...children);
  if (reads.length) live.set(node, reads);
  return node;
}

function write(node, name, value) {
  if (value === undefined || value === "" || value === false) node.removeAttribute?.(name);
  else node.setAttribute(name, value === true ? "" : value);
}

function fill(node, content) {
  node.replaceChildren(...[content].flat());
  for (const child of node.children) refresh(child);
}

// Reads all values within a node that are given as functions.
export function refresh(root) {
  for (const node of [root, ...root.querySelectorAll("*")]) live.get(node)?.forEach((read) => read());
}

export function button(attributes, act, ...children) {
  const node = element("button", { type: "button", ...attributes }, ...children);
  node.addEventListener("click", act);
  return node;
}

// A listener for keys that acts on Enter, but not on one that ends the composition of a character.
export const onEnter = (act) => (event) => event.key === "Enter" && !event.isComposing && act();

// A listener for keys that acts on Escape, which then means nothing else.
export const onEscape = (act) => (event) => {
  if (event.key !== "Escape") return;
  event.stopPropagation();
  act();
};

export const quiet = (text) => element("small", {}, text);

// The title of a part, and in a quieter font what its numbers mean.
/** @type {(title: string, detail?: string | (() => string)) => any} */
export function heading(title, detail = "") {
  return element("p", { class: "title" }, title, element("small", {}, detail));
}

// A token or word: a dot precedes what continues a word, bytes are small, controls are labelled, what is
// rare has its count.
export function token(label, language = "") {
  const lang = label.kind === "word" || label.kind === "piece" ? language : "";
  const node = element("bdi", { class: `token ${label.kind}`, lang, title: label.title });
  if (label.kind === "piece") node.append(element("span", { class: "joint", "aria-hidden": "true" }, "·"));
  node.append(label.text);
  if (label.rare !== undefined) node.append(element("sup", { class: "rare" }, `${label.rare}×`));
  return node;
}

// One tab stop for a group: `moves` maps arrow keys to numbers of items. Items and moves are read at each key;
// `moved(node)` hears the item that gets the focus.
export function rove(container, items, moves, moved = nothing) {
  container.addEventListener("keydown", (event) => {
    const move = moves()[event.key];
    const all = items();
    const from = all.indexOf(event.composedPath()[0]);
    if (!move || from < 0 || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    event.stopPropagation();
    const to = all[from + move];
    if (!to) return;
    tabStop(all[from], to);
    to.focus();
    moved(to);
  });
}

export function tabStop(before, after) {
  if (before) before.tabIndex = -1;
  if (after) after.tabIndex = 0;
}

export const sideways = () => ({ ArrowLeft: -1, ArrowRight: 1 });
export const upAndDown = () => ({ ArrowUp: -1, ArrowDown: 1 });
export const inRowsOf = (width) => ({ ...sideways(), ArrowUp: -width, ArrowDown: width });

// A box that keeps a place visible by scrolling itself, never the page, with `around` more on either side. Measured
// separately: stepping reads no layout. `moved()` hears that it scrolls; without it the keyboard can scroll it.
export function scroller(box, { around = 0, moved = nothing } = {}) {
  const axes = [
    { at: "scrollTop", size: "clientHeight", full: "scrollHeight" }, // down
    { at: "scrollLeft", size: "clientWidth", full: "scrollWidth" }, // across
  ].map((axis) => ({ ...axis, scrolled: 0, visible: 0, length: 0 }));
  let followed = []; // the places kept visible
  box.addEventListener("scroll", () => {
    axes.forEach((axis) => { axis.scrolled = box[axis.at]; });
    sign();
    moved();
  }, { passive: true });

  function sign() {
    [["more-above", "more-below"], ["more-left", "more-right"]].forEach(([before, beyond], i) => {
      const { scrolled, visible, length } = axes[i];
      box.classList.toggle(before, scrolled > 1);
      box.classList.toggle(beyond, scrolled < length - visible - 2);
    });
  }

  // `covered` is the part of the box hidden by headers, down and across.
  function measure(covered = [0, 0]) {
    axes.forEach((axis, i) => {
      axis.visible = box[axis.size] - covered[i];
      axis.length = box[axis.full] - covered[i];
      axis.scrolled = box[axis.at]; // 0 without an event once the box was taken out of the page
    });
    if (moved === nothing) box.tabIndex = axes.some((axis) => axis.length > axis.visible) ? 0 : -1;
    follow(...followed);
  }

  // A place is an index among this many of equal size. Across, a box is never further from its start than needed.
  function follow(...places) {
    followed = places;
    places.forEach(([index, count], i) => {
      const axis = axes[i];
      const size = axis.length / count;
      const past = Math.max(0, Math.min(count, index + 1 + around) * size - axis.visible);
      const scrolled = Math.min(Math.max(0, index - around) * size, i ? past : Math.max(past, axis.scrolled));
      if (axis.length <= axis.visible || scrolled === axis.scrolled) return;
      axis.scrolled = scrolled;
      requestAnimationFrame(() => { box[axis.at] = scrolled; }); // during the frame's own layout, not before
    });
    sign();
  }
  return { measure, follow, scrolled: () => axes[1].scrolled };
}

const NEAR = 24; // pixels, about the height of a word

// One tooltip for the whole stepper. `describe(node, text)` says what hovering or focusing a node shows, as `says` does.
export function tooltip(root) {
  const box = element("div", { class: "tip", role: "tooltip", hidden: true });
  let told = null; // the clicked node: its number is shown elsewhere until the pointer leaves
  let pressed = /** @type {any} */ (null); // so near to where the pointer was last let go, nothing is described
  let acted = false; // by a press, after which the focus is where a closed menu leaves it: nothing was asked there
  const hide = () => { box.hidden = true; };
  const near = ({ clientX, clientY }) => pressed && Math.hypot(clientX - pressed.clientX, clientY - pressed.clientY) < NEAR;
  const nodeOf = (event) => event.composedPath().find((candidate) => described.has(candidate));
  function show(event) {
    const node = nodeOf(event);
    if (event.type === "focusin" ? acted : node === told || near(event)) return;
    pressed = null;
    told = null;
    const text = node && described.get(node)(event);
    if (!text) return hide();
    box.textContent = text;
    box.hidden = false;
    const around = root.getBoundingClientRect();
    const focused = event.type === "focusin" && event.composedPath()[0].getBoundingClientRect();
    const x = focused ? focused.left + focused.width / 2 : event.clientX;
    const y = focused ? focused.top : event.clientY - 8;
    const above = y - around.top - box.offsetHeight - 6;
    const left = x - around.left - box.offsetWidth / 2;
    box.style.left = `${Math.min(Math.max(0, left), around.width - box.offsetWidth)}px`;
    const said = root.querySelector(".says:not(.unseen)")?.getBoundingClientRect(); // the step's sentence can be read
    const covers = said && above + around.top < said.bottom && above + around.top + box.offsetHeight > said.top;
    box.style.top = `${above < 0 || covers ? y - around.top + 32 : above}px`;
  }
  const on = (act, ...kinds) => { for (const kind of kinds) root.addEventListener(kind, act); };
  on(show, "pointerover", "pointermove", "focusin");
  on(hide, "pointerleave", "focusout");
  on((event) => { pressed = event; }, "pointerup");
  root.addEventListener("pointerdown", () => { acted = true; }, true);
  root.addEventListener("keydown", ({ key }) => { acted = key === "Enter" || key === " "; }, true);
  on((event) => {
    told = nodeOf(event) ?? null;
    hide();
  }, "click");
  root.append(box);
  return { describe: (node, text) => described.set(node, text), hide };
}

// A node's distance from the top of its page, unscrolled.
export function topOf(node) {
  let top = node.getBoundingClientRect().top;
  for (let at = node; at; at = at.parentElement ?? at.getRootNode().host) top += at.scrollTop;
  return top;
}

// Head: the heading of a column when several are side by side.

export function headView(trace, act) {
  const { head } = trace;
  const whole = { trace: trace.index, kind: "total_log_probability" };
  const logarithm = act.number(twoDecimals(head.log_probability), whole,
    () => `log-probability ${exact(head.log_probability)}`);
  const facts = [["log-probability", logarithm], ...head.facts].map(([name, value]) =>
    element("div", {}, element("dt", {}, name), element("dd", {}, value)));
  return element("header", { class: "model", "data-testid": "model" },
    element("h2", {}, head.title),
    ...(head.formula ? [element("p", { class: "formula" }, ...mathematics(head.formula))] : []),
    element("p", { class: "written", lang: trace.target.language, "data-testid": "written" },
      ...head.pieces.map(pieceOf)),
    element("dl", { class: "facts" }, ...facts));
}

// Marks words that the first column lacks.
export const pieceOf = ({ text, kind }) => (kind === "same" ? text : element("mark", {}, text));

// A formula: _ puts a character, or those in braces, below the line and ^ above it; letters are italic, names of functions
// are not.
export function mathematics(formula) {
  return formula.split(/([_^]\{[^}]*\}|[_^].)/).flatMap((part) => /^[_^]/.test(part)
    ? [element(part[0] === "_" ? "sub" : "sup", {}, ...letters(part.replace(/[_^{}]/g, "")))]
    : letters(part));
}

function letters(text) {
  return text.split(/([A-Za-zα-ω\p{M}]+)/u).filter(Boolean)
    .map((part) => (/^([A-Za-zα-ω]\p{M}*){1,2}$/u.test(part) ? element("i", {}, part) : part));
}
