"""Heads of a Transformer opened: a weight down to its score, a score down to query and key, and these to their vectors;
values, each head's output z, and the heads joined."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from regard.model.arithmetic.attention import opened_entropy, opened_word_mean
from regard.model.arithmetic.derivation import Opened, powers, products, single
from regard.model.arithmetic.quantity import Quantity
from regard.model.arithmetic.transformer_places import column_text, merged_words
from regard.model.reference.transformer import RecomputedAttention
from regard.model.reference.transformer import TransformerParameters as Parameters
from regard.model.reference.transformer import TransformerRecomputation as Recomputation
from regard.model.trace import entropy
from regard.model.transformer.trace import TransformerTrace

Opener = Callable[[Quantity, TransformerTrace, Recomputation, Parameters], Opened]
NAMES = {"encoder": "attention", "decoder": "self_attention", "cross": "cross_attention"}  # in parameter names
PROJECTIONS = {  # the matrix and the array of each kind, and the place of the vector that it projects
    "head_query": ("W_Q", "queries", "row"),
    "head_key": ("W_K", "keys", "column"),
    "head_value": ("W_V", "values", "column"),
}


def recomputed_attention(quantity: Quantity, recomputation: Recomputation) -> RecomputedAttention:
    """Return NumPy's recomputation of the quantity's attention in its layer."""
    layers = {
        "encoder": recomputation.encoder_attention,
        "decoder": recomputation.decoder_attention,
        "cross": recomputation.cross_attention,
    }
    return layers[quantity.attention][quantity.layer]


def place_in_file(quantity: Quantity) -> str:
    """Return the prefix of the attention's parameter names in the file."""
    side = "encoder" if quantity.attention == "encoder" else "decoder"
    return f"{side}.layers.{quantity.layer}.{NAMES[quantity.attention]}"


def of_layer(quantity: Quantity, kind: str, row: int, component: int, layer: int | None = None) -> Quantity:
    """Return a quantity that all heads of a layer share."""
    return Quantity(
        kind, quantity.trace, attention=quantity.attention, layer=quantity.layer if layer is None else layer,
        row=row, component=component,
    )  # fmt: skip


def open_score(quantity: Quantity, trace: TransformerTrace, again: Recomputation, parameters: Parameters) -> Opened:
    """Open a score as it enters the softmax: the model's own, or after a bonus and a temperature."""
    numbers, found = trace.attention(quantity.attention), recomputed_attention(quantity, again)
    at = quantity.head, quantity.row, quantity.column
    shown, recomputed = numbers.scores[quantity.layer][at], found.scores[at]
    changes = trace.intervention
    bonus = sum(value for *place, value in changes.bonus if tuple(place) == (quantity.row, quantity.column))
    if quantity.attention != "cross" or (not bonus and changes.temperature == 1):
        return open_own_score(quantity, trace, again, parameters)._replace(shown=shown, recomputed=recomputed)
    parts = [
        single("own score", (replace(quantity, kind="head_own_score"),), found.own_scores[at], 1 / changes.temperature),
        single("bonus", (), bonus, 1 / changes.temperature),
    ]
    return Opened("score/steered", shown, recomputed, parts, ())


def open_own_score(quantity: Quantity, trace: TransformerTrace, again: Recomputation, parameters: Parameters) -> Opened:
    """Open the model's own score: query times key, divided by √Q."""
    numbers, found = trace.attention(quantity.attention), recomputed_attention(quantity, again)
    query, key = found.queries[quantity.head, quantity.row], found.keys[quantity.head, quantity.column]
    part = products(
        "q",
        lambda j: (
            replace(quantity, kind="head_query", column=0, component=j),
            replace(quantity, kind="head_key", row=0, component=j),
        ),
        query,
        key,
        1 / len(query) ** 0.5,
    )
    at = quantity.head, quantity.row, quantity.column
    shapes = (("query", query.shape), ("key", key.shape))
    return Opened("head_score", numbers.own_scores[quantity.layer][at], found.own_scores[at], [part], shapes)


