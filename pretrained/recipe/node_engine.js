// Node engine: translates sentences, one per line as JSON, with the page's engine in Node.

import { engine } from "../../app/export/engine/index.js";

const [{ readFileSync }, { createInterface }] = await Promise.all([import("node:fs"), import("node:readline")]);
const [about, weights] = process.argv.slice(2);
const model = engine.modelOf({ ...JSON.parse(readFileSync(about, "utf8")), weights: new Uint8Array(readFileSync(weights)) });
for await (const line of createInterface({ input: process.stdin })) {
  console.log(JSON.stringify(engine.withCarried(engine.translate(model, JSON.parse(line)))));
}
