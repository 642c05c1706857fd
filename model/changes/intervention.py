"""Intervention: all of a person's changes to one translation, as a value; the rest is left to the model.

Steps and source positions count from 0, in tokens. Words are changed before anything is read, so positions are those
of the changed sentence.
"""

import json
import math
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, fields, replace
from typing import Any

import numpy as np
from jaxtyping import Bool
from numpy import ndarray

from regard.model.changes.head_changes import (
    Head,
    HeadRow,
    Layout,
    check_heads,
    check_heads_fit,
    head_changes,
    head_places,
)
from regard.model.input_error import InputError, PlaceError
from regard.model.reference.formulas import NO_STEERING, NumpyHeadChange, NumpySteering
from regard.model.values import checked, read
from regard.model.words import normalise

NEAR = 1e-4  # allowed distance of a row's sum from 1
TEMPERATURES = (0.05, 20.0)  # from the sharpest to the flattest softmax
FARTHEST_BONUS = 1000.0
GREATEST = 10_000.0  # component of a vector; what is computed from it stays finite in float32
EXAMPLE = '{"tokens": [[2, 417]], "hidden": [0], "temperature": 0.5}'
ACCEPTED = "Accepted are fields such as tokens=((2, 417),), hidden=(0,), temperature=0.5"
HEADS_EXAMPLE = '{"heads_off": [["cross", 2, 0]]}'  # attention, layer, head
LONGEST_WORD = 200  # characters of a word put in place of another
ANNOTATION = "annotation"  # the one vector of a source position; the others are of a step
VECTORS = {  # names for people
    ANNOTATION: "annotation",
    "state": "state",
    "context": "context",
    "attentional": "attentional vector",
}
VectorRow = tuple[str, int, tuple[float, ...]]  # one of VECTORS, step or source position, components


