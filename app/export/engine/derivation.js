// Derivation: one number opened: its terms and their result. The twin of model/arithmetic/terms.py.
//
// The terms are added in float64; then comes an ending, such as tanh for an attentional vector. Terms are sorted by
// magnitude, and all but the largest are folded into one sum.

const SHOWN_TERMS = 6; // terms shown separately
const RELATIVE = 1e-4; // tolerance between two float32 programs, as a share of the number: what four digits show
const ROUNDING = 1e-5; // in addition, as a share of the sum of all magnitudes, even if they cancelled out
const CARRIED = 1e-6; // and for the rounding of earlier numbers, most of them near 1
const LEAST = 1.1754943508222875e-38; // below this float32 loses digits

export const ENDINGS = {
  sum: ({ total }) => total,
  mean: ({ total, constant }) => total / constant,
  root: ({ total, constant }) => Math.sqrt(total / constant),
  tanh: ({ total }) => Math.tanh(total),
  relu: ({ total }) => Math.max(0, total),
  sigmoid: ({ total }) => 1 / (1 + Math.exp(-total)),
  share: ({ total, terms }) => terms[0].value / total,
  log: ({ total, constant }) => constant + Math.log(total),
};

// How much an error as large as all the terms together changes the number: the slope of the ending.
const SPREADS = {
  sum: ({ magnitude }) => magnitude,
  relu: ({ magnitude }) => magnitude,
  tanh: ({ magnitude, redone }) => magnitude * (1 - redone ** 2),
  sigmoid: ({ magnitude, redone }) => magnitude * redone * (1 - redone),
  log: ({ constant }) => Math.abs(constant),
  root: ({ magnitude, constant, redone }) => magnitude / (2 * constant * redone),
};

// Keeps the largest terms separate and adds up the rest; `first` is the term that a share is for.
export function fold({ form, shown, terms, ending = "sum", constant = 0, first = -1, reads = "" }) {
  const sorted = terms.toSorted((one, other) => Math.abs(other.value) - Math.abs(one.value));
  const order = first < 0 ? sorted : [terms[first], ...sorted.filter((term) => term !== terms[first])];
  const count = order.length <= SHOWN_TERMS + 1 ? order.length : SHOWN_TERMS;
  const sum = (some) => some.reduce((total, { value }) => total + value, 0);
  const kept = order.slice(0, count).map((term) => ({ ...term, label: term.label(), opens: term.opens() }));
  const working = {
    form, shown, ending, constant, reads, terms: kept, rest: sum(order.slice(count)), more: order.length - count,
    total: sum(order), magnitude: order.reduce((all, { value }) => all + Math.abs(value), 0),
  };
  const redone = ENDINGS[ending](working);
  const made = { ...working, redone, shown: shown === undefined ? Math.fround(redone) : shown };
  return { ...made, ...verdict(made) };
}

// True if the shown number equals the recomputed one up to float32 rounding, and if agreeing means anything: not if
// both are so near 0 that rounding could have made them. Weights and probabilities have terms of one sign, so a tiny
// one is as exact for its size.
export function verdict(working) {
  const { shown, redone, ending, form } = working;
  const near = RELATIVE * Math.abs(redone) + LEAST;
  const oneSign = ["share", "mean"].includes(ending) || form.startsWith("weight/");
  const tolerance = oneSign ? near : near + ROUNDING * SPREADS[ending](working) + CARRIED;
  if (shown === null) return { difference: null, tolerance, agrees: true, tells: true };
  const difference = Math.abs(shown - redone);
  const tells = difference === 0 || Math.max(Math.abs(shown), Math.abs(redone)) > tolerance;
  return { difference, tolerance, agrees: difference <= tolerance, tells };
}
