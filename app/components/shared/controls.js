// Controls: buttons, slider and keys for moving through the steps, and the switches.

import { button, drawing, element } from "./elements.js";

const ICONS = {
  first: "M6 5v14M19 5l-9 7 9 7z",
  prev: "M16 5l-9 7 9 7z",
  play: "M7 4l13 8-13 8z",
  pause: "M8 5v14M16 5v14",
  next: "M8 5l9 7-9 7z",
  last: "M18 5v14M5 5l9 7-9 7z",
};
const SPEEDS = [["0.5", "½ ×"], ["1", "1 ×"], ["2", "2 ×"], ["4", "4 ×"]]; // steps a second

export function icon(name) {
  return drawing("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, drawing("path", { d: ICONS[name] }));
}

// The names of the places, where playing begins, and how long each place stays.
const STEPS = {
  test: "control", slider: "slider", all: "Steps", each: "Step", play: "Play",
  ways: { first: "First step", prev: "Previous step", next: "Next step", last: "Last step" },
  opening: 1, // the decoder's first step; the encoder's reading comes before it
  stay: (last, speed) => 1000 / speed,
};

export function transport({ first, last }, act, subject = STEPS) {
  const named = (name, label, go) => button(
    { class: "key", "data-testid": `${subject.test}-${name}`, "aria-label": label, title: label }, go, icon(name));
  const play = named("play", subject.play, () => toggle());
  const slider = element("input",
    { type: "range", min: first, max: last, step: 1, "aria-label": subject.each, "data-testid": subject.slider });
  if (last > first) slider.style.setProperty("--zero", (0 - first) / (last - first));
  slider.addEventListener("input", () => { stop(); act.go(Number(slider.value)); });
  const place = element("span", { class: "where", ...subject.place });
  const speed = element("select", { "aria-label": "Speed", title: "Speed" },
    ...SPEEDS.map(([value, text]) => element("option", { value }, text)));
  speed.value = "1";
  const manual = (target) => () => { stop(); act.go(target()); };
  const goes = { first: manual(() => first), prev: manual(() => now - 1), next: manual(() => now + 1), last: manual(() => last) };
  const [begin, back, on, end] = Object.entries(subject.ways).map(([name, label]) => named(name, label, goes[name]));
  const node = element("div", { class: "transport", role: "group", "aria-label": subject.all },
    element("div", { class: "buttons" }, begin, back, play, on, end, ...(subject.paced ? [] : [speed])), slider, place);
  let now = 0;
  let timer = 0;

  function toggle() {
    if (timer) return stop();
    if (last <= first) return undefined;
    if (now >= last) act.go(Math.min(subject.opening, last));
    play.replaceChildren(icon("pause"));
    play.setAttribute("aria-label", "Pause");
    tick();
  }

  function tick() {
    timer = setTimeout(() => {
      if (act.advance ? act.advance() : act.go(now + 1) ?? now < last) tick();
      else stop();
    }, subject.stay(last, Number(speed.value)));
  }

  function stop() {
    clearTimeout(timer);
    timer = 0;
    play.replaceChildren(icon("play"));
    play.setAttribute("aria-label", subject.play);
  }

  function show(step, text, newLast = last) {
    [now, last] = [step, newLast];
    slider.max = String(last);
    slider.value = String(step);
    slider.setAttribute("aria-valuetext", text);
    place.textContent = text;
  }

  // From the opening, whatever is shown.
  function start() {
    stop();
    act.go(Math.min(subject.opening, last));
    toggle();
  }

  const keys = {
    ArrowLeft: goes.prev, ArrowRight: goes.next, Home: goes.first, End: goes.last, " ": toggle,
  };
  return { node, show, stop, play: start, keys, slider };
}

const TYPING = "input, textarea, select, audio, video, [contenteditable]:not([contenteditable=false]), "
  + "[role=slider], [role=textbox], [role=combobox], [role=spinbutton], [role=listbox], [role=option], [role=menu], "
  + "[role=menuitem], [role=tab], [role=radio], [role=radiogroup], [role=grid], [role=tree], [role=dialog]";
const PRESSING = "button, a[href], summary, label, [role=button], [role=link], [role=checkbox], [role=switch]";

// Handles keys in the stepper and, while nothing else uses them, on the whole page. Returns a function that stops
// listening.
export function listenToKeys(root, slider, keys) {
  function listen(event) {
    const act = keys[event.shiftKey ? `Shift+${event.key}` : event.key];
    if (!act || event.defaultPrevented || event.isComposing) return;
    if (event.altKey || event.ctrlKey || event.metaKey || root.getClientRects().length === 0) return;
    const path = event.composedPath().filter((node) => node instanceof Element);
    const within = (selector) => path.some((node) => node !== root && node.matches(selector));
    if (path[0] === slider ? event.key !== " " : within(TYPING) || (event.key === " " && within(PRESSING))) return;
    event.preventDefault();
    act();
  }
  document.addEventListener("keydown", listen);
  return () => document.removeEventListener("keydown", listen);
}

const GOES_ON = "What the model reads. A dot before a token: it continues the word before it, without a space";
const NETWORK_IS = "The whole network at this step: what is read, asked, weighed, mixed and written";
const AFTER_THE_FACT = "Given the word: where a model that looks at one token only would have looked";

// Switches of the view; they call `change({name: value})`. Each is a button that is pressed or not. `posterior` is the
// value of `rows` while the posterior is read, "" if it cannot be.
export function switches(view, change, { changeable, links, posterior }) {
  const all = [];
  const pressable = (name, value, text, attributes = {}) => {
    const node = button({ class: "switch", ...attributes }, () => change({ [name]: value(view()[name]) }), text);
    all.push({ node, pressed: () => view()[name] === value(false) });
    return node;
  };
  const group = (legend, ...segments) => element("div", { class: "choice", role: "group", "aria-label": legend },
    element("span", { class: "segments" }, ...segments));
  const named = (legend, ...segments) => {
    const node = group(legend, ...segments);
    node.prepend(element("span", { class: "legend" }, legend));
    return node;
  };
  const segments = (name, options) => options.map(([value, text, title]) =>
    pressable(name, () => value, text, { "data-testid": `${name}-${value}`, title }));
  // How rows are read; rows of a posterior belong to the word produced.
  const row = (rows, name, text, pressed, title = "") => {
    const node = button({ class: "switch", "data-testid": name, "data-handle": name, title }, () => pressed() || change({ rows }), text);
    all.push({ node, pressed });
    return node;
  };
  const isPosterior = () => Boolean(posterior) && view().rows === posterior;
  const toggle = (name, text, title) =>
    pressable(name, (before) => !before, text, { "data-testid": name, "data-handle": name, title });
  const node = element("div", { class: "switches" },
    group("Show", ...segments("units", [["words", "words"], ["tokens", "tokens", GOES_ON]])),
    ...(links ? [] : [named("Rows by",
      row("output", "rows-output", "output", () => view().rows !== "input", "A row is named by the word that its step produced"),
      row("input", "rows-input", "input", () => view().rows === "input", "A row is named by the word that its step was fed"))]),
    ...(posterior ? [group("Rows are",
      row("output", "reading-weights", "weights", () => !isPosterior()),
      row(posterior, "reading-posterior", "posterior", isPosterior, AFTER_THE_FACT))] : []),
    toggle("glosses", "Source word", "Under each target word, the source word it looked at most; this is not a translation"),
    toggle("large", "Present", "Full screen, to be read from afar; Escape leaves it"),
    ...(changeable ? [toggle("edit", "Side by side", "Before and after, with every way to change the translation")] : []));
  const pictures = group("Picture of the step", ...segments("picture", [["alignment", "alignment"], ["network", "network", NETWORK_IS]]));
  pictures.classList.add("pictures");
  const present = node.querySelector("[data-testid=large]");
  function show() {
    all.forEach((one) => one.node.setAttribute("aria-pressed", String(one.pressed())));
    present.textContent = view().large ? "Exit (Esc)" : "Present";
  }
  return { node, pictures, show };
}
