// Beam search in the browser: its tree, the chosen node, the translations found.

import { nodeOf, openTree, sayAdded, sayFate, sayStep } from "./search_tree.js";
import { treeView } from "./tree.js";
import { transport } from "../shared/controls.js";
import { button, drawing, element, heading, nothing, pieceOf, token, tooltip } from "../shared/elements.js";
import { component, unpack } from "../shared/mounting.js";
import { exact, percent, twoDecimals } from "../shared/numbers.js";

// Search: the tree, the chosen node beside it, what happens at each step, and the translations found. `mountSearch`
// draws it into `parent` and returns how to update and end it.
//
// `data` comes from payload.py. `onAdd(text)` receives all additions by hand, as model/decoding/beam_tree.py reads them;
// `onChoose(key)` the chosen node's key, ROOT for the root and empty for the node that a search opens with. `opening` is
// such a key.

const ROOT = "0"; // no token of a translation has this id

function mountSearch(parent, data, { onAdd = nothing, onChoose = nothing, opening = "" } = {}) {
  const root = element("section", { class: "stepper beam", "data-testid": "beam", "aria-label": "Beam search" });
  const says = element("output", { class: "says", "aria-live": "polite", "data-testid": "announce" });
  const { describe, hide } = tooltip(root);
  const [grown, below, besides, found] = ["grown", "below", "besides", "found"].map(
    (name) => element("div", { class: name }));
  let tree, view, panel, list, moves;
  let step = 0;
  const hint = element("p", { class: "hint" },
    element("span", { class: "by-keyboard" }, "Arrow keys move in the tree; Enter expands a pruned node. "),
    element("span", { class: "scrolls" }, "The tree scrolls sideways in its box."));
  root.prepend(
    element("div", { class: "search" }, element("div", {}, legendView(), grown, says, hint, below), besides), found);
  parent.append(root);

  const act = { describe, go, grow, growable, foldBack, madeBy, reveal, chosen };

  const entryOf = (node, greedily) => `${tree.key(node)}${greedily ? "g" : ""}`; // an entry of `onAdd`

  function growable(node, greedily) {
    return tree.growable(node, entryOf(node, greedily));
  }

  function grow(node, greedily) {
    if (!growable(node, greedily)) return;
    onAdd([...tree.added.map((entry) => entry.text), entryOf(node, greedily)].join("~"));
    view.focus(node);
  }

  // The addition by hand that made a node, or that continues it.
  function madeBy(node) {
    const key = `${tree.key(node)}.`;
    return tree.added.filter(({ text }) => key.startsWith(`${text.replace("g", "")}.`)).at(-1);
  }

  function foldBack(node) {
    const made = madeBy(node);
    if (!made) return;
    const from = made.text.replace("g", "");
    const kept = tree.added.filter(({ text }) => text.replace("g", "") !== from && !text.startsWith(`${from}.`));
    view.choose(made.node);
    view.focus(made.node);
    onAdd(kept.map(({ text }) => text).join("~"));
  }

  function reveal(node) {
    go(tree.steps);
    view.choose(node);
    view.focus(node);
    grown.scrollIntoView({ block: "nearest" }); // the list is below it
  }

  function chosen(node = view.chosen) {
    panel?.show(node);
    list?.show(node);
    onChoose(node === tree.opening ? "" : tree.key(node) || ROOT);
    return node;
  }

  function go(newStep) {
    step = Math.min(tree.steps, Math.max(0, newStep));
    draw();
    view.follow(step);
  }

  function draw() {
    view.show(step);
    moves.show(step, `Step ${step} of ${tree.steps}`);
    says.replaceChildren(element("div", {}, sayStep(tree, step)));
  }

  function build() {
    hide();
    moves?.stop();
    panel = panelView(tree, { ...act, chosen: () => view.chosen });
    list = listView(tree, act);
    moves = transport({ first: 0, last: tree.steps }, { go });
    const reset = button({ class: "switch", "data-testid": "reset" }, () => onAdd(""), "Fold back all");
    reset.disabled = tree.added.length === 0;
    below.replaceChildren(moves.node, reset);
    besides.replaceChildren(panel.node);
    found.replaceChildren(list.node);
  }

  // Another search is redrawn; the same search with an addition stays in place.
  function update(data) {
    if (data.id === tree?.id) return;
    const before = tree;
    const focused = root.contains(root.getRootNode().activeElement);
    tree = openTree(data);
    const same = before?.search === tree.search;
    if (!same) {
      step = tree.steps;
      view = treeView(tree, act);
      grown.replaceChildren(view.node);
    }
    build();
    view.update(tree);
    draw();
    if (!same) view.open(opening && !before ? nodeOf(tree, opening) : tree.opening);
    else if (focused) view.focus(view.chosen);
    if (same && tree.added.length > before.added.length) says.firstChild.textContent = sayAdded(tree);
  }

  function destroy() {
    moves.stop();
    root.remove();
  }
  update(data);
  return { update, destroy };
}

// Legend: a sample of each kind of node and path, drawn with the tree's own shapes.
const KINDS = [
  ["kept", "in the beam"],
  ["kept lost", "kept, lost later"],
  ["pruned", "pruned"],
  ["ended", "ended"],
  ["by-hand", "by hand"],
];

