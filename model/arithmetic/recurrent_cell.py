"""Recurrent cell, opened: its state, its cell state and its gates, in the decoder and in the encoder's two directions.

Equations as in `model.cells`.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from model.arithmetic.derivation import DerivationPart, Number, Opened, nothing, products, single
from model.arithmetic.quantity import Quantity
from model.reference.formulas import CELLS, NumpyRecurrent
from model.reference.parameters import Parameters, Sums
from model.reference.recomputation import Recomputation
from model.reference.recompute import ends
from model.trace import Trace

Place = Callable[[int], tuple[Quantity, ...]]  # the number at a component, where there is one to open


class Moment(NamedTuple):
    """One step of a recurrent cell: what it read, what it held before and after, and which numbers these are."""

    sums: Sums
    inputs: Float[ndarray, " X"]
    before: NumpyRecurrent
    after: NumpyRecurrent
    gates: Float[ndarray, "G H"]
    letter: str  # of its state in the formulas
    reads: Callable[[int], str]  # what a component of the input is
    inputs_at: Place
    state_at: Place  # before
    memory_at: Place  # before
    cell_at: Place
    kept_at: Place
    gate_at: Callable[[str, int], tuple[Quantity, ...]]


def _decoder(quantity: Quantity, recomputation: Recomputation, parameters: Parameters) -> Moment:
    """The decoder at a step: it reads the embedding of the token fed in, and what its wiring puts beside it."""
    trace, step = quantity.trace, quantity.step
    embedded, beside = (
        parameters["embedding.weight"][recomputation.fed_ids[step]],
        _beside(quantity, recomputation, parameters),
    )
    size, before = len(embedded), NumpyRecurrent(recomputation.initial_state, recomputation.initial_cell)
    if step:
        before = NumpyRecurrent(recomputation.states[step - 1], recomputation.cells[step - 1])
    return Moment(
        Sums.of(parameters, "decoder.cell"),
        np.concatenate([embedded, beside.vector]),
        before,
        NumpyRecurrent(recomputation.states[step], recomputation.cells[step]),
        recomputation.gates[step],
        "s",
        lambda at: f"x {at + 1}" if at < size else f"{beside.letter} {at + 1 - size}",
        lambda at: beside.place(at - size) if at >= size else (),
        lambda at: (Quantity("state", trace, step - 1, component=at),),
        lambda at: (Quantity("cell", trace, step - 1, component=at),),
        lambda at: (Quantity("cell", trace, step, component=at),),
        lambda at: (Quantity("kept", trace, step, component=at),),
        lambda name, at: (Quantity("gate", trace, step, component=at, gate=name),),
    )


class CellInput(NamedTuple):
    """What the decoder reads beside an embedding."""

    vector: Float[ndarray, " X"]
    letter: str
    place: Place


def _beside(quantity: Quantity, recomputation: Recomputation, parameters: Parameters) -> CellInput:
    """The context in Bahdanau's wiring, the last h̃ with input feeding; else a vector of no components."""
    trace, step = quantity.trace, quantity.step
    if parameters.wiring == "bahdanau":
        return CellInput(
            recomputation.contexts[step], "c", lambda at: (Quantity("context", trace, step, component=at),)
        )
    if not parameters.input_feeding:
        return CellInput(recomputation.attentional[0, :0], "", nothing)
    if step == 0:
        return CellInput(np.zeros_like(recomputation.attentional[0]), "h̃", nothing)
    before = step - 1
    return CellInput(
        recomputation.attentional[before], "h̃", lambda at: (Quantity("attentional", trace, before, component=at),)
    )


