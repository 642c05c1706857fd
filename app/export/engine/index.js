// Index: the parts of the engine that a page uses: models, translations, changes to them, and their arithmetic.
//
// Read in this order: words, tokenizer, matrix, safetensors, scores, seq2seq, checkpoint, alignment, unknown_words, trace, translate,
// changes, beam, posterior; then, for the arithmetic of a single number, quantity, terms, recurrent_numbers, derivation,
// notation; principal_axes, doubt; spelling and truecasing come before all of them, and telling_step after them. `transformer/` has the network, its
// heads (what the stepper draws of them) and their numbers. Only payload.js, labels.js and heads.js know of a page, and
// none uses the browser.

import { spansOf } from "./alignment.js";
import { search } from "./beam.js";
import { modelOf } from "./checkpoint.js";
import { UNTOUCHED, interventionFrom, interventionOf, isUntouched, toJson } from "./changes/intervention.js";
import { tagOf } from "./labels.js";
import { offeredFor, toldOf } from "./changes/marks.js";
import { fold } from "./derivation.js";
import { chanceOf, flagsOf, weakestOf } from "./doubt.js";
import { headOf, payloadOf } from "./payload.js";
import { posterior } from "./posterior.js";
import { formulaOf } from "./notation.js";
import { nameOf, unmerged } from "./quantity.js";
import { RecurrentNumbers, asking } from "./recurrent_numbers.js";
import { tellingStep } from "./telling_step.js";
import { opened } from "./terms.js";
import { TransformerNumbers } from "./transformer/numbers.js";
import { NOTHING_CHANGED, hear, make, put } from "./changes/session.js";
import { isTransformer } from "./transformer/transformer.js";
import { logProbabilityOf } from "./trace.js";
import { force, read, reworded, translate } from "./translate.js";
import { notEnglish, readAs } from "./truecasing.js";
import { carriedNote, carriedOver, withCarried } from "./unknown_words.js";
import { normalise, visible, visibleNote } from "./words.js";

export const engine = {
  modelOf, notEnglish, readAs, posterior, translate, force, read, reworded, normalise, visible, visibleNote, search, payloadOf, headOf, tagOf,
  logProbabilityOf,
  UNTOUCHED, interventionFrom, interventionOf, isUntouched, toJson, offeredFor, toldOf,
  changes: { NOTHING_CHANGED, hear, make, put }, nameOf, unmerged, formulaOf, asking,
  carriedNote, carriedOver, withCarried, isTransformer, spansOf, tellingStep, chanceOf, flagsOf, weakestOf,
  // Opens one number of a trace that this model made, by the table of numbers.
  workOut: (asked, trace, model, table) =>
    fold(opened(new (isTransformer(trace) ? TransformerNumbers : RecurrentNumbers)(asked, trace, model, table))),
};
