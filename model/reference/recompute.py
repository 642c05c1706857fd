"""Recomputation of the whole forward pass: NumPy and nothing else, from the weights file and the token ids.

This backs the promise that every number on screen can be recomputed. It calls none of the network's code and never
reads a trace; a person's changes reach both as the same arrays, `NumpySteering`. There is no batch: one sentence, a row
per source token or per decoder step. Equations are those of `regard.model.encoder`, `regard.model.scores`,
`regard.model.attention` and `regard.model.decoder`; parameters go by their names in the file.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import NamedTuple

import numpy as np
from jaxtyping import Bool, Float, Int
from numpy import ndarray

from regard.model.input_error import InputError
from regard.model.reference.formulas import (
    CELLS,
    NO_STEERING,
    START,
    UNREADABLE,
    NumpyAttended,
    NumpyRecurrent,
    NumpySteering,
    log_sum_exp,
    look,
    read_files,
)


@dataclass(frozen=True, eq=False)
class Parameters:
    """The parameters of a model, all of one type, by their names in the file, and its configuration."""

    arrays: Mapping[str, Float[ndarray, "..."]]
    score: str
    wiring: str
    cell: str
    input_feeding: bool
    initial_state: str

    def __getitem__(self, name: str) -> Float[ndarray, "..."]:
        return self.arrays[name]


class Sums(NamedTuple):
    """The parameters of a recurrent cell: its input gives W x + b, its state U h + d."""

    W: Float[ndarray, "N X"]
    U: Float[ndarray, "N H"]
    b: Float[ndarray, " N"]
    d: Float[ndarray, " N"]

    @staticmethod
    def of(parameters: Parameters, name: str) -> "Sums":
        """Return the parameters of `encoder.forwards`, `encoder.backwards` or `decoder.cell`."""
        return Sums(*(parameters[f"{name}.rnn.{part}_l0"] for part in ("weight_ih", "weight_hh", "bias_ih", "bias_hh")))


class RecomputedRun(NamedTuple):
    """The states of a recurrent cell after each item of a sequence."""

    states: Float[ndarray, "N H"]
    cells: Float[ndarray, "N C"]
    gates: Float[ndarray, "N G H"]


@dataclass(frozen=True, eq=False)
class Recomputation:
    """Every number of one forward pass, named as in `regard.model.trace.Trace`, and those a trace omits."""

    source_ids: Int[ndarray, " S"]
    target_ids: Int[ndarray, " T"]
    fed_ids: Int[ndarray, " T"]  # `<s>`, then every target token but the last
    embeddings: Float[ndarray, "S D"]  # of the source tokens
    fed_embeddings: Float[ndarray, "T D"]  # of the tokens fed in
    steering: NumpySteering  # a row for every step
    forwards: RecomputedRun  # the encoder reading from the left; row i belongs to source position i
    backwards: RecomputedRun  # the encoder reading from the right; row i is its state after position i
    annotations: Float[ndarray, "S E"]
    keys: Float[ndarray, "S Q"]
    initial_state: Float[ndarray, " H"]
    initial_cell: Float[ndarray, " C"]
    gates: Float[ndarray, "T G H"]
    states: Float[ndarray, "T H"]
    cells: Float[ndarray, "T C"]
    own_scores: Float[ndarray, "T S"]
    scores: Float[ndarray, "T S"]
    mask: Bool[ndarray, "T S"]
    weights: Float[ndarray, "T S"]
    contexts: Float[ndarray, "T E"]
    attentional: Float[ndarray, "T A"]
    logits: Float[ndarray, "T V"]
    log_normaliser: Float[ndarray, " T"]

    @property
    def initial_attentional(self) -> Float[ndarray, " A"]:
        """Return the zeros that input feeding gives the first step (Luong et al. 2015, section 3.3)."""
        return np.zeros_like(self.attentional[0])


def load_parameters(folder: Path | str, dtype: type[np.floating] = np.float32) -> Parameters:
    """Read `model.safetensors` and `config.json`. Raises InputError naming the folder if they cannot be used."""
    try:
        config, arrays = read_files(Path(folder), dtype)
        choices = {field.name: config[field.name] for field in fields(Parameters) if field.name != "arrays"}
        return Parameters(arrays, **choices)
    except UNREADABLE as error:
        raise InputError(f"{folder} is not a model folder that can be read: {error}") from error


def recompute(
    parameters: Parameters,
    source_ids: Sequence[int] | Int[ndarray, " S"],
    target_ids: Sequence[int] | Int[ndarray, " T"],
    steering: NumpySteering = NO_STEERING,
) -> Recomputation:
    """Compute the forward pass for these ids, in the type of `parameters`. As in a trace, the source ends with `</s>`.
    Raises InputError if there are no ids or some are not in the vocabulary."""
    source, target = _ids("source", source_ids, parameters), _ids("target", target_ids, parameters)
    fed = np.array([START, *target[:-1]])
    embedded, fed_embedded = parameters["encoder.embedding.weight"][source], parameters["embedding.weight"][fed]
    forwards = _run(parameters, "encoder.forwards", embedded)
    backwards = RecomputedRun(*(rows[::-1] for rows in _run(parameters, "encoder.backwards", embedded[::-1])))
    annotations = steering.annotations(np.concatenate([forwards.states, backwards.states], axis=1))
    score = SCORES[parameters.score]
    memory = RecomputedMemory(annotations, score.keys(parameters, annotations), score.reach(len(source)))
    state = np.zeros(Sums.of(parameters, "decoder.cell").U.shape[1], dtype=annotations.dtype)
    if parameters.initial_state == "encoder":
        half = annotations.shape[1] // 2
        ends = np.concatenate([annotations[-1, :half], annotations[0, half:]])  # where each direction ended
        state = np.tanh(parameters["bridge.weight"] @ ends + parameters["bridge.bias"])
    start = CELLS[parameters.cell].rest(state)
    changes = steering.rows(len(target), len(source), annotations.dtype)
    steps = _steps(parameters, fed_embedded, memory, start, changes)
    columns = {name: np.stack([getattr(step, name) for step in steps]) for name in RecomputedStep._fields}
    logits = columns["attentional"] @ parameters["embedding.weight"].T
    return Recomputation(
        source, target, fed, embedded, fed_embedded, changes, forwards, backwards, annotations, memory.keys,
        start.state, start.cell, logits=logits, log_normaliser=log_sum_exp(logits), **columns,
    )  # fmt: skip


def _ids(side: str, ids: Sequence[int] | Int[ndarray, " N"], parameters: Parameters) -> Int[ndarray, " N"]:
    array, size = np.array(ids), len(parameters["embedding.weight"])
    if array.ndim != 1 or array.dtype.kind != "i" or array.min() < 0 or array.max() >= size:
        raise InputError(f"{side} ids {ids!r}: they must be one or more numbers from 0 to {size - 1}")
    return array


def _run(parameters: Parameters, name: str, inputs: Float[ndarray, "N X"]) -> RecomputedRun:
    """Run a cell over a sequence, from zeros."""
    W, U, b, d = Sums.of(parameters, name)
    cell = CELLS[parameters.cell]
    carried, rows = cell.rest(np.zeros(U.shape[1], dtype=U.dtype)), []
    for given in inputs @ W.T + b:
        carried, gates = cell.step(given, U @ carried.state + d, carried)
        rows.append((*carried, gates))
    return RecomputedRun(*(np.stack(column) for column in zip(*rows, strict=True)))


class ScoreFormula(NamedTuple):
    """A score: its part computed once per sentence, its part at each step, and the reachable positions."""

    keys: Callable[[Parameters, Float[ndarray, "S E"]], Float[ndarray, "S Q"]]
    scores: Callable[[Parameters, Float[ndarray, " H"], Float[ndarray, "S Q"]], Float[ndarray, " S"]]
    reach: Callable[[int], Bool[ndarray, " S"]] = lambda positions: np.ones(positions, dtype=bool)


SCORES = {
    "dot": ScoreFormula(lambda weights, annotations: annotations, lambda weights, state, keys: keys @ state),
    "general": ScoreFormula(
        lambda weights, annotations: annotations @ weights["decoder.score.W_a.weight"].T,
        lambda weights, state, keys: keys @ state,
    ),
    "scaled_dot": ScoreFormula(
        lambda weights, annotations: annotations @ weights["decoder.score.W_a.weight"].T,
        lambda weights, state, keys: keys @ state / np.sqrt(len(state)).astype(state.dtype),
    ),
    "concat": ScoreFormula(
        lambda weights, annotations: annotations @ weights["decoder.score.U.weight"].T,
        lambda weights, state, keys: (
            np.tanh(weights["decoder.score.W.weight"] @ state + keys) @ weights["decoder.score.v.weight"][0]
        ),
    ),
    "none": ScoreFormula(
        lambda weights, annotations: annotations[:, :0],
        lambda weights, state, keys: np.zeros(len(keys), dtype=keys.dtype),
        lambda positions: np.isin(np.arange(positions), [0, positions - 1]),
    ),
}


class RecomputedMemory(NamedTuple):
    """The decoder's view of the source sentence."""

    annotations: Float[ndarray, "S E"]
    keys: Float[ndarray, "S Q"]
    reach: Bool[ndarray, " S"]


