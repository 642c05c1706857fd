// Transformer: layer normalisation, attention, positions, feed-forward networks, encoder, decoder, and its trace.

import { dot, matrix, product, rowOf, stacked } from "./matrix.js";
import { givenTo, NO_HEADS, NO_STEERING, steer } from "./seq2seq.js";

// Layer normalisation: a vector less its mean, by its deviation, times a gain, and a bias. Ba, Kiros and Hinton
// (2016). As torch.nn.LayerNorm computes it.

export const EPSILON = 1e-5;

export function momentsOf(vector) {
  let sum = 0;
  for (const value of vector) sum += value;
  const mean = sum / vector.length;
  let squares = 0;
  for (const value of vector) squares += (value - mean) ** 2;
  return { mean, deviation: Math.sqrt(squares / vector.length + EPSILON) };
}

function layerNorm(parameters, name, vector) {
  const [gain, bias] = ["weight", "bias"].map((part) => parameters.get(`${name}.${part}`));
  const { mean, deviation } = momentsOf(vector);
  return vector.map((value, j) => ((value - mean) / deviation) * gain[j] + bias[j]);
}

// Multi-head attention: several queries of one vector, each with keys and values of its own. Vaswani et al. (2017),
// sections 3.2.1 and 3.2.2. In self-attention y are the vectors of the same sentence as x, in cross-attention the
// source's. The heads of a vector are side by side: the first D / N components are the first head's. The twin of
// model/transformer/attention.py, which has the equations.

// Keys and values of the vectors to attend to, one vector each.
function remember(parameters, name, vectors) {
  const each = (matrix) => vectors.map((vector) => product(parameters.get(`${name}.${matrix}.weight`), vector));
  return { keys: each("W_K"), values: each("W_V") };
}

// One head's part of a vector.
const ofHead = (vector, head, heads) =>
  vector.subarray((head * vector.length) / heads, ((head + 1) * vector.length) / heads);

// Attends from a vector of the residual stream, and LayerNorm of it, to keys and values. `steering` changes all heads;
// `given(head)` returns its weights, or null.
function attend(parameters, name, heads, asking, { keys, values }, given, steering = NO_STEERING) {
  const [before, normalised] = asking;
  const queries = product(parameters.get(`${name}.W_Q.weight`), normalised);
  const mixed = new Float32Array(queries.length);
  const root = Math.sqrt(queries.length / heads);
  const reach = keys.map(() => true);
  const found = Array.from({ length: heads }, (_, head) => {
    const query = ofHead(queries, head, heads);
    const ownScores = Float32Array.from(keys, (key) => dot(query, ofHead(key, head, heads)) / root);
    const { scores, weights: own } = steer(ownScores, reach, steering);
    const weights = given(head) ?? own;
    mix(weights, values.map((value) => ofHead(value, head, heads)), ofHead(mixed, head, heads));
    return { ownScores, scores, weights };
  });
  const output = product(parameters.get(`${name}.W_O.weight`), mixed);
  return { normalised, queries, heads: found, mixed, output, stream: before.map((value, j) => value + output[j]) };
}

// Weighted values.
function mix(weights, values, out) {
  for (let j = 0; j < out.length; j += 1) {
    let sum = 0;
    for (let i = 0; i < weights.length; i += 1) sum += weights[i] * values[i][j];
    out[j] = sum;
  }
}

// The mean weights of the active heads; one that is switched off has weights of 0.
function meanOfHeads(rows) {
  const on = rows.filter((row) => row.some((weight) => weight > 0)).length;
  return rows[0].map((_, i) => rows.reduce((sum, row) => sum + row[i], 0) / Math.max(1, on));
}

// Positional encoding: attention alone cannot tell order, so each position adds its own vector. Vaswani et al. (2017),
// section 3.5. The twin of model/transformer/attention.py, which has the equations.

const WAVELENGTH = 10000; // times 2π: the wavelength of the slowest component

// One component of the encoding of a position.
export function sinusoid(position, component, size) {
  const angle = position / WAVELENGTH ** ((component - (component % 2)) / size);
  return component % 2 ? Math.cos(angle) : Math.sin(angle);
}

const POSITIONS = {
  sinusoids: (position, size) => Float32Array.from({ length: size }, (_, component) => sinusoid(position, component, size)),
  none: (position, size) => new Float32Array(size),
};

// Feed-forward network of a layer: the same two maps for every position by itself. Vaswani et al. (2017), section 3.3.
// The twin of model/transformer/attention.py, which has the equations.

