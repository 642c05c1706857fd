// Figure export: the figure above as SVG or PNG with title, axes and subject, redrawn by Plotly.

import { element } from "../shared/elements.js";
import { bytesFrom } from "../shared/numbers.js";
import { asSvg, FINE, fromServer, INKS, save, savers } from "../shared/saving.js";

const LEAST = 540; // pixels of the height
const HEAD = 96; // pixels for the title and the subject under it
const QUIET_AXIS = { gridcolor: "#E3E7EC", zeroline: false, ticks: "" };
const LINE = 78; // characters of a title's line

async function plotly() {
  if (!("Plotly" in window)) {
    await new Promise((done, failed) => {
      const script = element("script", { src: fromServer("plotly.js") });
      script.addEventListener("load", done);
      script.addEventListener("error", () => failed(new Error("Plotly could not be fetched")));
      document.head.append(script);
    });
  }
  return /** @type {any} */ (window).Plotly;
}

// Replaces the ink and scale of a dark page by those of a light one; `lit` maps dark colours to light ones.
function relit(value, lit) {
  if (typeof value === "string") return lit[value.toUpperCase()] ?? value;
  if (!value || typeof value !== "object" || ArrayBuffer.isView(value)) return value;
  if (Array.isArray(value)) return value.map((inner) => relit(inner, lit));
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, relit(inner, lit)]));
}

const wrapped = (text) => text.replace(new RegExp(`(.{1,${LINE}})(\\s+|$)`, "g"), "$1<br>").replace(/<br>$/, "");
const plain = (text) => text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;").replace(/\$/g, "&#36;");

function titled(drawn, { title, about, lit }) {
  const { data, layout } = relit(structuredClone({ data: drawn.data, layout: drawn.layout }), { ...lit, [INKS.dark]: INKS.light });
  const ninth = Math.ceil(Math.max(LEAST, (layout.height ?? drawn.clientHeight) + HEAD) / 9);
  const [width, height] = [16 * ninth, 9 * ninth];
  for (const axis of Object.keys(layout).filter((name) => /^[xy]axis/.test(name))) layout[axis].automargin = true;
  return {
    data,
    width,
    height,
    layout: {
      ...layout,
      width,
      height,
      autosize: false,
      template: { layout: { xaxis: QUIET_AXIS, yaxis: QUIET_AXIS } },
      paper_bgcolor: "#FFFFFF",
      plot_bgcolor: "#FFFFFF",
      margin: { l: 70, r: 40, b: 60, ...layout.margin, t: HEAD + (layout.margin?.t ?? 20) },
      title: {
        text: wrapped(plain(title)), x: 0.02, xanchor: "left", y: 1 - 18 / height, yanchor: "top", yref: "container",
        font: { size: 20, color: INKS.light }, subtitle: { text: plain(about), font: { size: 13, color: INKS.light } },
      },
    },
  };
}

async function picture(data, format) {
  const drawn = /** @type {any} */ (document.querySelector(`.st-key-figure-${data.name} .js-plotly-plot`));
  if (!drawn?.data) throw new Error("the figure is not drawn yet");
  const { width, height, ...figure } = titled(drawn, data);
  const { toImage } = await plotly();
  const address = await toImage(figure, { format, width, height, scale: format === "png" ? FINE / width : 1 });
  const content = address.replace(/^[^,]*,/, ""); // decoded here: a page with a strict policy may not fetch a data URL
  const file = format === "png" ? new Blob([bytesFrom(content)], { type: "image/png" }) : asSvg(decodeURIComponent(content));
  save(file, `regard-${data.name}.${format}`);
}

// A figure that is wider than the page is scrolled, by keyboard too. Before it is drawn, what is below it stands first.
function reachable({ name, title }) {
  const [box, ...below] = /** @type {HTMLElement[]} */ ([...document.querySelector(`.st-key-plot-${name}`)?.children ?? []]);
  for (const other of below) for (const named of ["tabindex", "role", "aria-label"]) other.removeAttribute(named);
  if (!box || !["auto", "scroll"].includes(getComputedStyle(box).overflowX)) return;
  box.tabIndex = 0;
  box.setAttribute("role", "region");
  box.setAttribute("aria-label", title);
}

export default function ({ data, parentElement }) {
  const buttons = savers([
    ["SVG", "Save this figure as a vector drawing", () => picture(data, "svg")],
    ["PNG", "Save this figure as an image for slides, 16:9", () => picture(data, "png")],
  ]);
  const root = element("div", { class: "savers" }, ...buttons);
  parentElement.querySelector(".savers")?.remove();
  parentElement.append(root);
  reachable(data);
  return () => root.remove();
}
