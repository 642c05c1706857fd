// Next tokens: the ten likeliest next tokens, all others as one row, and how the token that was taken scored.
//
// If the translation can be changed, a press writes that token instead, and its number opens the arithmetic.

import { button, element, heading, rove, upAndDown } from "../shared/elements.js";
import { exact, percent, twoDecimals } from "../shared/numbers.js";
import { write } from "./bar_frame.js";
import { UNSEEN } from "./sliders.js";

export function nextTokensView(trace, act) {
  const { against } = trace.marks;
  const list = element("div", { class: "likely" });
  const logarithm = button({ class: "number", "data-testid": "log-probability" },
    () => t >= 0 && act.inspect({ trace: trace.index, kind: "log_probability", step: t }));
  const taken = element("span");
  const logarithms = element("p", { class: "note taken" }, "Log-probability of ", taken, " ", logarithm);
  const title = heading("Next token", "probability");
  const node = element("section", {}, title, list);
  if (act.memory) {
    title.append(button({ class: "number met", "data-testid": "met" },
      () => t >= 0 && act.inspect({ trace: trace.index, kind: "met", step: t }), "Met in training"));
  }
  const count = trace.top_probability.width;
  let t = -1;
  const rows = Array.from({ length: count }, (_, rank) => rowOf(
    () => ({ trace: trace.index, kind: "probability", step: t, token: trace.top_ids[t][rank] }),
    () => trace.top_probability.at(t, rank), rank));
  const others = rowOf(() => ({ trace: trace.index, kind: "rest", step: t }), () => trace.rest.at(t), count);
  others.node.classList.add("others");
  const all = [...rows, others];
  list.append(...all.map((row) => row.node), logarithms);
  rove(list, () => all.map((row) => row.press), upAndDown);
  act.describe(logarithm, () => t >= 0 && `log-probability ${exact(trace.log_probability.at(t))}`);

  /** @returns {any} */
  function rowOf(quantity, value, rank) {
    const name = element("span", { class: "name" });
    const figure = element("span", { class: "figure" });
    const bar = element("span", { class: "fill" });
    const delta = element("span", { class: "delta" });
    const track = element("span", { class: "track" }, bar);
    const parts = { name, figure, bar, delta, value };
    const inspect = () => t >= 0 && act.inspect(quantity());
    const hook = { "data-testid": rank < count ? "top-token" : "all-others", "data-rank": String(rank) };
    if (!act.edit || rank === count) {
      const node = button({ class: "bar", tabindex: rank ? -1 : 0, ...hook }, inspect, name, figure, track, delta);
      act.describe(node, () => t >= 0 && `probability ${exact(value())}`);
      return { ...parts, node, press: node };
    }
    const force = () => t >= 0 && act.edit({ kind: "token", step: t, token: trace.top_ids[t][rank] });
    const press = button(
      { class: "write", tabindex: rank ? -1 : 0, "data-testid": "write-token", "data-handle": `write-${rank}` },
      force, element("span", { class: "unseen" }, "write "), name, element("span", { class: "unseen" }, " instead"));
    const number = button({ class: "press", tabindex: -1, "data-testid": "open-probability" }, inspect, figure);
    act.describe(number, () => t >= 0 && `probability ${exact(value())}`);
    const node = element("div", { class: "bar", ...hook }, press, number, track, delta);
    return { ...parts, node, press, number };
  }
  if (act.edit) rove(list, () => rows.map((row) => row.number), upAndDown);

  function show(step) {
    t = step - 1;
    list.classList.toggle("blank", t < 0);
    if (t < 0) return;
    rows.forEach((row, rank) => {
      const isTaken = trace.top_ids[t][rank] === trace.target_ids[t];
      row.name.replaceChildren(trace.targetToken(trace.top_labels[t][rank]));
      row.node.classList.toggle("taken", isTaken);
      if (row.number) row.press.setAttribute("aria-pressed", String(isTaken));
      if (against) compare(row.delta, against[t]?.[rank], rank);
    });
    if (against) {
      list.classList.toggle("compared", t < against.length);
      title.querySelector("small").textContent = t < against.length ? COMPARED : APART;
    }
    others.name.textContent = "all others";
    for (const row of all) write(row, row.value(), percent(row.value()));
    taken.replaceChildren(trace.targetToken(trace.target.tokens[t]));
    logarithm.textContent = twoDecimals(trace.log_probability.at(t));
    logarithm.dataset.value = String(trace.log_probability.at(t));
  }

  // A token's rank and probability compared with those before; undefined if the step cannot be compared.
  function compare(delta, was, rank) {
    delta.textContent = "";
    delta.removeAttribute("title");
    if (was === undefined || t >= against.length) return;
    if (was === null) {
      delta.textContent = "▲ new";
      delta.title = `not among the ${count} likeliest before`;
      return;
    }
    const [before, change] = was;
    const moved = before - rank;
    if (!moved && Math.abs(change) < UNSEEN) return;
    const arrow = moved > 0 ? `▲${moved}` : moved < 0 ? `▼${-moved}` : "";
    const points = (100 * change).toFixed(1).replace("-", "−");
    const gained = Math.abs(change) < UNSEEN ? "" : ` ${change > 0 ? "+" : ""}${points}`;
    delta.textContent = `${arrow}${gained}`;
    delta.title = `rank ${before + 1} before; probability ${change > 0 ? "+" : ""}${points} points`;
  }

  // Likeliest tokens of this step with weights that are being dragged.
  function preview({ labels, probabilities, rest, written, rank, log_probability: logged }) {
    if (t < 0) return;
    rows.forEach((row, place) => {
      row.name.replaceChildren(trace.targetToken(labels[place]));
      row.node.classList.toggle("taken", place === rank);
      row.delta.textContent = "";
      if (row.number) row.press.setAttribute("aria-pressed", String(place === rank));
      write(row, probabilities[place], percent(probabilities[place]));
    });
    write(others, rest, percent(rest));
    taken.replaceChildren(trace.targetToken(written));
    logarithm.textContent = twoDecimals(logged);
  }

  return { node, show, preview };
}

const COMPARED = "probability; change in rank and in points";
const APART = "probability; not comparable: other words came before";
