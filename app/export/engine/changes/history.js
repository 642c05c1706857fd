// History: what was changed so far, as a value: the present, what came before it, and what was taken back. The twin of
// model/changes/history.py.

import { UNTOUCHED, same } from "./intervention.js";

const UNDO_STEPS = 200; // that are kept

export const BEGINNING = { present: UNTOUCHED, past: [], future: [] };

// With a new present; what was taken back is forgotten. The same present is no change.
export const changed = (history, present) => (same(present, history.present)
  ? history
  : { present, past: [...history.past, history.present].slice(-UNDO_STEPS), future: [] });

export const WAYS = {
  undo: ({ present, past, future }) => (past.length
    ? { present: past.at(-1), past: past.slice(0, -1), future: [...future, present] }
    : { present, past, future }),
  redo: ({ present, past, future }) => (future.length
    ? { present: future.at(-1), past: [...past, present], future: future.slice(0, -1) }
    : { present, past, future }),
  reset: (history) => changed(history, UNTOUCHED),
};
