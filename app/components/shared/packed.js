// What packed.py packs: JSON whose arrays lie behind it as float32. Returns the settings and what was packed as one.
export function unpack(bytes) {
  const { buffer } = Uint8Array.from(bytes); // a copy of its own begins at a whole word
  const length = new DataView(buffer).getUint32(0, true);
  const numbers = new Float32Array(buffer, 4 + length);
  const [settings, packed] = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, length)), (_, value) => {
    if (typeof value?.data !== "number" || !Array.isArray(value.shape)) return value;
    const size = value.shape.reduce((product, side) => product * side, 1);
    return { shape: value.shape, values: numbers.subarray(value.data, value.data + size) };
  });
  return { ...packed, ...settings };
}
