// Sum of an entry: written out, in a place high enough for the longest sum of the step.

import { element } from "../shared/elements.js";
import { symbol } from "./matrix.js";

function group(bits) {
  const parts = bits.map(([text, operand, raised]) =>
    element(raised ? "sup" : "span", operand < 0 ? {} : { "data-operand": String(operand) }, text));
  return element("span", { class: "group" }, ...parts);
}

function written(sum) {
  return sum.flatMap((bits) => [group(bits), " "]);
}

const plain = (sum) => sum.map((bits) => bits.map(([text]) => text).join("")).join(" ");

export function openedView(data) {
  const entries = data.result.entries.flat();
  const longest = entries.reduce((one, other) => (plain(other.sum).length > plain(one.sum).length ? other : one));
  const place = element("p", { class: "place" });
  const sum = element("p", { class: "sum", "data-testid": "sum" });
  const reserve = element("p", { class: "sum reserve", "aria-hidden": "true" }, ...written(longest.sum));
  const node = element("div", { class: entries.some((entry) => entry.told) ? "opened compared" : "opened" }, place, element("div", { class: "stack" }, sum, reserve));

  function show(entry, first) {
    const name = element("b", {}, ...symbol(data.result.symbol));
    place.replaceChildren(name, ` ${entry.where}`, ...(entry.told ? [" ", verdict(entry.told, first)] : []));
    sum.replaceChildren(...written(entry.sum));
  }
  return { node, show };
}

// "The first wrong number: printed 0.22, computed 0.28"
function verdict(told, first) {
  return element("span", { class: "verdict", "data-testid": "verdict" },
    first ? element("b", {}, "The first wrong number: ") : "", told);
}
