"""Heads of a Transformer for the stepper: every attention of every layer, one head at a time or their mean.

Each attention has two sides, the asking one and the one attended to: in cross-attention the target and the source, in
the decoder's self-attention the target and the tokens fed so far, in the encoder's the source and itself.
"""

from typing import Any, NamedTuple

import numpy as np
from jaxtyping import Bool, Float
from numpy import ndarray

from regard.app.components.shared.packed import encode
from regard.app.components.stepper.labels import label, labelled, weight_arrays, word_weights
from regard.model.alignment import BEGIN, ROWS, Alignment, Sentence
from regard.model.arithmetic import transformer_places as places
from regard.model.changes.head_changes import ATTENTIONS
from regard.model.soft_alignments.given_attention import GivenAttention
from regard.model.transformer.trace import AttentionTrace, FeedForwardTrace, TransformerTrace


class Sides(NamedTuple):
    """The two sides of an attention. `mask` is true where a row may attend; the rows of `at_once` all exist before the
    decoder begins.
    """

    asking: Sentence
    looked_at: Sentence
    mask: Bool[ndarray, "T S"]
    at_once: bool


def heads(trace: TransformerTrace) -> dict[str, Any]:
    """Return the sides and the layers with their heads, by attention."""
    return {name: _attention(trace, name) for name in ATTENTIONS}


def given_heads(given: GivenAttention) -> dict[str, Any]:
    """Return the sides and heads of attention from elsewhere, without vectors."""
    return {name: _given(given, name) for name in given.weights}


def sides(trace: TransformerTrace | GivenAttention, attention: str) -> Sides:
    """Return the asking side and the one attended to."""
    asking, looked_at = places.sides(trace, attention)
    if attention == "cross":
        return Sides(asking, looked_at, trace.reach, at_once=False)
    if attention == "decoder":
        return Sides(asking, looked_at, np.tri(len(asking.tokens), dtype=bool), at_once=False)
    return Sides(asking, looked_at, np.ones((len(asking.tokens),) * 2, dtype=bool), at_once=True)


def _attention(trace: TransformerTrace, name: str) -> dict[str, Any]:
    both, numbers = sides(trace, name), trace.attention(name)
    after = trace.encoder_feed_forward if name == "encoder" else trace.decoder_feed_forward
    layers = [_layer(numbers, after, layer, both, name != "decoder") for layer in range(len(numbers.weights))]
    embedded = trace.target_embedded if name == "decoder" else trace.source_embedded
    return _sided(both, layers) | {"embedded": encode(embedded)}  # of the tokens looked at


def _given(given: GivenAttention, name: str) -> dict[str, Any]:
    both, scores = sides(given, name), given.scores.get(name)
    layers = []
    for layer, heads in enumerate(given.weights[name]):
        drawn = [_weights(weights, both) for weights in heads]
        if scores is not None:
            for one, score in zip(drawn, scores[layer], strict=True):
                one["arrays"] |= {"score": encode(score)}
        mean = heads.mean(0, dtype=np.float64).astype(np.float32)
        layers.append({"heads": drawn, "mean": _weights(mean, both), "arrays": {}})
    return _sided(both, layers)


def _sided(both: Sides, layers: list[dict[str, Any]]) -> dict[str, Any]:
    return {
        "source": labelled(both.looked_at),
        "target": labelled(both.asking),
        "begin": None if both.at_once else label(BEGIN),
        "mask": encode(both.mask),
        "layers": layers,
    }


def _layer(
    numbers: AttentionTrace, after: FeedForwardTrace, layer: int, both: Sides, feeds_forward: bool
) -> dict[str, Any]:
    """Return a layer's heads, their mean, and its own vectors; the feed-forward network follows cross-attention."""
    vectors = {
        "normalised": numbers.normalised[layer],
        "joined": numbers.output[layer],
        "stream": numbers.stream[layer],
    }
    if feeds_forward:
        vectors |= {
            "hidden": after.hidden[layer],
            "feed_forward": after.output[layer],
            "stream_after": after.stream[layer],
        }
    return {
        "heads": [_head(numbers, layer, head, both) for head in range(numbers.weights.shape[1])],
        "mean": _weights(numbers.mean(layer), both),
        "arrays": {name: encode(vector) for name, vector in vectors.items()},
    }


def _head(numbers: AttentionTrace, layer: int, head: int, both: Sides) -> dict[str, Any]:
    drawn = _weights(numbers.weights[layer, head], both)
    vectors = {"query": numbers.queries, "key": numbers.keys, "value": numbers.values, "mixed": numbers.mixed}
    arrays = {name: encode(array[layer, head]) for name, array in vectors.items()}
    return drawn | {"arrays": drawn["arrays"] | arrays | {"score": encode(numbers.scores[layer, head])}}


def _weights(weights: Float[ndarray, "T S"], both: Sides) -> dict[str, Any]:
    alignment = Alignment(both.looked_at, both.asking, weights)
    return {
        "looked_at": weights.argmax(1).tolist(),
        "words": {rows: word_weights(alignment, rows) for rows in (ROWS[:1] if both.at_once else ROWS)},
        "arrays": weight_arrays(weights),
    }
