// Sentence: source above, target so far below, and lines from the current target to the words it looks at; and the menu of
// a source word.
//
// Each language is one row, which scrolls by itself if it is long: a line between two rows of one language would pass
// behind unrelated words.

import { button, element, onEnter, onEscape, refresh, rove, scroller, sideways } from "../shared/elements.js";
import { linesView } from "./dragging.js";
import {
  doneToSource, doneToTarget, fromTheRight, isMasked, pen, positionsOf, stepOfChip, stepOfRow, wordOf,
} from "./trace_reading.js";

export function sentenceView(trace, act) {
  const sources = element("div", { class: "sources", role: "group", "aria-label": "Source" });
  const targets = element("div",
    { class: "targets", role: "group", "aria-label": "Target", classes: { glossed: () => glosses } });
  const lines = linesView(trace, act, {
    source: (column) => ({ x: places.sources[column].x - sourceRow.scrolled(), y: places.sources[column].bottom }),
    target: (chip) => ({ x: places.targets[chip].x - targetRow.scrolled(), y: places.targets[chip].top }),
  });
  const menu = menuView(trace, act, () => sourceChips);
  const node = element("div", { class: "sentence" }, lines.node, sources, targets, lines.grip, ...(act.rewordable ? [menu.node] : []));
  let reading, sourceChips, targetChips, places;
  let now = 0; // the step shown
  let glosses = false;
  let current = 0; // the chip produced last
  const [sourceRow, targetRow] = [sources, targets].map((row) => scroller(row, { around: 1, moved: lines.draw }));
  rove(sources, () => sourceChips, sideways);
  rove(targets, () => targetChips, sideways);

  function arrange(newReading, newGlosses) {
    [reading, glosses, places] = [newReading, newGlosses, null];
    menu.close();
    sourceChips = reading.columns.map(sourceChip);
    targetChips = reading.chips.map(targetChip);
    sources.replaceChildren(...sourceChips);
    targets.replaceChildren(...targetChips.map((chip, i) => element("div", { class: "place" }, chip, underOf(i))));
    // Chips of a right-to-left script run that way; their order in the document stays the reading order.
    for (const [row, { tokens }] of [[sources, trace.source], [targets, trace.target]]) {
      const reversed = fromTheRight(tokens);
      [...row.children].forEach((place, i) => { place.style.order = reversed ? String(-i) : ""; });
    }
    lines.arrange(reading);
  }

  function sourceChip(label, column) {
    const read = () => (now < 0 ? reading.columnOf[trace.sourceLength + now] : Infinity);
    return button({
      class: isMasked(trace, reading, column) ? "chip struck" : "chip", tabindex: column ? -1 : 0,
      "data-testid": "source-token",
      "data-handle": `${act.place} source ${column}`,
      classes: { unread: () => column > read(), current: () => column === read() },
      ...(act.rewordable && {
        "aria-haspopup": "dialog", "aria-expanded": "false",
        says: () => "Press to mask this word, replace it or mark its column",
      }),
    }, () => (act.rewordable ? menu.open(reading, column) : act.pin(column)),
    trace.sourceToken(label), ...pen(doneToSource(trace, reading, column)));
  }

  function targetChip(label, chip) {
    const t = () => now - 1;
    const future = () => !reading.atOnce && chip > current;
    return button({
      class: "chip", "data-testid": "target-token", tabindex: chip ? -1 : 0,
      "data-handle": `${act.place} target ${chip}`,
      "aria-label": () => future() && `to come: ${chip}`, classes: {
        future, current: () => now > 0 && chip === reading.chipOfRow(reading.rowOf[t()]),
        produced: () => now > 0 && chip === current,
        fed: () => now > 0 && chip === reading.fedChip(t()) && chip !== current,
      },
    }, () => act.go(stepOfRow(trace, stepOfChip(trace, reading, chip))), trace.targetToken(label),
      ...pen(doneToTarget(trace, reading, chip)));
  }

  function underOf(chip) {
    const row = reading.rowOfChip(chip);
    const has = row >= 0 && row < reading.weights.rows;
    const looks = has && reading.weights.at(row, reading.lookedAt[row]) > 0; // a file may have a row of zeros
    const says = () => (reading.posterior ? "The word with the greatest posterior, not a translation"
      : reading.attends ? "The word it looked at most, not a translation"
        : "No other word weighs more; not a translation");
    return element("div", { class: "under",
      classes: { future: () => !reading.atOnce && (now < 1 || row > reading.rowOf[now - 1]) } },
      ...(looks && glosses ? [element("span", { class: "gloss", says },
        trace.sourceToken(reading.columns[reading.lookedAt[row]]))] : []));
  }

  function show(step) {
    now = step;
    current = now > 0 ? reading.producedChip(now - 1) : 0;
    refresh(sources);
    refresh(targets);
    if (places) settle(); // otherwise they are still to be measured
  }

  // Scrolls to the word produced in its row, and to the one it looks at most in the other.
  function settle() {
    const t = now - 1;
    const source = now < 0 ? reading.columnOf[trace.sourceLength + now] : t >= 0 ? reading.lookedAt[reading.rowOf[t]] : 0;
    targetRow.follow([0, 1], places.targets[current].share);
    sourceRow.follow([0, 1], places.sources[source].share);
    lines.draw(now);
  }

  function resize() {
    const place = ({ offsetLeft, offsetTop, offsetWidth, offsetHeight }) =>
      ({ x: offsetLeft + offsetWidth / 2, wide: offsetWidth, top: offsetTop, bottom: offsetTop + offsetHeight });
    places = { sources: sourceChips.map(place), targets: targetChips.map(place) };
    for (const [row, all] of [[sources, places.sources], [targets, places.targets]]) {
      for (const one of all) one.share = [(one.x - one.wide / 2 - row.offsetLeft) / one.wide, row.scrollWidth / one.wide];
    }
    sourceRow.measure();
    targetRow.measure();
    current = Math.min(current, targetChips.length - 1);
    settle();
  }

  return { node, arrange, show, resize, redraw: lines.draw, beckon: lines.beckon };
}

