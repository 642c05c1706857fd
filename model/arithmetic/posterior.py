"""Posterior attention, opened: prior times likelihood, divided by the sum of all such products.

    p(i | y_t) = α_ti p(y_t | i) / Σ_k α_tk p(y_t | k)

The likelihood p(y_t | i) is the probability of y_t in a step taken with all weight on i. That step is recomputed with
the weights set so, and its numbers open like those of the translation.
"""

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from regard.model.alignment import Posterior
from regard.model.arithmetic.attention import asking, open_attentional, open_word_mean
from regard.model.arithmetic.derivation import Derivation, DerivationPart, Opened, fold, powers, products
from regard.model.arithmetic.kinds import AFTERWARDS, ALONE
from regard.model.arithmetic.output import open_logit
from regard.model.arithmetic.quantity import Quantity, source_text
from regard.model.arithmetic.recurrent_cell import open_cell, open_gate, open_state
from regard.model.reference.parameters import Parameters
from regard.model.reference.posterior import PosteriorRecomputation
from regard.model.reference.recomputation import Recomputation
from regard.model.reference.recompute import recompute
from regard.model.trace import Trace

Tokens = Callable[[int], str]  # the text of a token of the vocabulary


def work_out_afterwards(
    quantity: Quantity,
    trace: Trace,
    shown: Posterior,
    recomputation: Recomputation,
    recomputed: PosteriorRecomputation,
    parameters: Parameters,
    tokens: Tokens,
) -> Derivation:
    """Open one number of the posterior of `trace`, of a kind in `AFTERWARDS`; `recomputed` belongs to `recomputation`.
    Raises InputError naming the field that is out of range and the accepted values."""
    quantity.check(trace)
    match quantity.kind:
        case "posterior":
            opened = _posterior(quantity, trace, shown, recomputed)
        case "word_posterior":
            merged = shown.over(trace.alignment).by_words(quantity.rows)
            opened = open_word_mean(quantity, trace, merged, recomputed.posterior, "posterior")
        case "likelihood":
            opened = _likelihood(quantity, trace, shown, recomputed, parameters, tokens)
        case _:
            opened = _alone(quantity, trace, recomputation, parameters)
    return fold(quantity, quantity.name(trace), asking(quantity, parameters), opened)


def _posterior(quantity: Quantity, trace: Trace, shown: Posterior, recomputation: PosteriorRecomputation) -> Opened:
    index, step, position = quantity.trace, quantity.step, quantity.position
    value, again = shown.posterior[step, position], recomputation.posterior[step, position]
    if recomputation.prior[step, position] == 0:
        return Opened("posterior/zero", value, again, [], ())
    weighed = np.flatnonzero(recomputation.prior[step]).tolist()
    part = products(
        lambda n: source_text(trace, weighed[n]),
        lambda n: (Quantity("weight", index, step, weighed[n]), Quantity("likelihood", index, step, weighed[n])),
        recomputation.prior[step, weighed],
        recomputation.likelihood[step, weighed],
    )
    shapes = (("weights", (len(weighed),)), ("likelihoods", (len(weighed),)))
    return Opened("posterior", value, again, [part], shapes, "share", first=weighed.index(position))


def _likelihood(
    quantity: Quantity,
    trace: Trace,
    shown: Posterior,
    recomputation: PosteriorRecomputation,
    parameters: Parameters,
    tokens: Tokens,
) -> Opened:
    step, position, produced = quantity.step, quantity.position, int(trace.target_ids[quantity.step])
    logits = parameters["embedding.weight"] @ recomputation.attentional[step, position]
    kept = {produced, *trace.top_ids[step].tolist()}
    logit = replace(quantity, kind="alone_logit")
    part, greatest = powers(tokens, lambda token: (replace(logit, token=token),) if token in kept else (), logits)
    value, again = shown.likelihood[step, position], recomputation.likelihood[step, position]
    return Opened("likelihood", value, again, [part], (("logits", logits.shape),), "share", greatest, produced)


OPENERS = {
    "alone_logit": open_logit,
    "alone_attentional": open_attentional,
    "alone_state": open_state,
    "alone_cell": open_cell,
    "alone_gate": open_gate,
}


def _alone(quantity: Quantity, trace: Trace, recomputation: Recomputation, parameters: Parameters) -> Opened:
    """Open a number of the step taken with all weight on one position, which the trace does not keep."""
    steered = alone(recomputation, parameters, quantity.step, quantity.position)
    plain = replace(quantity, kind=quantity.kind.removeprefix(ALONE))
    opened = OPENERS[quantity.kind](plain, trace, steered, parameters)
    parts = [_redirected(part, quantity, parameters.wiring) for part in opened.parts]
    form = f"alone/{parameters.wiring}" if quantity.kind == "alone_attentional" else opened.form
    return opened._replace(form=form, shown=None, parts=parts)


def alone(recomputation: Recomputation, parameters: Parameters, step: int, position: int) -> Recomputation:
    """Recompute a step with all its weight on one position and everything before it unchanged."""
    weights, replaced = recomputation.steering.weights.copy(), recomputation.steering.replaced.copy()
    weights[step], replaced[step] = np.eye(len(recomputation.source_ids))[position], True
    steering = replace(recomputation.steering, weights=weights, replaced=replaced)
    return recompute(parameters, recomputation.source_ids, recomputation.target_ids, steering)


def _redirected(part: DerivationPart, quantity: Quantity, wiring: str) -> DerivationPart:
    """Make the terms of the same step open with all weight on the position; its annotation replaces the context."""

    def label(index: int) -> str:
        letter, _, place = part.label(index).partition(" ")
        return f"h {place}" if letter == "c" and place else part.label(index)

    def opens(index: int) -> tuple[Quantity, ...]:
        return tuple(map(redirect, part.opens(index)))

    def redirect(term: Quantity) -> Quantity:
        kind = f"{ALONE}{term.kind}"
        if term.step != quantity.step:
            return term
        if term.kind == "context":
            return Quantity("annotation", quantity.trace, position=quantity.position, component=term.component)
        follows = kind == "alone_attentional" or wiring == "bahdanau"
        return replace(term, kind=kind, position=quantity.position) if kind in AFTERWARDS and follows else term

    return DerivationPart(part.factors, part.values, label, opens)
