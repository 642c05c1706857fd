// Heatmap: one row of weights per step, or per target word, filled in as the decoder goes.

import { element, heading, rove, scroller, sideways, tabStop } from "../shared/elements.js";
import { CIVIDIS, weightColours } from "../shared/numbers.js";
import { COVERAGE, coverageRow } from "./coverage_row.js";
import { drafted } from "./draft.js";
import { doneAtRow, isEdited, isMasked, pen } from "./marks.js";
import { AFTERWARDS, fromTheRight } from "./trace_reading.js";

// Pixels. Numbers are written from `roomy` on; `OVERHANG` is what the last name needs on its right, as in heatmap.css.
const CELL = { narrowest: 12, touchable: 24, widest: 72, roomy: 38, tight: 20, gap: 1 };
const OVERHANG = { level: 4, slanted: 52, tight: 26 };
const LINE = { written: 14, closest: 15, least: 18, usual: 26, most: 36, twice: 32, margins: 12 };
const CHARACTER = 7.6;

export function heatmapView(trace, act) {
  const links = Boolean(trace.file?.links);
  const table = element("table", { role: "grid" });
  const box = element("div", { class: "heat-box" }, table);
  const caption = element("p", { class: "note" });
  const title = element("div");
  const head = element("div", { class: "heat-head" }, title, caption, ...(links ? [] : [weightScale()]));
  const node = element("section", { class: "heat" }, head, box);
  const leftwards = fromTheRight(trace.source.tokens);
  const across = (nodes) => (leftwards ? [...nodes].reverse() : nodes); // columns run as the sentence above does
  let reading, rows, cells, firstStep, stop;
  let now = 0;
  const sight = scroller(box);
  table.addEventListener("click", (event) => {
    const { cell, header } = find(event);
    if (cell) act.inspect(reading.quantity(Number(cell.dataset.row), Number(cell.dataset.column)));
    if (header?.dataset.row) act.go(firstStep[Number(header.dataset.row)] - (reading.atOnce ? trace.reads + 1 : 0));
    if (header?.dataset.column) act.pin(Number(header.dataset.column));
  });
  table.addEventListener("keydown", (event) => {
    const { cell } = find(event);
    if (cell && (event.key === "Enter" || event.key === " ")) { event.preventDefault(); cell.click(); }
  });
  act.describe(table, (event) => {
    const { cell } = find(event);
    return cell && act.say(reading, Number(cell.dataset.row), Number(cell.dataset.column));
  });

  // The part of the table under an event; none for rows to come and the corner.
  function find(event) {
    const cell = event.composedPath()[0].closest("td, th");
    if (!cell || cell.closest(".future, .corner, tfoot")) return {};
    return cell.tagName === "TD" ? { cell } : { header: cell };
  }

  function arrange(newReading) {
    reading = newReading;
    const { rows: count, width } = reading.weights;
    const head = reading.columns.map((label, column) => element(
      "th", { scope: "col", "data-column": String(column), class: isMasked(trace, reading, column) ? "struck" : "" },
      element("span", {}, trace.sourceToken(label))));
    const each = (length, make) => Array.from({ length }, (_, index) => make(index));
    cells = each(count, (row) => each(width, (column) => cellOf(row, column)));
    rows = cells.map((row, index) => {
      const label = trace.targetToken(reading.chips[reading.chipOfRow(index)]);
      return element("tr", { class: "future", "aria-hidden": "true" },
        element("th", { scope: "row", "data-row": String(index) },
          element("span", {}, ...pen(doneAtRow(trace, reading, index)), label)), ...across(row));
    });
    firstStep = rows.map((_, row) => reading.rowOf.indexOf(row) + 1);
    stop = undefined;
    const what = links ? "Links" : reading.posterior ? "Posterior" : "Weights";
    table.setAttribute("aria-label", `${links ? what : `${what} in percent`}, a row for each step`);
    title.replaceChildren(heading(what, links ? "" : "percent"));
    caption.textContent = links ? LINK_MEANS : reading.atOnce ? READ_MEANS : ROW_MEANS[reading.posterior ? AFTERWARDS : reading.rows][Number(reading.words)];
    const names = element("tr", {}, element("td", { class: "corner" }), ...across(head));
    const foot = links || reading.atOnce ? [] : [element("tfoot", {}, coverageRow(trace, reading, across))];
    table.replaceChildren(element("thead", {}, names), element("tbody", {}, ...rows), ...foot);
    node.style.setProperty("--drawn-rows", String(count + foot.length));
  }

  function cellOf(row, column) {
    const weight = reading.weights.at(row, column);
    const cell = element("td", {
      role: "gridcell", tabindex: "-1", "data-testid": "heat-cell", "data-row": String(row), "data-column": String(column),
      class: !reading.posterior && isEdited(trace, reading, row, column) ? "edited" : "",
    });
    colour(cell, weight);
    return cell;
  }

  function redraw() {
    if (now < 1) return;
    const row = reading.rowOf[now - 1];
    drafted(trace, reading, now - 1, act.draft).forEach((weight, column) => colour(cells[row][column], weight));
  }

  // While weights are dragged, the row is named by the word that the model would then write.
  function preview({ written }) {
    if (now < 1 || reading.rows === "input") return;
    const row = reading.rowOf[now - 1];
    if (reading.chipOfRow(row) !== reading.producedChip(now - 1)) return;
    rows[row].querySelector("th > span").replaceChildren(trace.targetToken(written));
  }

  function colour(cell, weight) {
    const { fill, ink } = weightColours(weight);
    cell.style.setProperty("--fill", fill);
    cell.style.setProperty("--ink-on-fill", ink);
    cell.textContent = reading.inCell(weight);
    cell.dataset.value = String(weight);
  }

  function show(step, pinned) {
    now = step;
    const current = step > 0 ? reading.rowOf[step - 1] : -1;
    rows.forEach((row, index) => {
      const future = !reading.atOnce && firstStep[index] > step;
      if (row.classList.contains("future") !== future) {
        row.classList.toggle("future", future);
        row.setAttribute("aria-hidden", String(future));
      }
      row.classList.toggle("current", index === current);
    });
    showPinned(pinned);
    if (current < 0) return;
    const next = cells[current][reading.lookedAt[current]];
    tabStop(stop, next);
    stop = next;
    const { length } = reading.columns;
    sight.follow([current, rows.length], [leftwards ? length - 1 - reading.lookedAt[current] : reading.lookedAt[current], length]);
  }

  function showPinned(pinned) {
    if (table.dataset.pinned === String(pinned)) return;
    table.dataset.pinned = String(pinned);
    for (const marked of table.querySelectorAll(".pinned")) marked.classList.remove("pinned");
    if (pinned === null) return;
    for (const marked of table.querySelectorAll(`[data-column="${pinned}"]`)) marked.classList.add("pinned");
  }

  // Names of columns are level if they fit, otherwise slanted, and nearly upright over tight columns. Everything is
  // read before anything is written, or the page would be laid out for each name.
  function resize() {
    const style = getComputedStyle(node);
    const scale = Number(style.getPropertyValue("--scale")) || 1;
    const given = {
      wide: box.clientWidth,
      high: node.clientHeight - head.offsetHeight,
      fitted: style.getPropertyValue("--fitted") === "1",
      several: act.several,
      columns: reading.columns.map((label) => label.text.length),
      rows: rows.map((_, row) => reading.chips[reading.chipOfRow(row)].text.length),
      foot: table.tFoot ? Math.max(...COVERAGE.split(" ").map((word) => word.length)) : 0,
    };
    const whole = style.getPropertyValue("--whole") === "1";
    const { manner, least, ...sizes } = whole ? wholeSizes(given, scale) : sizesAt(given, scale);
    for (const [name, size] of Object.entries(sizes)) node.style.setProperty(`--${name}`, `${size}px`);
    node.style.setProperty("--shown-scale", least);
    node.classList.toggle("roomy", sizes["cell-width"] >= CELL.roomy && sizes["cell-height"] >= LINE.written);
    node.dataset.names = manner;
    const foot = table.tFoot ? sizes["cell-height"] + CELL.gap : 0;
    sight.measure([sizes["head-height"] + foot, sizes["label-width"] + OVERHANG[manner] * least]);
  }

  rove(table, () => cells.filter((_, row) => reading.atOnce || firstStep[row] <= now).flat(),
    () => ({ ...(leftwards ? { ArrowLeft: 1, ArrowRight: -1 } : sideways()), ArrowUp: -reading.weights.width, ArrowDown: reading.weights.width }));
  return { node, arrange, show, resize, redraw, preview };
}

