"""Numbers of every kind that a translation has, and how each is opened by Python."""

import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from regard.model.arithmetic.quantity import KINDS, Quantity, accepted
from regard.model.arithmetic.recurrent import work_out
from regard.model.arithmetic.terms import Derivation
from regard.model.arithmetic.transformer import work_out_transformer
from regard.model.checkpoint import AnyModel, Pretrained
from regard.model.reference.recompute import Parameters, Recomputation, load_parameters, recompute, recompute_posterior
from regard.model.reference.transformer import load_transformer_parameters, recompute_transformer
from regard.model.trace import AnyTrace, Trace
from regard.model.transformer.trace import TransformerTrace
from regard.model.translate import translate
from regard.model.word_alignment.posterior import posterior

SENTENCE = "The boy sees the old house, doesn't he?"
Case = tuple[Trace, Recomputation, Parameters]
Opener = Callable[[Quantity], Derivation]


def make_case(model: Pretrained, sentence: str = SENTENCE) -> Case:
    """A translation by torch in float32, and its recomputation by NumPy in float64."""
    trace, weights = translate(model, [sentence])[0], load_parameters(model.folder, np.float64)
    return trace, recompute(weights, trace.source_ids, trace.target_ids), weights


def some(kind: str, trace: AnyTrace, count: int = 8) -> Iterator[Quantity]:
    """Yield the first number of a kind, the last, and some at random places; none if the model has no such vector."""
    chance = random.Random(kind)
    for number in range(count):
        quantity = Quantity(kind)
        for name in KINDS[kind].indices:
            values = list(accepted(quantity, name, trace))
            if not values:
                return
            quantity = replace(quantity, **{name: values[-number] if number < 2 else chance.choice(values)})
        yield quantity


def named(quantity: Quantity) -> dict[str, Any]:
    """Return a quantity as the stepper names it."""
    return {name: getattr(quantity, name) for name in ("kind", "trace", *KINDS[quantity.kind].indices)}


def opener(model: AnyModel, trace: AnyTrace) -> Opener:
    """Open numbers of a trace: of a recurrent network with NumPy in float64, of a Transformer in float32."""
    (steps, sources), changes = trace.weights.shape, trace.intervention
    ids, steering = (trace.source_ids, trace.target_ids), changes.steering(steps, sources)
    if isinstance(trace, TransformerTrace):
        heads = load_transformer_parameters(model.folder)
        parts = recompute_transformer(heads, *ids, steering, changes.all_heads(sources, steps))
        return lambda asked: work_out_transformer(asked, trace, parts, heads)
    assert isinstance(trace, Trace)
    assert isinstance(model, Pretrained)
    weights = load_parameters(model.folder, np.float64)
    found = recompute(weights, *ids, steering)
    shown, again = posterior(model, trace), recompute_posterior(weights, found)
    return lambda asked: work_out(asked, trace, found, weights, shown, again, model.tokenizer.token)
