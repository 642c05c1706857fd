// Safetensors: a file of named arrays. Eight bytes give the length of the header, JSON with the start and end of each
// array in the rest. Every array is widened to float32.

import { megabytes } from "../../components/shared/numbers.js";

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
