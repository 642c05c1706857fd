// Derivation: one number opened: what it was made of, put together again. The twin of model/arithmetic/derivation.py.
//
// The terms are added in float64; then comes an ending, such as tanh for an attentional vector. Terms are sorted by
// magnitude, and all but the largest are folded into one sum.

const SHOWN = 6; // terms kept apart

export const ENDINGS = {
  sum: ({ total }) => total,
  mean: ({ total, constant }) => total / constant,
  tanh: ({ total }) => Math.tanh(total),
  sigmoid: ({ total }) => 1 / (1 + Math.exp(-total)),
  share: ({ total, terms }) => terms[0].value / total,
  log: ({ total, constant }) => constant + Math.log(total),
};

export const nothing = () => []; // a parameter opens no further

// One term per component: the factors multiplied. A label that is text is followed by the component.
export function products(label, opens, ...columns) {
  const length = Math.max(...columns.map((column) => column.length));
  return Array.from({ length }, (_, j) => {
    const factors = columns.map((column) => column[j]);
    const named = typeof label === "string" ? () => `${label} ${j + 1}` : () => label(j);
    return { label: named, factors, value: factors.reduce((made, factor) => made * factor, 1), opens: () => opens(j) };
  });
}

// One term: the factors multiplied.
export const single = (label, opens, ...factors) => products(() => label, () => opens, ...factors.map((one) => [one]));

// The terms of a softmax, e^(score − greatest), and the greatest score.
export function powers(label, opens, scores) {
  const greatest = scores.reduce((most, score) => Math.max(most, score), -Infinity);
  const terms = Array.from(scores, (score, n) => (
    { label: () => label(n), factors: [score], value: Math.exp(score - greatest), opens: () => opens(n) }));
  return { terms, constant: greatest };
}

// Keeps the largest terms apart and adds up the rest; `first` is the term that a share is of.
export function fold({ form, shown, terms, ending = "sum", constant = 0, first = -1 }) {
  const sorted = terms.toSorted((one, other) => Math.abs(other.value) - Math.abs(one.value));
  const order = first < 0 ? sorted : [terms[first], ...sorted.filter((term) => term !== terms[first])];
  const count = order.length <= SHOWN + 1 ? order.length : SHOWN;
  const sum = (some) => some.reduce((total, { value }) => total + value, 0);
  const kept = order.slice(0, count).map((term) => ({ ...term, label: term.label(), opens: term.opens() }));
  const working = {
    form, shown, ending, constant, terms: kept, rest: sum(order.slice(count)), more: order.length - count,
    total: sum(order),
  };
  return { ...working, redone: ENDINGS[ending](working) };
}
