// The search as a Streamlit component: sends additions by hand to Python.

import { unpack } from "../shared/packed.js";
import { mountSearch } from "./search.js";

const mounted = new WeakMap();

export default function ({ data, parentElement, setTriggerValue }) {
  let one = mounted.get(parentElement);
  if (one) {
    one.tell = setTriggerValue;
    one.search.update(unpack(data));
  } else {
    one = { tell: setTriggerValue };
    one.search = mountSearch(parentElement, unpack(data), { onAdd: (text) => one.tell("add", { text }) });
    mounted.set(parentElement, one);
  }
  return () => {
    one.search.destroy();
    mounted.delete(parentElement);
  };
}
