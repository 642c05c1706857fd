"""Heads of a Transformer opened: a weight to its score, and that to query and key."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from regard.model.arithmetic.attention import opened_entropy
from regard.model.arithmetic.derivation import Opened, powers, products, single
from regard.model.arithmetic.quantity import Quantity
from regard.model.arithmetic.transformer_places import column_text, merged_words
from regard.model.reference.transformer import RecomputedAttention, TransformerParameters, TransformerRecomputation
from regard.model.trace import entropy
from regard.model.transformer.trace import TransformerTrace

Opener = Callable[[Quantity, TransformerTrace, TransformerRecomputation, TransformerParameters], Opened]
NAMES = {"encoder": "attention", "decoder": "self_attention", "cross": "cross_attention"}  # in the file


def recomputed_attention(asked: Quantity, recomputation: TransformerRecomputation) -> RecomputedAttention:
    """Return NumPy's recomputation of the attention in question, in its layer."""
    layers = {
        "encoder": recomputation.encoder_attention,
        "decoder": recomputation.decoder_attention,
        "cross": recomputation.cross_attention,
    }
    return layers[asked.attention][asked.layer]


def place_in_file(asked: Quantity) -> str:
    """The prefix of the attention's parameters in the file."""
    side = "encoder" if asked.attention == "encoder" else "decoder"
    return f"{side}.layers.{asked.layer}.{NAMES[asked.attention]}"


def same_head(asked: Quantity, kind: str, **places: int) -> Quantity:
    """Another number of the same head, layer or attention."""
    return replace(asked, kind=kind, **places)


def of_layer(asked: Quantity, kind: str, row: int, component: int, layer: int | None = None) -> Quantity:
    """A number that a layer has once for all its heads."""
    return Quantity(
        kind, asked.trace, attention=asked.attention, layer=asked.layer if layer is None else layer,
        row=row, component=component,
    )  # fmt: skip


def open_score(
    asked: Quantity, trace: TransformerTrace, again: TransformerRecomputation, parameters: TransformerParameters
) -> Opened:
    """A score as the weights read it: the model's own, or after a bonus and a temperature."""
    numbers, found = trace.attention(asked.attention), recomputed_attention(asked, again)
    at = asked.head, asked.row, asked.column
    shown, recomputed = numbers.scores[asked.layer][at], found.scores[at]
    changes = trace.intervention
    bonus = sum(value for *place, value in changes.bonus if tuple(place) == (asked.row, asked.column))
    if asked.attention != "cross" or (not bonus and changes.temperature == 1):
        return open_own_score(asked, trace, again, parameters)._replace(shown=shown, recomputed=recomputed)
    parts = [
        single("own score", (same_head(asked, "head_own_score"),), found.own_scores[at], 1 / changes.temperature),
        single("bonus", (), bonus, 1 / changes.temperature),
    ]
    return Opened("score/steered", shown, recomputed, parts, ())


def open_own_score(
    asked: Quantity, trace: TransformerTrace, again: TransformerRecomputation, parameters: TransformerParameters
) -> Opened:
    """The model's own score: query times key, divided by √Q."""
    numbers, found = trace.attention(asked.attention), recomputed_attention(asked, again)
    query, key = found.queries[asked.head, asked.row], found.keys[asked.head, asked.column]
    part = products(
        "q",
        lambda j: (
            same_head(asked, "head_query", column=0, component=j),
            same_head(asked, "head_key", row=0, component=j),
        ),
        query,
        key,
        1 / len(query) ** 0.5,
    )
    at = asked.head, asked.row, asked.column
    shapes = (("query", query.shape), ("key", key.shape))
    return Opened("head_score", numbers.own_scores[asked.layer][at], found.own_scores[at], [part], shapes)