def _encoder(quantity: Quantity, recomputation: Recomputation, parameters: Parameters) -> Moment:
    """One direction of the encoder at a source position: it reads the embedding of the token there."""
    trace, direction, position = quantity.trace, quantity.direction, quantity.position
    run, shift = (
        (recomputation.forwards, 0)
        if direction == "forwards"
        else (recomputation.backwards, recomputation.forwards.states.shape[1])
    )
    earlier = position - 1 if direction == "forwards" else position + 1
    begun = 0 <= earlier < len(recomputation.source_ids)
    before = CELLS[parameters.cell].rest(np.zeros_like(run.states[0]))
    if begun:
        before = NumpyRecurrent(run.states[earlier], run.cells[earlier])
    return Moment(
        Sums.of(parameters, f"encoder.{direction}"),
        parameters["encoder.embedding.weight"][recomputation.source_ids[position]],
        before,
        NumpyRecurrent(run.states[position], run.cells[position]),
        run.gates[position],
        "h",
        lambda at: f"x {at + 1}",
        nothing,
        lambda at: (Quantity("annotation", trace, position=earlier, component=at + shift),) if begun else (),
        lambda at: (Quantity("encoder_cell", trace, position=earlier, component=at, direction=direction),) * begun,
        lambda at: (Quantity("encoder_cell", trace, position=position, component=at, direction=direction),),
        lambda at: (Quantity("encoder_kept", trace, position=position, component=at, direction=direction),),
        lambda name, at: (
            Quantity("encoder_gate", trace, position=position, component=at, gate=name, direction=direction),
        ),
    )


def open_state(asked: Quantity, trace: Trace, recomputation: Recomputation, parameters: Parameters) -> Opened:
    if asked.step < 0:
        return _open_initial(asked, trace, recomputation, parameters)
    return _state(
        parameters,
        _decoder(asked, recomputation, parameters),
        asked.component,
        trace.states[asked.step, asked.component],
    )


def open_annotation(asked: Quantity, trace: Trace, recomputation: Recomputation, parameters: Parameters) -> Opened:
    """A component is one of the forward state, or of the backward state in the second half."""
    at, half = asked.component, recomputation.forwards.states.shape[1]
    where = replace(asked, direction="forwards" if at < half else "backwards")
    return _state(
        parameters, _encoder(where, recomputation, parameters), at % half, trace.annotations[asked.position, at]
    )


def open_cell(asked: Quantity, trace: Trace, recomputation: Recomputation, parameters: Parameters) -> Opened:
    at = asked.component
    if asked.step < 0:
        return Opened(
            "zero",
            trace.initial_cell[at],
            recomputation.initial_cell[at],
            [],
            (("cell", recomputation.initial_cell.shape),),
        )
    return _cell(_decoder(asked, recomputation, parameters), at, trace.cells[asked.step, at])


def open_encoder_cell(asked: Quantity, trace: Trace, recomputation: Recomputation, parameters: Parameters) -> Opened:
    return _cell(_encoder(asked, recomputation, parameters), asked.component, None)


def open_gate(asked: Quantity, trace: Trace, recomputation: Recomputation, parameters: Parameters) -> Opened:
    index = trace.maker.gates.index(asked.gate)
    shown = trace.gates[asked.step, index, asked.component]
    return _gate(parameters, _decoder(asked, recomputation, parameters), asked, index, shown)


def open_encoder_gate(asked: Quantity, trace: Trace, recomputation: Recomputation, parameters: Parameters) -> Opened:
    index = trace.maker.gates.index(asked.gate)
    return _gate(parameters, _encoder(asked, recomputation, parameters), asked, index, None)


def open_kept(asked: Quantity, trace: Trace, recomputation: Recomputation, parameters: Parameters) -> Opened:
    return _kept(_decoder(asked, recomputation, parameters), asked.component)


def open_encoder_kept(asked: Quantity, trace: Trace, recomputation: Recomputation, parameters: Parameters) -> Opened:
    return _kept(_encoder(asked, recomputation, parameters), asked.component)


def _open_initial(asked: Quantity, trace: Trace, recomputation: Recomputation, parameters: Parameters) -> Opened:
    """The decoder's state before its first step: 0, or tanh of a map of the encoder's last states."""
    at, index = asked.component, asked.trace
    shown, recomputed = trace.initial_state[at], recomputation.initial_state[at]
    if parameters.initial_state == "zero":
        return Opened("zero", shown, recomputed, [], (("state", recomputation.initial_state.shape),))
    half, last = recomputation.forwards.states.shape[1], len(recomputation.source_ids) - 1
    part = products(
        "h",
        lambda j: (Quantity("annotation", index, position=last if j < half else 0, component=j),),
        parameters["bridge.weight"][at],
        ends(recomputation.annotations),
    )
    parts = [part, single("bias", (), parameters["bridge.bias"][at])]
    shapes = (("W_b", parameters["bridge.weight"].shape), ("b_b", parameters["bridge.bias"].shape))
    return Opened("state/bridge", shown, recomputed, parts, shapes, "tanh")


