"""Any number of a translation opened down to its terms.

`work_out` puts three things side by side: what the trace says, what NumPy recomputes from the weights file, and the
terms that make it up. Every term names the numbers it came from, so that one can go on from a weight to its score, from
there to the state, its gates, and back to the embeddings and parameters.
"""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from model.alignment import WordWeights
from model.arithmetic.derivation import Derivation, Opened, fold, powers, products, single
from model.arithmetic.output import OUTPUT_OPENERS
from model.arithmetic.quantity import Quantity, source_text
from model.arithmetic.recurrent_cell import (
    open_annotation,
    open_cell,
    open_encoder_cell,
    open_encoder_gate,
    open_encoder_kept,
    open_gate,
    open_kept,
    open_state,
)
from model.reference.parameters import Parameters
from model.reference.recomputation import Recomputation
from model.trace import Trace

Opener = Callable[[Quantity, Trace, Recomputation, Parameters], Opened]


def work_out(quantity: Quantity, trace: Trace, recomputation: Recomputation, parameters: Parameters) -> Derivation:
    """Open one number of `trace`; `recomputation` is that of its ids by `weights`.

    Raises InputError naming the field that is out of range and what it accepts.
    """
    quantity.check(trace)
    opened = OPENERS[quantity.kind](quantity, trace, recomputation, parameters)
    return fold(quantity, quantity.name(trace), _asking(quantity, parameters), opened)


def _asking(quantity: Quantity, parameters: Parameters) -> int:
    """The step whose state asks: the one before in Bahdanau's wiring."""
    return quantity.step - 1 if parameters.wiring == "bahdanau" else quantity.step


def _question(quantity: Quantity, recomputation: Recomputation, parameters: Parameters) -> Float[ndarray, " H"]:
    """The state that asks."""
    step = _asking(quantity, parameters)
    return recomputation.states[step] if step >= 0 else recomputation.initial_state


def _score(asked: Quantity, trace: Trace, recomputation: Recomputation, parameters: Parameters) -> Opened:
    step, position = asked.step, asked.position
    bonus, temperature = (
        float(recomputation.steering.bonus[step, position]),
        float(recomputation.steering.temperature[step, 0]),
    )
    shown, recomputed = trace.scores[step, position], recomputation.scores[step, position]
    if bonus == 0 and temperature == 1:
        return _own_score(asked, trace, recomputation, parameters)._replace(shown=shown, recomputed=recomputed)
    own = (Quantity("own_score", asked.trace, step, position),)
    parts = [
        single("own score", own, recomputation.own_scores[step, position], 1 / temperature),
        single("bonus", (), bonus, 1 / temperature),
    ]
    return Opened("score/steered", shown, recomputed, parts, ())


def _own_score(asked: Quantity, trace: Trace, recomputation: Recomputation, parameters: Parameters) -> Opened:
    index, step, position = asked.trace, asked.step, asked.position
    shown, recomputed = trace.own_scores[step, position], recomputation.own_scores[step, position]
    if parameters.score == "none":
        return Opened("score/none", shown, recomputed, [], ())
    state, key, annotation = (
        _question(asked, recomputation, parameters),
        recomputation.keys[position],
        recomputation.annotations[position],
    )
    shapes = (("state", state.shape), ("annotation", annotation.shape))
    if parameters.score == "concat":
        W, U, v = (parameters[f"decoder.score.{name}.weight"] for name in ("W", "U", "v"))
        compared = np.tanh(W @ state + key)
        part = products("u", lambda j: (Quantity("comparison", index, step, position, j),), v[0], compared)
        shapes = (("v", v[0].shape), ("W", W.shape), ("U", U.shape), *shapes)
    else:
        other = Quantity("annotation" if parameters.score == "dot" else "key", index, position=position)
        part = products(
            "s",
            lambda j: (Quantity("state", index, _asking(asked, parameters), component=j), replace(other, component=j)),
            state,
            key,
        )
        shapes += (
            (("W_a", (*key.shape, *annotation.shape)), ("key", key.shape)) if parameters.score == "general" else ()
        )
    return Opened(f"score/{parameters.score}", shown, recomputed, [part], shapes)


def _weight(asked: Quantity, trace: Trace, recomputation: Recomputation, parameters: Parameters) -> Opened:
    step, position = asked.step, asked.position
    shown, recomputed = trace.weights[step, position], recomputation.weights[step, position]
    if recomputation.steering.replaced[step, 0]:
        part = single("set by hand", (), recomputation.steering.weights[step, position])
        return Opened("weight/given", shown, recomputed, [part], ())
    if not recomputation.mask[step, position]:
        return Opened("weight/masked", shown, recomputed, [], ())
    allowed = np.flatnonzero(recomputation.mask[step]).tolist()
    part, greatest = powers(
        lambda n: source_text(trace, allowed[n]),
        lambda n: (Quantity("score", asked.trace, step, allowed[n]),),
        recomputation.scores[step, allowed],
    )
    first, shapes = allowed.index(position), (("scores", (len(allowed),)),)
    return Opened("weight/softmax", shown, recomputed, [part], shapes, "share", greatest, first)


