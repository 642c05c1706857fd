// Coverage row: the sum of each heatmap column over the whole translation, and words that seem left out or said twice.

import { element } from "../shared/elements.js";
import { twoDecimals } from "../shared/numbers.js";

export const COVERAGE = "total coverage"; // the row's name, in two lines where it is narrow
const MARKS = { "left out": "∅", "said twice": "2×" };
const MEANS = "Coverage: the sum of the column over the whole translation. About 1 is a word said once.";
const COUNTED = "by its token's probability relative to the likeliest token's";
const FULL = 2; // coverage from which a bar is as high as its cell

export function coverageRow(trace, reading, across) {
  const { rows, width, values } = reading.weights;
  const cells = Array.from({ length: width }, (_, column) => {
    const sum = Array.from({ length: rows }, (_, row) => values[row * width + column]).reduce((one, other) => one + other, 0);
    return cellOf(trace, reading, column, sum);
  });
  return element("tr", {}, element("th", { scope: "row", title: MEANS }, element("span", {}, COVERAGE)), ...across(cells));
}

function cellOf(trace, reading, column, sum) {
  const words = new Set(reading.words ? [column] : reading.columnOf.flatMap((at, token) => (at === column ? [trace.source.word_of[token]] : [])));
  const found = reading.posterior || trace.look ? [] : (trace.flags ?? []).filter(({ source }) => words.has(source));
  const kinds = [...new Set(found.map(({ kind }) => kind))];
  const told = [twoDecimals(sum), ...new Set(found.map((flag) => sayFlag(flag, sum)))].join("; ");
  const title = `${trace.sourceToken(reading.columns[column]).textContent}: coverage ${told}`;
  const cell = element("td", { title, "data-testid": "coverage", "data-value": String(sum), class: kinds.length ? "flagged" : "" },
    twoDecimals(sum), ...kinds.map((kind) => element("span", { class: "mark" }, MARKS[kind])));
  cell.style.setProperty("--high", `${Math.min(100, (100 * sum) / FULL)}%`);
  return cell;
}

// A word is left out by its credit, which in the model's own translation is the coverage.
export function sayFlag({ kind, credit }, sum) {
  const decides = kind === "left out" && twoDecimals(credit) !== twoDecimals(sum);
  return decides ? `seems ${kind}: the word has ${twoDecimals(credit)} if each step counts ${COUNTED}` : `seems ${kind}`;
}
