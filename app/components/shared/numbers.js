// Numbers: their transport, formats and colours.

const PARTS = 10_000; // a row of weights is in whole ten-thousandths, so that its sum is 1

// A matrix of float32; a vector is a matrix with one column. Numbers come as base64, or as arrays if computed here.
/** @param {{ shape: number[], data?: any, values?: any }} given */
export function decode({ shape, data, values = new Float32Array(bytesFrom(data).buffer) }) {
  const width = shape.length > 1 ? shape[1] : 1;
  return {
    shape,
    values,
    rows: shape[0],
    width,
    at: (row, column = 0) => values[row * width + column],
    row: (row) => values.subarray(row * width, (row + 1) * width),
  };
}

export function bytesFrom(base64) {
  const bytesOf = /** @type {any} */ (Uint8Array);
  if (bytesOf.fromBase64) return bytesOf.fromBase64(base64);
  const characters = atob(base64);
  const bytes = new Uint8Array(characters.length);
  for (let i = 0; i < bytes.length; i += 1) bytes[i] = characters.charCodeAt(i);
  return bytes;
}

export const megabytes = (bytes) => `${(bytes / 1e6).toFixed(1)} MB`;
export const percent = (share) => `${(100 * share).toFixed(1)}%`;
export const about = (value) => `≈ ${Number(Math.abs(value) < 1e-3 ? value.toFixed(6) : value.toPrecision(3))}`.replace("-", "−");
export const twoDecimals = (value) => value.toFixed(2).replace("-0.00", "0.00").replace("-", "−");

// The fewest digits that identify the float32.
export function exact(value) {
  const enough = [6, 7, 8, 9].find((digits) => Math.fround(Number(value.toPrecision(digits))) === value) ?? 9;
  return String(Number(value.toPrecision(enough))).replace("-", "−");
}

export const total = (row) => row.reduce((sum, weight) => sum + weight, 0);

// The row in whole parts; those with the largest remainders are rounded up.
export function inParts(row) {
  const exactly = row.map((weight) => weight * PARTS);
  const parts = exactly.map((part) => Math.floor(part + 1e-6));
  const order = row.map((_, i) => i).sort((i, j) => exactly[j] - parts[j] - (exactly[i] - parts[i]));
  for (const i of order.slice(0, Math.max(0, PARTS - total(parts)))) parts[i] += 1;
  return parts.map((part) => part / PARTS);
}

// Cividis (Nuñez, Anderton and Renslow 2018) at 18 equal distances.
export const CIVIDIS = [
  [0, 32, 76], [0, 42, 102], [0, 52, 110], [39, 63, 108], [60, 74, 107], [76, 85, 107],
  [91, 95, 109], [104, 106, 112], [117, 117, 117], [131, 129, 120], [146, 140, 120], [161, 152, 118],
  [176, 165, 114], [192, 178, 109], [209, 191, 102], [225, 204, 92], [243, 219, 79], [255, 233, 69],
];

// Fill and legible ink of a weight: black or white, whichever stands out more (at least 4.5 : 1).
export function weightColours(weight) {
  const place = Math.min(1, Math.max(0, weight)) * (CIVIDIS.length - 1);
  const index = Math.min(CIVIDIS.length - 2, Math.floor(place));
  const [red, green, blue] = CIVIDIS[index].map((channel, i) =>
    Math.round(channel + (place - index) * (CIVIDIS[index + 1][i] - channel)));
  const linear = [red, green, blue].map((c) => (c / 255 <= 0.04045 ? c / 3294.6 : ((c / 255 + 0.055) / 1.055) ** 2.4));
  const luminance = 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2];
  return { fill: `rgb(${red} ${green} ${blue})`, ink: luminance > 0.179 ? "#000" : "#fff" };
}

// 256 colours from the most negative to the most positive, in the pixel format of a canvas: two hues, stronger far
// from 0 and transparent at 0, so that the page shows through, light or dark.
export function signedPixels(hues) {
  const colours = hues.map((hex) => [1, 3, 5].map((start) => parseInt(hex.slice(start, start + 2), 16)));
  return Uint32Array.from({ length: 256 }, (_, i) => {
    const value = i / 127.5 - 1;
    const [red, green, blue] = colours[value < 0 ? 0 : 1];
    return ((Math.round(255 * Math.abs(value)) << 24) | (blue << 16) | (green << 8) | red) >>> 0;
  });
}
