"""Vectors of a Transformer's heads opened: queries, keys, values, each head's output z, and the heads joined."""

from dataclasses import replace

from regard.model.arithmetic.derivation import Opened, products
from regard.model.arithmetic.quantity import Quantity
from regard.model.arithmetic.transformer_heads import Opener, of_layer, place_in_file, reach, recomputed_attention
from regard.model.arithmetic.transformer_places import column_text
from regard.model.reference.transformer import TransformerParameters as Parameters
from regard.model.reference.transformer import TransformerRecomputation as Recomputation
from regard.model.transformer.trace import TransformerTrace

PROJECTIONS = {  # the matrix and the array of each kind, and the place of the vector that it projects
    "head_query": ("W_Q", "queries", "row"),
    "head_key": ("W_K", "keys", "column"),
    "head_value": ("W_V", "values", "column"),
}


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


VECTOR_OPENERS: dict[str, Opener] = {
    **dict.fromkeys(PROJECTIONS, open_projection),
    "head_mixed": open_mixed,
    "heads_joined": open_joined,
}
