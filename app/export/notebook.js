// Notebook: fills the frame of an output with the page that its list chooses.

for (const output of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".regard-output:not([data-filled])"))) {
  output.dataset.filled = "";
  const find = (selector) => /** @type {any} */ (output.querySelector(selector));
  const { style, code, pages } = JSON.parse(find("script").textContent);
  const show = () => {
    const [before, between, after] = pages[find("select").selectedIndex];
    find("iframe").srcdoc = [before, style, between, code, after].join("");
  };
  find("select").addEventListener("change", show);
  show();
}
