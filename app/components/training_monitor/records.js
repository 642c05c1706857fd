// Records: a run's notes so far, by update. The server sends new ones; missed ones are requested again.

// The rows so far with the new ones, or null if some between are missing. A row begins with its update.
export function joined(kept, { since, rows }) {
  const last = kept.length ? kept.at(-1)[0] : 0;
  return since > last ? null : [...kept.filter(([update]) => update <= since), ...rows];
}

// How many rows are from this update or earlier.
function upTo(rows, update) {
  let [low, high] = [0, rows.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (rows[middle][0] <= update) low = middle + 1;
    else high = middle;
  }
  return low;
}

export const latest = (rows, update) => rows[upTo(rows, update) - 1];

export const LOSS = 1; // index in a note, after its update
export const EXACT = 2;
export const WEIGHTS = 1; // index in a look, after its update
export const WRITTEN = 2;
export const FOUND = 3;
