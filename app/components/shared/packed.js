// Unpacks the work of packed.py: JSON whose arrays lie behind it as float32. Returns the settings and what was packed as one.
export function unpack(bytes) {
  const { buffer } = Uint8Array.from(bytes); // a copy of its own begins at a whole word
  const length = new DataView(buffer).getUint32(0, true);
  const [numbers, bits] = [new Float32Array(buffer, 4 + length), new Uint8Array(buffer, 4 + length)];
  const [settings, packed] = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, length)), (_, value) => {
    if (!Array.isArray(value?.shape) || typeof value.data === "string" || value.data === undefined) return value;
    const size = value.shape.reduce((product, side) => product * side, 1);
    if (typeof value.data === "number") return { shape: value.shape, values: numbers.subarray(value.data, value.data + size) };
    const values = new Float32Array(size);
    let next = value.data[0] + Math.ceil(size / 32);
    for (let i = 0; i < size; i += 1) {
      if (bits[4 * value.data[0] + (i >> 3)] & (1 << (i & 7))) values[i] = numbers[(next += 1) - 1];
    }
    return { shape: value.shape, values };
  });
  return { ...packed, ...settings };
}
