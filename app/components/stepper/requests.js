// Requests: what a stepper asks of the page around it and its server. The arithmetic of a number; changes, until they are
// acknowledged; previews of a drag, and the words of a sentence that is being typed, one at a time.

import { STEP } from "../shared/alignment.js";
import { nothing } from "../shared/elements.js";
import { rowStepOf } from "./trace_reading.js";

// Open number: its arithmetic is shown beside the stepper, and follows the step. What was pressed is outlined, or where
// it stands if it was opened by a link.

const FOLLOW_AFTER = 200; // milliseconds that a step must last before its arithmetic is requested
export const NOTHING_BESIDE = { open: () => false, pinned: () => false, place: nothing, closed: nothing };

// `beside` shows the arithmetic: `open()`, `pinned()`, and `place(node)`, which keeps it away from a node; `closed()` is
// called when no number is open any more.
export function openedNumber(root, beside, tell) {
  let shown = /** @type {any} */ (null); // the quantity
  let traces = [];
  let readings = [];
  let timer = 0;
  let nonce = 0;
  let wasOpen = false;
  let pressedBy = /** @type {any} */ (null); // where the focus was when a number was opened
  let under = /** @type {any} */ (null); // the number under the last click
  let clicked = /** @type {any} */ (null); // the one that was opened

  function ask(quantity) {
    pressedBy = root.getRootNode().activeElement;
    clicked = under;
    request(quantity);
  }
  function request(quantity) {
    clearTimeout(timer);
    nonce = Math.max(nonce + 1, Date.now());
    shown = quantity;
    wasOpen = beside.open();
    mark();
    beside.place(clicked?.isConnected ? clicked : root.querySelector(".panel") ?? root);
    tell({ ...quantity, nonce });
  }

  // The open number at a step; null if that step has none.
  function atStep(step) {
    const place = traces.findIndex((trace) => trace.index === shown.trace);
    const [trace, reading] = [traces[place], readings[place]];
    if (!trace) return null;
    const t = rowStepOf(trace, step) - 1;
    if (t >= trace.steps) return null;
    if (shown.attention) return headAtStep(trace, reading, t);
    if (["word_weight", "word_posterior"].includes(shown.kind)) return t < 0 ? null : { ...shown, row: shown.rows === STEP ? t : reading.rowOf[t] };
    if (shown.step === undefined || (t < 0 && !["state", "cell"].includes(shown.kind)) || t < -1) return null;
    if (shown.kind !== "probability") return { ...shown, step: t };
    const rank = shown.step < 0 ? 0 : trace.top_ids[shown.step].indexOf(shown.token);
    return { ...shown, step: t, token: rank < 0 ? trace.target_ids[t] : trace.top_ids[t][rank] };
  }

  // A head's number follows the head on view, within the same attention.
  function headAtStep(trace, reading, t) {
    const side = shown.kind.startsWith("feed_forward") || shown.kind === "hidden";
    const same = side ? (shown.attention === "encoder") === (trace.look?.attention === "encoder") : shown.attention === trace.look?.attention;
    if (t < 0 || !trace.look || !same || shown.row === undefined) return null;
    if (shown.kind === "head_score" && !trace.mask.at(t, shown.column)) return null;
    if (shown.head >= 0 !== trace.look.head > 0 && shown.head !== undefined) return null;
    const { layer, head } = trace.look;
    return {
      ...shown, layer: layer - 1, ...(shown.head === undefined ? {} : { head: head - 1 }),
      row: shown.kind === "head_word_weight" && shown.rows !== STEP ? reading.rowOf[t] : t,
    };
  }

  // Goes to a step of these traces.
  function follow(step, newTraces, newReadings) {
    [traces, readings] = [newTraces, newReadings];
    if (!shown) return;
    if (!beside.open()) return mark();
    const next = beside.pinned() ? null : atStep(step);
    if (next && JSON.stringify(next) !== JSON.stringify(shown)) {
      shown = next;
      mark(true);
      clearTimeout(timer);
      timer = setTimeout(() => beside.open() && request(shown), FOLLOW_AFTER);
    }
    mark();
  }

  // Outlines what was pressed; a cell of the heatmap only as long as the number is that of its row.
  function mark(moved = false) {
    for (const node of root.querySelectorAll(".opened")) node.classList.remove("opened");
    if (moved && clicked?.matches("td")) clicked = null;
    if (shown && !clicked?.isConnected) clicked = drawnAs(shown);
    if (shown) clicked?.classList.add("opened");
  }
  // Where a number is drawn and visible; null for most numbers of the arithmetic.
  function drawnAs({ trace: index, kind, step, row, column, position = column, token }) {
    const { top_ids: ids } = traces.find((trace) => trace.index === index) ?? {};
    const of = CSS.escape(kind.replace("head_", ""));
    const rank = ids?.[step]?.indexOf(token) ?? -1;
    const selectors = of.startsWith("word_") ? `td[data-row="${Number(row)}"][data-column="${Number(column)}"]`
      : kind === "probability" ? `[data-net-rank="${rank}"], [data-testid=top-token][data-rank="${rank}"]`
        : `[data-net-${of}="${Number(position)}"], [data-testid="${of}-bar"][data-position="${Number(position)}"]`;
    return [...root.querySelectorAll(selectors)].find((node) => node.getClientRects().length) ?? null;
  }
  root.addEventListener("click", (event) => {
    under = event.composedPath()[0].closest?.(".number, .bar, td, .strip, path") ?? null;
  }, { capture: true });

  function close() {
    shown = null;
    wasOpen = false;
    clearTimeout(timer);
    mark();
    beside.closed();
  }
  function refresh() {
    if (beside.open()) wasOpen = true;
    else if (wasOpen) close();
  }
  const focus = () => (pressedBy?.isConnected ? pressedBy : root).focus({ preventScroll: true });
  return { ask, follow, close, refresh, focus };
}

