// Weights: the models of the page, described in its data, whose weights are read when a model is first used: from the
// element that holds them or from the file beside the page; and other packed data of the page.

import { bytesFrom, megabytes } from "../../components/shared/numbers.js";
import { engine } from "../engine/index.js";

const SHORT = "Fetch or save it again; a download may have been interrupted.";

// `tell(text, share)` reports what is being read, and the share done.
export function modelsOf(descriptions, tell) {
  const names = descriptions.map(({ name }) => name);
  const described = (name) => descriptions.find((model) => model.name === name);
  const read = new Map(); // by name

  async function called(name) {
    if (!read.has(name)) {
      const { tokenizer, axes: packed, ...about } = described(name);
      const axes = bytesFrom(packed);
      const weights = await (about.file ? fetched(about, tell) : held(about, names.indexOf(name), tell));
      tell(`Reading the weights of ${name} …`);
      await painted();
      read.set(name, { ...about, ...engine.modelOf({ ...about, tokenizer, weights, axes }) });
    }
    return read.get(name);
  }
  return { names, described, called, loaded: (name) => read.get(name) };
}

async function held(model, place, tell) {
  tell(`Reading the weights of ${model.name} …`);
  await painted();
  const node = document.getElementById(`weights-${place}`);
  const text = node?.textContent.trim() ?? "";
  if (text.length < model.size) {
    throw new Error(`this file is cut short: ${megabytes(text.length)} of ${megabytes(model.size)} of the weights of `
      + `${model.name} are here. ${SHORT}`);
  }
  const packed = bytesFrom(text);
  node?.remove(); // needed only once
  try {
    return await unpacked(packed);
  } catch {
    throw new Error(`the weights of ${model.name} are damaged. ${SHORT}`);
  }
}

// The text that was compressed with gzip and written in base64.
export const textFrom = async (base64) => new TextDecoder().decode(await unpacked(bytesFrom(base64)));

// Piece by piece: with a Response, Firefox's console would also report damage that is reported here.
async function unpacked(packed) {
  const pieces = [];
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  for (const reader = stream.getReader(); ;) {
    const { done, value } = await reader.read();
    if (done) break;
    pieces.push(value);
  }
  return new Uint8Array(await new Blob(pieces).arrayBuffer());
}

async function fetched(model, tell) {
  if (window.location.protocol === "file:") {
    throw new Error(`opened from disk a page may not read the file beside it, ${model.file}. Serve the folder `
      + "(python -m http.server), or export one file that holds everything (--html)");
  }
  const answer = /** @type {any} */ (await fetch(model.file).catch(() => null));
  if (!answer?.ok) throw new Error(`${model.file} could not be fetched (${answer?.status ?? "no connection"})`);
  const bytes = new Uint8Array(model.size);
  let received = 0;
  for (const reader = answer.body.getReader(); ;) {
    const { done, value } = await reader.read();
    if (done) break;
    if (received + value.length <= model.size) bytes.set(value, received);
    received += value.length;
    tell(`Fetching ${model.name}: ${megabytes(received)} of ${megabytes(model.size)}`, received / model.size);
  }
  if (received !== model.size) {
    throw new Error(`${model.file} has ${megabytes(received)} in place of ${megabytes(model.size)}. ${SHORT}`);
  }
  return bytes;
}

// Resolves once the page has painted its current state.
export const painted = () => new Promise((done) => { requestAnimationFrame(() => setTimeout(done)); });
