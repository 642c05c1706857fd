// Save menu: what is looked at as a picture, as an animation, as a link, or embedded in another page.

import { element } from "../shared/elements.js";
import { asPng, asSvg, FINE, rastered, save, savers } from "../shared/saving.js";
import { marked, pictureOf, stepsAsGif } from "./picture.js";

// `shown()` is the stepper's current view: its traces, how they are read, and the step and switches.
export function saveMenuOf(shown) {
  const address = () => window.location.href;
  const name = (ending) => `regard-step-${Math.max(0, shown().view.step)}.${ending}`;
  const picture = () => pictureOf(shown(), address());
  return element("div", { class: "savers", role: "group", "aria-label": "Keep and share", "data-testid": "keeping" }, ...savers([
    ["Copy link", "The address of exactly this: sentence, step, switches and changes", (node) => copied(node, address())],
    ["Copy embed code", "For a page on a site that the server allows to show it (REGARD_EMBED)", (node) => copied(node, embedCode(address()))],
    ["Picture (SVG)", "This step as a drawing", () => save(asSvg(picture()), name("svg"))],
    ["Picture (PNG)", "This step as a picture for slides, 16 : 9", async () => save(await asPng(await rastered(picture(), FINE)), name("png"))],
    ["Steps (GIF)", "All steps of the decoder as an animation", async (node) => {
      const label = node.textContent;
      const gif = await stepsAsGif(shown(), address(), (step, last) => { node.textContent = `Step ${step} of ${last}`; });
      node.textContent = label;
      save(gif, "regard-steps.gif");
    }],
  ]));
}

function embedCode(address) {
  const link = new URL(address);
  link.searchParams.set("embed", "true");
  return `<iframe src="${marked(link.href)}" title="Attention, step by step" width="1100" height="760"></iframe>`;
}

// Copies to the clipboard; pages served without encryption have none, so a selected field is used there.
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
