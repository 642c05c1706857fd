// Controls: buttons, slider and keys for moving through the steps, menus, and the choices of the view.

import { button, drawing, element, nothing, onEscape, refresh } from "./elements.js";

const ICONS = {
  prev: "M16 5l-9 7 9 7z",
  play: "M7 4l13 8-13 8z",
  pause: "M8 5v14M16 5v14",
  next: "M8 5l9 7-9 7z",
};
const SPEEDS = [["0.5", "½ ×"], ["1", "1 ×"], ["2", "2 ×"], ["4", "4 ×"]]; // steps a second

export function icon(name) {
  return drawing("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, drawing("path", { d: ICONS[name] }));
}

const STEPS = {
  test: "control", slider: "slider", all: "Steps", each: "Step", play: "Play",
  ways: { prev: "Previous step", next: "Next step" },
  opening: 1, // the decoder's first step; the encoder's reading comes before it
  stay: (last, speed) => 1000 / speed,
};

export function transport({ first, last }, act, subject = STEPS) {
  const named = (name, label, go) => button(
    { class: "key", "data-testid": `${subject.test}-${name}`, "aria-label": label, title: label }, go, icon(name));
  const play = named("play", subject.play, () => toggle());
  const slider = element("input", {
    type: "range", min: first, max: last, step: 1, "aria-label": subject.each, "data-testid": subject.slider,
    oninput: () => { stop(); act.go(Number(slider.value)); },
  });
  if (last > first) slider.style.setProperty("--zero", (0 - first) / (last - first));
  const place = element("span", { class: "where", ...subject.place });
  const speed = element("select", { "aria-label": "Speed", title: "Speed" },
    ...SPEEDS.map(([value, text]) => element("option", { value }, text)));
  speed.value = "1";
  const manual = (target) => () => { stop(); act.go(target()); };
  const goes = { first: manual(() => first), prev: manual(() => now - 1), next: manual(() => now + 1), last: manual(() => last) };
  const [back, on] = Object.entries(subject.ways).map(([name, label]) => named(name, label, goes[name]));
  const node = element("div", { class: "transport", role: "group", "aria-label": subject.all },
    element("div", { class: "buttons" }, back, play, on, ...(subject.paced ? [] : [speed])), slider, place);
  let now = 0;
  let timer = 0;

  function toggle() {
    if (timer || act.pause?.()) return stop();
    if (last <= first) return undefined;
    if (now >= last) act.go(Math.min(subject.opening, last));
    playing("pause", "Pause");
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
    playing("play", subject.play);
  }
  function playing(picture, label) {
    play.replaceChildren(icon(picture));
    play.setAttribute("aria-label", label);
    play.title = label;
  }

  function show(step, text, newLast = last) {
    [now, last] = [step, newLast];
    slider.max = String(last);
    slider.value = String(step);
    slider.setAttribute("aria-valuetext", text);
    place.textContent = text;
  }

  const keys = {
    ArrowLeft: goes.prev, ArrowRight: goes.next, Home: goes.first, End: goes.last, " ": toggle,
  };
  return { node, show, stop, playing, keys, slider, speed };
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

// A button with a panel above it, which a press outside or Escape closes; `opened()` fills the panel.
export function popup(attributes, content, panel, opened = nothing) {
  panel.hidden = true;
  const opener = button({ class: "switch", "aria-expanded": "false", ...attributes }, () => show(panel.hidden), ...content);
  const node = element("div", { class: "popup" }, opener, panel);
  const outside = (event) => event.composedPath().includes(node) || show(false);
  const escaped = onEscape(close);
  function show(open) {
    if (open) opened();
    panel.hidden = !open;
    opener.setAttribute("aria-expanded", String(open));
    const listen = open ? "addEventListener" : "removeEventListener";
    document[listen]("pointerdown", outside, true);
    document[listen]("keydown", escaped, true);
    if (open) panel.querySelector("button, select")?.focus({ preventScroll: true });
  }
  function close() {
    show(false);
    opener.focus({ preventScroll: true });
  }
  return { node, opener, close };
}

const GOES_ON = "What the model reads. A dot before a token: it continues the word before it, without a space";
const NETWORK_IS = "The whole network at this step: what is read, asked, weighed, mixed and written";
const AFTER_THE_FACT = "Given the word: where a model that looks at one token only would have looked";
const PRODUCED = "A row is named by the word that its step produced";
const FED = "A row is named by the word that its step was fed";
const GLOSSES = "Under each target word, the source word it looked at most; this is not a translation";
const GUESSES = "Before each step, press the source word that you think it looks at most";
const TYPING_IS = "Translate the finished words while you type; Enter asks for the whole sentence and writes the link";

// The choices of the view: a menu, buttons for the picture and for presenting, and a chip for each choice made in the
// menu, which takes it back. They call `change({name: value})`; a button is pressed or not. `posterior` is the value of
// `rows` while the posterior is read, "" if it cannot be; `typing` is the switch of requests.js, `speed` the field of
// `transport`.
export function switches(view, change, { changeable, guesses, links, posterior, typing, speed }) {
  const pressable = (pressed, act, text, testid, title = "", kind = "") => button({
    class: `switch ${kind}`, "data-handle": testid, "data-testid": testid, title,
    "aria-pressed": () => String(Boolean(pressed())),
  }, act, text);
  const option = (name, value, text, title) =>
    pressable(() => view()[name] === value, () => change({ [name]: value }), text, `${name}-${value}`, title);
  const toggle = (name, text, title, kind) =>
    pressable(() => view()[name], () => change({ [name]: !view()[name] }), text, name, title, kind);
  const rows = (testid, pressed, value, text, title) => pressable(pressed, () => pressed() || change({ rows: value }), text, testid, title);
  const isPosterior = () => Boolean(posterior) && view().rows === posterior;
  const flip = () => {
    typing.toggle();
    show();
  };
  const guess = () => {
    change({ guess: !view().guess });
    menu.close(); // it would cover the words to press
  };
  const panel = element("div", { class: "panel-above view-menu", role: "group", "aria-label": "View",
    "data-testid": "view-menu" }, ...[
    choice("Text in", "of-alignment", option("units", "words", "words"), option("units", "tokens", "tokens", GOES_ON)),
    !links && choice("Rows by", "of-alignment",
      rows("rows-output", () => view().rows !== "input", "output", "output", PRODUCED),
      rows("rows-input", () => view().rows === "input", "input", "input", FED)),
    posterior && choice("Rows are", "of-alignment", rows("reading-weights", () => !isPosterior(), "output", "weights"),
      rows("reading-posterior", isPosterior, posterior, "posterior", AFTER_THE_FACT)),
    toggle("glosses", "Source word", GLOSSES, "of-alignment"),
    speed && choice("Speed", "", speed), typing && pressable(typing.on, flip, "As you type", "typing", TYPING_IS),
    guesses && pressable(() => view().guess, guess, "Guess where it looks", "guess", GUESSES),
    changeable && toggle("edit", "Before and after", "Side by side, with every way to change the translation"),
  ].filter(Boolean));
  const present = toggle("large", () => (view().large ? ["Exit", element("span", { class: "by-keyboard" }, " (Esc)")] : "Present"), "Full screen, to be read from afar");
  const pictures = choice("", "pictures", option("picture", "network", "network", NETWORK_IS),
    option("picture", "alignment", "alignment"));
  const back = (name, value) => () => change({ [name]: value });
  const chips = element("div", { class: "made-choices" }, ...[
    chip("of-alignment", () => view().units === "tokens" && "tokens", back("units", "words")),
    chip("of-alignment", () => view().rows === "input" && "rows by input", back("rows", "output")),
    chip("of-alignment", () => isPosterior() && "posterior", back("rows", "output")),
    chip("of-alignment", () => view().glosses && "source word", back("glosses", false)),
    chip("", () => speed && speed.value !== "1" && speed.selectedOptions[0].text, () => { speed.value = "1"; show(); }),
    chip("", () => typing && !typing.on() && "Enter only", flip),
    chip("", () => view().guess && "guessing", back("guess", false)),
    chip("", () => view().edit && "before and after", back("edit", false)),
  ]);
  const menu = popup({ "data-testid": "view" }, ["View"], panel);
  const show = () => [chips, present, panel, pictures].forEach(refresh);
  speed?.addEventListener("change", show);
  return { chips, present, menu: menu.node, pictures, show };
}

const choice = (legend, kind, ...segments) =>
  element("div", { class: `choice ${kind}`, role: "group", "aria-label": legend || "Picture of the step" },
    ...(legend ? [element("span", { class: "legend" }, legend)] : []), element("span", { class: "segments" }, ...segments));

// A button for a choice that was made in the menu: its text, or false if it was not; a press takes it back.
const chip = (kind, said, back) => button({
  class: `switch made ${kind}`, "data-testid": "made", hidden: () => !said(),
  "aria-label": () => `Take back: ${said()}`,
}, back, () => `${said()} ×`);