@dataclass(frozen=True)
class Intervention:
    """Forced tokens, replaced weights, masked positions, changed words, bonuses to scores, a temperature, vectors.

    In a Transformer these hold for every head of every layer's cross-attention; `heads_off`, `head_weights` and
    `head_vectors` change single heads. The value alone is checked here, `check` tests it against a sentence, and
    `HookedVectors` the sizes of vectors. Arrays and lists become tuples. Raises InputError.
    """

    words: tuple[tuple[int, str], ...] = ()  # source word, text in its place
    tokens: tuple[tuple[int, int], ...] = ()  # step, id of the token written there
    weights: tuple[tuple[int, tuple[float, ...]], ...] = ()  # step, a weight for each source position
    hidden: tuple[int, ...] = ()  # source positions masked at every step
    bonus: tuple[tuple[int, int, float], ...] = ()  # step, source position, number added to the score
    temperature: float = 1.0  # of the softmax over scores, at every step
    heads_off: tuple[Head, ...] = ()  # heads of a Transformer that add nothing
    head_weights: tuple[HeadRow, ...] = ()  # head, one of its rows, the weights there
    vectors: tuple[VectorRow, ...] = ()  # a vector of a step or source position, its replacement
    head_vectors: tuple[HeadRow, ...] = ()  # head of the decoder, step, its output z there

    def __post_init__(self) -> None:
        for field in fields(self):
            value = checked(field.type, getattr(self, field.name), field.name, ACCEPTED)
            object.__setattr__(self, field.name, value)
        _once("words", (change[:1] for change in self.words))
        _once("tokens", (change[:1] for change in self.tokens))
        _once("weights", (change[:1] for change in self.weights))
        _once("hidden", ((position,) for position in self.hidden))
        _once("bonus", (change[:2] for change in self.bonus))
        _once("heads_off", self.heads_off)
        _once("head_weights", (row[:4] for row in self.head_weights))
        _once("vectors", (row[:2] for row in self.vectors))
        _once("head_vectors", (row[:4] for row in self.head_vectors))
        check_heads(self.heads_off, self.head_weights)
        self._check_vectors()
        for word, text in self.words:
            if len(text) > LONGEST_WORD or not normalise(text):
                accepted = f"accepted are 1 to {LONGEST_WORD} characters that are not all blank"
                raise PlaceError({"source word": word}, f": what stands in its place is “{text[:40]}”; {accepted}")
        for step, row in self.weights:
            _check_row({"step": step}, "source token", row)
        for row in self.head_weights:
            _check_row(head_places(row[:3]) | {"row": row[3]}, "token", row[4])
        for step, position, bonus in self.bonus:
            if not abs(bonus) <= FARTHEST_BONUS:
                raise PlaceError(
                    {"step": step, "source token": position},
                    f": the bonus is {bonus}; accepted is a number from −{FARTHEST_BONUS:g} to {FARTHEST_BONUS:g}",
                )
        low, high = TEMPERATURES
        if not low <= self.temperature <= high:
            raise InputError(f"the temperature is {self.temperature}; accepted is a number from {low:g} to {high:g}")

    def _check_vectors(self) -> None:
        for rows, names in ((self.vectors, VECTORS), (self.head_vectors, ("decoder", "cross"))):
            for name, *place, values in rows:
                if name not in names:
                    raise InputError(f"vector of {name[:40]!r}: accepted are {', '.join(names)}")
                if not all(abs(value) <= GREATEST for value in values):  # nor is NaN
                    where = ", ".join(map(str, (name, *place)))
                    raise InputError(f"vector of {where}: accepted are numbers within ±{GREATEST:,.0f}")

    @property
    def steers(self) -> bool:
        """Return True if attention itself is changed."""
        return bool(self.weights or self.hidden or self.bonus) or self.temperature != 1

    @property
    def steps(self) -> list[int]:
        """Return every step with a change, unordered and with repetitions."""
        rows = [row[3] for row in (*self.head_weights, *self.head_vectors) if row[0] != "encoder"]
        vectors = [step for name, step, _ in self.vectors if name != ANNOTATION]
        return [change[0] for change in (*self.tokens, *self.weights, *self.bonus)] + rows + vectors

    @property
    def changes_heads(self) -> bool:
        """Return True if single heads are changed."""
        return bool(self.heads_off or self.head_weights)

    def check(self, reach: Bool[ndarray, " S"], vocabulary: range) -> None:
        """Check that this can be done to a sentence; `reach` marks the positions the decoder may attend to. Raises
        InputError naming the place and the reason."""
        annotations = (position for name, position, _ in self.vectors if name == ANNOTATION)
        for position in (*self.hidden, *(position for _, position, _ in self.bonus), *annotations):
            if position >= len(reach):
                raise PlaceError({"source token": position}, f" is past the end: the source has {len(reach)} tokens")
        if not self.open(reach).any():
            raise InputError("every source token is masked; at least one that the model can look at has to stay")
        for step, token in self.tokens:
            if token not in vocabulary:
                accepted = f"{vocabulary.start} to {vocabulary.stop - 1}"
                raise PlaceError({"step": step}, f": token {token} cannot be written; accepted are {accepted}")
        for step, row in self.weights:
            if len(row) != len(reach):
                raise PlaceError({"step": step}, f": there are {len(row)} weights; the source has {len(reach)} tokens")
            masked = np.flatnonzero((np.array(row) > 0) & ~self.open(reach))
            if len(masked):
                place = {"step": step, "source token": int(masked[0])}
                raise PlaceError(place, ": it has a weight and is masked; its weight must be 0")

    def check_heads(self, layout: Layout, reach: Bool[ndarray, " S"]) -> None:
        """Check the changes of single heads against a model of this layout. Raises InputError naming the head."""
        heads = (*self.heads_off, *(row[:3] for row in self.head_vectors))
        check_heads_fit(heads, self.head_weights, layout, self.open(reach))

    def open(self, reach: Bool[ndarray, " S"]) -> Bool[ndarray, " S"]:
        """Return the positions of `reach` that are not masked."""
        return reach & ~np.isin(np.arange(len(reach)), self.hidden)

    def check_end(self, steps: int) -> None:
        """Check that a translation of this many steps has every changed step. Raises InputError."""
        for step in sorted(self.steps):
            if step >= steps:
                raise PlaceError(
                    {"step": step}, f" is past the end: the translation has {steps} step{'s' * (steps > 1)}"
                )

    def steering(self, steps: int, positions: int, first: int = 0) -> NumpySteering:
        """Return the changes of attention as arrays, with a row for each of `steps` steps from `first` on. If only
        tokens or words are changed, this is `NO_STEERING`."""
        vectors = {(name, step - first * (name != ANNOTATION)): np.array(values) for name, step, values in self.vectors}
        if not self.steers:
            return replace(NO_STEERING, vectors=vectors) if vectors else NO_STEERING
        bonus, weights = np.zeros((steps, positions)), np.zeros((steps, positions))
        replaced, hidden = np.zeros((steps, 1), dtype=bool), np.zeros((1, positions), dtype=bool)
        hidden[0, list(self.hidden)] = True
        rows = range(first, first + steps)
        for step, row in self.weights:
            if step in rows:
                weights[step - first], replaced[step - first] = row, True
        for step, position, value in self.bonus:
            if step in rows:
                bonus[step - first, position] = value
        return NumpySteering(bonus, np.full((1, 1), self.temperature), hidden, weights, replaced, vectors)

    def heads(self, attention: str, shape: tuple[int, int], first: int = 0) -> tuple[NumpyHeadChange, ...]:
        """Return the changes of heads in one attention; `shape` is its rows, from `first` on, and its columns."""
        return head_changes(self.heads_off, self.head_weights, attention, shape, first)

    def all_heads(self, positions: int, steps: int) -> tuple[NumpyHeadChange, ...]:
        """Return the changes of single heads in every attention of a whole translation."""
        shapes = {"encoder": (positions, positions), "decoder": (steps, steps), "cross": (steps, positions)}
        changes = tuple(change for attention, shape in shapes.items() for change in self.heads(attention, shape))
        return (*changes, *(NumpyHeadChange.mixing(*row) for row in self.head_vectors))

    def to_json(self) -> str:
        """Return one line of JSON with the changes alone."""
        plain, values = asdict(UNTOUCHED), asdict(self)
        return json.dumps(
            {name: _short(value) for name, value in values.items() if value != plain[name]},
            ensure_ascii=False,
            separators=(",", ":"),
        )

    @classmethod
    def from_json(cls, text: str) -> "Intervention":
        """Read `to_json`'s text. Raises InputError naming the place and the accepted values."""
        return read(cls, text, f"An intervention is JSON such as {EXAMPLE}")


