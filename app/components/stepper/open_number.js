// Open number: the number whose arithmetic is shown beside the stepper. It is outlined and follows the step.
//
// `beside` shows the arithmetic: `open()`, `pinned()`, and `place(node)`, which keeps it away from a node; `closed()` is
// called when no number is open any more.

import { nothing } from "../shared/elements.js";
import { STEP, positionsOf, rowStepOf } from "./trace_reading.js";

const FOLLOW_AFTER = 200; // milliseconds that a step must last before its arithmetic is requested
export const NOTHING_BESIDE = { open: () => false, pinned: () => false, place: nothing, closed: nothing };

export function openedNumber(root, beside, tell) {
  let shown = /** @type {any} */ (null); // the quantity
  let traces = [];
  let readings = [];
  let timer = 0;
  let nonce = 0;
  let wasOpen = false;
  let pressedBy = /** @type {any} */ (null); // where the focus was when a number was opened

  function ask(quantity) {
    pressedBy = root.getRootNode().activeElement;
    request(quantity);
  }
  function request(quantity) {
    clearTimeout(timer);
    nonce = Math.max(nonce + 1, Date.now());
    shown = quantity;
    wasOpen = beside.open();
    mark();
    const [node] = root.querySelectorAll(".opened");
    beside.place(node ?? root.querySelector(".clicked") ?? root);
    tell({ ...quantity, nonce });
  }

  // The open number at another step; null if that step has none.
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

  function follow(step) {
    if (!shown) return;
    if (!beside.open()) return mark();
    const next = beside.pinned() ? null : atStep(step);
    if (next && JSON.stringify(next) !== JSON.stringify(shown)) {
      shown = next;
      clearTimeout(timer);
      timer = setTimeout(() => beside.open() && request(shown), FOLLOW_AFTER);
    }
    mark();
  }

  // The element that the visitor pressed, if the number has no place of its own.
  function pressed(event) {
    for (const node of root.querySelectorAll(".clicked")) node.classList.remove("clicked");
    event.composedPath()[0].closest?.(".number, .bar, td, .strip, path")?.classList.add("clicked");
  }
  root.addEventListener("click", pressed, { capture: true });

  function mark() {
    for (const node of root.querySelectorAll(".opened")) node.classList.remove("opened");
    const place = traces.findIndex((trace) => trace.index === shown?.trace);
    if (place < 0) return;
    const within = [...root.querySelectorAll("article")].at(place);
    const step = Number(root.dataset.step);
    for (const selector of placesOfNumber(shown, traces[place], readings[place], step)) {
      within.querySelector(selector)?.classList.add("opened");
    }
  }

  // Takes new traces and readings; closes the number if the sentence is another.
  function over(newTraces, newReadings) {
    [traces, readings] = [newTraces, newReadings];
  }
  function close() {
    shown = null;
    wasOpen = false;
    clearTimeout(timer);
    mark();
    beside.closed();
  }
  // The page has changed: closes the number if the page closed its arithmetic.
  function refresh() {
    if (beside.open()) wasOpen = true;
    else if (wasOpen) close();
  }
  const focus = () => (pressedBy?.isConnected ? pressedBy : root).focus({ preventScroll: true });
  return { ask, follow, over, close, refresh, focus };
}

// A number as a link names it, such as weight.trace.0.step.3.position.2, and back; null if the text names none.
export const numberInLink = (quantity) => [quantity.kind, ...Object.entries(quantity).filter(([name]) => !["kind", "nonce"].includes(name)).flat()].join(".");
export function numberOfLink(text) {
  const [kind, ...places] = (text ?? "").split(".");
  const named = places.flatMap((name, i) => (i % 2 ? [] : [[name, /^-?\d{1,10}$/.test(places[i + 1]) ? Number(places[i + 1]) : places[i + 1]]]));
  return kind ? { ...Object.fromEntries(named), kind } : null;
}

// The places of a number, as selectors within its trace; a vector's component is in its strip.
function placesOfNumber(quantity, trace, reading, step) {
  const { kind, position, row, column } = quantity;
  const here = quantity.step === step - 1;
  const bar = (name, place) => `[data-testid="${name}"][data-position="${place}"]`;
  const cell = (line, place) => `td[data-row="${line}"][data-column="${place}"]`;
  if (quantity.attention) return placesOfHead(quantity, trace, reading, rowStepOf(trace, step) - 1);
  const after = ["posterior", "word_posterior"].includes(kind);
  if ((after || kind.endsWith("weight")) && after !== reading.posterior) return [];
  if (["word_weight", "word_posterior"].includes(kind)) {
    if (quantity.rows === STEP) return row === step - 1 ? barsOf(reading, column, after ? "posterior-bar" : "weight-bar") : [];
    return reading.words && quantity.rows === reading.rows ? [cell(row, column)] : [];
  }
  if (["posterior", "weight"].includes(kind)) {
    return [...(here ? [bar(`${kind}-bar`, position)] : []), ...(reading.words ? [] : [cell(quantity.step, position)])];
  }
  if (!here && kind !== "annotation") return [];
  if (kind === "score") return [bar("score-bar", position)];
  if (kind === "likelihood") return [bar("likelihood-bar", position)];
  if (kind === "rest") return ['[data-testid="all-others"]'];
  if (kind === "log_probability") return ['[data-testid="log-probability"]'];
  if (kind !== "probability") return [`.strip[data-kind="${kind}"]`];
  const rank = trace.top_ids[step - 1]?.indexOf(quantity.token) ?? -1;
  return [`[data-rank="${rank}"]`];
}

// The bars of a word's tokens, which the panel shows one by one.
const barsOf = (reading, column, name) => (reading.words ? positionsOf(reading, column) : []).map(
  (position) => `[data-testid="${name}"][data-position="${position}"]`);

// A number of a Transformer's layer or head at another step; `t` is the row that is shown.
function placesOfHead({ kind, attention, layer, head, rows, row, column }, { look }, reading, t) {
  const side = kind.startsWith("feed_forward") || kind === "hidden"; // of the decoder's layer, which ends with cross-attention
  if (look && side && (look.attention === "encoder") !== (attention === "encoder")) return [];
  if ((!side && look?.attention !== attention) || !look || look.layer !== layer + 1 || (head !== undefined && look.head !== head + 1)) return [];
  const [bar, cell] = [`[data-testid="weight-bar"][data-position="${column}"]`, `td[data-row="${row}"][data-column="${column}"]`];
  if (kind === "head_word_weight" && rows === STEP) return row === t ? barsOf(reading, column, "weight-bar") : [];
  if (kind === "head_word_weight") return reading.words && rows === reading.rows ? [cell] : [];
  if (kind === "head_weight") return [...(row === t ? [bar] : []), ...(reading.words ? [] : [cell])];
  if (kind === "head_score") return row === t ? [`[data-testid="score-bar"][data-position="${column}"]`] : [];
  return row === undefined || row === t ? [`.strip[data-kind="${kind}"]`] : [];
}
