// Saving the view: as a picture, an animation, a link, or embedded in another page; and the page's other files, whose
// buttons Python draws.

import { tileMaker } from "../network/drawing.js";
import { lightPhase, nowOf, stepTo, wholeView } from "../network/view.js";
import { popup } from "../shared/controls.js";
import { button, drawing, element, nothing, refresh } from "../shared/elements.js";
import { total, weightColours } from "../shared/numbers.js";
import { FINE, asPng, asSvg, fromServer, rastered, save, savers } from "../shared/saving.js";
import { curve } from "./dragging.js";
import { PHASES, WHOLE, sayColumn, sayPhase } from "./step_text.js";
import { NETWORK, fromTheRight, limits, rowStepOf } from "./trace_reading.js";

const OFFERED = ".st-key-downloads button, [class*='st-key-page-'] button, .st-key-take-along button"; // by the page
const RESTORES = "react-aria-focus-scope-restore"; // a dialog that closes returns the focus to the host, all that it can see
const STEPS = "Steps (GIF)";
const ICON = "M12 15V4M8 8l4-4 4 4M6 11H5v9h14v-9h-1";

// A button and the menu above it. `shown()` returns the stepper's traces, their readings, and the view.
export function saveMenuOf(shown) {
  const offered = element("div", { class: "savers" });
  const part = (title, ...items) => element("section", { class: "kept" }, element("p", { class: "kept-as" }, title), ...items);
  const [link, picture] = [linkSavers(), pictureSavers(shown)];
  const [translation] = link;
  const files = part("Page, numbers, model", offered);
  const panel = element("div", { class: "panel-above save-menu", role: "group", "aria-label": "Save and share", "data-testid": "keeping" },
    part("Copy", element("div", { class: "savers" }, ...link)), part("Picture", element("div", { class: "savers" }, ...picture)), files);
  const menu = popup({ class: "switch share", "aria-label": "Save and share", title: "Save and share", "data-testid": "share" },
    [drawing("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, drawing("path", { d: ICON })), element("span", {}, "Save")], panel, fill);

  function fill() {
    translation.hidden = !translated();
    // Files that Python makes: each presses its own button on the page. Streamlit draws some of them twice.
    const found = new Map(Array.from(document.querySelectorAll(OFFERED), (/** @type {any} */ one) =>
      [(one.querySelector("[data-testid=stMarkdownContainer]") ?? one).textContent, one]));
    offered.replaceChildren(...Array.from(found, ([name, one]) => button({ class: "saver" }, () => {
      closed(); // before a dialog notes where the focus was
      one.click();
    }, name)));
    files.hidden = !found.size;
    picture.at(-1).textContent = networked(shown()) ? "Phases (GIF)" : STEPS;
  }
  function closed() {
    menu.close();
    /** @type {any} */ (menu.node.getRootNode()).host.addEventListener(RESTORES, () => menu.opener.focus({ preventScroll: true }));
  }
  return menu.node;
}

const address = () => window.location.href;
const translated = () => document.querySelector(".answer .translation")?.textContent;
const linkSavers = () => savers([
  ["Copy translation", "The text alone", (node) => copied(node, translated())],
  ["Copy link", "The address of this view: sentence, step, switches, open number and changes", (node) => copied(node, address())],
  ["Copy embed code", "For a page on a site that the server allows to show it (REGARD_EMBED)", (node) => {
    const link = new URL(address());
    link.searchParams.set("embed", "true");
    return copied(node, `<iframe src="${marked(link.href)}" title="Attention, step by step" width="1100" height="760"></iframe>`);
  }],
]);

function pictureSavers(shown) {
  const name = (ending) => `regard-step-${Math.max(0, shown().view.step)}.${ending}`;
  const picture = () => pictureOf(shown(), address());
  return savers([
    ["Picture (SVG)", "This step as a vector drawing", () => save(asSvg(picture()), name("svg"))],
    ["Picture (PNG)", "This step as an image for slides, 16:9", async () => save(await asPng(await rastered(picture(), FINE)), name("png"))],
    [STEPS, "All steps of the decoder as an animation, or the phases of this step of the network", async (node) => {
      const label = node.textContent;
      const gif = await stepsAsGif(shown(), address(), (step, last) => { node.textContent = `${step} of ${last}`; });
      node.textContent = label;
      save(gif, "regard-steps.gif");
    }],
  ]);
}

// Copies to the clipboard; pages served without encryption have no clipboard, so a selected field is used there.
async function copied(node, text) {
  const label = node.textContent;
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const field = element("textarea", { class: "unseen" });
    field.value = text;
    node.after(field);
    field.select();
    document.execCommand("copy");
    field.remove();
  }
  node.textContent = "Copied";
  setTimeout(() => { node.textContent = label; }, 1500);
}

// Picture: a step as a separate drawing, 16:9 and light: its sentence, the lines, the weights so far, and the model.

const PAGE = { width: 960, height: 540, edge: 36, title: 58, credit: 18 };
const ROW = { source: 96, target: 216, heat: 250 }; // where each part begins, from the top
const DRAWN = { source: "#0069A5", target: "#AD4A00", ink: "#17202A", quiet: "#56606B", none: "#EEF1F5" };
const NARROWEST = 560; // for several side by side

const marked = (text) => String(text).replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;").replace(/"/g, "&quot;");
const tag = (name, attributes, inner = "") => `<${name} ${Object.entries(attributes)
  .map(([key, value]) => `${key}="${marked(value)}"`).join(" ")}>${inner}</${name}>`;
const written = (text, x, y, size, fill, more = {}) =>
  tag("text", { x, y, "font-size": size, fill, ...more }, marked(text));
const cut = (text, room, size) => {
  const most = Math.max(1, Math.floor(room / (size * 0.56)));
  return text.length > most ? `${text.slice(0, most - 1)}…` : text;
};

// Labels side by side over the whole width: the middle of each, and the font size.
function spread(labels, width, tokens) {
  const sizes = labels.map((label) => Math.max(2, label.text.length) + 1.6);
  const size = Math.min(22, (width - 2 * PAGE.edge) / (total(sizes) * 0.56));
  let x = width / 2 - (total(sizes) * size * 0.56) / 2;
  const at = sizes.map((wide) => { x += wide * size * 0.56; return x - (wide * size * 0.56) / 2; });
  return { size, at: fromTheRight(tokens) ? at.map((one) => width - one) : at };
}

const networked = ({ traces, view }) => view.picture === NETWORK && traces.length === 1 && Boolean(traces[0].network);

// The steps of several traces side by side, as wide as they need.
function pictureOf(shown, address) {
  const { traces, readings, view } = shown;
  const wide = Math.max(PAGE.width / traces.length, traces.length > 1 ? NARROWEST : 0);
  const width = wide * traces.length;
  const height = Math.round((width * 9) / 16);
  const credit = written(cut(`Made with Regard · ${address}`, width - 2 * PAGE.edge, 11), PAGE.edge, height - PAGE.credit, 11, DRAWN.quiet);
  const parts = traces.map((trace, i) => tag("g", { transform: `translate(${i * wide} 0)` },
    networked(shown) ? networkColumn(shown, trace, readings[i], height) : column(trace, readings[i], view.step, wide, height)));
  return tag("svg", {
    xmlns: "http://www.w3.org/2000/svg", width, height, viewBox: `0 0 ${width} ${height}`, "font-family": "system-ui, sans-serif",
  }, tag("rect", { width, height, fill: "#FFFFFF" }) + parts.join("") + credit);
}

const plainly = (text) => element("span", {}, text);
const textOf = (parts) => element("div", {}, ...parts).textContent;

function networkColumn(shown, trace, reading, height) {
  const { phase = WHOLE } = shown.view;
  const step = rowStepOf(trace, shown.view.step);
  const weights = step > 0 ? trace.weight.row(step - 1) : [];
  const room = { x: PAGE.edge, y: 66, width: PAGE.width - 2 * PAGE.edge, height: height - 66 - 2 * PAGE.credit };
  const line = (parts, y, size, ink) => written(cut(textOf(parts), room.width, size), PAGE.edge, y, size, ink);
  return line(sayColumn(trace, reading, shown.view.step, plainly), 30, 16, DRAWN.ink)
    + line(sayPhase(trace, phase, step, weights, plainly), 52, 13, DRAWN.quiet)
    + savedNetwork(shown, trace, { ...shown.view, step }, room);
}

function column(trace, reading, step, width, height) {
  const said = textOf(sayColumn(trace, reading, step, plainly));
  const words = [...said.match(new RegExp(`.{1,${Math.floor((width - 2 * PAGE.edge) / 9.4)}}(\\s|$)`, "g")) ?? [said]];
  const name = [trace.head?.title, trace.name].filter(Boolean).join(" · ");
  const title = words.slice(0, 2).map((line, i) => written(line.trim(), PAGE.edge, 30 + 22 * i, 17, DRAWN.ink)).join("");
  return written(cut(name, width - 2 * PAGE.edge, 12), PAGE.edge, PAGE.title + 16, 12, DRAWN.quiet) + title
    + sentencePart(trace, reading, rowStepOf(trace, step), width) + heatPart(trace, reading, rowStepOf(trace, step), width, height);
}

function sentencePart(trace, reading, step, width) {
  const now = step > 0 ? reading.producedChip(step - 1) : 0;
  const sources = spread(reading.columns, width, trace.source.tokens);
  const targets = spread(reading.chips, width, trace.target.tokens);
  const row = step > 0 ? reading.rowOf[step - 1] : -1;
  const owner = row < 0 ? 0 : reading.chipOfRow(row);
  const weights = row < 0 ? [] : reading.atStep(step - 1);
  const lines = weights.map((weight, i) => (weight < 0.005 ? "" : tag("path", {
    d: curve({ x: targets.at[owner], y: ROW.target - 22 }, { x: sources.at[i], y: ROW.source + 30 }), fill: "none",
    stroke: "#D55E00", "stroke-width": 1 + 11 * weight, "stroke-opacity": 0.25 + 0.75 * weight,
  }))).join("");
  const over = (labels, { size, at }, y, fill, bold, seen) => labels.map((label, i) => written(
    seen(i) ? label.text : "·", at[i], y, size, fill, { "text-anchor": "middle", "font-weight": bold(i) ? 700 : 400 })).join("");
  return lines
    + over(reading.columns, sources, ROW.source + 22, DRAWN.source, (i) => weights[i] > 0 && weights.indexOf(Math.max(...weights)) === i, () => true)
    + over(reading.chips, targets, ROW.target, DRAWN.target, (i) => i === owner && row >= 0, (i) => i <= now);
}

function heatPart(trace, reading, step, width, height) {
  const { rows, width: columns } = reading.weights;
  const names = Math.min(150, width / 4);
  const slant = 62;
  const across = Math.min(64, (width - 2 * PAGE.edge - names - slant) / columns);
  const down = Math.min(24, (height - ROW.heat - slant - 44) / rows);
  const [left, top] = [PAGE.edge + names, ROW.heat + slant];
  const size = Math.min(13, across * 0.95);
  const leftOf = (column) => left + (fromTheRight(trace.source.tokens) ? columns - 1 - column : column) * across;
  const heads = reading.columns.map((label, i) => {
    const [x, y] = [leftOf(i) + across / 2, top - 6];
    return written(cut(label.text, slant * 1.2, size), x, y, size, DRAWN.source, { transform: `rotate(-45 ${x} ${y})` });
  }).join("");
  const shown = (row) => step > 0 && reading.rowOf.indexOf(row) < step;
  const cells = Array.from({ length: rows }, (_, row) => {
    const y = top + row * down;
    const label = shown(row) ? written(cut(reading.chips[reading.chipOfRow(row)].text, names, 12), left - 8, y + down * 0.72,
      Math.min(13, down * 0.8), DRAWN.target, { "text-anchor": "end", "font-weight": reading.rowOf[step - 1] === row ? 700 : 400 }) : "";
    return label + reading.columns.map((_, i) => {
      const weight = reading.weights.at(row, i);
      const { fill, ink } = weightColours(reading.shade(weight));
      const box = tag("rect", { x: leftOf(i), y, width: across - 1, height: down - 1, fill: shown(row) ? fill : DRAWN.none });
      if (!shown(row) || across < 34 || down < 12) return box;
      return box + written(reading.inCell(weight), leftOf(i) + across / 2, y + down * 0.7, Math.min(12, down * 0.7), ink, { "text-anchor": "middle" });
    }).join("");
  }).join("");
  return written([`${reading.posterior ? "posterior" : "weights"}, percent`, reading.said].filter(Boolean).join(" · "), PAGE.edge, top - 8, 12, DRAWN.quiet) + heads + cells;
}

// All steps of decoding one after the other, or the phases of one step of the network's picture, by gifenc.
async function stepsAsGif(shown, address, progress) {
  const { GIFEncoder, quantize, applyPalette } = await import(fromServer("gifenc.js"));
  const gif = GIFEncoder();
  const views = networked(shown) && shown.view.step > 0 ? [WHOLE, ...PHASES].map((phase) => ({ phase }))
    : Array.from({ length: limits(shown.traces).last }, (_, t) => ({ step: t + 1 }));
  const last = views.length;
  for (const [i, view] of views.entries()) {
    progress(i + 1, last);
    const canvas = await rastered(pictureOf({ ...shown, view: { ...shown.view, ...view } }, address), PAGE.width);
    const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    const palette = quantize(data, 128);
    gif.writeFrame(applyPalette(data, palette), canvas.width, canvas.height, { palette, delay: i + 1 === last ? 3000 : "phase" in view ? 2200 : 1100 });
  }
  gif.finish();
  return new Blob([gif.bytes()], { type: "image/gif" });
}

// Saved picture: the network at a step as an SVG that needs no style sheet, in light colours, to save as a file.

const KEPT = ["fill", "fill-opacity", "stroke", "stroke-width", "opacity", "font-size", "font-weight", "font-style", "text-decoration", "text-anchor"];
const LIGHT = { "--ink": "#17202A", "--page": "#FFFFFF", "color-scheme": "light", position: "absolute", left: "-10000px", top: "0" };

// `place` is {x, y, width, height} on the page that is saved; `root` is a stepper, whose styles it takes.
function savedNetwork({ root, hues }, trace, { step, phase = WHOLE }, place) {
  const maker = tileMaker(trace, hues);
  const tiles = /** @type {any[]} */ ([]);
  const make = (at, count, kind, _, values, more) => tiles[tiles.push(maker(at, count, kind, values, more)) - 1];
  const now = nowOf();
  const [svg] = wholeView(trace, place, now, make, { inspect: nothing, weighable: false }).nodes;
  stepTo(now, trace, step);
  refresh(svg);
  for (const one of tiles) one.inRectangles();
  lightPhase(svg, step > 0 ? phase : WHOLE);
  const stand = element("div", { class: "stepper networked", style: LIGHT }, svg);
  root.append(stand);
  // Each element's style becomes its attributes, and invisible elements are dropped.
  const seen = Array.from(svg.querySelectorAll("*"), (node) => [node, window.getComputedStyle(node)])
    .map(([node, style]) => [node, style.visibility !== "hidden" && style.display !== "none", KEPT.map((name) => [name, style.getPropertyValue(name)])]);
  stand.remove();
  for (const [node, shown, styles] of seen) {
    if (!shown && !node.children.length) node.remove();
    for (const [name, value] of styles) node.setAttribute(name, value);
    node.removeAttribute("class");
  }
  for (const [name, value] of Object.entries(place)) svg.setAttribute(name, value);
  return new XMLSerializer().serializeToString(svg);
}