def open_weight(quantity: Quantity, trace: TransformerTrace, again: Recomputation, parameters: Parameters) -> Opened:
    """Open a weight: the softmax over the columns in reach, or the value that a person set."""
    if quantity.head < 0:
        return _mean_weight(quantity, trace, again)
    found, at = recomputed_attention(quantity, again), (quantity.head, quantity.row, quantity.column)
    shown, recomputed = trace.attention(quantity.attention).weights[quantity.layer][at], found.weights[at]
    reached = reach(quantity, trace)
    changes = trace.intervention
    named = (quantity.attention, quantity.layer, quantity.head)
    if named in changes.heads_off:
        return Opened("weight/off", shown, recomputed, [], ())
    given = [row for *place, row in changes.head_weights if tuple(place) == (*named, quantity.row)]
    if quantity.attention == "cross" and not given:
        given = [row for step, row in changes.weights if step == quantity.row]
    if given:
        return Opened("given", shown, recomputed, [single("set by hand", (), given[0][quantity.column])], ())
    if quantity.column not in reached:
        return Opened("weight/masked", shown, recomputed, [], ())
    part, greatest = powers(
        lambda n: column_text(trace, quantity.attention, reached[n]),
        lambda n: (replace(quantity, kind="head_score", column=reached[n]),),
        found.scores[quantity.head, quantity.row, reached],
    )
    first, shapes = reached.index(quantity.column), (("scores", (len(reached),)),)
    return Opened("weight/softmax", shown, recomputed, [part], shapes, "share", greatest, first)


def reach(quantity: Quantity, trace: TransformerTrace) -> list[int]:
    """Return the columns that a row may attend to."""
    if quantity.attention == "cross":
        return np.flatnonzero(trace.reach[quantity.row]).tolist()
    return list(range(len(trace.source) if quantity.attention == "encoder" else quantity.row + 1))


def _mean_weight(quantity: Quantity, trace: TransformerTrace, again: Recomputation) -> Opened:
    weights = recomputed_attention(quantity, again).weights[:, quantity.row]
    on = np.flatnonzero(weights.sum(1) > 0).tolist()
    part = products(
        lambda n: f"head {on[n] + 1}",
        lambda n: (replace(quantity, kind="head_weight", head=on[n]),),
        weights[on, quantity.column],
    )
    shown = trace.attention(quantity.attention).mean(quantity.layer)[quantity.row, quantity.column]
    count = float(max(1, len(on)))
    recomputed = weights[:, quantity.column].sum() / count
    return Opened("head_mean", shown, recomputed, [part], (("heads", (len(on),)),), "mean", count)


def _weights(quantity: Quantity, again: Recomputation) -> Float[ndarray, "T S"]:
    """Return the recomputed weights of a head, or the mean over the heads that are on."""
    found = recomputed_attention(quantity, again).weights
    if quantity.head >= 0:
        return found[quantity.head]
    return found.sum(0) / (found.sum(2, keepdims=True) > 0).sum(0).clip(1)


def open_entropy(quantity: Quantity, trace: TransformerTrace, again: Recomputation, parameters: Parameters) -> Opened:
    """Open the entropy, in bits, of one row of a head's weights or of the heads' mean."""
    numbers = trace.attention(quantity.attention)
    shown = numbers.weights[quantity.layer, quantity.head] if quantity.head >= 0 else numbers.mean(quantity.layer)
    return opened_entropy(
        entropy(shown[quantity.row : quantity.row + 1])[0],
        _weights(quantity, again)[quantity.row],
        lambda n: column_text(trace, quantity.attention, n),
        lambda n: (replace(quantity, kind="head_weight", column=n),),
    )


