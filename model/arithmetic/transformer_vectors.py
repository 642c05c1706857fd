"""Vectors of a Transformer's heads opened: queries, keys, values, each head's output z, and the heads joined."""

from collections.abc import Callable
from dataclasses import replace

from jaxtyping import Float
from numpy import ndarray

from regard.model.arithmetic.derivation import DerivationPart, Opened, products
from regard.model.arithmetic.quantity import Quantity
from regard.model.arithmetic.transformer_heads import Opener, of_layer, place_in_file, reach, recomputed_attention
from regard.model.arithmetic.transformer_places import column_text
from regard.model.reference.transformer import TransformerParameters as Parameters
from regard.model.reference.transformer import TransformerRecomputation as Recomputation
from regard.model.transformer.trace import TransformerTrace


def _projected(
    quantity: Quantity, name: str, letter: str, of: Float[ndarray, " D"], opens: Callable[[int], tuple[Quantity, ...]],
    parameters: Parameters,
) -> tuple[DerivationPart, tuple[tuple[str, tuple[int, ...]], ...]]:  # fmt: skip
    """Return the terms of a component of a query, key or value: a row of the head's matrix times a vector."""
    matrix = parameters[f"{place_in_file(quantity)}.{name}.weight"]
    size = len(matrix) // parameters.heads
    row = matrix[quantity.head * size + quantity.component]
    return products(letter, opens, row, of), ((name, (size, matrix.shape[1])), ("vector", of.shape))


def open_query(quantity: Quantity, trace: TransformerTrace, again: Recomputation, parameters: Parameters) -> Opened:
    """Open a component of a query: a row of W_Q times the normalised vector."""
    found = recomputed_attention(quantity, again)
    part, shapes = _projected(
        quantity, "W_Q", "x̂", found.normalised[quantity.row],
        lambda j: (of_layer(quantity, "normalised", quantity.row, j),), parameters,
    )  # fmt: skip
    at = quantity.head, quantity.row, quantity.component
    shown = trace.attention(quantity.attention).queries[quantity.layer][at]
    return Opened("head_query", shown, found.queries[at], [part], shapes)


def open_key_value(quantity: Quantity, trace: TransformerTrace, again: Recomputation, parameters: Parameters) -> Opened:
    """Open a component of a key or a value: a row of W_K or W_V times the attended vector."""
    name, array = {"head_key": ("W_K", "keys"), "head_value": ("W_V", "values")}[quantity.kind]
    found = recomputed_attention(quantity, again)
    if quantity.attention == "cross":
        looked = again.annotations[quantity.column]
        part, shapes = _projected(
            quantity, name, "h", looked,
            lambda j: (Quantity("annotation", quantity.trace, position=quantity.column, component=j),), parameters,
        )  # fmt: skip
    else:
        part, shapes = _projected(
            quantity, name, "x̂", found.normalised[quantity.column],
            lambda j: (of_layer(quantity, "normalised", quantity.column, j),), parameters,
        )  # fmt: skip
    at = quantity.head, quantity.column, quantity.component
    shown = getattr(trace.attention(quantity.attention), array)[quantity.layer][at]
    form = "head_key/cross" if quantity.attention == "cross" else "head_key/self"
    return Opened(form.replace("head_key", quantity.kind), shown, getattr(found, array)[at], [part], shapes)


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


VECTOR_OPENERS: dict[str, Opener] = {
    "head_query": open_query,
    "head_key": open_key_value,
    "head_value": open_key_value,
    "head_mixed": open_mixed,
    "heads_joined": open_joined,
}
