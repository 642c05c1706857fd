// Saving: pictures as files, made in the browser. They are 16:9 and light, whatever the page's theme.

import { button, element } from "./elements.js";

export const FINE = 1920; // pixels of a picture's width
export const INKS = { dark: "#C9D1DB", light: "#3D4650" }; // of figures, as in app/ui/plots.py

// The address of a script of this server that few visitors need.
export const fromServer = (name) =>
  new URL(`../../scripts/${name}`, /** @type {any} */ (document.querySelector("script[src*='static/js/']")).src).href;

export function save(blob, name) {
  const link = element("a", { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

export const asSvg = (text) => new Blob([text], { type: "image/svg+xml" });

export async function rastered(svg, width) {
  const image = new Image();
  const address = URL.createObjectURL(asSvg(svg));
  image.src = address;
  await image.decode();
  const canvas = element("canvas", { width, height: Math.round((width * image.height) / image.width) });
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  URL.revokeObjectURL(address);
  return canvas;
}

export const asPng = (canvas) => new Promise((done) => canvas.toBlob(done, "image/png"));

// Buttons, each disabled while it makes its file; errors appear as its label.
export function savers(all) {
  return all.map(([label, title, make]) => {
    const node = button({ class: "saver", title }, async () => {
      node.disabled = true;
      try {
        await make(node);
      } catch (error) {
        node.textContent = `${label}: ${error.message}`;
      }
      node.disabled = false;
    }, label);
    return node;
  });
}
