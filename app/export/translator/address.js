// Address: the question and the view, read from the page's address after #. All of it is untrusted.

import { PHASES } from "../../components/network/phases.js";
import { EVERYWHERE } from "../../components/stepper/heads.js";
import { ALIGNMENT, NETWORK } from "../../components/stepper/trace_reading.js";
import { hasAddress } from "../address_writer.js";

const LONGEST_SENTENCE = 2000; // SENTENCE_CHARACTERS of model/upload_limits.py
const LONGEST_CHANGE = 200_000; // as in app/visitor/question.py

// The valid parts of the question and view in the address; `names` are the models' names.
export function askedByAddress(names, opening) {
  const said = new URLSearchParams(hasAddress ? window.location.hash.slice(1) : "");
  const among = (name, choices) => (choices.includes(said.get(name)) ? said.get(name) : choices[0]);
  const text = (name, longest = LONGEST_SENTENCE) => (said.get(name) ?? "").slice(0, longest);
  const place = (name) => (/^\d{1,3}$/.test(said.get(name) ?? "") ? Number(said.get(name)) : EVERYWHERE[name]);
  return {
    sentence: said.has("sentence") ? text("sentence") : null,
    given: text("given"),
    model: among("model", names),
    change: text("change", LONGEST_CHANGE),
    compare: said.get("compare") === "1",
    step: /^-?\d{1,4}$/.test(said.get("step") ?? "") ? Number(said.get("step")) : null,
    units: among("units", [opening.units, "tokens"]),
    rows: among("rows", opening.rows),
    large: said.get("large") === "1",
    attention: among("attention", [EVERYWHERE.attention, "decoder"]),
    layer: place("layer"),
    head: place("head"),
    picture: among("picture", [EVERYWHERE.picture, ALIGNMENT, NETWORK]),
    phase: among("phase", [EVERYWHERE.phase, ...PHASES]),
  };
}
