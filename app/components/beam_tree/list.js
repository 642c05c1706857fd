// List: the translations that the search found, best first, and greedy decoding's. A click shows one in the tree.

import { button, element } from "../shared/elements.js";
import { pieceOf } from "../shared/head.js";
import { twoDecimals } from "../shared/numbers.js";

export function listView(tree, act) {
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
