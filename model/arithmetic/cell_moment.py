"""Moment of a recurrent cell: its input, states and gates at one step, and the quantities that name them."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from regard.model.arithmetic.derivation import nothing
from regard.model.arithmetic.quantity import Quantity
from regard.model.reference.formulas import CELLS, NumpyRecurrent
from regard.model.reference.parameters import Parameters, Sums
from regard.model.reference.recomputation import Recomputation

Place = Callable[[int], tuple[Quantity, ...]]  # the quantity at a component, if it can be opened


class Moment(NamedTuple):
    """One step of a recurrent cell: its input, the states before and after, and the quantities that name them."""

    sums: Sums
    inputs: Float[ndarray, " X"]
    before: NumpyRecurrent
    after: NumpyRecurrent
    gates: Float[ndarray, "G H"]
    letter: str  # the symbol of the state in formulas
    reads: str  # what the cell reads, as in the table of numbers
    read: Callable[[int], str]  # the name of a component of that
    inputs_at: Place
    state_at: Place  # the state before the step
    memory_at: Place  # the cell state before the step
    cell_at: Place
    kept_at: Place
    gate_at: Callable[[str, int], tuple[Quantity, ...]]


def decoder_moment(quantity: Quantity, recomputation: Recomputation, parameters: Parameters) -> Moment:
    """Return a decoder step: it reads the embedding of the token fed in, and the vector that its wiring adds."""
    trace, step = quantity.trace, quantity.step
    embedded = parameters["embedding.weight"][recomputation.fed_ids[step]]
    kind, beside, letter, place = _extra_input(quantity, recomputation, parameters)
    size, before = len(embedded), NumpyRecurrent(recomputation.initial_state, recomputation.initial_cell)
    if step:
        before = NumpyRecurrent(recomputation.states[step - 1], recomputation.cells[step - 1])
    return Moment(
        Sums.of(parameters, "decoder.cell"),
        np.concatenate([embedded, beside]),
        before,
        NumpyRecurrent(recomputation.states[step], recomputation.cells[step]),
        recomputation.gates[step],
        "s",
        kind,
        lambda at: f"y {at + 1}" if at < size else f"{letter} {at + 1 - size}",
        lambda at: place(at - size) if at >= size else (Quantity("fed_embedding", trace, step, component=at),),
        lambda at: (Quantity("state", trace, step - 1, component=at),),
        lambda at: (Quantity("cell", trace, step - 1, component=at),),
        lambda at: (Quantity("cell", trace, step, component=at),),
        lambda at: (Quantity("kept", trace, step, component=at),),
        lambda name, at: (Quantity("gate", trace, step, component=at, gate=name),),
    )


def _extra_input(
    quantity: Quantity, recomputation: Recomputation, parameters: Parameters
) -> tuple[str, Float[ndarray, " X"], str, Place]:
    """Return the kind of the vector that the cell reads beside an embedding, the vector, its letter and its place: the
    context in Bahdanau's wiring, the last h̃ with input feeding, else a vector "fed" without components."""
    trace, step = quantity.trace, quantity.step
    if parameters.wiring == "bahdanau":
        vector = recomputation.contexts[step]
        return "context", vector, "c", lambda at: (Quantity("context", trace, step, component=at),)
    if not parameters.input_feeding:
        return "fed", recomputation.attentional[0, :0], "", nothing
    vector = recomputation.attentional[step - 1] if step else recomputation.initial_attentional
    return "attentional", vector, "h̃", lambda at: (Quantity("attentional", trace, step - 1, component=at),)


def encoder_moment(quantity: Quantity, recomputation: Recomputation, parameters: Parameters) -> Moment:
    """Return a step of one direction of the encoder: it reads the embedding of the token at a source position."""
    trace, direction, position = quantity.trace, quantity.direction, quantity.position
    run, shift, earlier = recomputation.forwards, 0, position - 1
    if direction == "backwards":
        run, shift, earlier = recomputation.backwards, run.states.shape[1], position + 1
    begun = 0 <= earlier < len(recomputation.source_ids)
    before, own = CELLS[parameters.cell].rest(np.zeros_like(run.states[0])), False
    if begun:
        before = NumpyRecurrent(run.states[earlier], run.cells[earlier])
        half = slice(shift, shift + len(before.state))
        own = np.array_equal(before.state, recomputation.annotations[earlier, half])  # not one set by hand
    return Moment(
        Sums.of(parameters, f"encoder.{direction}"),
        parameters["encoder.embedding.weight"][recomputation.source_ids[position]],
        before,
        NumpyRecurrent(run.states[position], run.cells[position]),
        run.gates[position],
        "h",
        "source",
        lambda at: f"x {at + 1}",
        lambda at: (Quantity("embedding", trace, position=position, component=at),),
        lambda at: (Quantity("annotation", trace, position=earlier, component=at + shift),) if own else (),
        lambda at: (Quantity("encoder_cell", trace, position=earlier, component=at, direction=direction),) * begun,
        lambda at: (Quantity("encoder_cell", trace, position=position, component=at, direction=direction),),
        lambda at: (Quantity("encoder_kept", trace, position=position, component=at, direction=direction),),
        lambda name, at: (
            Quantity("encoder_gate", trace, position=position, component=at, gate=name, direction=direction),
        ),
    )
