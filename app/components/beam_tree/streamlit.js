// The search as a Streamlit component: sends additions by hand to Python.

import { component } from "../shared/mounting.js";
import { unpack } from "../shared/packed.js";
import { mountSearch } from "./search.js";

export default component((parent, data, send) => {
  const { update, destroy } = mountSearch(parent, unpack(data), { onAdd: (text) => send("add", { text }) });
  return { update: (next) => update(unpack(next)), destroy };
});