class RecomputedStep(NamedTuple):
    """One row of some fields of `Recomputation`."""

    gates: Float[ndarray, "G H"]
    states: Float[ndarray, " H"]
    cells: Float[ndarray, " C"]
    own_scores: Float[ndarray, " S"]
    scores: Float[ndarray, " S"]
    mask: Bool[ndarray, " S"]
    weights: Float[ndarray, " S"]
    contexts: Float[ndarray, " E"]
    attentional: Float[ndarray, " A"]


def _steps(
    parameters: Parameters,
    embedded: Float[ndarray, "T D"],
    memory: RecomputedMemory,
    carried: NumpyRecurrent,
    steering: NumpySteering,
) -> list[RecomputedStep]:
    """Take all decoder steps. In Luong's order the current state asks, and with input feeding the cell reads [y_{t-1} ;
    h̃_{t-1}]. In Bahdanau's the previous state asks, and the cell reads [y_{t-1} ; c_t]."""
    attentional, steps, W_c = np.zeros_like(embedded[0]), [], parameters["decoder.W_c.weight"]
    for t, fed in enumerate(embedded):
        if parameters.wiring == "bahdanau":
            attended = _look(parameters, carried, memory, steering, t)
            carried, gates = _move(parameters, np.concatenate([fed, attended.contexts]), carried, steering, t)
        else:
            inputs = np.concatenate([fed, attentional]) if parameters.input_feeding else fed
            carried, gates = _move(parameters, inputs, carried, steering, t)
            attended = _look(parameters, carried, memory, steering, t)
        own = np.tanh(W_c @ np.concatenate([attended.contexts, carried.state]))
        attentional = steering.vector("attentional", t, own)
        steps.append(RecomputedStep(gates, *carried, *attended, attentional))
    return steps


