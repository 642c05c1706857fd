// Tokens: texts come in and what the page's tokenizer makes of them goes out, one a line as JSON, in Node. Places are in
// characters, as Python counts them.

import { tokenizerOf } from "../app/export/engine/tokenizer.js";

const [{ readFileSync }, { createInterface }] = await Promise.all([import("node:fs"), import("node:readline")]);
const tokenizer = tokenizerOf(JSON.parse(readFileSync(process.argv[2], "utf8")), ["en", "fr"]);
for await (const line of createInterface({ input: process.stdin })) {
  const { text, ids, words, wordOf, characters } = tokenizer.encode(...JSON.parse(line));
  const counted = new Map(); // JavaScript counts halves of characters
  let [half, count] = [0, 0];
  for (const character of text) {
    counted.set(half, count);
    half += character.length;
    count += 1;
  }
  counted.set(half, count);
  const spans = (some) => some.map(({ start, stop }) => [counted.get(start), counted.get(stop)]);
  process.stdout.write(`${JSON.stringify([text, ids, wordOf, spans(words), spans(characters)])}\n`);
}
