// Notebook: fills the frames of outputs with their pages. Style and script of the pages are in one output of the
// notebook and are stored here, because a notebook removes outputs that are out of sight from the document.

const SOON = 500; // milliseconds between two searches for the output that has them
const page = /** @type {any} */ (window);
const kept = (page.regardShared ??= {});

for (const output of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".regard-output:not([data-filled])"))) {
  output.dataset.filled = "";
  fill(output);
}

function fill(output) {
  const shared = sharedBy(output.dataset.shared);
  const still = output.querySelector(".regard-still");
  const note = still.querySelector("p");
  note.textContent = note.dataset.missing;
  if (!shared) return setTimeout(() => fill(output), SOON);
  const pages = JSON.parse(output.querySelector(".regard-pages").textContent);
  const [frame, chooser] = [output.querySelector("iframe"), output.querySelector("select")];
  [still.hidden, frame.hidden] = [true, false];
  const show = () => {
    const [before, between, after] = pages[chooser?.selectedIndex ?? 0];
    frame.srcdoc = [before, shared.style, between, shared.code, after].join("");
  };
  chooser?.addEventListener("change", show);
  window.addEventListener("message", ({ data, source }) => {
    if (source === frame.contentWindow && data?.regardHeight) frame.style.height = `${Number(data.regardHeight)}px`;
  });
  return show();
}

function sharedBy(hash) {
  const carrier = document.querySelector(`.regard-output[data-shared="${hash}"] .regard-shared`);
  if (carrier) kept[hash] ??= JSON.parse(carrier.textContent);
  return kept[hash];
}
