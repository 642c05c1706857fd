// Beam search in the browser: its tree, the chosen node beside it, what happens at each step, and the translations found.
//
// `data` comes from payload.py. Additions by hand go to Python as model/decoding/beam_tree.py reads them; the link keeps
// the chosen node.

import { nodeOf, openTree, sayFate, sayStep } from "./search_tree.js";
import { treeView } from "./tree.js";
import { transport } from "../shared/controls.js";
import { button, element, heading, pieceOf, refresh, token, tooltip } from "../shared/elements.js";
import { component, unpack } from "../shared/mounting.js";
import { exact, percent, twoDecimals } from "../shared/numbers.js";

const ROOT = "0"; // its key in the link; no token of a translation has this id
const NODE = "node"; // the link's parameter for the ids of the chosen node's tokens, none where the search opens
const LINK_AFTER = 350; // milliseconds; browsers refuse more than some 100 changes of the link in half a minute

export default component((parent, given, send) => {
  const root = element("section", { class: "stepper beam", "data-testid": "beam", "aria-label": "Beam search" });
  const says = element("output", { class: "says", "aria-live": "polite", "data-testid": "announce" });
  const { describe, hide } = tooltip(root);
  const [grown, below, besides, found] = ["grown", "below", "besides", "found"].map((name) => element("div", { class: name }));
  const link = nodeInLink();
  const onAdd = (text) => send("add", { text });
  let tree, view, panel, list, moves;
  let step = 0;
  const hint = element("p", { class: "hint" },
    element("span", { class: "by-keyboard" }, "Arrow keys move in the tree; Enter expands a pruned node. "),
    element("span", { class: "scrolls" }, "The tree scrolls sideways in its box."));
  root.prepend(element("div", { class: "search" }, element("div", {}, legendView(), grown, says, hint, below), besides), found);
  parent.append(root);

  const entryOf = (node, greedily) => `${tree.key(node)}${greedily ? "g" : ""}`; // an entry of `onAdd`
  const growable = (node, greedily) => tree.growable(node, entryOf(node, greedily));

  function grow(node, greedily) {
    if (growable(node, greedily)) onAdd([...tree.added.map(({ text }) => text), entryOf(node, greedily)].join("~"));
  }

  function reveal(node) {
    go(tree.steps);
    view.open(node);
    grown.scrollIntoView({ block: "nearest" }); // the list is below it
  }

  function chosen(node) {
    panel.show(node);
    list.show(node);
    link.write(node === tree.opening ? "" : tree.key(node) || ROOT);
  }

  function go(newStep) {
    step = Math.min(tree.steps, Math.max(0, newStep));
    view.show(step);
    view.follow();
    tell();
  }

  function tell() {
    moves.show(step, `Step ${step} of ${tree.steps}`);
    says.replaceChildren(element("div", {}, sayStep(tree, step)));
  }

  // Another search is redrawn; the same search with an addition stays in place.
  function update(packed) {
    const data = unpack(packed);
    if (data.id === tree?.id) return;
    const before = tree;
    tree = openTree(data);
    hide();
    moves?.stop();
    panel = panelView(tree, { grow, growable });
    list = listView(tree, reveal);
    moves = transport({ first: 0, last: tree.steps }, { go });
    const reset = button({ class: "switch", "data-testid": "reset", disabled: !tree.added.length }, () => onAdd(""), "Fold back all");
    below.replaceChildren(moves.node, reset);
    besides.replaceChildren(panel.node);
    found.replaceChildren(list.node);
    if (before?.search === tree.search) view.update(tree);
    else {
      step = tree.steps;
      view = treeView(tree, { describe, grow, chosen });
      grown.replaceChildren(view.node);
      view.build();
      const first = link.opening && !before ? nodeOf(tree, link.opening) : tree.opening;
      requestAnimationFrame(() => view.open(first)); // once the box has its size
    }
    tell();
  }

  function destroy() {
    moves.stop();
    link.stop();
    root.remove();
  }
  update(given);
  return { update, destroy };
});

