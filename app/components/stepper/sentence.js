// Sentence: source above, target so far below, and lines from the current target to the words it looks at.
//
// Each language is one row, which scrolls by itself if it is long: a line between two rows of one language would pass
// behind unrelated words.

import { button, element, rove, sideways } from "../shared/elements.js";
import { linesView } from "./lines.js";
import { doneToSource, doneToTarget, isMasked, pen } from "./marks.js";
import { menuView } from "./menu.js";
import { fromTheRight, stepOfChip } from "./trace_reading.js";

export function sentenceView(trace, act) {
  const sources = element("div", { class: "sources", role: "group", "aria-label": "Source" });
  const targets = element("div", { class: "targets", role: "group", "aria-label": "Target" });
  const lines = linesView(trace, act, {
    source: (column) => ({ x: places.sources[column].x - sourceRow.scrolled(), y: places.sources[column].bottom }),
    target: (chip) => ({ x: places.targets[chip].x - targetRow.scrolled(), y: places.targets[chip].top }),
  });
  const menu = menuView(trace, act, () => sourceChips);
  const node = element("div", { class: "sentence" }, lines.node, sources, targets, lines.grip, ...(act.rewordable ? [menu.node] : []));
  let reading, sourceChips, targetChips, under, places;
  let now = 0; // the step shown
  let pinned = null; // the source whose column is shown
  let glosses = false;
  let current = 0; // the chip produced last
  const sourceRow = scrollingRow(sources, lines.draw);
  const targetRow = scrollingRow(targets, lines.draw);
  rove(sources, () => sourceChips, sideways);
  rove(targets, () => targetChips, sideways);

  function arrange(newReading, newGlosses) {
    reading = newReading;
    glosses = newGlosses;
    pinned = null;
    places = null;
    menu.close();
    sourceChips = reading.columns.map(sourceChip);
    targetChips = reading.chips.map((label, chip) => button(
      {
        class: "chip", "data-testid": "target-token", tabindex: chip ? -1 : 0,
        "data-handle": `${act.place} target ${chip}`,
      },
      () => act.go(reading.atOnce ? stepOfChip(trace, reading, chip) - trace.reads - 1 : stepOfChip(trace, reading, chip)),
      trace.targetToken(label), ...pen(doneToTarget(trace, reading, chip))));
    under = targetChips.map(() => element("div", { class: "under" }));
    sources.replaceChildren(...sourceChips);
    targets.replaceChildren(...targetChips.map((chip, i) => element("div", { class: "place" }, chip, under[i])));
    reverse(sourceChips, trace.source.tokens);
    reverse(targetChips.map((chip) => chip.parentNode), trace.target.tokens);
    fillUnder();
    lines.arrange(reading);
  }

  function sourceChip(label, column) {
    const opens = act.rewordable ? { "aria-haspopup": "dialog", "aria-expanded": "false" } : {};
    const chip = button(
      {
        class: isMasked(trace, reading, column) ? "chip struck" : "chip", "data-testid": "source-token",
        tabindex: column ? -1 : 0, "aria-pressed": "false", "data-handle": `${act.place} source ${column}`, ...opens,
      },
      () => (act.rewordable ? menu.open(reading, column, pinned) : act.pin(column)),
      trace.sourceToken(label), ...pen(doneToSource(trace, reading, column)));
    if (act.rewordable) act.describe(chip, () => "Press to mask this word, replace it or pin its column");
    return chip;
  }

  function measure() {
    const place = ({ offsetLeft, offsetTop, offsetWidth, offsetHeight }) =>
      ({ x: offsetLeft + offsetWidth / 2, top: offsetTop, bottom: offsetTop + offsetHeight });
    places = { sources: sourceChips.map(place), targets: targetChips.map(place) };
    sourceRow.measure();
    targetRow.measure();
  }

  function show(step, newPinned) {
    now = step;
    if (pinned !== newPinned) {
      pinned = newPinned;
      fillUnder();
    }
    const t = step - 1;
    const read = step < 0 ? reading.columnOf[trace.sourceLength + step] : Infinity;
    current = t >= 0 ? reading.producedChip(t) : 0;
    const owner = t >= 0 ? reading.chipOfRow(reading.rowOf[t]) : -1;
    sourceChips.forEach((chip, column) => {
      chip.classList.toggle("unread", column > read);
      chip.classList.toggle("current", column === read);
      chip.setAttribute("aria-pressed", String(column === pinned));
    });
    targetChips.forEach((chip, index) => {
      showFuture(chip, !reading.atOnce && index > current, index);
      chip.classList.toggle("current", index === owner);
      chip.classList.toggle("produced", t >= 0 && index === current);
      chip.classList.toggle("fed", t >= 0 && index === reading.fedChip(t) && index !== current);
      under[index].classList.toggle("future", !reading.atOnce && (t < 0 || reading.rowOfChip(index) > reading.rowOf[t]));
    });
    lines.mark(now, pinned);
    if (places) settle(); // otherwise they are still to be measured
  }

  function showFuture(chip, future, index) {
    if (chip.classList.contains("future") === future) return;
    chip.classList.toggle("future", future);
    if (future) chip.setAttribute("aria-label", `to come: ${index}`);
    else chip.removeAttribute("aria-label");
  }

  // Below a target chip is its weight on the pinned source, or on request its heaviest source word.
  function fillUnder() {
    under.forEach((place, chip) => {
      const row = reading.rowOfChip(chip);
      const has = row >= 0 && row < reading.weights.rows;
      const looks = has && reading.weights.at(row, reading.lookedAt[row]) > 0; // a file may have a row of zeros
      if (has && pinned !== null) place.replaceChildren(weightUnder(row, pinned));
      else place.replaceChildren(...(looks && glosses ? [gloss(row)] : []));
    });
    targets.classList.toggle("annotated", pinned !== null);
    targets.classList.toggle("glossed", glosses);
  }

  function weightUnder(row, column) {
    const number = act.number(reading.written(reading.weights.at(row, column)), reading.quantity(row, column));
    act.describe(number, () => act.say(reading, row, column));
    return number;
  }

  function gloss(row) {
    const node = element("span", { class: "gloss" }, trace.sourceToken(reading.columns[reading.lookedAt[row]]));
    act.describe(node, () => (reading.posterior ? "The word with the greatest posterior, not a translation"
      : reading.attends ? "The word it looked at most, not a translation" : "No other word weighs more; not a translation"));
    return node;
  }

  // Centres the word produced in its row, and the one it looks at most in the other.
  function follow() {
    const t = now - 1;
    const source = now < 0 ? reading.columnOf[trace.sourceLength + now] : t >= 0 ? reading.lookedAt[reading.rowOf[t]] : 0;
    targetRow.follow(places.targets[current].x);
    sourceRow.follow(places.sources[source].x);
  }

  function resize() {
    measure();
    current = Math.min(current, targetChips.length - 1);
    settle();
  }

  function settle() {
    follow();
    lines.draw();
  }

  // While weights are dragged: the word that the model would then write.
  function preview({ written }) {
    if (now < 1) return;
    targetChips[current].replaceChildren(trace.targetToken(written));
    measure();
    lines.draw();
  }

  return { node, arrange, show, resize, redraw: lines.draw, preview, beckon: lines.beckon };
}