def _state(parameters: Parameters, moment: Moment, at: int, shown: Number) -> Opened:
    """LSTM: o ⊙ tanh(c). GRU: (1 − z) ⊙ n + z ⊙ h."""
    width = moment.after.state.shape
    if parameters.cell == "lstm":
        gate, memory = moment.gates[3, at], moment.after.cell[at]
        opens = moment.gate_at("output", at) + moment.cell_at(at)
        part = single("let out", opens, gate, memory)._replace(values=np.array([gate * np.tanh(memory)], float))
        return Opened("state/lstm", shown, moment.after.state[at], [part], (("output", width), ("cell", width)))
    update = moment.gate_at("update", at)
    _, z, candidate = moment.gates[:, at]
    parts = [
        single("new", update + moment.gate_at("candidate", at), 1 - z, candidate),
        single("kept", update + moment.state_at(at), z, moment.before.state[at]),
    ]
    shapes = (("update", width), ("candidate", width), ("state", width))
    return Opened("state/gru", shown, moment.after.state[at], parts, shapes)


def _cell(moment: Moment, at: int, shown: Number | None) -> Opened:
    """LSTM: f ⊙ c + i ⊙ g. A GRU has none."""
    width = moment.after.cell.shape
    enter, forget, candidate, _ = moment.gates[:, at]
    parts = [
        single("kept", moment.gate_at("forget", at) + moment.memory_at(at), forget, moment.before.cell[at]),
        single("new", moment.gate_at("input", at) + moment.gate_at("candidate", at), enter, candidate),
    ]
    shapes = (("forget", width), ("input", width), ("candidate", width), ("cell", width))
    return Opened("cell/lstm", shown, moment.after.cell[at], parts, shapes)


def _gate(parameters: Parameters, moment: Moment, asked: Quantity, index: int, shown: Number | None) -> Opened:
    """σ or tanh of W x + b + U h + d; a GRU's candidate multiplies U h + d by its reset gate."""
    (W, U, b, d), at, size = moment.sums, asked.component, len(moment.after.state)
    row, recomputed = index * size + at, moment.gates[index, at]
    given = [products(moment.reads, moment.inputs_at, W[row], moment.inputs), single("bias b", (), b[row])]
    shapes = (("W", (size, W.shape[1])), ("b", (size,)))
    if parameters.cell == "gru" and asked.gate == "candidate":
        opens = moment.gate_at("reset", at) + moment.kept_at(at)
        parts = [*given, single("kept", opens, moment.gates[0, at], U[row] @ moment.before.state + d[row])]
        return Opened("gate/reset", shown, recomputed, parts, shapes, "tanh")
    parts = [*given, *_recurrence(moment, row)]
    shapes += (("U", (size, size)), ("d", (size,)))
    ending = "tanh" if asked.gate == "candidate" else "sigmoid"
    return Opened(f"gate/{ending}", shown, recomputed, parts, shapes, ending)


def _kept(moment: Moment, at: int) -> Opened:
    """U h + d of a GRU's candidate, the last of its three gates."""
    size = len(moment.after.state)
    row = 2 * size + at
    recomputed = moment.sums.U[row] @ moment.before.state + moment.sums.d[row]
    return Opened("kept", None, recomputed, _recurrence(moment, row), (("U", (size, size)), ("d", (size,))))


def _recurrence(moment: Moment, row: int) -> list[DerivationPart]:
    """What one sum takes from the state before."""
    return [
        products(moment.letter, moment.state_at, moment.sums.U[row], moment.before.state),
        single("bias d", (), moment.sums.d[row]),
    ]