// The chosen node in the page's link. It is written after a moment, and not if the visitor has left the page.
function nodeInLink() {
  const { pathname, href } = window.location;
  let timer = 0;
  const stop = () => clearTimeout(timer);
  function write(key) {
    stop();
    timer = setTimeout(() => {
      const link = new URL(window.location.href);
      if (link.pathname !== pathname) return;
      if (key) link.searchParams.set(NODE, key);
      else link.searchParams.delete(NODE);
      if (link.href !== window.location.href) window.history.replaceState(window.history.state, "", link);
    }, LINK_AFTER);
  }
  return { opening: new URL(href).searchParams.get(NODE) ?? "", write, stop };
}

// Legend: a sample of each kind of node.
const KINDS = {
  "kept best": "best", "kept on-greedy": "greedy", kept: "in the beam", "kept lost": "kept, lost later", pruned: "pruned",
  "ended stops": "ended", "by-hand": "by hand",
};

const legendView = () => element("ul", { class: "kinds", "aria-label": "Legend" }, ...Object.entries(KINDS).map(([kinds, text]) =>
  element("li", {}, element("span", { class: `node ${kinds}` }, element("span", { class: "body" }, text)))));

// Panel: the chosen node, in a fixed place: its fate, the actions on it, how its score is computed, where the decoder
// looked when it was considered, and the tokens it competed with.
function panelView(tree, act) {
  let node = 0;
  const looked = element("ul", { class: "looked", tabindex: "0", "data-testid": "looked" }, () => lookedOf(tree, node));
  const about = () => (node ? `step ${tree.step[node]} · log-probability ${twoDecimals(tree.logProbability[node])}` : "");
  const action = (testid, greedily, text, title = "") => button({
    class: "switch", "data-testid": testid, title, disabled: () => !act.growable(node, greedily),
  }, () => act.grow(node, greedily), text);
  const section = (title, detail, content) => element("section", {}, heading(title, detail), content);
  const panel = element("aside", { class: "chosen-node", "aria-label": "The chosen node" },
    element("h2", { class: "head", "data-testid": "chosen" },
      () => [token(tree.label(node), tree.language), element("small", {}, about())]),
    element("p", { class: "why", "data-testid": "why", tabindex: "0" }, () => sayFate(tree, node)),
    element("div", { class: "acts", role: "group", "aria-label": "Continue by hand" },
      action("expand", false, "Expand", "Enter, in the tree"), action("greedily", true, "Go on greedily")),
    section("Arithmetic", "of the score that ended translations are ranked by",
      element("dl", { class: "sums", tabindex: "0", "data-testid": "sums" }, () => sumsOf(tree, node))),
    section("Where the decoder looked", "weights of the source words", looked),
    section("Next token", "probability after what comes before",
      element("ul", { class: "likeliest", "data-testid": "likeliest" }, () => likeliestOf(tree, node))));

  function show(i) {
    node = i;
    refresh(panel);
    const heaviest = Array.from(looked.children).findIndex((bar) => bar.classList.contains("heaviest"));
    requestAnimationFrame(() => { looked.scrollTop = BAR * (heaviest - 4); });
  }
  return { show, node: panel };
}

const BAR = 21; // pixels from one bar to the next
const precise = (value) => value.toFixed(4).replace("-", "−");
const significant = (value) => String(Number(value.toPrecision(4))).replace("-", "−");
const term = (text, below) => element("span", { class: "term" }, text, element("sub", {}, below));

// The arithmetic of a score, as terms and definitions.
function sumsOf(tree, i) {
  const line = (name, ...what) => [element("dt", {}, name), element("dd", {}, ...what)];
  if (i === 0) return line("log P", "0: nothing is written yet");
  const [total, length] = [precise(tree.total[i]), tree.step[i]];
  const penalty = precise(tree.length_penalties[length]);
  const covering = precise(tree.coverage_penalty.values[tree.row[i]]);
  const logarithms = tree.path(i).flatMap((k, place) =>
    [place ? " − " : "−", term(precise(Math.abs(tree.logProbability[k])), tree.label(k).text)]);
  const covered = tree.covered.row(tree.row[i]);
  const logs = tree.source.tokens.flatMap(({ text }, k) => (tree.source.reach[k] ? [" + ", term(`log ${significant(covered[k])}`, text)] : []));
  return [
    ...line("score", `log P / lp + β · cp = ${total} / ${penalty} + ${significant(tree.coverage)} · (${covering}) = ${precise(tree.score[i])}`),
    ...line("log P", ...logarithms, ` = ${total}`),
    ...line("lp", `((5 + ${length}) / (5 + 1))`, element("sup", {}, significant(tree.alpha)), ` = ${penalty}`),
    ...line("cp", ...logs.slice(1), ` = ${covering}`), // Σ log(min(Σ α, 1))
  ];
}