// A number as a link names it, such as weight.trace.0.step.3.position.2, and back; null if the text names none.
export const numberInLink = (quantity) => [quantity.kind, ...Object.entries(quantity).filter(([name]) => !["kind", "nonce"].includes(name)).flat()].join(".");
export function numberOfLink(text) {
  const [kind, ...places] = (text ?? "").split(".");
  const named = places.flatMap((name, i) => (i % 2 ? [] : [[name, /^-?\d{1,10}$/.test(places[i + 1]) ? Number(places[i + 1]) : places[i + 1]]]));
  return kind ? { ...Object.fromEntries(named), kind } : null;
}

// `tell(changes)` receives all changes not yet acknowledged, so that none is lost when several come at once.
export function sender(tell) {
  let waiting = [];
  let number = 0;
  function send(change) {
    number = Math.max(number + 1, Date.now());
    waiting.push({ ...change, number });
    tell([...waiting]);
  }
  function heard(last) {
    waiting = waiting.filter((change) => change.number > last);
  }
  return { send, heard };
}

// One request at a time, the newest value next. `send(value, number)` sends it; without an answer to the number it is
// given up after `patience` milliseconds.
export function latest(send, patience) {
  let waiting = /** @type {any} */ (null);
  let number = 0; // of the pending request
  let timer = 0;
  function ask(value) {
    waiting = value;
    if (number || waiting === null) return;
    [waiting, number] = [null, Date.now()];
    timer = setTimeout(answered, patience, number);
    send(value, number);
  }
  function answered(to) {
    if (!number || to < number) return;
    clearTimeout(timer);
    number = 0;
    ask(waiting);
  }
  // The pending request was refused: its value is sent again `later`, unless a newer one is waiting.
  function refused(value, later) {
    waiting ??= value;
    clearTimeout(timer);
    timer = setTimeout(answered, later, number);
  }
  return { ask, answered, refused, pending: (to) => number !== 0 && to >= number };
}

// Typing: while a sentence is typed, its finished words are translated after each pause. If the server has no spare time,
// they are sent again later, after a time that doubles; until then only Enter sends one.

const PAUSE = 200; // milliseconds without a key
const AGAIN = 2000; // milliseconds until the next attempt if there was no room
const LOST = 5000; // milliseconds after which an answer is no longer expected
const STORED = "regard-typing";

// The words before the last space; the whole text once a punctuation mark ends it.
export const finished = (text) => (/[.?!…]\s*$/u.test(text) ? text : text.replace(/\S+$/u, "")).trim();

// `ask(words, number)` sends a request; call `answered(number, room)` with the latest number drawn, `entered()` when a
// whole sentence is entered. `on()` and `toggle()` are for its switch.
export function typingOf(ask) {
  let on = stored((storage) => storage.getItem(STORED)) !== "off";
  let last = "";
  let pause = 0;
  let later = AGAIN;
  const requests = latest((words, number) => {
    last = words;
    ask(words, number);
  }, LOST);

  function toggle() {
    on = !on;
    stored((storage) => storage.setItem(STORED, on ? "on" : "off"));
  }
  function typed(text) {
    clearTimeout(pause);
    pause = setTimeout(() => {
      const words = finished(text);
      if (on && words && words !== last) requests.ask(words);
    }, PAUSE);
  }
  function answered(number, room) {
    if (!requests.pending(number)) return;
    if (room) {
      later = AGAIN;
      return requests.answered(number);
    }
    requests.refused(last, later);
    later *= 2;
  }
  function entered() {
    clearTimeout(pause);
    last = "";
    requests.ask(null);
  }
  return { on: () => on, toggle, typed, answered, entered };
}

// What `use` makes of the browser's storage; null in a browser without one.
export function stored(use) {
  try {
    return use(window.localStorage);
  } catch {
    return null;
  }
}
