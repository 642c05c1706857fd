// Models of the page: described in its data; the weights are read when a model is first used.

import { bytesFrom } from "../../components/shared/numbers.js";
import { engine } from "../engine/index.js";
import { painted, weightsOf } from "./weights.js";

// `tell(text, share)` reports what is being read, and the share done.
export function modelsOf(descriptions, tell) {
  const names = descriptions.map(({ name }) => name);
  const described = (name) => descriptions.find((model) => model.name === name);
  const read = new Map(); // by name

  async function called(name) {
    if (!read.has(name)) {
      const { tokenizer, axes: packed, ...about } = described(name);
      const axes = bytesFrom(packed);
      const weights = await weightsOf(about, names.indexOf(name), tell);
      tell(`Reading the weights of ${name} …`);
      await painted();
      read.set(name, { ...about, ...engine.modelOf({ ...about, tokenizer, weights, axes }) });
    }
    return read.get(name);
  }
  return { names, described, called, loaded: (name) => read.get(name) };
}
