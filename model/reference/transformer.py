"""The Transformer in NumPy alone, from the weights file and the token ids.

    x = √D W_e[y] + PE      x = x + MultiHead(LN(x))      x = x + FFN(LN(x))      p = softmax(W_e LN(x))

It shares no code with the network and never reads a trace. There is no batch and no cache: one sentence, a row per
token, all rows at once. Equations are those of `regard.model.transformer`; parameters go by their names in the file.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from jaxtyping import Bool, Float, Int
from numpy import ndarray

from regard.model.input_error import InputError
from regard.model.reference.formulas import (
    NO_STEERING,
    START,
    UNREADABLE,
    NumpyHeadChange,
    NumpySteering,
    log_sum_exp,
    read_files,
    softmax,
)

EPSILON = 1e-5  # of layer normalisation
WAVELENGTH = 10_000.0


@dataclass(frozen=True, eq=False)
class TransformerParameters:
    """The parameters, all of one type, by their names in the file, and the configuration."""

    arrays: Mapping[str, Float[ndarray, "..."]]
    heads: int
    encoder_layers: int
    decoder_layers: int
    positions: str

    def __getitem__(self, name: str) -> Float[ndarray, "..."]:
        return self.arrays[name]


@dataclass(frozen=True, eq=False)
class RecomputedAttention:
    """One layer's attention, named as in `regard.model.transformer.trace.AttentionTrace`, without the layers."""

    normalised: Float[ndarray, "T D"]
    queries: Float[ndarray, "N T Q"]
    keys: Float[ndarray, "N S Q"]
    values: Float[ndarray, "N S Q"]
    own_scores: Float[ndarray, "N T S"]
    scores: Float[ndarray, "N T S"]
    weights: Float[ndarray, "N T S"]
    mixed: Float[ndarray, "N T Q"]
    output: Float[ndarray, "T D"]
    stream: Float[ndarray, "T D"]


@dataclass(frozen=True, eq=False)
class RecomputedFeedForward:
    """The feed-forward network of one layer."""

    normalised: Float[ndarray, "T D"]
    hidden: Float[ndarray, "T F"]
    output: Float[ndarray, "T D"]
    stream: Float[ndarray, "T D"]


@dataclass(frozen=True, eq=False)
class TransformerRecomputation:
    """Every number of one forward pass, by the names of a trace; layers are tuples."""

    source_embedded: Float[ndarray, "S D"]
    encoder_attention: tuple[RecomputedAttention, ...]
    encoder_feed_forward: tuple[RecomputedFeedForward, ...]
    annotations: Float[ndarray, "S D"]
    target_embedded: Float[ndarray, "T D"]
    decoder_attention: tuple[RecomputedAttention, ...]
    cross_attention: tuple[RecomputedAttention, ...]
    decoder_feed_forward: tuple[RecomputedFeedForward, ...]
    attentional: Float[ndarray, "T D"]
    logits: Float[ndarray, "T V"]
    log_normaliser: Float[ndarray, " T"]


def load_transformer_parameters(folder: Path | str, dtype: type[np.floating] = np.float32) -> TransformerParameters:
    """Read `model.safetensors` and `config.json`. Raises InputError naming the folder if they cannot be used."""
    try:
        config, arrays = read_files(Path(folder), dtype)
        names = ("heads", "encoder_layers", "decoder_layers", "positions")
        return TransformerParameters(arrays, *(config[name] for name in names))
    except UNREADABLE as error:
        raise InputError(f"{folder} is not a Transformer that can be read: {error}") from error


def recompute_transformer(
    parameters: TransformerParameters,
    source_ids: Sequence[int] | Int[ndarray, " S"],
    target_ids: Sequence[int] | Int[ndarray, " T"],
    steering: NumpySteering = NO_STEERING,
    changes: Sequence[NumpyHeadChange] = (),
) -> TransformerRecomputation:
    """Compute the forward pass for these ids, in the type of `parameters`; the source ends with `</s>`, as in a trace.
    `steering` applies to all heads of the cross-attention; `changes` to single heads, in any attention."""
    source, target = np.array(source_ids), np.array(target_ids)
    source_embedded, target_embedded = _embed(parameters, source), _embed(parameters, np.array([START, *target[:-1]]))
    encoder, encoder_hidden = _encoder_layers(parameters, source_embedded, changes)
    annotations = steering.annotations(_normalise(parameters, "encoder.norm", encoder_hidden[-1].stream))
    decoder, cross, decoder_hidden = _decoder_layers(parameters, target_embedded, annotations, steering, changes)
    attentional = _normalise(parameters, "decoder.norm", decoder_hidden[-1].stream)
    attentional = np.stack([steering.vector("attentional", step, row) for step, row in enumerate(attentional)])
    logits = attentional @ parameters["embedding.weight"].T
    return TransformerRecomputation(
        source_embedded, tuple(encoder), tuple(encoder_hidden), annotations, target_embedded, tuple(decoder),
        tuple(cross), tuple(decoder_hidden), attentional, logits, log_sum_exp(logits),
    )  # fmt: skip


def _encoder_layers(
    parameters: TransformerParameters, stream: Float[ndarray, "S D"], changes: Sequence[NumpyHeadChange]
) -> tuple[list[RecomputedAttention], list[RecomputedFeedForward]]:
    attentions, hidden = [], []
    everywhere = np.ones((len(stream), len(stream)), dtype=bool)
    for layer in range(parameters.encoder_layers):
        place, own = f"encoder.layers.{layer}", _changes_of(changes, "encoder", layer)
        normalised = _normalise(parameters, f"{place}.attention_norm", stream)
        attentions.append(
            _attend(parameters, f"{place}.attention", stream, normalised, normalised, everywhere, NO_STEERING, own)
        )
        hidden.append(_feed_forward(parameters, place, attentions[-1].stream))
        stream = hidden[-1].stream
    return attentions, hidden