// The table's layout in the given room, with names of that scale; `columns` and `rows` are their lengths, `foot` that of the row below.
function sizesAt({ wide, high, fitted, several, columns, rows, foot }, scale, whole = false) {
  const character = CHARACTER * scale;
  const [longest, longestRow] = [Math.max(...columns), Math.max(...rows, foot)];
  const wanted = several ? Infinity : Math.max(64 * (whole ? scale : 1), longestRow * character + 24); // cells alike in all columns
  const label = Math.min((several ? 96 : 128) * scale, wide / 4, wanted);
  const overhang = (name) => OVERHANG[name] * scale;
  const share = (name) => (wide - label - overhang(name) - (whole ? 4 : 2)) / columns.length - CELL.gap;
  const level = longest * character + 6 <= share("level");
  const manner = level ? "level" : share("slanted") >= CELL.tight * (whole ? scale : 1) ? "slanted" : "tight";
  const narrowest = whole ? 1 : window.matchMedia("(pointer: coarse)").matches ? CELL.touchable : CELL.narrowest;
  const width = Math.min(CELL.widest * scale, Math.max(narrowest, share(manner)));
  const names = scale * (level ? 30 : Math.min(92, 22 + 6.6 * longest));
  const broken = foot && !whole && COVERAGE.length * character > label - 8; // the foot's name, in two lines
  const heightOf = (room, count) => lineHeight(room - names, scale, count, whole ? 1 : LINE.least);
  const above = broken ? heightOf(high - Math.ceil(LINE.twice * scale) - CELL.gap, rows.length) : Infinity;
  const height = fitted ? Math.min(heightOf(high, rows.length + 1), above) : LINE.usual;
  return { "cell-width": width, "label-width": label, "head-height": names, "cell-height": height, manner, least: scale };
}

