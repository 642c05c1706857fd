// The search as a Streamlit component: sends additions by hand to Python, and keeps the chosen node in the page's link.

import { component } from "../shared/mounting.js";
import { unpack } from "../shared/packed.js";
import { mountSearch } from "./search.js";

const NODE = "node"; // the link's parameter for the ids of the chosen node's tokens, none where the search opens
const LINK_AFTER = 350; // milliseconds; browsers refuse more than some 100 changes of the link in half a minute

export default component((parent, data, send) => {
  const { pathname } = window.location;
  let timer = 0;
  function write(key) {
    const link = new URL(window.location.href);
    if (link.pathname !== pathname) return;
    if (key) link.searchParams.set(NODE, key);
    else link.searchParams.delete(NODE);
    if (link.href !== window.location.href) window.history.replaceState(window.history.state, "", link);
  }
  function onChoose(key) {
    clearTimeout(timer);
    timer = setTimeout(() => write(key), LINK_AFTER);
  }
  const opening = new URL(window.location.href).searchParams.get(NODE) ?? "";
  const view = mountSearch(parent, unpack(data), { onAdd: (text) => send("add", { text }), onChoose, opening });
  return {
    update: (next) => view.update(unpack(next)),
    destroy() {
      clearTimeout(timer);
      view.destroy();
    },
  };
});
