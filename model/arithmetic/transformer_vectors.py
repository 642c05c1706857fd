"""Vectors of a Transformer's heads opened: queries, keys and values, what a head mixes, and the heads joined."""

from collections.abc import Callable

from jaxtyping import Float
from numpy import ndarray

from regard.model.arithmetic.derivation import DerivationPart, Opened, products
from regard.model.arithmetic.quantity import Quantity
from regard.model.arithmetic.transformer_heads import (
    Opener,
    of_layer,
    place_in_file,
    reach,
    recomputed_attention,
    same_head,
)
from regard.model.arithmetic.transformer_places import column_text
from regard.model.reference.transformer import TransformerParameters, TransformerRecomputation
from regard.model.transformer.trace import TransformerTrace


def _projected(
    asked: Quantity, name: str, letter: str, of: Float[ndarray, " D"], opens: Callable[[int], tuple[Quantity, ...]],
    parameters: TransformerParameters,
) -> tuple[DerivationPart, tuple[tuple[str, tuple[int, ...]], ...]]:  # fmt: skip
    """One component of a query, key or value: a row of the head's part of the matrix, times the vector."""
    matrix = parameters[f"{place_in_file(asked)}.{name}.weight"]
    size = len(matrix) // parameters.heads
    row = matrix[asked.head * size + asked.component]
    return products(letter, opens, row, of), ((name, (size, matrix.shape[1])), ("vector", of.shape))


def open_query(
    asked: Quantity, trace: TransformerTrace, again: TransformerRecomputation, parameters: TransformerParameters
) -> Opened:
    """A component of a query: a row of W_Q times the normalised vector."""
    found = recomputed_attention(asked, again)
    part, shapes = _projected(
        asked, "W_Q", "x̂", found.normalised[asked.row],
        lambda j: (of_layer(asked, "normalised", asked.row, j),), parameters,
    )  # fmt: skip
    at = asked.head, asked.row, asked.component
    shown = trace.attention(asked.attention).queries[asked.layer][at]
    return Opened("head_query", shown, found.queries[at], [part], shapes)


def open_key_or_value(
    asked: Quantity, trace: TransformerTrace, again: TransformerRecomputation, parameters: TransformerParameters
) -> Opened:
    """A component of a key or a value: a row of W_K or W_V times the vector that is looked at."""
    name, array = {"head_key": ("W_K", "keys"), "head_value": ("W_V", "values")}[asked.kind]
    found = recomputed_attention(asked, again)
    if asked.attention == "cross":
        looked = again.annotations[asked.column]
        part, shapes = _projected(
            asked, name, "h", looked,
            lambda j: (Quantity("annotation", asked.trace, position=asked.column, component=j),), parameters,
        )  # fmt: skip
    else:
        part, shapes = _projected(
            asked, name, "x̂", found.normalised[asked.column],
            lambda j: (of_layer(asked, "normalised", asked.column, j),), parameters,
        )  # fmt: skip
    at = asked.head, asked.column, asked.component
    shown = getattr(trace.attention(asked.attention), array)[asked.layer][at]
    form = "head_key/cross" if asked.attention == "cross" else "head_key/self"
    return Opened(form.replace("head_key", asked.kind), shown, getattr(found, array)[at], [part], shapes)


def open_mixed(
    asked: Quantity, trace: TransformerTrace, again: TransformerRecomputation, parameters: TransformerParameters
) -> Opened:
    """A component of what a head mixes: values by their weights."""
    found = recomputed_attention(asked, again)
    weights = found.weights[asked.head, asked.row]
    reached = [column for column in reach(asked, trace) if column < len(weights)]
    part = products(
        lambda n: column_text(trace, asked.attention, reached[n]),
        lambda n: (
            same_head(asked, "head_weight", component=0, column=reached[n]),
            same_head(asked, "head_value", row=0, column=reached[n]),
        ),
        weights[reached],
        found.values[asked.head, reached, asked.component],
    )
    at = asked.head, asked.row, asked.component
    shown = trace.attention(asked.attention).mixed[asked.layer][at]
    shapes = (("weights", weights.shape), ("values", found.values[asked.head].shape))
    return Opened("head_mixed", shown, found.mixed[at], [part], shapes)


def open_joined(
    asked: Quantity, trace: TransformerTrace, again: TransformerRecomputation, parameters: TransformerParameters
) -> Opened:
    """A component of the heads joined: a row of W_O times what all heads mixed."""
    found, W_O = recomputed_attention(asked, again), parameters[f"{place_in_file(asked)}.W_O.weight"]
    heads = found.mixed[:, asked.row]
    size = heads.shape[1]
    part = products(
        lambda n: f"head {n // size + 1}, z {n % size + 1}",
        lambda n: (same_head(asked, "head_mixed", head=n // size, component=n % size),),
        W_O[asked.component],
        heads.ravel(),
    )
    at = asked.row, asked.component
    shown = trace.attention(asked.attention).output[asked.layer][at]
    return Opened("heads_joined", shown, found.output[at], [part], (("W_O", W_O.shape), ("heads", heads.shape)))


VECTOR_OPENERS: dict[str, Opener] = {
    "head_query": open_query,
    "head_key": open_key_or_value,
    "head_value": open_key_or_value,
    "head_mixed": open_mixed,
    "heads_joined": open_joined,
}