// Chips of a right-to-left script run that way; their order in the document stays the reading order.
function reverse(places, labels) {
  const reversed = fromTheRight(labels);
  places.forEach((place, i) => { place.style.order = reversed ? String(-i) : ""; });
}

// A row that scrolls by itself and shows at its ends that it continues. Measured separately: stepping reads no layout.
function scrollingRow(row, moved) {
  let [left, width, full, scrolled] = [0, 0, 0, 0];
  row.addEventListener("scroll", () => {
    scrolled = row.scrollLeft;
    fade();
    moved();
  }, { passive: true });

  function measure() {
    [left, width, full] = [row.offsetLeft, row.clientWidth, row.scrollWidth];
    scrolled = Math.min(scrolled, Math.max(0, full - width));
    fade();
  }

  function fade() {
    row.classList.toggle("before", scrolled > 1);
    row.classList.toggle("beyond", scrolled < full - width - 1);
  }

  function follow(x) {
    if (full <= width) return;
    const aim = Math.min(Math.max(0, x - left - width / 2), full - width);
    scrolled = aim; // until then an event of earlier scrolling may say otherwise
    requestAnimationFrame(() => { row.scrollLeft = aim; }); // during the frame's own layout, not before
  }
  return { measure, follow, scrolled: () => scrolled };
}
