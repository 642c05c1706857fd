// Digits: the fewest that let a reader redo each line of a calculation. The factors shown give the term shown, the terms
// shown add up to the sum shown, and the sum gives the number shown.
//
// A working is `{form, ending, constant, terms: [{factors, value, label}], rest, more, total, redone}`: the largest terms,
// the sum of the `more` others, the sum of all, and the number that its ending makes of that.

const DIGITS = 4; // of a result after the point, unless it is small
const MOST_DIGITS = 14; // after the point that are tried
export const POWERS = ["weight/softmax", "probability", "likelihood", "log_normaliser"]; // forms whose terms are e^(score − greatest)

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

// Halves go to the even digit, as in Python; toFixed takes them away from 0. Numbers of float16 often are such halves.
function fixed(value, places) {
  const whole = value.toFixed(places + 40);
  const [kept, cut] = [whole.slice(0, -40), whole.slice(-40)];
  return /^50*$/.test(cut) && Number(kept.at(-1)) % 2 === 0 ? kept : value.toFixed(places);
}

// A number with this many digits after the point, at least two of them significant; tiny ones in powers of ten.
export function written(value, places) {
  for (let digits = places; digits < places + 3; digits += 1) {
    const plain = fixed(value, digits);
    if (!value || Math.abs(Number(plain)) >= Number(`1e${1 - digits}`)) return plain;
  }
  return value.toExponential(Math.max(2, places - DIGITS));
}

// A result: four digits after the point, or three significant ones if it is small.
export function final(value) {
  const size = Math.abs(value);
  if (!(size > 0 && size < 0.01)) return fixed(value, DIGITS);
  const leading = -Math.floor(Math.log10(size));
  return leading < DIGITS + 2 ? fixed(value, leading + 2) : value.toExponential(2);
}

// Digits after the point: of the first term, which a share divides, of the other terms, and of the sum.
export function placesOf(working) {
  const share = working.ending === "share";
  const wanted = final(ENDINGS[working.ending](working));
  const least = working.ending === "sum" && !wanted.includes("e") ? Math.max(DIGITS, (wanted.split(".")[1] ?? "").length) : DIGITS;
  for (let total = least; total < MOST_DIGITS; total += 1) {
    for (let terms = total; terms < total + 3; terms += 1) {
      for (let more = 0; more < (share ? MOST_DIGITS - terms : 1); more += 1) {
        const places = { first: terms + (share ? more : 0), terms, total };
        if (comesOut(working, places, wanted)) return places;
      }
    }
  }
  return { first: MOST_DIGITS, terms: MOST_DIGITS, total: MOST_DIGITS };
}

// True if redoing the sum and the ending with the digits shown gives the sum and the number shown.
function comesOut(working, places, wanted) {
  const [head, ...others] = working.terms;
  const first = Number(written(head.value, places.first));
  const total = written(working.total, places.total);
  const again = exactSum([first, ...[...others.map(({ value }) => value), working.rest]
    .map((value) => Number(written(value, places.terms)))]);
  if (written(again, places.total) !== total) return false;
  const constant = Number(written(working.constant, places.total));
  return final(ENDINGS[working.ending]({ terms: [{ value: first }], total: Number(total), constant })) === wanted;
}

// Rounded once, at the end, as Python's math.fsum: a sum of decimals often ends on a 5. A double times 2^200 is whole.
const exactSum = (values) =>
  Number(values.reduce((sum, value) => sum + BigInt(Math.round(value * 2 ** 200)), 0n)) / 2 ** 200;

// The factors, with the fewest digits that give the term as shown: `{factors, greatest}` as written; null for a single
// factor, which is the term itself.
export function factorsAsWritten({ factors, value }, { form, constant }, places) {
  const power = POWERS.includes(form);
  if (factors.length === 1 && !power) return null;
  const wanted = written(value, places);
  let made;
  for (let digits = 3; digits < MOST_DIGITS; digits += 1) {
    made = { factors: factors.map((factor) => written(factor, digits)), greatest: written(constant, digits) };
    const [first, ...others] = made.factors.map(Number);
    const redone = power ? Math.exp(first - Number(made.greatest))
      : form === "state/lstm" ? first * Math.tanh(others[0])
        : others.reduce((product, factor) => product * factor, first);
    if (written(redone, places) === wanted) break;
  }
  return made;
}
