// The list of samples, one row each under the greedy translation; one row is open.

import { button, element, pieceOf, rove, tabStop, upAndDown } from "../shared/elements.js";
import { component } from "../shared/mounting.js";

const HEADS = ["Translation", "Log-probability", "Probability per token", "Drawn"];

function listing(parent, given, send) {
  const head = element("thead", {}, element("tr", {}, element("td", {}),
    ...HEADS.map((text) => element("th", { scope: "col" }, text))));
  const body = element("tbody", {});
  const root = element("div", { class: "listing" }, element("table", { "aria-label": "Samples" }, head, body));
  let data, buttons = [];

  function cells(row, written) {
    const bar = element("span", { class: "bar", "aria-hidden": "true" });
    bar.style.setProperty("--share", String(row.share));
    return [
      element("td", { class: "name" }, row.name),
      element("th", { scope: "row", class: "text" }, written, ...(row.note ? [element("small", {}, row.note)] : [])),
      element("td", { class: "number", "data-label": "log-probability" }, row.log_probability),
      element("td", { class: "number share", "data-label": "per token" }, bar, element("span", { class: "percent" }, row.percent)),
      element("td", { class: "number", "data-label": "drawn" }, row.times),
    ];
  }

  function text(row) {
    const drawn = row.pieces.map(([text, kind]) => pieceOf({ text, kind }));
    return element("bdi", { lang: data.language }, ...(drawn.length ? drawn : ["—"]));
  }

  function choose(index) {
    data.chosen = index;
    mark();
    send("choose", index);
  }

  function mark() {
    buttons.forEach((node, index) => {
      node.setAttribute("aria-pressed", String(index === data.chosen));
      node.closest("tr").classList.toggle("chosen", index === data.chosen);
    });
  }

  function sampleRow(row, index) {
    const node = button({ "data-testid": "sample", tabindex: index === data.chosen ? 0 : -1 }, () => {}, text(row));
    const line = element("tr", {}, ...cells(row, node));
    line.addEventListener("click", () => {
      tabStop(buttons.find((one) => one.tabIndex === 0), node);
      choose(index);
    });
    buttons.push(node);
    return line;
  }

  function update(next) {
    const focused = buttons.indexOf(root.getRootNode().activeElement);
    const same = data && JSON.stringify([data.greedy, data.rows]) === JSON.stringify([next.greedy, next.rows]);
    data = { ...next };
    if (!same) {
      buttons = [];
      const greedy = element("tr", { class: "greedy", "data-testid": "greedy" }, ...cells(data.greedy, text(data.greedy)));
      body.replaceChildren(greedy, ...data.rows.map(sampleRow));
      buttons[focused]?.focus();
    }
    mark();
  }

  rove(body, () => buttons, upAndDown);
  update(given);
  parent.append(root);
  return { update, destroy: () => root.remove() };
}

export default component(listing);