def open_words(quantity: Quantity, trace: TransformerTrace, again: Recomputation, parameters: Parameters) -> Opened:
    """Open a weight between words: the sum over the column's tokens, averaged over the row's."""
    merged, column_of = merged_words(trace, quantity)
    return opened_word_mean(
        quantity,
        merged,
        column_of,
        _weights(quantity, again),
        lambda column: column_text(trace, quantity.attention, column),
        lambda row, column: replace(quantity, kind="head_weight", rows=Quantity.rows, row=row, column=column),
    )


def open_projection(
    quantity: Quantity, trace: TransformerTrace, again: Recomputation, parameters: Parameters
) -> Opened:
    """Open a component of a query, key or value: a row of W_Q, W_K or W_V times the normalised or attended vector."""
    name, array, place = PROJECTIONS[quantity.kind]
    found, at = recomputed_attention(quantity, again), getattr(quantity, place)
    letter, vector, read = "x̂", found.normalised[at], of_layer(quantity, "normalised", at, 0)
    form = "head_query" if quantity.kind == "head_query" else f"{quantity.kind}/self"
    if quantity.attention == "cross" and place == "column":
        letter, vector, read = "h", again.annotations[at], Quantity("annotation", quantity.trace, position=at)
        form = f"{quantity.kind}/cross"
    matrix = parameters[f"{place_in_file(quantity)}.{name}.weight"]
    size = len(matrix) // parameters.heads
    row = matrix[quantity.head * size + quantity.component]
    part = products(letter, lambda j: (replace(read, component=j),), row, vector)
    shapes = ((name, (size, matrix.shape[1])), ("vector", vector.shape))
    index = quantity.head, at, quantity.component
    shown = getattr(trace.attention(quantity.attention), array)[quantity.layer][index]
    return Opened(form, shown, getattr(found, array)[index], [part], shapes)


def open_mixed(quantity: Quantity, trace: TransformerTrace, again: Recomputation, parameters: Parameters) -> Opened:
    """Open a component of a head's output z: the weighted sum of its values."""
    found = recomputed_attention(quantity, again)
    weights = found.weights[quantity.head, quantity.row]
    reached = [column for column in reach(quantity, trace) if column < len(weights)]
    part = products(
        lambda n: column_text(trace, quantity.attention, reached[n]),
        lambda n: (
            replace(quantity, kind="head_weight", component=0, column=reached[n]),
            replace(quantity, kind="head_value", row=0, column=reached[n]),
        ),
        weights[reached],
        found.values[quantity.head, reached, quantity.component],
    )
    at = quantity.head, quantity.row, quantity.component
    shown = trace.attention(quantity.attention).mixed[quantity.layer][at]
    shapes = (("weights", weights.shape), ("values", found.values[quantity.head].shape))
    return Opened("head_mixed", shown, found.mixed[at], [part], shapes)


def open_joined(quantity: Quantity, trace: TransformerTrace, again: Recomputation, parameters: Parameters) -> Opened:
    """Open a component of the heads joined: a row of W_O times the outputs of all heads."""
    found, W_O = recomputed_attention(quantity, again), parameters[f"{place_in_file(quantity)}.W_O.weight"]
    heads = found.mixed[:, quantity.row]
    size = heads.shape[1]
    part = products(
        lambda n: f"head {n // size + 1}, z {n % size + 1}",
        lambda n: (replace(quantity, kind="head_mixed", head=n // size, component=n % size),),
        W_O[quantity.component],
        heads.ravel(),
    )
    at = quantity.row, quantity.component
    shown = trace.attention(quantity.attention).output[quantity.layer][at]
    return Opened("heads_joined", shown, found.output[at], [part], (("W_O", W_O.shape), ("heads", heads.shape)))


HEAD_OPENERS: dict[str, Opener] = {
    "head_score": open_score,
    "head_own_score": open_own_score,
    "head_weight": open_weight,
    "head_entropy": open_entropy,
    "head_word_weight": open_words,
    **dict.fromkeys(PROJECTIONS, open_projection),
    "head_mixed": open_mixed,
    "heads_joined": open_joined,
}
