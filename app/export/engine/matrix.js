// Matrix: rows of float32 one after the other. Sums are made in float64 and rounded once, so that they differ from
// PyTorch's, which adds in another order, only by its own rounding.

import { megabytes } from "../../components/shared/numbers.js";

const BLOCK = 8; // rows that are multiplied together: twice as fast as one by one

/**
 * @typedef {Float32Array} Vector
 * @typedef {{ rows: number, width: number, shape: number[], values: Vector, blocks?: Float32Array }} Matrix
 */

/** @type {(rows: number, width: number, values?: Vector) => Matrix} */
export const matrix = (rows, width, values = new Float32Array(rows * width)) => ({ rows, width, shape: [rows, width], values });

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

export function logSumExp(logits) {
  let greatest = -Infinity;
  for (const logit of logits) if (logit > greatest) greatest = logit;
  let sum = 0;
  for (const logit of logits) sum += Math.exp(logit - greatest);
  return greatest + Math.log(sum);
}

// [a ; b]
export function joined(one, other) {
  const both = new Float32Array(one.length + other.length);
  both.set(one);
  both.set(other, one.length);
  return both;
}

// Safetensors: a file of named arrays. Eight bytes give the length of the header, JSON with the start and end of each
// array in the rest. Every array is widened to float32.

const WIDTHS = { F32: 4, F16: 2, I8: 1 }; // bytes of one number

// The number of each float16. IEEE 754: 1 bit of sign, 5 of exponent, 10 of fraction.
const FLOAT16 = Float32Array.from({ length: 0x10000 }, (_, bits) => {
  const [sign, exponent, fraction] = [bits >> 15 ? -1 : 1, (bits >> 10) & 31, bits & 1023];
  if (exponent === 31) return fraction ? NaN : sign * Infinity;
  return exponent ? sign * 2 ** (exponent - 15) * (1 + fraction / 1024) : sign * 2 ** -24 * fraction;
});

/** @typedef {{ shape: number[], values: Float32Array }} Tensor */

/**
 * Tensors by name. Errors name the problem in the file.
 * @param {Uint8Array} bytes
 * @returns {Map<string, Tensor>}
 */
export function tensorsOf(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const length = bytes.length < 8 ? Infinity : Number(view.getBigUint64(0, true));
  if (8 + length > bytes.length) throw new Error(`the weights are cut short: ${megabytes(bytes.length)} are here`);
  const { __metadata__: _, ...header } = JSON.parse(new TextDecoder().decode(bytes.subarray(8, 8 + length)));
  const body = bytes.subarray(8 + length);
  const wanted = Math.max(0, ...Object.values(header).map(({ data_offsets: [, stop] }) => stop));
  if (body.length < wanted) {
    throw new Error(`the weights are cut short: ${megabytes(body.length)} of ${megabytes(wanted)} are here`);
  }
  return new Map(Object.entries(header).map(([name, tensor]) => [name, tensorOf(name, tensor, body)]));
}

function tensorOf(name, { dtype, shape, data_offsets: [start, stop] }, body) {
  const count = shape.reduce((product, size) => product * size, 1);
  if (!Object.hasOwn(WIDTHS, dtype)) throw new Error(`${name} is of type ${dtype}; F32, F16 and I8 can be read`);
  if (stop - start !== count * WIDTHS[dtype]) throw new Error(`${name}: ${stop - start} bytes do not make ${count} numbers`);
  const raw = body.slice(start, stop).buffer; // a copy begins at a whole number
  const values = { F32: () => new Float32Array(raw), F16: () => Float32Array.from(new Uint16Array(raw), (bits) => FLOAT16[bits]),
    I8: () => Float32Array.from(new Int8Array(raw)) }[dtype]();
  return { shape, values };
}
