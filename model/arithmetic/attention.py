"""Attention, opened: a score, a weight, the context and the attentional vector."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from regard.model.alignment import WordWeights
from regard.model.arithmetic.derivation import DerivationPart, Number, Opened, powers, products, single
from regard.model.arithmetic.kinds import SCORES
from regard.model.arithmetic.quantity import Quantity, source_text
from regard.model.reference.formulas import surprisal
from regard.model.reference.parameters import Parameters
from regard.model.reference.recomputation import Recomputation
from regard.model.trace import Trace


def asking(quantity: Quantity, parameters: Parameters) -> int:
    """Return the step whose state is compared with the keys: the one before in Bahdanau's wiring, else this one."""
    return quantity.step - 1 if parameters.wiring == "bahdanau" else quantity.step


def _state_that_asks(quantity: Quantity, recomputation: Recomputation, parameters: Parameters) -> Float[ndarray, " H"]:
    """Return the state that is compared with the keys."""
    step = asking(quantity, parameters)
    return recomputation.states[step] if step >= 0 else recomputation.initial_state


def open_score(quantity: Quantity, trace: Trace, recomputation: Recomputation, parameters: Parameters) -> Opened:
    step, position = quantity.step, quantity.position
    bonus = float(recomputation.steering.bonus[step, position])
    temperature = float(recomputation.steering.temperature[step, 0])
    shown, recomputed = trace.scores[step, position], recomputation.scores[step, position]
    if bonus == 0 and temperature == 1:
        return open_own_score(quantity, trace, recomputation, parameters)._replace(shown=shown, recomputed=recomputed)
    own = (Quantity("own_score", quantity.trace, step, position),)
    parts = [
        single("own score", own, recomputation.own_scores[step, position], 1 / temperature),
        single("bonus", (), bonus, 1 / temperature),
    ]
    return Opened("score/steered", shown, recomputed, parts, ())


def open_own_score(quantity: Quantity, trace: Trace, recomputation: Recomputation, parameters: Parameters) -> Opened:
    index, step, position = quantity.trace, quantity.step, quantity.position
    shown, recomputed = trace.own_scores[step, position], recomputation.own_scores[step, position]
    form = f"score/{parameters.score}"
    if SCORES[parameters.score].compares == "nothing":
        return Opened(form, shown, recomputed, [], ())
    state = _state_that_asks(quantity, recomputation, parameters)
    key, annotation = recomputation.keys[position], recomputation.annotations[position]
    shapes = (("state", state.shape), ("annotation", annotation.shape))
    if SCORES[parameters.score].compares == "network":
        W, U, v = (parameters[f"decoder.score.{name}.weight"] for name in ("W", "U", "v"))
        compared = np.tanh(W @ state + key)
        part = products("u", lambda j: (Quantity("comparison", index, step, position, j),), v[0], compared)
        return Opened(form, shown, recomputed, [part], (("v", v[0].shape), ("W", W.shape), ("U", U.shape), *shapes))
    if matrix := SCORES[parameters.score].keys:
        shapes += ((matrix, (*key.shape, *annotation.shape)), ("key", key.shape))
    return Opened(form, shown, recomputed, [_product(quantity, parameters, state, key)], shapes)


def _product(
    quantity: Quantity, parameters: Parameters, state: Float[ndarray, " H"], key: Float[ndarray, " H"]
) -> DerivationPart:
    """Return the state times the key, component by component; a scaled score divides each term by √H."""
    score = SCORES[parameters.score]
    other = Quantity("key" if score.keys else "annotation", quantity.trace, position=quantity.position)
    asked = Quantity("state", quantity.trace, asking(quantity, parameters))
    scale = (1 / len(state) ** 0.5,) if score.scaled else ()
    return products("s", lambda j: (replace(asked, component=j), replace(other, component=j)), state, key, *scale)