def _word_weight(asked: Quantity, trace: Trace, recomputation: Recomputation, parameters: Parameters) -> Opened:
    return open_word_mean(asked, trace, trace.alignment.by_words(asked.rows), recomputation.weights, "weight")


def open_word_mean(
    asked: Quantity, trace: Trace, merged: WordWeights, tokens: Float[ndarray, "T S"], kind: str
) -> Opened:
    """Between words: the sum over the tokens of the column, and the mean over those of the row.

    `tokens` is recomputed, and each of its numbers is the quantity `kind`.
    """
    steps = [step for step, row in enumerate(merged.row_of) if row == asked.row]
    positions = [position for position, word in enumerate(trace.alignment.source.word_of) if word == asked.column]
    pairs = [(step, position) for step in steps for position in positions]
    part = products(
        lambda n: f"{source_text(trace, pairs[n][1])} at {pairs[n][0] + 1}",
        lambda n: (Quantity(kind, asked.trace, *pairs[n]),),
        tokens[np.ix_(steps, positions)].ravel(),
    )
    shown, recomputed = merged.weights[asked.row, asked.column], float(part.values.sum()) / len(steps)
    shapes = (("tokens of the row", (len(steps),)), ("tokens of the column", (len(positions),)))
    return Opened(f"word_{kind}", shown, recomputed, [part], shapes, "mean", float(len(steps)))


def _context(asked: Quantity, trace: Trace, recomputation: Recomputation, parameters: Parameters) -> Opened:
    index, step, component = asked.trace, asked.step, asked.component
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


def open_attentional(asked: Quantity, trace: Trace, recomputation: Recomputation, parameters: Parameters) -> Opened:
    index, step, component, W_c = asked.trace, asked.step, asked.component, parameters["decoder.W_c.weight"]
    context, state = recomputation.contexts[step], recomputation.states[step]
    from_context, from_state = np.split(W_c[component], [len(context)])
    parts = [
        products("c", lambda j: (Quantity("context", index, step, component=j),), from_context, context),
        products("s", lambda j: (Quantity("state", index, step, component=j),), from_state, state),
    ]
    shapes = (("W_c", W_c.shape), ("context", context.shape), ("state", state.shape))
    shown, recomputed = trace.attentional[step, component], recomputation.attentional[step, component]
    return Opened("attentional", shown, recomputed, parts, shapes, "tanh")


def _key(asked: Quantity, trace: Trace, recomputation: Recomputation, parameters: Parameters) -> Opened:
    name = {"general": "W_a", "concat": "U"}[parameters.score]
    matrix, annotation = parameters[f"decoder.score.{name}.weight"], recomputation.annotations[asked.position]
    part = products(
        "h",
        lambda j: (Quantity("annotation", asked.trace, position=asked.position, component=j),),
        matrix[asked.component],
        annotation,
    )
    shapes = ((name, matrix.shape), ("annotation", annotation.shape))
    return Opened(f"key/{parameters.score}", None, recomputation.keys[asked.position, asked.component], [part], shapes)


def _query(asked: Quantity, trace: Trace, recomputation: Recomputation, parameters: Parameters) -> Opened:
    W, state, step = (
        parameters["decoder.score.W.weight"],
        _question(asked, recomputation, parameters),
        _asking(asked, parameters),
    )
    part = products("s", lambda j: (Quantity("state", asked.trace, step, component=j),), W[asked.component], state)
    recomputed = W[asked.component] @ state
    return Opened("query", None, recomputed, [part], (("W", W.shape), ("state", state.shape)))


def _comparison(asked: Quantity, trace: Trace, recomputation: Recomputation, parameters: Parameters) -> Opened:
    index, at = asked.trace, asked.component
    query = parameters["decoder.score.W.weight"][at] @ _question(asked, recomputation, parameters)
    key = recomputation.keys[asked.position, at]
    parts = [
        single("query", (Quantity("query", index, asked.step, component=at),), query),
        single("key", (Quantity("key", index, position=asked.position, component=at),), key),
    ]
    return Opened("comparison", None, np.tanh(query + key), parts, (), "tanh")


OPENERS: dict[str, Opener] = {
    "score": _score,
    "own_score": _own_score,
    "weight": _weight,
    "word_weight": _word_weight,
    "annotation": open_annotation,
    "state": open_state,
    "cell": open_cell,
    "gate": open_gate,
    "kept": open_kept,
    "context": _context,
    "attentional": open_attentional,
    **OUTPUT_OPENERS,
    "encoder_cell": open_encoder_cell,
    "encoder_gate": open_encoder_gate,
    "encoder_kept": open_encoder_kept,
    "key": _key,
    "query": _query,
    "comparison": _comparison,
}