def _short(value: object) -> object:
    """Return whole numbers without a decimal point, and tuples as lists."""
    if isinstance(value, tuple | list):
        return [_short(each) for each in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _once(name: str, places: Iterable[tuple[Any, ...]]) -> None:
    """Check that no place occurs twice in a field; it may begin with the name of an attention or a vector."""
    seen: set[tuple[Any, ...]] = set()
    for place in places:
        named = isinstance(place[0], str)
        where, numbers = f"{name}, {place[0]}" if named else name, place[named:]
        if min(numbers) < 0:
            raise InputError(f"{where}: {min(numbers)} is below 0, where counting begins")
        if place in seen:
            raise InputError(f"{where}: {', '.join(map(str, numbers))} is named more than once")
        seen.add(place)


def _check_row(places: dict[str, int], column: str, row: Sequence[float]) -> None:
    for position, weight in enumerate(row):
        if not 0 <= weight <= 1 + NEAR:  # nor is NaN
            place = places | {column: position}
            raise PlaceError(place, f": the weight is {weight}; accepted is a number from 0 to 1")
    if abs(math.fsum(row) - 1) > NEAR:
        raise PlaceError(places, f": the weights add up to {math.fsum(row):.6g}; they must add up to 1")


UNTOUCHED = Intervention()
