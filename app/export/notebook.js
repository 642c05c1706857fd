// Notebook: where scripts run, the frame of an output takes the place of its picture, is as high as its page, and shows the
// page that the output's list chooses.

for (const output of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".regard-output:not([data-filled])"))) {
  output.dataset.filled = "";
  const find = (selector) => /** @type {any} */ (output.querySelector(selector));
  const [frame, list, data] = [find("iframe"), find("select"), find("script[type]")];
  find(".regard-still").hidden = true;
  window.addEventListener("message", ({ data: told, source }) => {
    if (source === frame.contentWindow && told?.regardHeight) frame.style.height = `${Number(told.regardHeight)}px`;
  });
  list?.addEventListener("change", () => {
    const { style, code, pages } = JSON.parse(data.textContent);
    const [before, between, after] = pages[list.selectedIndex];
    frame.srcdoc = [before, style, between, code, after].join("");
  });
}
