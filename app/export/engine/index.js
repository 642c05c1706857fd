// Index: the parts of the engine that a page uses: models, translations, changes to them, and their arithmetic.
//
// Read in this order: truecasing, words, tokenizer, matrix, seq2seq, transformer, trace, unknown_words, changes, translate;
// then quantity and terms for the arithmetic of a single number; doubt. Only trace.js knows of a page, and none uses the
// browser.

import { spansOf } from "../../components/shared/alignment.js";
import { hear, interventionFrom, interventionOf, isUntouched, make, NOTHING_CHANGED, offeredFor, put, toJson, toldOf, UNTOUCHED } from "./changes.js";
import { chanceOf, flagsOf, weakestOf } from "./doubt.js";
import { matrix, tensorsOf } from "./matrix.js";
import { nameOf, unmerged } from "./quantity.js";
import { posterior, seq2seq } from "./seq2seq.js";
import { workOut } from "./terms.js";
import { tokenizerOf } from "./tokenizer.js";
import { axesOf, headOf, logProbabilityOf, payloadOf, tagOf, tellingStep } from "./trace.js";
import { isTransformer, NETWORK, transformer } from "./transformer.js";
import { force, read, reworded, search, translate } from "./translate.js";
import { notEnglish, readAs } from "./truecasing.js";
import { carriedNote, carriedOver, withCarried } from "./unknown_words.js";
import { normalise, visible, visibleNote } from "./words.js";

// A model from its files. `weights` are the bytes of model.safetensors, `axes` those of axes.safetensors if the model has them.
function modelOf({ name, fingerprint, config, tokenizer, weights, axes = new Uint8Array() }) {
  const parameters = parametersOf(tensorsOf(weights));
  const pieces = tokenizerOf(tokenizer, config.languages);
  const network = (config.network === NETWORK ? transformer : seq2seq)(config, parameters);
  return { name, fingerprint, config, axes: axesOf(axes), tokenizer: pieces, network };
}

// Matrices and vectors by name. A file of rounded weights has int8 in place of a matrix, and under `.scale` the factor of
// each row.
function parametersOf(tensors) {
  const parameters = new Map();
  for (const [name, { shape, values }] of tensors) {
    if (name.endsWith(".scale")) continue;
    const [rows, width] = shape;
    const scale = tensors.get(`${name}.scale`)?.values;
    if (scale) for (let i = 0; i < values.length; i += 1) values[i] *= scale[Math.floor(i / width)];
    parameters.set(name, shape.length === 2 ? matrix(rows, width, values) : values);
  }
  return parameters;
}

export const engine = {
  modelOf, notEnglish, readAs, posterior, translate, force, read, reworded, normalise, visible, visibleNote, search, payloadOf, headOf, tagOf,
  logProbabilityOf,
  UNTOUCHED, interventionFrom, interventionOf, isUntouched, toJson, offeredFor, toldOf,
  changes: { NOTHING_CHANGED, hear, make, put }, nameOf, unmerged,
  carriedNote, carriedOver, withCarried, isTransformer, spansOf, tellingStep, chanceOf, flagsOf, weakestOf, workOut,
};
