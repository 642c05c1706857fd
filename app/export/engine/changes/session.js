// Session of changes: the edits of one translation, each tried before it is kept, or refused with the reason. The twin of
// model/changes/session.py.
//
//     session     {history, refused: why the last edit was refused or "", heard: the number of the last edit}
//     translator  {tokenizer, sentence, translate(changes)}; `translate` throws where the changes cannot be made

import { edited } from "./edits.js";
import { BEGINNING, WAYS, changed } from "./history.js";

const EDITS_AT_ONCE = 20; // edits that may come together; each is a translation

export const NOTHING_CHANGED = { history: BEGINNING, refused: "", heard: 0 };

// Makes the new edits, in order; those beyond EDITS_AT_ONCE are refused.
export function hear(session, edits, translator) {
  let last = session.heard;
  const recent = edits.filter(({ number }) => {
    if (number <= last) return false;
    last = number;
    return true;
  });
  const heard = recent.slice(0, EDITS_AT_ONCE).reduce(
    (now, { number, ...edit }) => ({ ...make(now, edit, translator), heard: number }), session);
  if (recent.length <= EDITS_AT_ONCE) return heard;
  const count = recent.length.toLocaleString("en");
  return { ...heard, refused: `${count} changes were sent at once; the first ${EDITS_AT_ONCE} are made`, heard: last };
}

// Makes one edit, or undo, redo or reset.
export function make(session, edit, translator) {
  if (Object.hasOwn(WAYS, edit.kind)) return { ...session, history: WAYS[edit.kind](session.history), refused: "" };
  try {
    const { tokenizer, sentence } = translator;
    const shown = translator.translate(session.history.present);
    return put(session, edited(edit, { tokenizer, sentence, shown }), translator);
  } catch (error) {
    return { ...session, refused: error.message };
  }
}

// Replaces all changes by these, if the sentence can be translated with them.
export function put(session, changes, translator) {
  try {
    translator.translate(changes);
  } catch (error) {
    return { ...session, refused: error.message };
  }
  return { ...session, history: changed(session.history, changes), refused: "" };
}
