// Posteriors: for all traces of an answer, how likely each source token alone makes each token written. They take as
// long as many translations, so they are computed in pieces that let the page do other things.

import { engine } from "../engine/index.js";
import { painted } from "./weights.js";

const PIECE = 50; // milliseconds

// The answer with its posteriors; null as soon as `wanted` returns false.
export async function withPosteriors(answer, wanted) {
  const traces = [];
  for (const [place, trace] of answer.traces.entries()) {
    const posterior = await inPieces(engine.posterior(answer.models[place], trace), wanted);
    if (!posterior) return null;
    traces.push({ ...trace, posterior });
  }
  const payload = engine.payloadOf(traces);
  const drawn = answer.drawn.traces.map((trace, place) => ({ ...trace, posterior: payload[place].posterior }));
  return { ...answer, traces, drawn: { ...answer.drawn, traces: drawn } };
}

async function inPieces(work, wanted) {
  for (let since = -Infinity; ;) {
    if (performance.now() - since > PIECE) {
      await painted();
      if (!wanted()) return null;
      since = performance.now();
    }
    const { done, value } = work.next();
    if (done) return value;
  }
}
