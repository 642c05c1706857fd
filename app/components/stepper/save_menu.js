// Save menu: the view as a picture, an animation, a link, or embedded in another page; and the page's other files,
// whose buttons Python draws.

import { button, drawing, element } from "../shared/elements.js";
import { asPng, asSvg, FINE, rastered, save, savers } from "../shared/saving.js";
import { marked, networked, pictureOf, stepsAsGif } from "./picture.js";

const OFFERED = ".st-key-downloads button, [class*='st-key-page-'] button, .st-key-take-along button"; // by the page
const RESTORES = "react-aria-focus-scope-restore"; // a dialog that closes returns the focus to the host, all that it can see
const STEPS = "Steps (GIF)";
const ICON = "M12 15V4M8 8l4-4 4 4M6 11H5v9h14v-9h-1";

// A button and the menu above it. `shown()` returns the stepper's traces, their readings, and the view.
export function saveMenuOf(shown) {
  const offered = element("div", { class: "savers" });
  const part = (title, ...items) => element("section", { class: "kept" }, element("p", { class: "kept-as" }, title), ...items);
  const [link, picture] = [linkSavers(), pictureSavers(shown)];
  const files = part("Page, numbers, model", offered);
  const menu = element("div", { class: "save-menu", role: "group", "aria-label": "Save and share", "data-testid": "keeping", hidden: "hidden" },
    part("Link", element("div", { class: "savers" }, ...link)), part("Picture", element("div", { class: "savers" }, ...picture)), files);
  const opener = button({ class: "switch share", "aria-expanded": "false", "aria-label": "Save and share", title: "Save and share", "data-testid": "share" },
    () => show(menu.hidden), drawing("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, drawing("path", { d: ICON })),
    element("span", {}, "Save", element("span", { class: "wide" }, " and share")));
  const node = element("div", { class: "sharing" }, opener, menu);

  function show(open) {
    menu.hidden = !open;
    opener.setAttribute("aria-expanded", String(open));
    const found = /** @type {any} */ (open ? [...document.querySelectorAll(OFFERED)].map((one) => [named(one), one]) : []);
    offered.replaceChildren(...Array.from(new Map(found), ([name, one]) => pageSaver(name, one, closed)));
    files.hidden = !found.length;
    if (open) picture.at(-1).textContent = networked(shown()) ? "Phases (GIF)" : STEPS;
    if (open) menu.querySelector("button").focus({ preventScroll: true });
  }
  const focus = () => opener.focus({ preventScroll: true });
  function closed() {
    show(false);
    focus();
    /** @type {any} */ (node.getRootNode()).host.addEventListener(RESTORES, focus);
  }
  node.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || menu.hidden) return;
    event.stopPropagation();
    closed();
  });
  const outside = (event) => !menu.hidden && !event.composedPath().includes(node) && show(false);
  document.addEventListener("pointerdown", outside);
  return { node, end: () => document.removeEventListener("pointerdown", outside) };
}

const named = (offered) => (offered.querySelector("[data-testid=stMarkdownContainer]") ?? offered).textContent;

// A file that Python makes: presses its own button on the page. Streamlit draws some of them twice.
function pageSaver(name, offered, close) {
  return button({ class: "saver" }, () => {
    close(); // before a dialog notes where the focus was
    offered.click();
  }, name);
}

const address = () => window.location.href;
const linkSavers = () => savers([
  ["Copy link", "The address of this view: sentence, step, switches, open number and changes", (node) => copied(node, address())],
  ["Copy embed code", "For a page on a site that the server allows to show it (REGARD_EMBED)", (node) => copied(node, embedCode(address()))],
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

function embedCode(address) {
  const link = new URL(address);
  link.searchParams.set("embed", "true");
  return `<iframe src="${marked(link.href)}" title="Attention, step by step" width="1100" height="760"></iframe>`;
}

// Copies to the clipboard; pages served without encryption have no clipboard, so a selected field is used there.
export async function copied(node, text) {
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
