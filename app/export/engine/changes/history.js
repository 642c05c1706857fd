// History: the changes so far, as a value: the present, the earlier states, and those undone. The twin of
// model/changes/history.py.

import { UNTOUCHED, same } from "./intervention.js";

const UNDO_STEPS = 200; // undo steps kept

export const BEGINNING = { present: UNTOUCHED, past: [], future: [] };

// The history with a new present, forgetting undone states. The same present is no change.
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
