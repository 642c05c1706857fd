// Matrix: rows of float32 one after the other. Sums are made in float64 and rounded once, so that they differ from
// PyTorch's, which adds in another order, only by its own rounding.

const BLOCK = 8; // rows that are multiplied together: twice as fast as one by one

/**
 * @typedef {Float32Array} Vector
 * @typedef {{ rows: number, width: number, values: Vector, blocks?: Float32Array }} Matrix
 */

/** @type {(rows: number, width: number, values?: Vector) => Matrix} */
export const matrix = (rows, width, values = new Float32Array(rows * width)) => ({ rows, width, values });

/** @type {(given: Matrix, row: number, column: number) => number} */
export const at = (given, row, column) => given.values[row * given.width + column];
/** @type {(given: Matrix, row: number) => Vector} */
export const rowOf = (given, row) => given.values.subarray(row * given.width, (row + 1) * given.width);

// Vectors, all of one length, as the rows of a matrix.
export function stacked(vectors, width = vectors[0].length) {
  const made = matrix(vectors.length, width);
  vectors.forEach((vector, row) => made.values.set(vector, row * width));
  return made;
}

// W x + b
export function product(W, x, bias = null) {
  W.blocks ??= blocksOf(W);
  const { blocks, rows, width } = W;
  const out = new Float32Array(Math.ceil(rows / BLOCK) * BLOCK);
  const wide = new Float64Array(x);
  let k = 0;
  for (let row = 0; row < rows; row += BLOCK) {
    let [a, b, c, d, e, f, g, h] = [0, 0, 0, 0, 0, 0, 0, 0];
    for (let j = 0; j < width; j += 1, k += BLOCK) {
      const component = wide[j];
      a += blocks[k] * component;
      b += blocks[k + 1] * component;
      c += blocks[k + 2] * component;
      d += blocks[k + 3] * component;
      e += blocks[k + 4] * component;
      f += blocks[k + 5] * component;
      g += blocks[k + 6] * component;
      h += blocks[k + 7] * component;
    }
    out[row] = a;
    out[row + 1] = b;
    out[row + 2] = c;
    out[row + 3] = d;
    out[row + 4] = e;
    out[row + 5] = f;
    out[row + 6] = g;
    out[row + 7] = h;
  }
  if (bias) for (let i = 0; i < rows; i += 1) out[i] += bias[i];
  return out.subarray(0, rows);
}

// The numbers rearranged: the j-th components of eight rows side by side, in the order that `product` reads.
function blocksOf({ rows, width, values }) {
  const blocks = new Float32Array(Math.ceil(rows / BLOCK) * BLOCK * width);
  for (let row = 0; row < rows; row += 1) {
    const start = (row - (row % BLOCK)) * width + (row % BLOCK);
    for (let j = 0; j < width; j += 1) blocks[start + j * BLOCK] = values[row * width + j];
  }
  return blocks;
}

export function dot(one, other) {
  let sum = 0;
  for (let j = 0; j < one.length; j += 1) sum += one[j] * other[j];
  return sum;
}

export const sigmoid = (sum) => 1 / (1 + Math.exp(-sum));

// [a ; b]
export function joined(one, other) {
  const both = new Float32Array(one.length + other.length);
  both.set(one);
  both.set(other, one.length);
  return both;
}
