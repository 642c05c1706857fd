// Changes: each change in plain words and removable, with undo and redo.

import { button, element } from "../../components/shared/elements.js";

export function changesView(node, { go, put }) {
  function show(history, told, refused) {
    node.hidden = !refused && !history.past.length && !history.future.length;
    const possible = { undo: history.past, redo: history.future, reset: told };
    const ways = Object.entries(possible).map(([way, some]) => button(
      { class: "small", "data-testid": way, "aria-disabled": String(!some.length) }, () => some.length && go(way),
      way[0].toUpperCase() + way.slice(1)));
    const each = told.map(({ text, without }) => element("li", {}, button(
      { class: "small", title: "Remove this change", "data-testid": "change" }, () => put(without), `${text} ×`)));
    node.replaceChildren(
      element("h2", {}, "What was changed"),
      ...(refused ? [element("p", { class: "refused", role: "alert" }, `This change was not made: ${refused}`)] : []),
      element("p", { class: "ways" }, ...ways),
      each.length ? element("ul", {}, ...each) : element("p", { class: "note" }, "Nothing is changed."));
  }
  return { show };
}