def _move(
    parameters: Parameters, inputs: Float[ndarray, " X"], carried: NumpyRecurrent, steering: NumpySteering, step: int
) -> tuple[NumpyRecurrent, Float[ndarray, "G H"]]:
    W, U, b, d = Sums.of(parameters, "decoder.cell")
    moved, gates = CELLS[parameters.cell].step(W @ inputs + b, U @ carried.state + d, carried)
    return moved._replace(state=steering.vector("state", step, moved.state)), gates


def _look(
    parameters: Parameters, asking: NumpyRecurrent, memory: RecomputedMemory, steering: NumpySteering, step: int
) -> NumpyAttended:
    own = SCORES[parameters.score].scores(parameters, asking.state, memory.keys)
    return look(own, memory.reach, memory.annotations, steering, step)


@dataclass(frozen=True, eq=False)
class PosteriorRecomputation:
    """Every number on the way to a posterior, a row per step and a column per source position. The equations are those
    of `regard.model.word_alignment.posterior`.

        p(i | y_t) = α_ti p(y_t | i) / Σ_j α_tj p(y_t | j)
        p(y_t | i) = exp(W_o[y_t] · h̃_ti − log Σ_y exp(W_o[y] · h̃_ti))
        h̃_ti = tanh(W_c [h_i ; s_ti])      s_ti = s_t (Luong)      s_ti = RNN([y_{t-1} ; h_i], s_{t-1}) (Bahdanau)
    """

    prior: Float[ndarray, "T S"]
    states: Float[ndarray, "T S H"]  # s_ti
    attentional: Float[ndarray, "T S A"]  # h̃_ti
    logits: Float[ndarray, "T S"]  # of the target token
    log_normaliser: Float[ndarray, "T S"]
    likelihood: Float[ndarray, "T S"]  # exp(logit − log-normaliser)
    product: Float[ndarray, "T S"]  # prior times likelihood
    evidence: Float[ndarray, " T"]  # the sum of a row of products
    posterior: Float[ndarray, "T S"]  # product / evidence


def recompute_posterior(parameters: Parameters, recomputation: Recomputation) -> PosteriorRecomputation:
    """Recompute the posterior for the recomputation's ids and steering, with the same parameters and type."""
    states = np.stack([_states(parameters, recomputation, step) for step in range(len(recomputation.target_ids))])
    annotations = np.broadcast_to(recomputation.annotations, (*states.shape[:2], recomputation.annotations.shape[1]))
    attentional = np.tanh(np.concatenate([annotations, states], axis=2) @ parameters["decoder.W_c.weight"].T)
    table = parameters["embedding.weight"]
    logits = np.stack(
        [vectors @ table[token] for vectors, token in zip(attentional, recomputation.target_ids, strict=True)]
    )
    log_normaliser = np.stack([log_sum_exp(vectors @ table.T) for vectors in attentional])
    likelihood = np.exp(logits - log_normaliser)
    product = recomputation.weights * likelihood
    evidence = product.sum(axis=1)
    return PosteriorRecomputation(
        recomputation.weights, states, attentional, logits, log_normaliser,
        likelihood, product, evidence, product / evidence[:, None],
    )  # fmt: skip


def _states(parameters: Parameters, recomputation: Recomputation, step: int) -> Float[ndarray, "S H"]:
    """Return s_ti of one step: in Luong's wiring the state asks before anything is read, in Bahdanau's it reads h_i."""
    if parameters.wiring == "luong":
        return np.broadcast_to(
            recomputation.states[step], (len(recomputation.source_ids), recomputation.states.shape[1])
        )
    W, U, b, d = Sums.of(parameters, "decoder.cell")
    state, cell = (
        (recomputation.states[step - 1], recomputation.cells[step - 1])
        if step
        else (recomputation.initial_state, recomputation.initial_cell)
    )
    fed = parameters["embedding.weight"][recomputation.fed_ids[step]]
    move = CELLS[parameters.cell].step
    inputs = [np.concatenate([fed, annotation]) for annotation in recomputation.annotations]
    return np.stack([move(W @ given + b, U @ state + d, NumpyRecurrent(state, cell))[0].state for given in inputs])
