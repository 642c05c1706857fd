// Bars: for the current step the score of every source token beside the weight that softmax makes of it.

function barsView(trace, act) {
  const grid = element("div", { class: "bars" });
  const box = element("div", { class: "bars-box" }, grid);
  const note = element("p", { class: "note" });
  const head = element("div", { class: "bars-head" },
    element("span"), heading("Score"), heading("Weight", "softmax of scores"));
  const node = element("section", {}, head, box, note);
  const sight = scroller(box);
  const [low, high] = trace.ranges.score;
  const span = high - low || 1;
  const zero = -low / span;
  let reading, names, scores, weights;
  let row = 0;
  let t = -1;
  rove(grid, () => scores.map((bar) => bar.node), upAndDown);
  rove(grid, () => weights.map((bar) => bar.node), upAndDown);

  function arrange(newReading) {
    reading = newReading;
    names = trace.source.tokens.map((label, i) =>
      place(element("span", { class: "name" }, trace.sourceToken(label)), i, 1, 1));
    scores = names.map((_, i) => barOf("score", `score of ${trace.source.tokens[i].text}`, { "data-position": i },
      () => act.inspect({ trace: trace.index, kind: "score", step: t, position: i }), i, 1));
    weights = reading.columns.map((label, column) => {
      const first = reading.columnOf.indexOf(column);
      const length = reading.columnOf.filter((other) => other === column).length;
      return barOf("weight", `weight of ${label.text}`, { "data-column": column },
        () => act.inspect(reading.quantity(row, column)), first, length);
    });
    for (const bar of scores) bar.node.style.setProperty("--zero", zero);
    scores.forEach((bar, i) => act.describe(bar.node, () => t >= 0 && sayScore(i)));
    weights.forEach((bar, column) => act.describe(bar.node, () => t >= 0 && act.say(reading, row, column)));
    grid.replaceChildren(...names, ...scores.map((bar) => bar.node), ...weights.map((bar) => bar.node));
    note.textContent = reading.words
      ? "Weights merge into words (sum over source, mean over target); scores do not merge."
      : "Softmax turns the scores of a step into weights that sum to 100 %.";
  }

  function barOf(kind, name, data, inspect, start, length) {
    const figure = element("span", { class: "figure" });
    const bar = element("span", { class: "fill" });
    const node = button({ class: `bar ${kind}`, "data-testid": `${kind}-bar`, tabindex: start ? -1 : 0, ...data },
      () => t >= 0 && inspect(),
      element("span", { class: "unseen" }, name), figure, element("span", { class: "track" }, bar));
    return { node: place(node, start, kind === "score" ? 2 : 3, length), figure, bar };
  }

  function place(node, start, column, length) {
    node.style.gridArea = `${start + 1} / ${column} / span ${length}`;
    if (length > 1) node.classList.add("merged");
    return node;
  }

  function sayScore(i) {
    const masked = trace.mask.at(t, i) ? "" : ", masked: it may not be looked at";
    return `score of ${trace.source.tokens[i].text}: ${exact(trace.score.at(t, i))}${masked}`;
  }

  function show(step, pinned) {
    t = step - 1;
    row = t >= 0 ? reading.rowOf[t] : -1;
    grid.classList.toggle("blank", t < 0);
    names.forEach((name, i) => name.classList.toggle("pinned", reading.columnOf[i] === pinned));
    if (t < 0) return;
    scores.forEach((bar, i) => {
      write(bar, trace.score.at(t, i), twoDecimals, trace.score.at(t, i) / span);
      bar.node.classList.toggle("masked", !trace.mask.at(t, i));
    });
    weights.forEach((bar, column) => {
      const weight = reading.weights.at(row, column);
      write(bar, weight, percent, weight);
      bar.node.classList.toggle("heaviest", column === reading.lookedAt[row]);
    });
    sight.follow([reading.columnOf.indexOf(reading.lookedAt[row]), scores.length]);
  }

  function write(bar, value, format, length) {
    const text = format(value);
    if (bar.figure.textContent !== text) bar.figure.textContent = text;
    bar.node.dataset.value = String(value);
    bar.bar.style.transform = `scaleX(${length})`;
  }

  return { node, arrange, show, resize: () => sight.measure() };
}
