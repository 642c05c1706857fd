// Frame height: tells the page around an embedded one how high it is, so that its frame need not scroll.

export function tellHeight() {
  const { body } = document;
  const tell = () => window.parent.postMessage({ regardHeight: Math.ceil(body.getBoundingClientRect().height) }, "*");
  if (window.parent !== window) new ResizeObserver(tell).observe(body);
}