def _decoder_layers(
    parameters: TransformerParameters,
    stream: Float[ndarray, "T D"],
    annotations: Float[ndarray, "S D"],
    steering: NumpySteering,
    changes: Sequence[NumpyHeadChange],
) -> tuple[list[RecomputedAttention], list[RecomputedAttention], list[RecomputedFeedForward]]:
    so_far, everywhere = np.tri(len(stream), dtype=bool), np.ones((len(stream), len(annotations)), dtype=bool)
    selves, crosses, hidden = [], [], []
    for layer in range(parameters.decoder_layers):
        place = f"decoder.layers.{layer}"
        own, other = (_changes_of(changes, name, layer) for name in ("decoder", "cross"))
        read = _normalise(parameters, f"{place}.self_attention_norm", stream)
        selves.append(_attend(parameters, f"{place}.self_attention", stream, read, read, so_far, NO_STEERING, own))
        stream = selves[-1].stream
        read = _normalise(parameters, f"{place}.cross_attention_norm", stream)
        crosses.append(
            _attend(parameters, f"{place}.cross_attention", stream, read, annotations, everywhere, steering, other)
        )
        hidden.append(_feed_forward(parameters, place, crosses[-1].stream))
        stream = hidden[-1].stream
    return selves, crosses, hidden


def _changes_of(changes: Sequence[NumpyHeadChange], attention: str, layer: int) -> list[NumpyHeadChange]:
    return [change for change in changes if (change.attention, change.layer) == (attention, layer)]


def _embed(parameters: TransformerParameters, ids: Int[ndarray, " N"]) -> Float[ndarray, "N D"]:
    """Return embeddings times √D plus positions."""
    table = parameters["embedding.weight"]
    size = table.shape[1]
    if ids.dtype.kind != "i" or not len(ids) or ids.min() < 0 or ids.max() >= len(table):
        raise InputError(f"ids {ids.tolist()!r}: they must be one or more numbers from 0 to {len(table) - 1}")
    scaled = table[ids] * table.dtype.type(size**0.5)
    if parameters.positions == "none":
        return scaled
    angles = np.arange(len(ids))[:, None] / WAVELENGTH ** (np.arange(0, size, 2) / size)
    positions = np.empty((len(ids), size))
    positions[:, 0::2], positions[:, 1::2] = np.sin(angles), np.cos(angles)
    return scaled + positions.astype(table.dtype)


def _normalise(parameters: TransformerParameters, name: str, vectors: Float[ndarray, "N D"]) -> Float[ndarray, "N D"]:
    """Apply layer normalisation: mean 0 and variance 1 over the components, then a gain and a bias for each."""
    centred = vectors - vectors.mean(axis=1, keepdims=True)
    deviation = np.sqrt((centred**2).mean(axis=1, keepdims=True) + vectors.dtype.type(EPSILON))
    return centred / deviation * parameters[f"{name}.weight"] + parameters[f"{name}.bias"]


def _attend(
    parameters: TransformerParameters,
    name: str,
    stream: Float[ndarray, "T D"],
    normalised: Float[ndarray, "T D"],
    looked_at: Float[ndarray, "S D"],
    mask: Bool[ndarray, "T S"],
    steering: NumpySteering,
    changes: Sequence[NumpyHeadChange],
) -> RecomputedAttention:
    """Compute one attention, head by head."""
    rows, columns = mask.shape
    size = normalised.shape[1] // parameters.heads
    made = steering.rows(rows, columns, stream.dtype)
    mask = mask & ~made.hidden
    heads = []
    for head in range(parameters.heads):
        own = slice(head * size, (head + 1) * size)
        W_Q, W_K, W_V = (parameters[f"{name}.{matrix}.weight"][own] for matrix in ("W_Q", "W_K", "W_V"))
        queries, keys, values = normalised @ W_Q.T, looked_at @ W_K.T, looked_at @ W_V.T
        own_scores = queries @ keys.T / stream.dtype.type(size**0.5)
        scores = (own_scores + made.bonus) / made.temperature
        weights = np.where(made.replaced, made.weights, softmax(scores, mask))
        for change in changes:
            if change.head == head:
                weights = np.where(change.replaced, change.weights.astype(weights.dtype), weights)
        mixed = weights @ values
        for change in changes:
            if change.head == head and change.mixed:
                mixed[change.mixed[0]] = change.mixed[1]
        heads.append((queries, keys, values, own_scores, scores, weights, mixed))
    queries, keys, values, own_scores, scores, weights, mixed = (np.stack(each) for each in zip(*heads, strict=True))
    output = np.concatenate(list(mixed), axis=1) @ parameters[f"{name}.W_O.weight"].T
    return RecomputedAttention(
        normalised, queries, keys, values, own_scores, scores, weights, mixed, output, stream + output
    )


def _feed_forward(
    parameters: TransformerParameters, place: str, stream: Float[ndarray, "T D"]
) -> RecomputedFeedForward:
    normalised = _normalise(parameters, f"{place}.feed_forward_norm", stream)
    W_1, b_1, W_2, b_2 = (
        parameters[f"{place}.feed_forward.{part}"] for part in ("W_1.weight", "W_1.bias", "W_2.weight", "W_2.bias")
    )
    hidden = np.maximum(normalised @ W_1.T + b_1, 0)
    output = hidden @ W_2.T + b_2
    return RecomputedFeedForward(normalised, hidden, output, stream + output)