// A bar with its name and its figure.
function barOf(title, name, share, kinds = "") {
  const fill = element("span", { class: "fill" });
  fill.style.transform = `scaleX(${share})`;
  return element("li", { class: `bar ${kinds}`, "data-value": String(share), title: `${title}: ${exact(share)}` },
    element("span", { class: "name" }, name), element("span", { class: "figure" }, percent(share)),
    element("span", { class: "track" }, fill));
}

function lookedOf(tree, i) {
  if (i === 0) return [];
  const weights = tree.word_weights.row(tree.row[i]);
  const most = Math.max(...weights);
  return tree.source.words.map((label, k) => barOf(`weight of ${label.text}`, token(label, tree.source.language), weights[k],
    weights[k] === most ? "heaviest" : ""));
}

function likeliestOf(tree, i) {
  if (i === 0) return [];
  const row = tree.row[i];
  const bars = tree.rows.top_token[row].map((place, rank) => barOf(`probability of ${tree.tokens[place].text}`,
    token(tree.tokens[place], tree.language), tree.top_probability.at(row, rank),
    tree.rows.top_id[row][rank] === tree.tokenId[i] ? "taken" : ""));
  return [...bars, barOf("probability of all others", "all others", tree.rest.at(row), "others")];
}

// List: the translations that the search found, best first, and greedy decoding's. A click shows one in the tree.
const COLUMNS = /** @type {[string, string, (one: any, tree: any) => number][]} */ ([
  ["log P", "log-probability of the whole translation", (one) => one.log_probability],
  ["tokens", "with </s>, where it ended", (one) => one.length],
  ["lp", "length penalty", (one) => one.length_penalty],
  ["β · cp", "coverage penalty, times β", (one, tree) => tree.coverage * one.coverage_penalty],
  ["score", "log P / lp + β · cp", (one) => one.score],
]);

function listView(tree, reveal) {
  const rows = tree.ranking.map((one) => rowOf(tree, one, () => reveal(one.node)));
  const head = (name, title) => element("th", { scope: "col", title }, name);
  const table = element("table", { class: "ranking", "data-testid": "ranking" },
    element("caption", {}, element("span", {}, "The translations found, best first; words that the best lacks are underlined")),
    element("thead", {}, element("tr", {}, element("td"), head("Translation"), ...COLUMNS.map(([name, title]) => head(name, title)), element("td"))),
    element("tbody", {}, ...rows));
  return {
    node: element("div", { class: "ranking-box", tabindex: "0", role: "region", "aria-label": "Translations found" }, table),
    show: (chosen) => rows.forEach((row, place) => row.classList.toggle("chosen", chosen === tree.ranking[place].node)),
  };
}

function rowOf(tree, one, show) {
  const attributes = { class: "written", lang: tree.language, title: "Show it in the tree", "data-testid": "hypothesis" };
  const notes = [
    ...(one.greedy ? [one.place ? "greedy decoding also writes it" : "greedy decoding; the beam did not find it"] : []),
    ...(one.ended ? [] : ["cut at the limit"]),
    ...(one.same_tokens || !one.ended ? [] : ["its text is read as other tokens, so the stepper shows other numbers"]),
  ];
  const figures = COLUMNS.map(([, , valueOf]) => valueOf(one, tree)).map((value) =>
    element("td", { class: "figure", title: String(value) }, Number.isInteger(value) ? String(value) : twoDecimals(value)));
  return element("tr", { "data-testid": "ranked" },
    element("td", { class: "place" }, one.place ? String(one.place) : "◆"),
    element("td", {}, button(attributes, show, ...(one.pieces.length ? one.pieces.map(pieceOf) : ["—"])),
      ...(notes.length ? [element("small", {}, notes.join("; "))] : [])),
    ...figures, element("td", {}, ...(one.link ? [stepperLink(one.link)] : [])));
}

// A page embedded in another one stays embedded.
function stepperLink(link) {
  const address = new URL(link, window.location.href);
  const embed = new URL(window.location.href).searchParams.get("embed");
  if (embed) address.searchParams.set("embed", embed);
  return element("a", { href: address.href, "data-testid": "open" }, "Open in the stepper");
}