function legendView() {
  const sample = (shape) => drawing("svg", { class: "sample", width: 34, height: 18, "aria-hidden": "true" }, shape);
  const box = (kind) => drawing("g", { class: `node ${kind}` },
    drawing("rect", { class: "body", x: 2, y: 2, width: 30, height: 14, rx: kind === "by-hand" ? 7 : 4 }),
    ...(kind === "ended" ? [drawing("rect", { class: "stop", x: 28, y: 2, width: 4, height: 14 })] : []),
    drawing("text", { class: "word", x: 9, y: 13 }, "ab"));
  const best = drawing("g", { class: "branch best" }, drawing("path", { d: "M0 9H34" }));
  const greedy = drawing("g", { class: "branch" }, drawing("path", { class: "dashes", d: "M0 9H34" }),
    drawing("path", { class: "diamond", d: "M17 4l5 5 -5 5 -5 -5z" }));
  const entry = (shape, text) => element("li", {}, sample(shape), text);
  return element("ul", { class: "kinds", "aria-label": "Legend" },
    entry(best, "best"), entry(greedy, "greedy"),
    ...KINDS.map(([kind, text]) => entry(box(kind), text)));
}

// Panel: the chosen node, in a fixed place: its fate, the actions on it, how its score is computed, where the decoder
// looked when it was considered, and the tokens it competed with.

function panelView(tree, act) {
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

// List: the translations that the search found, best first, and greedy decoding's. A click shows one in the tree.


function listView(tree, act) {
  const rows = tree.ranking.map((one) => rowOf(tree, one, act));
  const heads = [["", ""], ["Translation", ""], ["log P", "log-probability of the whole translation"],
    ["tokens", "with </s>, where it ended"], ["lp", "length penalty"], ["β · cp", "coverage penalty, times β"],
    ["score", "log P / lp + β · cp"], ["", ""]];
  const table = element("table", { class: "ranking", "data-testid": "ranking" },
    element("caption", {},
      element("span", {}, "The translations found, best first; where one differs from the best, it is underlined")),
    element("thead", {}, element("tr", {}, ...heads.map(([name, title]) =>
      (name ? element("th", { scope: "col", title }, name) : element("td"))))),
    element("tbody", {}, ...rows.map((row) => row.node)));
  const named = { class: "ranking-box", tabindex: "0", role: "region", "aria-label": "Translations found" };
  const node = element("div", named, table);
  return { node, show: (chosen) => rows.forEach((row) => row.show(chosen)) };
}

function rowOf(tree, one, act) {
  const attributes = {
    class: "written", lang: tree.language, title: "Show it in the tree", "data-testid": "hypothesis",
  };
  const written = button(attributes, () => act.reveal(one.node),
    ...(one.pieces.length ? one.pieces.map(pieceOf) : ["—"]));
  const notes = [
    ...(one.greedy ? [one.place ? "greedy decoding also writes it" : "greedy decoding; the beam did not find it"] : []),
    ...(one.ended ? [] : ["cut at the limit"]),
    ...(one.same_tokens || !one.ended ? [] : ["its text is read as other tokens, so the stepper shows other numbers"]),
  ];
  const cell = (value, title) => element("td", { class: "figure", title }, value);
  const node = element("tr", { "data-testid": "ranked" },
    element("td", { class: "place" }, one.place ? String(one.place) : "◆"),
    element("td", {}, written, ...(notes.length ? [element("small", {}, notes.join("; "))] : [])),
    cell(twoDecimals(one.log_probability), String(one.log_probability)), cell(String(one.length)),
    cell(twoDecimals(one.length_penalty), String(one.length_penalty)),
    cell(twoDecimals(tree.coverage * one.coverage_penalty), `β ${tree.coverage} times ${one.coverage_penalty}`),
    cell(twoDecimals(one.score), String(one.score)),
    element("td", {}, ...(one.link ? [stepperLink(one.link)] : [])));
  const show = (chosen) => node.classList.toggle("chosen", chosen === one.node);
  return { node, show };
}

// A page embedded in another one stays embedded.
function stepperLink(link) {
  const address = new URL(link, window.location.href);
  const embed = new URL(window.location.href).searchParams.get("embed");
  if (embed) address.searchParams.set("embed", embed);
  return element("a", { href: address.href, "data-testid": "open" }, "Open in the stepper");
}

// The search as a Streamlit component: sends additions by hand to Python, and keeps the chosen node in the page's link.

const NODE = "node"; // the link's parameter for the ids of the chosen node's tokens, none where the search opens
const LINK_AFTER = 350; // milliseconds; browsers refuse more than some 100 changes of the link in half a minute

export default component((parent, data, send) => {
  const { pathname } = window.location;
  let timer = 0;
  function write(key) {
    const link = new URL(window.location.href);
    if (link.pathname !== pathname) return;
    if (key) link.searchParams.set(NODE, key);
    else link.searchParams.delete(NODE);
    if (link.href !== window.location.href) window.history.replaceState(window.history.state, "", link);
  }
  function onChoose(key) {
    clearTimeout(timer);
    timer = setTimeout(() => write(key), LINK_AFTER);
  }
  const opening = new URL(window.location.href).searchParams.get(NODE) ?? "";
  const view = mountSearch(parent, unpack(data), { onAdd: (text) => send("add", { text }), onChoose, opening });
  return {
    update: (next) => view.update(unpack(next)),
    destroy() {
      clearTimeout(timer);
      view.destroy();
    },
  };
});
