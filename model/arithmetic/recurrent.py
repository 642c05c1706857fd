"""Numbers of a recurrent network's translation, opened down to their terms: attention, cells, output and posterior.

Every term names the quantities it came from, so a reader can go from a weight to its score, from there to the state,
its gates, and back to the embeddings and parameters. The posterior's likelihood p(y_t | i) is the probability of y_t in
a step taken with all weight on i; that step is recomputed so, and its numbers open like those of the translation.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from jaxtyping import Bool, Float
from numpy import ndarray

from regard.model.alignment import Posterior, WordWeights
from regard.model.arithmetic.quantity import AFTERWARDS, ALONE, KINDS, LETTERS, Quantity, usual_form
from regard.model.arithmetic.terms import SET_BY_HAND, Derivation, Fields, Letters, Numbers, derive
from regard.model.reference.recompute import Parameters, PosteriorRecomputation, Recomputation, recompute
from regard.model.trace import Trace

Tokens = Callable[[int], str]  # the text of a token of the vocabulary
NOT_GATES = ("memory", "kept", "state")  # the other letters of a cell
ARROWS = {"forwards": r"\overrightarrow{%s}", "backwards": r"\overleftarrow{%s}"}


def work_out(
    quantity: Quantity,
    trace: Trace,
    recomputation: Recomputation,
    parameters: Parameters,
    posterior: Posterior | None = None,
    recomputed: PosteriorRecomputation | None = None,
    tokens: Tokens = str,
) -> Derivation:
    """Open one number of `trace`; `recomputation` is computed from its ids with `parameters`. A number of a kind
    in `AFTERWARDS` needs the posterior as well, as shown and as recomputed. Raises InputError naming the field that is
    out of range and its accepted values."""
    quantity.check(trace)
    return derive(RecurrentNumbers(quantity, trace, recomputation, parameters, posterior, recomputed, tokens))


@dataclass
class RecurrentNumbers(Numbers):
    """The numbers around one number of a recurrent network's trace, or of its posterior attention."""

    posterior: Any = None  # shown, and recomputed
    posterior_again: Any = None
    tokens: Tokens = str

    def __post_init__(self) -> None:
        quantity, again, bahdanau = self.quantity, self.again, self.parameters.wiring == "bahdanau"
        t, i, kind = quantity.step, quantity.position, quantity.kind
        size = again.states.shape[1]
        self.letters = self.shared_letters(t, i) | {
            "x": int(again.source_ids[i]), "a": t - bahdanau, "letter": "s", "S": len(again.annotations), "H": size,
            "E": again.annotations.shape[1], "D": again.embeddings.shape[1], "scale": 1 / size**0.5,
        }  # fmt: skip
        if kind == "annotation" or kind.startswith("encoder_"):
            self.cell, self.reads = "encoder", "source"
            self.letters |= self._direction()
        elif kind in ("state", "cell", "gate", "kept"):
            self.cell = "decoder"
            self.reads = "context" if bahdanau else "attentional" if self.parameters.input_feeding else "fed"
        elif kind in ("alone_state", "alone_cell", "alone_gate"):
            self.cell = self.reads = "alone"
        if self.cell:
            self.files = {"cell": f"encoder.{self.letters['d']}" if self.cell == "encoder" else "decoder.cell"}
            gate = self.trace.maker.gates.index(quantity.gate or "candidate")  # the candidate's of `kept`
            self.letters["r"] = gate * self.letters["H"] + self.letters["j"]
        rows = dict(self.trace.intervention.weights)
        if kind == "weight" and t in rows:
            self.letters[SET_BY_HAND] = rows[t][i]

    def _direction(self) -> Letters:
        """Return the letters of the encoder's direction that the number belongs to; `b` is the position before."""
        half, i, j = self.again.forwards.states.shape[1], self.quantity.position, self.quantity.component
        d = self.quantity.direction or ("forwards" if j < half else "backwards")
        step, first = (-1, 0) if d == "forwards" else (1, half)
        return {"d": d, "H": half, "j": j % half, "h": first, "b": i + step, "letter": "h"}

    def form(self) -> str:
        kind, step, position = self.quantity.kind, self.quantity.step, self.quantity.position
        if kind == "score" and (self.letters["bonus"], self.letters["temperature"]) != (0, 1):
            return "score/steered"
        if kind == "weight" and not self.again.mask[step, position]:
            return "weight/masked"
        if kind == "posterior" and self.again.weights[step, position] == 0:
            return "posterior/zero"
        if step < 0:
            return "state/bridge" if kind == "state" and self.parameters.initial_state == "encoder" else "zero"
        if self.quantity.gate == "candidate":
            return "gate/reset" if self.parameters.cell == "gru" else "gate/tanh"
        return usual_form(kind, self.trace.maker)

    def symbols(self) -> dict[str, str]:
        """Return the letters of the cell: with an arrow in the encoder, with (i) if one token has all weight."""
        named = LETTERS | {"candidate": "n" if self.parameters.cell == "gru" else "g"}
        if self.cell == "encoder":
            return {name: ARROWS[self.letters["d"]] % letter for name, letter in (named | {"state": "h"}).items()}
        if self.cell != "alone":
            return named
        plain = NOT_GATES[1:] if self.quantity.kind == "alone_state" else NOT_GATES  # an LSTM's state reads the new m
        marked = f"^{{({self.quantity.position + 1})}}"
        return {name: letter + marked * (name not in plain) for name, letter in named.items()}

    def merged(self) -> tuple[WordWeights, Sequence[int]]:
        alignment = self.trace.alignment
        if self.quantity.kind == "word_posterior":
            alignment = self.posterior.over(alignment)
        return alignment.by_words(self.quantity.rows), alignment.source.word_of

    def row(self) -> tuple[Float[ndarray, " S"], Bool[ndarray, " S"]]:
        return self.again.weights[self.quantity.step], self.again.mask[self.quantity.step]

    def stored(self, numbers: Any, kind: str, at: Fields) -> Any:
        if np.ndim(at.get("step", 0)) == 0 and at.get("step", 0) < 0:
            return getattr(numbers, f"initial_{kind}")[at["component"]]
        if kind in AFTERWARDS:
            numbers = self.posterior if numbers is self.trace else self.posterior_again
        gate = {"gate": self.trace.maker.gates.index(at["gate"])} if "gate" in at else {}
        array = getattr(numbers, KINDS[kind].array)
        return array[tuple((at | gate).values())] if at else array

    def value(self, kind: str, at: Fields) -> Any:
        if kind == "alone_logit" and self.quantity.kind == "likelihood":
            return self.parameter("W_o")[at["token"]] @ self.posterior_again.attentional[at["step"], at["position"]]
        if kind.startswith(ALONE):
            place = {name: value for name, value in at.items() if name != "position"}
            return self.stored(self._alone, kind.removeprefix(ALONE), place)
        if kind.endswith("kept"):
            row = self.trace.maker.gates.index("candidate") * self.letters["H"] + at["component"]
            return self.parameter("W_hh")[row] @ self._before() + self.parameter("b_hh")[row]
        before = self.cell == "encoder" and kind == "annotation" and at["position"] == self.letters["b"]
        if before or kind.startswith("encoder_"):
            return self._of_encoder(kind, at)
        if kind == "key":
            return self.again.keys[at["position"], at["component"]]
        if kind in ("query", "comparison"):
            asking = self.stored(self.again, "state", {"step": self.letters["a"], "component": slice(None)})
            query = self.parameter("W")[at["component"]] @ asking
            return query if kind == "query" else np.tanh(query + self.value("key", at))
        return super().value(kind, at)

    @cached_property
    def _alone(self) -> Recomputation:
        """The recomputation of the step with all its weight on the position, and everything before it unchanged."""
        again, step = self.again, self.quantity.step
        weights, replaced = again.steering.weights.copy(), again.steering.replaced.copy()
        weights[step], replaced[step] = np.eye(len(again.source_ids))[self.quantity.position], True
        steering = replace(again.steering, weights=weights, replaced=replaced)
        return recompute(self.parameters, again.source_ids, again.target_ids, steering)

    def _before(self) -> Float[ndarray, " H"]:
        """Return the state before the step."""
        place = self.place("before", ("k",))
        assert place is not None
        return self.value(place.kind, place.fields(self.letters | {"k": np.arange(self.letters["H"])}))

    def _of_encoder(self, kind: str, at: Fields) -> Any:
        """Return numbers of one direction of the encoder: zeros before it begins."""
        run = getattr(self.again, self.letters["d"])
        component, position = at["component"] - (self.letters["h"] if kind == "annotation" else 0), at["position"]
        if not 0 <= position < self.letters["S"]:
            return np.zeros_like(run.states[0])[component]
        if kind == "encoder_gate":
            return run.gates[position, self.trace.maker.gates.index(at["gate"]), component]
        return (run.states if kind == "annotation" else run.cells)[position, component]

    def within(self, name: str) -> Sequence[int | tuple[int, ...]]:
        if name != "ends":
            return super().within(name)
        half, last = self.again.forwards.states.shape[1], self.letters["S"] - 1
        return [(last if k < half else 0, k) for k in range(self.letters["E"])]

    def label(self, name: str, letters: Letters) -> str:
        return self.tokens(letters["k"]) if name == "entry" else super().label(name, letters)

    def openable(self, found: Quantity) -> Sequence[Quantity]:
        """Return the quantity, but none before an encoder begins, nor an annotation in place of another state."""
        if self.cell != "encoder" or found.position != self.letters["b"]:
            return super().openable(found)
        if not 0 <= found.position < self.letters["S"]:
            return ()
        half = slice(self.letters["h"], self.letters["h"] + self.letters["H"])
        own = self.again.annotations[found.position, half]
        return () if found.kind == "annotation" and not np.array_equal(self._before(), own) else (found,)
