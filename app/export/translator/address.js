// Address: the question and the view, read from the page's address after #. All of it is untrusted.

import { EVERYWHERE } from "../../components/stepper/trace_reading.js";
import { hasAddress, viewOf } from "../page_address.js";

const LONGEST_SENTENCE = 2000; // SENTENCE_CHARACTERS of model/readable.py
const LONGEST_CHANGE = 200_000; // as in app/input_validation/link_parameters.py

// The valid parts of the question and view in the address; `names` are the models' names.
export function askedByAddress(names, opening) {
  const said = new URLSearchParams(hasAddress ? window.location.hash.slice(1) : "");
  const among = (name, choices) => (choices.includes(said.get(name)) ? said.get(name) : choices[0]);
  const text = (name, longest = LONGEST_SENTENCE) => (said.get(name) ?? "").slice(0, longest);
  return {
    sentence: said.has("sentence") ? text("sentence") : null,
    given: text("given"),
    model: among("model", names),
    change: text("change", LONGEST_CHANGE),
    compare: said.get("compare") === "1",
    ...viewOf(said, { ...EVERYWHERE, step: null, units: opening.units, large: false }, opening.rows),
  };
}