// The feed-forward part of a layer: its effect on a vector of the residual stream.
function feedForward(parameters, layer, stream) {
  const map = (name, vector) =>
    product(parameters.get(`${layer}.feed_forward.${name}.weight`), vector, parameters.get(`${layer}.feed_forward.${name}.bias`));
  const normalised = layerNorm(parameters, `${layer}.feed_forward_norm`, stream);
  const hidden = map("W_1", normalised).map((value) => Math.max(0, value));
  const output = map("W_2", hidden);
  return { normalised, hidden, output, stream: stream.map((value, j) => value + output[j]) };
}

// Encoder of the Transformer: every source token looks at all of them, layer by layer. Vaswani et al. (2017), section
// 3.1. x is the residual stream: each part of a layer reads it, and adds to it. The twin of
// model/transformer/layers.py, which has the equations.

// Encodes embeddings with positions: for every layer the attention and the feed-forward part of each token, with keys
// and values. `changed` has the heads that a person changed.
function encodeSource(config, parameters, embedded, changed) {
  const layers = [];
  let streams = embedded;
  for (let number = 0; number < config.encoder_layers; number += 1) {
    const layer = `encoder.layers.${number}`;
    const name = `${layer}.attention`;
    const normalised = streams.map((stream) => layerNorm(parameters, `${name}_norm`, stream));
    const memory = remember(parameters, name, normalised);
    const attention = streams.map((stream, row) => {
      const given = (head) => givenTo(changed, ["encoder", number, head], row, streams.length);
      return attend(parameters, name, config.heads, [stream, normalised[row]], memory, given);
    });
    const feed = attention.map(({ stream }) => feedForward(parameters, layer, stream));
    layers.push({ attention, memory, feed });
    streams = feed.map(({ stream }) => stream);
  }
  return { embedded, layers, annotations: streams.map((stream) => layerNorm(parameters, "encoder.norm", stream)) };
}

// Decoder of the Transformer: a target token looks at those before it, then at the source. Vaswani et al. (2017),
// sections 3.1 and 3.2.3. Tokens come one by one: keys and values of the earlier ones are kept (key-value cache), so a
// step computes only one token. The twin of model/transformer/layers.py, which has the equations.

function decoderLayer({ heads }, parameters, number, stream, before, source, steering) {
  const layer = `decoder.layers.${number}`;
  const step = before.keys.length;
  const given = (attention, width) => (head) => givenTo(steering.heads, [attention, number, head], step, width);
  const [own, other] = ["self", "cross"].map((name) => `${layer}.${name}_attention`);
  const normalised = (name, from) => [from, layerNorm(parameters, `${name}_norm`, from)];
  const asking = normalised(own, stream);
  const last = remember(parameters, own, [asking[1]]);
  const memory = { keys: [...before.keys, ...last.keys], values: [...before.values, ...last.values] };
  const self = attend(parameters, own, heads, asking, memory, given("decoder", step + 1));
  const cross = attend(parameters, other, heads, normalised(other, self.stream), source, given("cross", source.keys.length), steering);
  return { self, cross, memory, feed: feedForward(parameters, layer, cross.stream) };
}

export const NETWORK = "transformer"; // in its configuration, which a recurrent network's lacks

// Trace of a Transformer: every number of one translation, of every layer and head. The twin of
// model/transformer/trace.py and model/transformer/transformer.py.
//
// An attention is a list of its layers; T vectors look at S, the same ones in self-attention. `ownScores` are the
// model's, `scores` those after a person's changes. For a position still to come, score and weight are written as 0.
// `mixed` has the weighted values; W_O of them, the heads joined, is `output`; `stream` is the residual stream after
// adding it.

export function numbersOf({ heads, encoder_layers: reading, decoder_layers: writing }, memory, steps) {
  const { encoded, layers } = memory;
  const ofStep = (number, part) => steps.map((step) => step.layers[number][part]);
  const each = (count, make) => Array.from({ length: count }, (_, number) => make(number));
  const cross = each(writing, (number) => attentionOf(ofStep(number, "cross"), layers[number], heads));
  const cache = steps.at(-1).cache;
  return {
    sourceEmbedded: stacked(encoded.embedded),
    encoderAttention: each(reading, (number) => attentionOf(encoded.layers[number].attention, encoded.layers[number].memory, heads)),
    encoderFeedForward: each(reading, (number) => feedForwardOf(encoded.layers[number].feed)),
    annotations: stacked(encoded.annotations),
    targetEmbedded: stacked(steps.map(({ embedded }) => embedded)),
    decoderAttention: each(writing, (number) => attentionOf(ofStep(number, "self"), cache[number], heads)),
    crossAttention: cross,
    decoderFeedForward: each(writing, (number) => feedForwardOf(ofStep(number, "feed"))),
    attentional: stacked(steps.map(({ attentional }) => attentional)),
    weights: cross.at(-1).mean,
  };
}