def open_weight(quantity: Quantity, trace: Trace, recomputation: Recomputation, parameters: Parameters) -> Opened:
    step, position = quantity.step, quantity.position
    shown, recomputed = trace.weights[step, position], recomputation.weights[step, position]
    if recomputation.steering.replaced[step, 0]:
        part = single("set by hand", (), recomputation.steering.weights[step, position])
        return Opened("given", shown, recomputed, [part], ())
    if not recomputation.mask[step, position]:
        return Opened("weight/masked", shown, recomputed, [], ())
    allowed = np.flatnonzero(recomputation.mask[step]).tolist()
    part, greatest = powers(
        lambda n: source_text(trace, allowed[n]),
        lambda n: (Quantity("score", quantity.trace, step, allowed[n]),),
        recomputation.scores[step, allowed],
    )
    first, shapes = allowed.index(position), (("scores", (len(allowed),)),)
    return Opened("weight/softmax", shown, recomputed, [part], shapes, "share", greatest, first)


def open_entropy(quantity: Quantity, trace: Trace, recomputation: Recomputation, parameters: Parameters) -> Opened:
    index, step = quantity.trace, quantity.step
    return opened_entropy(
        trace.entropy[step],
        recomputation.weights[step],
        lambda n: source_text(trace, n),
        lambda n: (Quantity("weight", index, step, n),),
    )


def opened_entropy(
    shown: Number,
    weights: Float[ndarray, " S"],
    label: Callable[[int], str],
    opens: Callable[[int], tuple[Quantity, ...]],
) -> Opened:
    """Open an entropy: each weight above 0 times its surprisal in bits. `label` and `opens` take weights' positions."""
    seen = np.flatnonzero(weights > 0).tolist()
    row = weights[seen].astype(np.float64)
    part = products(lambda n: label(seen[n]), lambda n: opens(seen[n]), row, surprisal(row))
    return Opened("entropy", shown, float(row @ surprisal(row)), [part], (("weights", weights.shape),))


def open_word_weight(quantity: Quantity, trace: Trace, recomputation: Recomputation, parameters: Parameters) -> Opened:
    return open_word_mean(quantity, trace, trace.alignment.by_words(quantity.rows), recomputation.weights, "weight")


def open_word_mean(
    quantity: Quantity, trace: Trace, merged: WordWeights, tokens: Float[ndarray, "T S"], kind: str
) -> Opened:
    """Open a number between words. `tokens` holds the recomputed numbers between tokens, of the given kind."""
    return opened_word_mean(
        quantity,
        merged,
        trace.alignment.source.word_of,
        tokens,
        lambda position: source_text(trace, position),
        lambda step, position: Quantity(kind, quantity.trace, step, position),
    )._replace(form=f"word_{kind}")


def opened_word_mean(
    quantity: Quantity,
    merged: WordWeights,
    column_of: Sequence[int],
    tokens: Float[ndarray, "T S"],
    label: Callable[[int], str],
    opens: Callable[[int, int], Quantity],
) -> Opened:
    """Open the sum over the column's tokens, averaged over the row's. `label` names a token's column, `opens` the
    quantity at its row and column."""
    rows = [row for row, word in enumerate(merged.row_of) if word == quantity.row]
    columns = [column for column, word in enumerate(column_of) if word == quantity.column]
    pairs = [(row, column) for row in rows for column in columns]
    part = products(
        lambda n: f"{label(pairs[n][1])} at {pairs[n][0] + 1}",
        lambda n: (opens(*pairs[n]),),
        tokens[np.ix_(rows, columns)].ravel(),
    )
    shown, recomputed = merged.weights[quantity.row, quantity.column], float(part.values.sum()) / len(rows)
    shapes = (("tokens of the row", (len(rows),)), ("tokens of the column", (len(columns),)))
    return Opened("word_weight", shown, recomputed, [part], shapes, "mean", float(len(rows)))


