// Panel: the chosen node, in a fixed place: its fate, the actions on it, how its score is computed, where the decoder
// looked when it was considered, and the tokens it competed with.

import { button, element, heading, token } from "../shared/elements.js";
import { exact, percent, twoDecimals } from "../shared/numbers.js";
import { sayFate } from "./words.js";

export function panelView(tree, act) {
  const head = element("h2", { class: "head", "data-testid": "chosen" });
  const why = element("p", { class: "why", "data-testid": "why" });
  const chosen = () => act.chosen();
  const expand = button({ class: "switch", "data-testid": "expand", title: "Enter, in the tree" },
    () => act.grow(chosen(), false), "Expand");
  const greedily = button({ class: "switch", "data-testid": "greedily" },
    () => act.grow(chosen(), true), "Go on greedily");
  const back = button({ class: "switch", "data-testid": "fold-back" }, () => act.foldBack(chosen()), "Fold back");
  const sums = sumsView(tree);
  const looked = lookedView(tree);
  const likeliest = likeliestView(tree);
  const node = element("aside", { class: "chosen-node", "aria-label": "The chosen node" },
    head, why,
    element("div", { class: "acts", role: "group", "aria-label": "Continue by hand" }, expand, greedily, back),
    sums.node, looked.node, likeliest.node);

  let shown = -1;
  function show(i) {
    if (i === shown) return;
    shown = i;
    head.replaceChildren(token(tree.label(i), tree.language),
      element("small", {}, i ? `step ${tree.step[i]} · log-probability ${twoDecimals(tree.logProbability[i])}` : ""));
    why.textContent = sayFate(tree, i);
    expand.disabled = !act.growable(i, false);
    greedily.disabled = !act.growable(i, true);
    back.disabled = !act.madeBy(i);
    sums.show(i);
    looked.show(i);
    likeliest.show(i);
  }
  return { node, show };
}

const precise = (value) => value.toFixed(4).replace("-", "−");
const significant = (value) => String(Number(value.toPrecision(4))).replace("-", "−");

// Log-probabilities added up; `name(k)` is the label below the k-th.
function terms(values, name) {
  return values.flatMap((value, k) => [
    k ? " − " : "−", element("span", { class: "term" }, precise(Math.abs(value)), element("sub", {}, name(k)))]);
}

function sumsView(tree) {
  const lines = element("dl", { class: "sums", tabindex: "0", "data-testid": "sums" });
  const line = (name, ...what) => [element("dt", {}, name), element("dd", {}, ...what)];

  function show(i) {
    requestAnimationFrame(() => { lines.scrollTop = 0; });
    if (i === 0) return lines.replaceChildren(...line("log P", "0: nothing is written yet"));
    const path = tree.path(i);
    const [total, score, length] = [tree.total[i], tree.score[i], tree.step[i]];
    const penalty = precise(tree.length_penalties[length]);
    const covering = tree.coverage_penalty.values[tree.row[i]];
    const parts = tree.coverage
      ? `log P / lp + β · cp = ${precise(total)} / ${penalty} + ${significant(tree.coverage)} · (${precise(covering)})`
      : `log P / lp = ${precise(total)} / ${penalty}`;
    lines.replaceChildren(
      ...line("score", `${parts} = ${precise(score)}`),
      ...line("log P", ...terms(path.map((k) => tree.logProbability[k]), (k) => tree.label(path[k]).text),
        ` = ${precise(total)}`),
      ...line("lp", `((5 + ${length}) / (5 + 1))`, element("sup", {}, significant(tree.alpha)), ` = ${penalty}`),
      ...line("cp", ...(tree.coverage ? sayCovering(i, covering) : ["left out: β is 0"])));
  }

  // Σ log(min(Σ α, 1)): a fully covered token adds log 1 = 0.
  function sayCovering(i, covering) {
    const covered = tree.covered.row(tree.row[i]);
    const reached = tree.source.tokens.map((_, k) => k).filter((k) => tree.source.reach[k]);
    const partly = reached.filter((k) => covered[k] < 1);
    const full = reached.length - partly.length;
    const parts = partly.flatMap((k, at) => [at ? " + " : "", element("span", { class: "term" },
      `log ${significant(covered[k])}`, element("sub", {}, tree.source.tokens[k].text))]);
    return [...parts, ...(full ? [`${parts.length ? " + " : ""}${full} · log 1`] : []), ` = ${precise(covering)}`];
  }
  const node = element("section", {},
    heading("Arithmetic", "of the score that ended translations are ranked by"), lines);
  return { node, show };
}

// A bar with its name and its figure.
function barOf(text, name, share, figure, kinds = "") {
  const fill = element("span", { class: "fill" });
  fill.style.transform = `scaleX(${share})`;
  return element("li", { class: `bar ${kinds}`, "data-value": String(share), title: text },
    element("span", { class: "name" }, name), element("span", { class: "figure" }, figure),
    element("span", { class: "track" }, fill));
}

const BAR = 21; // pixels from one bar to the next
const SEEN = 8; // bars visible at once

function lookedView(tree) {
  const list = element("ul", { class: "looked", tabindex: "0", "data-testid": "looked" });
  const { words, language } = tree.source;
  function show(i) {
    const weights = i ? [...tree.word_weights.row(tree.row[i])] : words.map(() => 0);
    const most = Math.max(...weights);
    list.classList.toggle("blank", i === 0);
    list.replaceChildren(...words.map((label, k) => barOf(`weight of ${label.text}: ${exact(weights[k])}`,
      token(label, language), weights[k], percent(weights[k]), weights[k] === most ? "heaviest" : "")));
    requestAnimationFrame(() => { list.scrollTop = BAR * (weights.indexOf(most) - SEEN / 2); });
  }
  const node = element("section", {}, heading("Where the decoder looked", "weights of the source words"), list);
  return { node, show };
}

function likeliestView(tree) {
  const list = element("ul", { class: "likeliest", "data-testid": "likeliest" });
  function show(i) {
    const row = tree.row[i];
    list.classList.toggle("blank", i === 0);
    if (i === 0) return list.replaceChildren();
    const bars = tree.rows.top_token[row].map((place, rank) => {
      const share = tree.top_probability.at(row, rank);
      const taken = tree.rows.top_id[row][rank] === tree.tokenId[i];
      const label = tree.tokens[place];
      return barOf(`probability of ${label.text}: ${exact(share)}`, token(label, tree.language), share, percent(share),
        taken ? "taken" : "");
    });
    const rest = tree.rest.at(row);
    const others = barOf(`probability of all others: ${exact(rest)}`, "all others", rest, percent(rest), "others");
    list.replaceChildren(...bars, others);
  }
  return { node: element("section", {}, heading("Next token", "probability after what comes before"), list), show };
}
