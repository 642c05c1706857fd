// PNG: a few pixels as a data URL, stored without compression. Made here, because a browser that guards privacy may alter what
// it reads back from a canvas.

const SIGNATURE = [137, 80, 78, 71, 13, 10, 26, 10];
const CRC = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? 0xedb88320 ^ (crc >>> 1) : crc >>> 1;
  return crc;
});

// `pixels` holds red, green, blue and opacity of each pixel, from 0 to 255, row by row.
export function pngOf(pixels, width) {
  const line = 4 * width;
  const height = pixels.length / line;
  const lines = new Uint8Array(height * (line + 1)); // each begins with its filter, 0
  for (let row = 0; row < height; row += 1) lines.set(pixels.subarray(row * line, (row + 1) * line), row * (line + 1) + 1);
  const header = [...bigEndian(width), ...bigEndian(height), 8, 6, 0, 0, 0];
  const bytes = [...SIGNATURE, ...chunk("IHDR", header), ...chunk("IDAT", stored(lines)), ...chunk("IEND", [])];
  return `data:image/png;base64,${btoa(String.fromCharCode(...bytes))}`;
}

const bigEndian = (number) => [number >>> 24, (number >>> 16) & 255, (number >>> 8) & 255, number & 255];

function chunk(name, content) {
  const named = [...name].map((letter) => letter.charCodeAt(0)).concat(...content);
  const crc = named.reduce((sum, byte) => CRC[(sum ^ byte) & 255] ^ (sum >>> 8), 0xffffffff);
  return [...bigEndian(content.length), ...named, ...bigEndian(~crc >>> 0)];
}

// A zlib stream of one block, of up to 65,535 bytes.
function stored(bytes) {
  let [a, b] = [1, 0];
  for (const byte of bytes) {
    a = (a + byte) % 65521;
    b = (b + a) % 65521;
  }
  const { length } = bytes;
  return [0x78, 1, 1, length & 255, length >>> 8, ~length & 255, (~length >>> 8) & 255, ...bytes, ...bigEndian(((b << 16) | a) >>> 0)];
}