// The largest names that leave the whole table visible, each row and column as thick as its name.
function wholeSizes(given, scale) {
  const scales = Array.from({ length: 12 }, (_, i) => scale * 0.85 ** i);
  const found = scales.map((one) => sizesAt(given, one, true));
  return found.find((sizes, i) => sizes["cell-height"] >= LINE.closest * scales[i] && sizes["cell-width"] >= CELL.narrowest * scales[i])
    ?? found[found.length - 1];
}

// The greatest height of rows that leaves them all visible, if the page gives the heatmap a fixed height.
const lineHeight = (room, scale, count, least) =>
  Math.max(least, Math.min(LINE.most * scale, Math.floor((room - LINE.margins) / count) - CELL.gap));

const both = (text) => [text, text]; // of tokens, of words
const ROW_MEANS = {
  output: ["A row belongs to the token produced at that step.", "A row belongs to the word produced, the mean of its steps."],
  input: both("A row belongs to the word fed in at that step, the one produced just before. Luong et al. (2015, "
    + "footnote 14) read theirs that way, without a comparison; whether this fits depends on the model."),
  [AFTERWARDS]: both("What the weights would be once the word of the row is known."),
};

const READ_MEANS = "A row belongs to the token that looks; all of them look at once.";
const LINK_MEANS = "A dot where two are linked; a row belongs to the target.";

function weightScale() {
  const colours = CIVIDIS.map(([red, green, blue]) => `rgb(${red} ${green} ${blue})`).join(", ");
  const band = element("span", { class: "band" });
  band.style.background = `linear-gradient(to right, ${colours})`;
  return element("p", { class: "weight-scale", "aria-hidden": "true" }, "0", band, "100%");
}