def open_context(quantity: Quantity, trace: Trace, recomputation: Recomputation, parameters: Parameters) -> Opened:
    index, step, component = quantity.trace, quantity.step, quantity.component
    seen = np.flatnonzero(recomputation.mask[step] | (recomputation.weights[step] != 0)).tolist()
    part = products(
        lambda n: source_text(trace, seen[n]),
        lambda n: (
            Quantity("weight", index, step, seen[n]),
            Quantity("annotation", index, position=seen[n], component=component),
        ),
        recomputation.weights[step, seen],
        recomputation.annotations[seen, component],
    )
    shown, recomputed = trace.contexts[step, component], recomputation.contexts[step, component]
    shapes = (("weights", recomputation.weights[step].shape), ("annotations", recomputation.annotations.shape))
    return Opened("context", shown, recomputed, [part], shapes)


def open_attentional(quantity: Quantity, trace: Trace, recomputation: Recomputation, parameters: Parameters) -> Opened:
    index, step, component, W_c = quantity.trace, quantity.step, quantity.component, parameters["decoder.W_c.weight"]
    if step < 0:
        again = recomputation.initial_attentional
        return Opened(
            "zero", trace.initial_attentional[component], again[component], [], (("attentional", again.shape),)
        )
    context, state = recomputation.contexts[step], recomputation.states[step]
    from_context, from_state = np.split(W_c[component], [len(context)])
    parts = [
        products("c", lambda j: (Quantity("context", index, step, component=j),), from_context, context),
        products("s", lambda j: (Quantity("state", index, step, component=j),), from_state, state),
    ]
    shapes = (("W_c", W_c.shape), ("context", context.shape), ("state", state.shape))
    shown, recomputed = trace.attentional[step, component], recomputation.attentional[step, component]
    return Opened("attentional", shown, recomputed, parts, shapes, "tanh")


def open_key(quantity: Quantity, trace: Trace, recomputation: Recomputation, parameters: Parameters) -> Opened:
    name = SCORES[parameters.score].keys
    matrix, annotation = parameters[f"decoder.score.{name}.weight"], recomputation.annotations[quantity.position]
    part = products(
        "h",
        lambda j: (Quantity("annotation", quantity.trace, position=quantity.position, component=j),),
        matrix[quantity.component],
        annotation,
    )
    shapes = ((name, matrix.shape), ("annotation", annotation.shape))
    return Opened(f"key/{name}", None, recomputation.keys[quantity.position, quantity.component], [part], shapes)


def open_query(quantity: Quantity, trace: Trace, recomputation: Recomputation, parameters: Parameters) -> Opened:
    W, step = parameters["decoder.score.W.weight"], asking(quantity, parameters)
    state = _state_that_asks(quantity, recomputation, parameters)
    part = products(
        "s", lambda j: (Quantity("state", quantity.trace, step, component=j),), W[quantity.component], state
    )
    recomputed = W[quantity.component] @ state
    return Opened("query", None, recomputed, [part], (("W", W.shape), ("state", state.shape)))


def open_comparison(quantity: Quantity, trace: Trace, recomputation: Recomputation, parameters: Parameters) -> Opened:
    index, at = quantity.trace, quantity.component
    query = parameters["decoder.score.W.weight"][at] @ _state_that_asks(quantity, recomputation, parameters)
    key = recomputation.keys[quantity.position, at]
    parts = [
        single("query", (Quantity("query", index, quantity.step, component=at),), query),
        single("key", (Quantity("key", index, position=quantity.position, component=at),), key),
    ]
    return Opened("comparison", None, np.tanh(query + key), parts, (), "tanh")


ATTENTION_OPENERS: dict[str, Callable[[Quantity, Trace, Recomputation, Parameters], Opened]] = {
    "score": open_score,
    "own_score": open_own_score,
    "weight": open_weight,
    "entropy": open_entropy,
    "word_weight": open_word_weight,
    "context": open_context,
    "attentional": open_attentional,
    "key": open_key,
    "query": open_query,
    "comparison": open_comparison,
}
