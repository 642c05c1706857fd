// Safetensors: a file of named arrays. Eight bytes say how long the header is, which is JSON and says where in the rest
// each array begins and ends. Every array is widened to float32.

const WIDTHS = { F32: 4, F16: 2, I8: 1 }; // bytes of one number

/** @typedef {{ shape: number[], values: Float32Array }} Tensor */

/**
 * Tensors by name. Errors say what is wrong with the file.
 * @param {Uint8Array} bytes
 * @returns {Map<string, Tensor>}
 */
export function tensorsOf(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const length = bytes.length < 8 ? Infinity : Number(view.getBigUint64(0, true));
  if (8 + length > bytes.length) throw new Error(`the weights are cut short: ${counted(bytes.length)} are here`);
  const { __metadata__: _, ...header } = JSON.parse(new TextDecoder().decode(bytes.subarray(8, 8 + length)));
  const body = bytes.subarray(8 + length);
  const wanted = Math.max(0, ...Object.values(header).map(({ data_offsets: [, stop] }) => stop));
  if (body.length < wanted) {
    throw new Error(`the weights are cut short: ${counted(body.length)} of ${counted(wanted)} are here`);
  }
  return new Map(Object.entries(header).map(([name, tensor]) => [name, tensorOf(name, tensor, body)]));
}

function tensorOf(name, { dtype, shape, data_offsets: [start, stop] }, body) {
  const count = shape.reduce((product, size) => product * size, 1);
  if (!Object.hasOwn(WIDTHS, dtype)) throw new Error(`${name} is of type ${dtype}; F32, F16 and I8 can be read`);
  if (stop - start !== count * WIDTHS[dtype]) throw new Error(`${name}: ${stop - start} bytes do not make ${count} numbers`);
  const raw = body.slice(start, stop).buffer; // a copy begins at a whole number
  const values = { F32: () => new Float32Array(raw), F16: () => widened(new Uint16Array(raw)),
    I8: () => Float32Array.from(new Int8Array(raw)) }[dtype]();
  return { shape, values };
}

// IEEE 754 half precision: 1 bit of sign, 5 of exponent, 10 of fraction. A table has all values.
function widened(halves) {
  const { table } = widened;
  const values = new Float32Array(halves.length);
  for (let i = 0; i < halves.length; i += 1) values[i] = table[halves[i]];
  return values;
}
widened.table = Float32Array.from({ length: 0x10000 }, (_, bits) => {
  const [sign, exponent, fraction] = [bits >> 15 ? -1 : 1, (bits >> 10) & 31, bits & 1023];
  if (exponent === 31) return fraction ? NaN : sign * Infinity;
  return exponent ? sign * 2 ** (exponent - 15) * (1 + fraction / 1024) : sign * 2 ** -24 * fraction;
});

export const counted = (bytes) => `${(bytes / 1e6).toFixed(1)} MB`;
