// Likely: the ten likeliest next tokens, all others as one row, and how the token that was taken scored.

function likelyView(trace, act) {
  const list = element("div", { class: "likely" });
  const logarithm = button({ class: "number", "data-testid": "log-probability" },
    () => t >= 0 && act.inspect({ trace: trace.index, kind: "log_probability", step: t }));
  const taken = element("span");
  const logarithms = element("p", { class: "note taken" }, "Log-probability of ", taken, " ", logarithm);
  const node = element("section", {}, heading("Next token", "probability"), list);
  const count = trace.top_probability.width;
  let t = -1;
  const rows = Array.from({ length: count }, (_, rank) => rowOf(
    () => ({ trace: trace.index, kind: "probability", step: t, token: trace.top_ids[t][rank] }),
    () => trace.top_probability.at(t, rank), rank));
  const others = rowOf(() => ({ trace: trace.index, kind: "rest", step: t }), () => trace.rest.at(t), count);
  others.node.classList.add("others");
  const all = [...rows, others];
  list.append(...all.map((row) => row.node), logarithms);
  rove(list, () => all.map((row) => row.node), upAndDown);
  act.describe(logarithm, () => t >= 0 && `log-probability ${exact(trace.log_probability.at(t))}`);

  function rowOf(quantity, value, rank) {
    const name = element("span", { class: "name" });
    const figure = element("span", { class: "figure" });
    const bar = element("span", { class: "fill" });
    const hook = rank < count ? "top-token" : "all-others";
    const node = button({ class: "bar", "data-testid": hook, tabindex: rank ? -1 : 0 },
      () => t >= 0 && act.inspect(quantity()), name, figure, element("span", { class: "track" }, bar));
    act.describe(node, () => t >= 0 && `probability ${exact(value())}`);
    return { node, name, figure, bar, value };
  }

  function show(step) {
    t = step - 1;
    list.classList.toggle("blank", t < 0);
    if (t < 0) return;
    rows.forEach((row, rank) => {
      row.name.replaceChildren(trace.targetToken(trace.top_labels[t][rank]));
      row.node.classList.toggle("taken", trace.top_ids[t][rank] === trace.target_ids[t]);
    });
    others.name.textContent = "all others";
    for (const row of all) {
      row.figure.textContent = percent(row.value());
      row.node.dataset.value = String(row.value());
      row.bar.style.transform = `scaleX(${row.value()})`;
    }
    taken.replaceChildren(trace.targetToken(trace.target.tokens[t]));
    logarithm.textContent = twoDecimals(trace.log_probability.at(t));
    logarithm.dataset.value = String(trace.log_probability.at(t));
  }

  return { node, show };
}
