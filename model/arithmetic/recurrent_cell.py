"""Recurrent cell, opened: its state, its cell state and its gates, in the decoder and in the encoder's two directions.

The equations are those of `regard.model.cells`.
"""

from dataclasses import replace

import numpy as np

from regard.model.arithmetic.cell_moment import Moment, decoder_moment, encoder_moment
from regard.model.arithmetic.derivation import DerivationPart, Number, Opened, products, single
from regard.model.arithmetic.quantity import Quantity
from regard.model.reference.parameters import Parameters
from regard.model.reference.recomputation import Recomputation
from regard.model.reference.recompute import ends
from regard.model.trace import Trace


def open_state(quantity: Quantity, trace: Trace, recomputation: Recomputation, parameters: Parameters) -> Opened:
    if quantity.step < 0:
        return _open_initial(quantity, trace, recomputation, parameters)
    moment, shown = decoder_moment(quantity, recomputation, parameters), trace.states[quantity.step, quantity.component]
    return _state(parameters, moment, quantity.component, shown)


def open_annotation(quantity: Quantity, trace: Trace, recomputation: Recomputation, parameters: Parameters) -> Opened:
    """Open a component of an annotation: the first half is the forward state, the second half the backward state."""
    at, half = quantity.component, recomputation.forwards.states.shape[1]
    where = replace(quantity, direction="forwards" if at < half else "backwards")
    place = quantity.position, at
    moment = encoder_moment(where, recomputation, parameters)
    opened = _state(parameters, moment, at % half, trace.annotations[place])
    return opened._replace(recomputed=recomputation.annotations[place])


def open_embedding(quantity: Quantity, trace: Trace, recomputation: Recomputation, parameters: Parameters) -> Opened:
    """Open a component of a source token's embedding: a number of the encoder's table."""
    at, table = (quantity.position, quantity.component), parameters["encoder.embedding.weight"]
    parts = [single("embedding", (), table[recomputation.source_ids[quantity.position], quantity.component])]
    shapes = (("W_x", table.shape),)
    return Opened("embedding/source", trace.embeddings[at], recomputation.embeddings[at], parts, shapes)


def open_fed_embedding(
    quantity: Quantity, trace: Trace, recomputation: Recomputation, parameters: Parameters
) -> Opened:
    """Open a component of the embedding of the token fed in: a number of the decoder's table, which is also W_o."""
    at, table = (quantity.step, quantity.component), parameters["embedding.weight"]
    parts = [single("embedding", (), table[recomputation.fed_ids[quantity.step], quantity.component])]
    shapes = (("W_o", table.shape),)
    return Opened("embedding/fed", trace.fed_embeddings[at], recomputation.fed_embeddings[at], parts, shapes)


def open_cell(quantity: Quantity, trace: Trace, recomputation: Recomputation, parameters: Parameters) -> Opened:
    at = quantity.component
    if quantity.step < 0:
        again = recomputation.initial_cell
        return Opened("zero", trace.initial_cell[at], again[at], [], (("cell", again.shape),))
    return _cell(decoder_moment(quantity, recomputation, parameters), at, trace.cells[quantity.step, at])


def open_gate(quantity: Quantity, trace: Trace, recomputation: Recomputation, parameters: Parameters) -> Opened:
    index = trace.maker.gates.index(quantity.gate)
    shown = trace.gates[quantity.step, index, quantity.component]
    return _gate(parameters, decoder_moment(quantity, recomputation, parameters), quantity, index, shown)


def open_kept(quantity: Quantity, trace: Trace, recomputation: Recomputation, parameters: Parameters) -> Opened:
    return _kept(decoder_moment(quantity, recomputation, parameters), quantity.component)


def open_of_encoder(quantity: Quantity, trace: Trace, recomputation: Recomputation, parameters: Parameters) -> Opened:
    """Open a number of the encoder's cells that the trace does not keep."""
    moment = encoder_moment(quantity, recomputation, parameters)
    match quantity.kind:
        case "encoder_cell":
            return _cell(moment, quantity.component, None)
        case "encoder_gate":
            return _gate(parameters, moment, quantity, trace.maker.gates.index(quantity.gate), None)
        case _:
            return _kept(moment, quantity.component)


def _open_initial(quantity: Quantity, trace: Trace, recomputation: Recomputation, parameters: Parameters) -> Opened:
    """Open the decoder's initial state: 0, or tanh of a linear map of the encoder's last states."""
    at, index = quantity.component, quantity.trace
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
    """Open a state: o ⊙ tanh(c) of an LSTM, (1 − z) ⊙ n + z ⊙ h of a GRU."""
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
    """Open an LSTM's cell state: f ⊙ c + i ⊙ g. A GRU has none."""
    width = moment.after.cell.shape
    enter, forget, candidate, _ = moment.gates[:, at]
    parts = [
        single("kept", moment.gate_at("forget", at) + moment.memory_at(at), forget, moment.before.cell[at]),
        single("new", moment.gate_at("input", at) + moment.gate_at("candidate", at), enter, candidate),
    ]
    shapes = (("forget", width), ("input", width), ("candidate", width), ("cell", width))
    return Opened("cell/lstm", shown, moment.after.cell[at], parts, shapes)


def _gate(parameters: Parameters, moment: Moment, quantity: Quantity, index: int, shown: Number | None) -> Opened:
    """Open a gate: σ or tanh of W x + b + U h + d; a GRU's candidate multiplies U h + d by its reset gate."""
    (W, U, b, d), at, size = moment.sums, quantity.component, len(moment.after.state)
    row, recomputed = index * size + at, moment.gates[index, at]
    given = [products(moment.read, moment.inputs_at, W[row], moment.inputs), single("bias b", (), b[row])]
    shapes = (("W", (size, W.shape[1])), ("b", (size,)))
    if parameters.cell == "gru" and quantity.gate == "candidate":
        opens = moment.gate_at("reset", at) + moment.kept_at(at)
        parts = [*given, single("kept", opens, moment.gates[0, at], U[row] @ moment.before.state + d[row])]
        return Opened("gate/reset", shown, recomputed, parts, shapes, "tanh", reads=moment.reads)
    parts = [*given, *_recurrence(moment, row)]
    shapes += (("U", (size, size)), ("d", (size,)))
    ending = "tanh" if quantity.gate == "candidate" else "sigmoid"
    return Opened(f"gate/{ending}", shown, recomputed, parts, shapes, ending, reads=moment.reads)


def _kept(moment: Moment, at: int) -> Opened:
    """Open U h + d of a GRU's candidate, the last of its three gates."""
    size = len(moment.after.state)
    row = 2 * size + at
    recomputed = moment.sums.U[row] @ moment.before.state + moment.sums.d[row]
    return Opened("kept", None, recomputed, _recurrence(moment, row), (("U", (size, size)), ("d", (size,))))


def _recurrence(moment: Moment, row: int) -> list[DerivationPart]:
    """Return the terms of U h + d in one row."""
    return [
        products(moment.letter, moment.state_at, moment.sums.U[row], moment.before.state),
        single("bias d", (), moment.sums.d[row]),
    ]


CELL_OPENERS = {
    "embedding": open_embedding,
    "fed_embedding": open_fed_embedding,
    "annotation": open_annotation,
    "state": open_state,
    "cell": open_cell,
    "gate": open_gate,
    "kept": open_kept,
    **dict.fromkeys(("encoder_cell", "encoder_gate", "encoder_kept"), open_of_encoder),
}