// Menu: the actions on a source word, below its chip. `chips()` are the current chips.
function menuView(trace, act, chips) {
  let opened = null;

  function open(reading, column) {
    if (opened === column) return close(true);
    opened = column;
    const word = wordOf(trace, reading, column);
    const masked = isMasked(trace, reading, column);
    const item = (hook, text, go) => button({ class: "small", "data-testid": hook }, () => {
      close(true);
      go();
    }, text);
    const mask = item("menu-mask", masked ? "Unmask it" : "Mask it",
      () => act.edit({ kind: "mask", positions: positionsOf(reading, column), masked: !masked }));
    const pin = item("menu-pin", "Mark its column", () => act.pin(column));
    const back = word && word.was !== word.now ? [item("menu-back", `Back to “${word.was}”`,
      () => act.edit({ kind: "word", word: word.word, text: word.was }))] : [];
    node.setAttribute("aria-label", `Change “${reading.columns[column].text}”`);
    node.replaceChildren(element("div", { class: "choices" }, mask, pin, ...back), ...(word ? [replacing(word)] : []));
    node.hidden = false;
    chips().forEach((chip, i) => chip.setAttribute("aria-expanded", String(i === column)));
    const chip = chips()[column]; // the menu stands below it, within the sentence
    const room = node.parentElement.clientWidth - node.offsetWidth;
    const left = chip.offsetLeft - chip.parentElement.scrollLeft;
    node.style.left = `${Math.max(0, Math.min(left, room))}px`;
    node.style.top = `${chip.offsetTop + chip.offsetHeight + 4}px`;
    mask.focus({ preventScroll: true });
  }

  function replacing({ word, now }) {
    const replace = () => {
      const text = field.value.trim();
      if (!text) return field.focus();
      close(true);
      act.edit({ kind: "word", word, text });
    };
    const field = element("input", {
      type: "text", class: "text", "aria-label": `Replace “${now}” with`, placeholder: `instead of “${now}”`, maxlength: 200,
      lang: trace.source.language, autocomplete: "off", "data-testid": "menu-text", onkeydown: onEnter(replace),
    });
    return element("div", { class: "choices" }, field,
      button({ class: "small", "data-testid": "menu-replace" }, replace, "Replace"));
  }

  function close(back = false) {
    if (opened === null) return;
    const chip = chips()[opened];
    opened = null;
    node.hidden = true;
    for (const each of chips()) each.setAttribute("aria-expanded", "false");
    if (back) chip?.focus({ preventScroll: true });
  }

  const node = element("div", {
    class: "menu", role: "dialog", hidden: true, "data-testid": "source-menu",
    onmousedown: (event) => event.stopPropagation(), // keeps the keyboard focus in the menu
    onkeydown: onEscape(() => close(true)),
    onfocusout: ({ relatedTarget }) => {
      if (relatedTarget && !node.contains(relatedTarget) && !chips().includes(relatedTarget)) close();
    },
  });
  return { node, open, close };
}
