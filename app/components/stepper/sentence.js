// Sentence: source above, target so far below, and lines from the current target to what it looks at.

const FAINTEST = 0.005; // of a weight; below it a line would say nothing

function sentenceView(trace, act) {
  const sources = element("div", { class: "sources", role: "group", "aria-label": "Source" });
  const targets = element("div", { class: "targets", role: "group", "aria-label": "Target" });
  const rowLines = drawing("g", { class: "row-lines" });
  const columnLines = drawing("g", { class: "column-lines" });
  const lines = drawing("svg", { class: "lines", "aria-hidden": "true" }, columnLines, rowLines);
  const menu = menuView(trace, act, () => sourceChips);
  const node = element("div", { class: "sentence" }, lines, sources, targets, ...(act.edit ? [menu.node] : []));
  let reading, sourceChips, targetChips, under, places;
  let now = 0; // the step shown
  let pinned = null; // the source whose column is shown
  let glosses = false;
  let current = 0; // the chip produced last
  let scrolled = 0;
  rove(sources, () => sourceChips, sideways);
  rove(targets, () => targetChips, sideways);
  targets.addEventListener("scroll", () => { scrolled = targets.scrollLeft; drawLines(); }, { passive: true });

  function arrange(newReading, newGlosses) {
    reading = newReading;
    glosses = newGlosses;
    pinned = null;
    menu.close();
    sourceChips = reading.columns.map(sourceChip);
    targetChips = reading.chips.map((label, chip) => button(
      {
        class: "chip", "data-testid": "target-token", tabindex: chip ? -1 : 0,
        "data-handle": `${act.place} target ${chip}`,
      },
      () => act.go(stepOfChip(trace, reading, chip)),
      trace.targetToken(label), ...pen(doneToTarget(trace, reading, chip))));
    under = targetChips.map(() => element("div", { class: "under" }));
    sources.replaceChildren(...sourceChips);
    targets.replaceChildren(...targetChips.map((chip, i) => element("div", { class: "place" }, chip, under[i])));
    fillUnder();
    rowLines.replaceChildren(...reading.columns.map((_, column) => line(() => reading.rowOf[now - 1], () => column)));
    columnLines.replaceChildren(...reading.chips.map((_, chip) => line(() => reading.rowOfChip(chip), () => pinned)));
  }

  function sourceChip(label, column) {
    const opens = act.edit ? { "aria-haspopup": "dialog", "aria-expanded": "false" } : {};
    return button(
      {
        class: isMasked(trace, reading, column) ? "chip struck" : "chip", "data-testid": "source-token",
        tabindex: column ? -1 : 0, "aria-pressed": "false", "data-handle": `${act.place} source ${column}`, ...opens,
      },
      () => (act.edit ? menu.open(reading, column, pinned) : act.pin(column)),
      trace.sourceToken(label), ...pen(doneToSource(trace, reading, column)));
  }

  function line(row, column) {
    const path = drawing("path", { hidden: "hidden" });
    path.addEventListener("click", () => act.inspect(reading.quantity(row(), column())));
    act.describe(path, () => act.say(reading, row(), column()));
    return path;
  }

  function measure() {
    const place = ({ offsetLeft, offsetTop, offsetWidth, offsetHeight }) =>
      ({ x: offsetLeft + offsetWidth / 2, top: offsetTop, bottom: offsetTop + offsetHeight });
    places = {
      sources: sourceChips.map(place),
      targets: targetChips.map(place),
      left: targets.offsetLeft,
      width: targets.clientWidth,
      full: targets.scrollWidth,
    };
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
      showFuture(chip, index > current, index);
      chip.classList.toggle("current", index === owner);
      chip.classList.toggle("produced", t >= 0 && index === current);
      chip.classList.toggle("fed", t >= 0 && index === reading.fedChip(t) && index !== current);
      under[index].classList.toggle("future", t < 0 || reading.rowOfChip(index) > reading.rowOf[t]);
    });
    follow();
    drawLines();
  }

  function showFuture(chip, future, index) {
    if (chip.classList.contains("future") === future) return;
    chip.classList.toggle("future", future);
    if (future) chip.setAttribute("aria-label", `to come: ${index}`);
    else chip.removeAttribute("aria-label");
  }

  // Below a target chip stands its weight on the pinned source, else on demand the source it looked at most.
  function fillUnder() {
    under.forEach((place, chip) => {
      const row = reading.rowOfChip(chip);
      const has = row >= 0 && row < reading.weights.rows;
      const looks = has && reading.weights.at(row, reading.lookedAt[row]) > 0; // a file may have a row of zeros
      if (has && pinned !== null) place.replaceChildren(weightUnder(row, pinned));
      else place.replaceChildren(...(looks && glosses ? [gloss(row)] : []));
    });
    targets.classList.toggle("annotated", pinned !== null);
  }

  function weightUnder(row, column) {
    const number = act.number(reading.written(reading.weights.at(row, column)), reading.quantity(row, column));
    act.describe(number, () => act.say(reading, row, column));
    return number;
  }

  function gloss(row) {
    const node = element("span", { class: "gloss" }, trace.sourceToken(reading.columns[reading.lookedAt[row]]));
    act.describe(node, () => "The word it looked at most, not a translation");
    return node;
  }

  // On a narrow page the target is one line that scrolls within itself.
  function follow() {
    const { x } = places.targets[current];
    if (places.full <= places.width) return;
    scrolled = Math.min(Math.max(0, x - places.left - places.width / 2), places.full - places.width);
    requestAnimationFrame(() => { targets.scrollLeft = scrolled; });
  }

  function drawLines() {
    const row = now > 0 ? reading.rowOf[now - 1] : -1;
    rowLines.childNodes.forEach((path, column) => drawLine(path, row, column));
    columnLines.childNodes.forEach((path, chip) => {
      const other = reading.rowOfChip(chip);
      drawLine(path, pinned !== null && now > 0 && other <= row && other < reading.weights.rows ? other : -1, pinned);
    });
  }

  function drawLine(path, row, column) {
    const weight = row < 0 ? 0 : reading.weights.at(row, column);
    path.toggleAttribute("hidden", weight < FAINTEST);
    if (weight < FAINTEST) return;
    const from = places.targets[reading.chipOfRow(row)];
    const to = places.sources[column];
    const x = from.x - scrolled;
    const bend = (from.top - to.bottom) / 2;
    const bends = `${x} ${from.top - bend} ${to.x} ${to.bottom + bend}`;
    path.setAttribute("d", `M${x} ${from.top}C${bends} ${to.x} ${to.bottom}`);
    path.setAttribute("stroke-width", 1 + 9 * weight);
    path.setAttribute("stroke-opacity", 0.3 + 0.7 * weight);
  }

  function resize() {
    measure();
    current = Math.min(current, targetChips.length - 1);
    follow();
    drawLines();
  }

  return { node, arrange, show, resize };
}