export const isTransformer = (trace) => trace.maker.wiring === "transformer";

// The layers of one of the three attentions of a trace, by its name in an intervention.
export const attentionIn = (trace, attention) =>
  ({ encoder: trace.encoderAttention, decoder: trace.decoderAttention, cross: trace.crossAttention })[attention];

// The layers of the feed-forward networks that follow an attention.
export const feedForwardIn = (trace, attention) =>
  (attention === "encoder" ? trace.encoderFeedForward : trace.decoderFeedForward);

// One layer of one attention, from the result of each row; a matrix per head.
function attentionOf(rows, { keys, values }, heads) {
  const width = keys.length;
  const vectors = (name) => stacked(rows.map((row) => row[name]));
  const cut = (all) => Array.from({ length: heads }, (_, head) => stacked(all.map((vector) => ofHead(vector, head, heads))));
  const square = (name) => Array.from({ length: heads }, (_, head) => padded(rows.map((row) => row.heads[head][name]), width));
  const weights = square("weights");
  return {
    normalised: vectors("normalised"),
    queries: cut(rows.map(({ queries }) => queries)),
    keys: cut(keys),
    values: cut(values),
    ownScores: square("ownScores"),
    scores: square("scores"),
    weights,
    mean: stacked(rows.map((row, t) => meanOfHeads(weights.map((one) => one.values.subarray(t * width, (t + 1) * width))))),
    mixed: cut(rows.map(({ mixed }) => mixed)),
    output: vectors("output"),
    stream: vectors("stream"),
  };
}

const feedForwardOf = (rows) => Object.fromEntries(["normalised", "hidden", "output", "stream"]
  .map((name) => [name, stacked(rows.map((row) => row[name]))]));

// Pads shorter rows with zeros.
function padded(rows, width) {
  const made = matrix(rows.length, width);
  rows.forEach((row, t) => made.values.set(row, t * width));
  return made;
}

// The Transformer that owns all parameters: embeddings with positions, encoder, decoder, output. Vaswani et al.
// (2017), section 3.4. One table of embeddings W_e serves source, target and output. The twin of
// model/transformer/transformer.py, which has the equations.

// `encode` a sentence, `start`, then `step` from token to token, as for a recurrent network.
export function transformer(config, parameters) {
  const embedding = parameters.get("embedding.weight");
  const scale = Math.fround(Math.sqrt(config.embedding));
  const numbers = Array.from({ length: config.decoder_layers }, (_, number) => number);

  function embed(token, position) {
    const encoding = POSITIONS[config.positions](position, config.embedding);
    return rowOf(embedding, token).map((value, j) => Math.fround(scale * value) + encoding[j]);
  }

  // Keys and values of a source sentence, whose ids end with `</s>`; `changed` are heads that a person changed.
  function encode(ids, changed = NO_HEADS) {
    const encoded = encodeSource(config, parameters, ids.map(embed), changed);
    const layers = numbers.map((number) => remember(parameters, `decoder.layers.${number}.cross_attention`, encoded.annotations));
    return { encoded, layers, reach: ids.map(() => true) };
  }

  const start = () => ({ cache: numbers.map(() => ({ keys: [], values: [] })) });

  // `cache` and `source` are keys and values for each layer of the decoder.
  function step(token, { cache }, { layers: source }, steering = NO_STEERING) {
    const embedded = embed(token, cache[0].keys.length);
    const layers = /** @type {any[]} */ ([]);
    for (const number of numbers) {
      const stream = layers.at(-1)?.feed.stream ?? embedded;
      layers.push(decoderLayer(config, parameters, number, stream, cache[number], source[number], steering));
    }
    return {
      embedded, layers, cache: layers.map(({ memory }) => memory),
      attentional: layerNorm(parameters, "decoder.norm", layers.at(-1).feed.stream),
      weights: meanOfHeads(layers.at(-1).cross.heads.map(({ weights }) => weights)),
    };
  }

  const logits = (attentional) => product(embedding, attentional);
  const { encoder_layers: encoder, decoder_layers: decoder, heads } = config;
  return {
    config, parameters, encode, start, step, logits,
    reachOf: (positions) => Array.from({ length: positions }, () => true),
    numbers: (memory, _, steps) => numbersOf(config, memory, steps),
    layout: { encoder: [encoder, heads], decoder: [decoder, heads], cross: [decoder, heads] },
    choices: { score: "scaled dot", wiring: "transformer", cell: "none", gates: [] },
  };
}