def open_weight(
    asked: Quantity, trace: TransformerTrace, again: TransformerRecomputation, parameters: TransformerParameters
) -> Opened:
    """A weight: softmax of the scores that the row may look at, or what a person set."""
    if asked.head < 0:
        return _mean_weight(asked, trace, again)
    found, at = recomputed_attention(asked, again), (asked.head, asked.row, asked.column)
    shown, recomputed = trace.attention(asked.attention).weights[asked.layer][at], found.weights[at]
    reached = reach(asked, trace)
    changes = trace.intervention
    named = (asked.attention, asked.layer, asked.head)
    if named in changes.heads_off:
        return Opened("weight/off", shown, recomputed, [], ())
    given = [row for *place, row in changes.head_weights if tuple(place) == (*named, asked.row)]
    if asked.attention == "cross" and not given:
        given = [row for step, row in changes.weights if step == asked.row]
    if given:
        return Opened("weight/given", shown, recomputed, [single("set by hand", (), given[0][asked.column])], ())
    if asked.column not in reached:
        return Opened("weight/masked", shown, recomputed, [], ())
    part, greatest = powers(
        lambda n: column_text(trace, asked.attention, reached[n]),
        lambda n: (same_head(asked, "head_score", column=reached[n]),),
        found.scores[asked.head, asked.row, reached],
    )
    first, shapes = reached.index(asked.column), (("scores", (len(reached),)),)
    return Opened("weight/softmax", shown, recomputed, [part], shapes, "share", greatest, first)


def reach(asked: Quantity, trace: TransformerTrace) -> list[int]:
    """The columns that a row may look at."""
    if asked.attention == "cross":
        return np.flatnonzero(trace.reach[asked.row]).tolist()
    return list(range(len(trace.source) if asked.attention == "encoder" else asked.row + 1))


def _mean_weight(asked: Quantity, trace: TransformerTrace, again: TransformerRecomputation) -> Opened:
    weights = recomputed_attention(asked, again).weights[:, asked.row]
    on = np.flatnonzero(weights.sum(1) > 0).tolist()
    part = products(
        lambda n: f"head {on[n] + 1}",
        lambda n: (same_head(asked, "head_weight", head=on[n]),),
        weights[on, asked.column],
    )
    shown = trace.attention(asked.attention).mean(asked.layer)[asked.row, asked.column]
    count = float(max(1, len(on)))
    recomputed = weights[:, asked.column].sum() / count
    return Opened("head_mean", shown, recomputed, [part], (("heads", (len(on),)),), "mean", count)


def _weights(asked: Quantity, again: TransformerRecomputation) -> Float[ndarray, "T S"]:
    """The recomputed weights of a head, or of the mean of the heads that are on."""
    found = recomputed_attention(asked, again).weights
    if asked.head >= 0:
        return found[asked.head]
    return found.sum(0) / (found.sum(2, keepdims=True) > 0).sum(0).clip(1)


def open_entropy(
    asked: Quantity, trace: TransformerTrace, again: TransformerRecomputation, parameters: TransformerParameters
) -> Opened:
    """The entropy of one row of a head's weights, or of their mean, in bits."""
    numbers = trace.attention(asked.attention)
    shown = numbers.weights[asked.layer, asked.head] if asked.head >= 0 else numbers.mean(asked.layer)
    return opened_entropy(
        entropy(shown[asked.row : asked.row + 1])[0],
        _weights(asked, again)[asked.row],
        lambda n: column_text(trace, asked.attention, n),
        lambda n: (same_head(asked, "head_weight", column=n),),
    )


def open_word_weight(
    asked: Quantity, trace: TransformerTrace, again: TransformerRecomputation, parameters: TransformerParameters
) -> Opened:
    """Between words: the sum over the tokens of the column, and the mean over those of the row."""
    merged, column_of = merged_words(trace, asked)
    steps = [step for step, row in enumerate(merged.row_of) if row == asked.row]
    columns = [column for column, word in enumerate(column_of) if word == asked.column]
    pairs = [(step, column) for step in steps for column in columns]
    tokens = _weights(asked, again)
    part = products(
        lambda n: f"{column_text(trace, asked.attention, pairs[n][1])} at {pairs[n][0] + 1}",
        lambda n: (replace(asked, kind="head_weight", rows=Quantity.rows, row=pairs[n][0], column=pairs[n][1]),),
        tokens[np.ix_(steps, columns)].ravel(),
    )
    shown, recomputed = merged.weights[asked.row, asked.column], float(part.values.sum()) / len(steps)
    shapes = (("tokens of the row", (len(steps),)), ("tokens of the column", (len(columns),)))
    return Opened("word_weight", shown, recomputed, [part], shapes, "mean", float(len(steps)))


WEIGHT_OPENERS: dict[str, Opener] = {
    "head_score": open_score,
    "head_own_score": open_own_score,
    "head_weight": open_weight,
    "head_entropy": open_entropy,
    "head_word_weight": open_word_weight,
}
