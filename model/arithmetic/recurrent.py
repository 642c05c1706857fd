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
from jaxtyping import Float
from numpy import ndarray

from regard.model.alignment import Posterior, WordWeights
from regard.model.arithmetic.kinds import ALONE, KINDS, usual_form
from regard.model.arithmetic.quantity import Quantity, source_text
from regard.model.arithmetic.terms import SET_BY_HAND, Derivation, Fields, Letters, Number, Numbers, derive
from regard.model.reference.recompute import Parameters, PosteriorRecomputation, Recomputation, recompute
from regard.model.trace import Trace

Tokens = Callable[[int], str]  # the text of a token of the vocabulary


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


def alone(recomputation: Recomputation, parameters: Parameters, step: int, position: int) -> Recomputation:
    """Recompute a step with all its weight on one position and everything before it unchanged."""
    weights, replaced = recomputation.steering.weights.copy(), recomputation.steering.replaced.copy()
    weights[step], replaced[step] = np.eye(len(recomputation.source_ids))[position], True
    steering = replace(recomputation.steering, weights=weights, replaced=replaced)
    return recompute(parameters, recomputation.source_ids, recomputation.target_ids, steering)


@dataclass
class RecurrentNumbers(Numbers):
    """The numbers around one number of a recurrent network's trace, or of its posterior attention."""

    posterior: Any = None  # shown, and recomputed
    posterior_again: Any = None
    tokens: Tokens = str

    def __post_init__(self) -> None:
        kind = self.quantity.kind
        if kind == "annotation" or kind.startswith("encoder_"):
            self.cell, self.reads = "encoder", "source"
        elif kind in ("state", "cell", "gate", "kept"):
            self.cell = "decoder"
            luong = "attentional" if self.parameters.input_feeding else "fed"
            self.reads = "context" if self.parameters.wiring == "bahdanau" else luong
        elif kind in ("alone_state", "alone_cell", "alone_gate"):
            self.cell = self.reads = "alone"
        self.letters = self._letters()

    def _letters(self) -> Letters:
        quantity, again = self.quantity, self.again
        t, i, j = quantity.step, quantity.position, quantity.component
        letters: Letters = {
            "t": t, "i": i, "j": j, "y": quantity.token, "w": int(again.target_ids[t]), "x": int(again.source_ids[i]),
            "fed": int(again.fed_ids[t]), "a": t - 1 if self.parameters.wiring == "bahdanau" else t, "letter": "s",
            "T": len(again.logits), "V": again.logits.shape[1], "S": len(again.annotations),
            "E": again.annotations.shape[1], "A": again.attentional.shape[1], "D": again.embeddings.shape[1],
            "H": again.states.shape[1], "scale": 1 / again.states.shape[1] ** 0.5,
            "bonus": float(again.steering.bonus[t, i]), "temperature": float(again.steering.temperature[t, 0]),
        }  # fmt: skip
        if self.cell == "encoder":
            half = again.forwards.states.shape[1]
            forwards = quantity.direction == "forwards" if quantity.direction else j < half
            letters |= {"H": half, "j": j % half, "h": 0 if forwards else half, "letter": "h"}
            letters |= {"d": "forwards", "b": i - 1} if forwards else {"d": "backwards", "b": i + 1}
        if self.cell:
            gates, cell = self.trace.maker.gates, f"encoder.{letters['d']}" if "d" in letters else "decoder.cell"
            row = gates.index(quantity.gate or "candidate") * letters["H"] + letters["j"]  # the candidate's of `kept`
            letters |= {"cell": cell, "r": row}
        return letters | self.merged_rows() | self._set_by_hand()

    def _set_by_hand(self) -> Letters:
        """Return the number that a person set, if any: a weight of the step, or a component of a vector."""
        quantity, steering = self.quantity, self.again.steering
        if quantity.kind == "weight" and steering.replaced[quantity.step, 0]:
            return {SET_BY_HAND: steering.weights[quantity.step, quantity.position]}
        at = quantity.position if quantity.kind == "annotation" else quantity.step
        vectors = {(name, place): values for name, place, values in self.trace.intervention.vectors}
        values = vectors.get((quantity.kind, at))
        return {SET_BY_HAND: values[quantity.component]} if values else {}

    def form(self) -> str:
        kind, step, position = self.quantity.kind, self.quantity.step, self.quantity.position
        if SET_BY_HAND in self.letters:
            return SET_BY_HAND
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

    def merged(self) -> tuple[WordWeights, Sequence[int]]:
        alignment = self.trace.alignment
        if self.quantity.kind == "word_posterior":
            alignment = self.posterior.over(alignment)
        return alignment.by_words(self.quantity.rows), alignment.source.word_of

    def place_in_file(self) -> dict[str, str]:
        return {"cell": self.letters["cell"] if self.cell else ""}

    def shown(self) -> Number | None:
        if self.quantity.kind in ("posterior", "likelihood"):
            return getattr(self.posterior, self.quantity.kind)[self.quantity.step, self.quantity.position]
        return None if self.quantity.kind == "key" else super().shown()

    def stored(self, numbers: Any, kind: str, at: Fields) -> Any:
        if np.ndim(at.get("step", 0)) == 0 and at.get("step", 0) < 0:
            return getattr(numbers, f"initial_{kind}")[at["component"]]
        gate = {"gate": self.trace.maker.gates.index(at["gate"])} if "gate" in at else {}
        array = getattr(numbers, KINDS[kind].array)
        return array[tuple((at | gate).values())] if at else array

    def value(self, kind: str, at: Fields) -> Any:
        if kind in ("posterior", "likelihood"):
            return getattr(self.posterior_again, kind)[at["step"], at["position"]]
        if kind == "alone_logit" and self.quantity.kind == "likelihood":
            return self.parameter("W_o")[at["token"]] @ self.posterior_again.attentional[at["step"], at["position"]]
        if kind.startswith(ALONE):
            return self.stored(
                self._alone, kind.removeprefix(ALONE), {name: at[name] for name in at if name != "position"}
            )
        if kind.endswith("kept"):
            row = self.trace.maker.gates.index("candidate") * self.letters["H"] + at["component"]
            return self.parameter("W_hh")[row] @ self._before() + self.parameter("b_hh")[row]
        before = self.cell == "encoder" and kind == "annotation" and at["position"] == self.letters["b"]
        if kind.startswith("encoder_") or before:
            return self._of_encoder(kind, at)
        if kind in ("query", "comparison"):
            asking = self.stored(self.again, "state", {"step": self.letters["a"], "component": slice(None)})
            query = self.parameter("W")[at["component"]] @ asking
            return query if kind == "query" else np.tanh(query + self.again.keys[at["position"], at["component"]])
        return super().value(kind, at)

    @cached_property
    def _alone(self) -> Recomputation:
        """The recomputation of the step with all its weight on the position."""
        return alone(self.again, self.parameters, self.quantity.step, self.quantity.position)

    def _before(self) -> Float[ndarray, " H"]:
        """Return the state before the step."""
        place = self.place("before", ("k",))
        assert place is not None
        return self.value(place.kind, place.fields(self.letters | {"k": np.arange(self.letters["H"])}))

    def _of_encoder(self, kind: str, at: Fields) -> Any:
        """Return numbers of one direction of the encoder: zeros before it begins."""
        run = self.again.forwards if self.letters["d"] == "forwards" else self.again.backwards
        component, position = at["component"] - (self.letters["h"] if kind == "annotation" else 0), at["position"]
        if not 0 <= position < self.letters["S"]:
            return np.zeros_like(run.states[0])[component]
        if kind == "encoder_gate":
            return run.gates[position, self.trace.maker.gates.index(at["gate"]), component]
        return (run.states if kind == "annotation" else run.cells)[position, component]

    def within(self, name: str) -> Sequence[int | tuple[int, ...]]:
        weights, mask = self.again.weights[self.quantity.step], self.again.mask[self.quantity.step]
        match name:
            case "reach":
                return np.flatnonzero(mask).tolist()
            case "weighed":
                return np.flatnonzero(weights).tolist()
            case "columns":
                return np.flatnonzero(mask | (weights != 0)).tolist()
            case "ends":
                half, last = self.again.forwards.states.shape[1], self.letters["S"] - 1
                return [(last if k < half else 0, k) for k in range(self.letters["E"])]
            case _:
                return super().within(name)

    def label(self, name: str, letters: Letters) -> str:
        if name == "looked":
            return source_text(self.trace, letters["k"])
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
