// N-best list: the final translations of a beam search, best first. A press shows one in the stepper.

import { button, element, quiet } from "../../components/shared/elements.js";
import { twoDecimals } from "../../components/shared/numbers.js";
import { painted } from "./weights.js";

const WIDTH = 5;

export function nBestView(node, { search, show }) {
  const list = element("ol", {});
  const note = element("p", { class: "note" });
  const go = button({ class: "small", "data-testid": "search" }, async () => {
    note.textContent = "Searching …";
    await painted();
    draw(search(WIDTH));
  }, `Search with a beam of ${WIDTH}`);
  node.replaceChildren(element("h2", {}, "Beam search"), go, note, list);

  function draw(hypotheses) {
    note.textContent = "By log-probability with length normalisation (Wu et al. 2016, equation 14, α 0.6).";
    list.replaceChildren(...hypotheses.map((found, place) => element("li", {},
      button({ class: "hypothesis", lang: found.language, "data-testid": "hypothesis" }, () => show(found), found.text || "—"),
      quiet(` score ${twoDecimals(found.score)}, log-probability ${twoDecimals(found.logProbability)}`
        + `${place ? "" : ", the best"}${found.stop === "limit" ? ", cut at the limit" : ""}`))));
  }

  function clear() {
    note.textContent = "";
    list.replaceChildren();
  }
  return { clear };
}
