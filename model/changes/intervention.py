"""Intervention: all of a person's changes to one translation, as a value; the rest is left to the model.

Words are changed before anything is read, so positions are those of the changed sentence. Its fields are rows of the
kinds of change in `KINDS`, which check, move and describe them.
"""

import json
from dataclasses import asdict, dataclass, fields, replace
from typing import Any

import numpy as np
from jaxtyping import Bool
from numpy import ndarray

from regard.model.changes.kinds import (
    ANNOTATION,
    KINDS,
    Fit,
    Head,
    HeadRow,
    Layout,
    Moved,
    Rows,
    VectorRow,
    head_places,
)
from regard.model.input_error import InputError, PlaceError
from regard.model.reference.formulas import NO_STEERING, NumpyHeadChange, NumpySteering
from regard.model.values import checked, read

EXAMPLE = '{"tokens": [[2, 417]], "hidden": [0], "temperature": 0.5}'
ACCEPTED = "Accepted are fields such as tokens=((2, 417),), hidden=(0,), temperature=0.5"
OF_HEADS = ("heads_off", "head_vectors", "head_weights")
HEADS_EXAMPLE = '{"heads_off": [["cross", 2, 0]]}'  # attention, layer, head


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
        for name, kind in KINDS.items():
            kind.check(name, self.rows(name))
        both = {*self.heads_off} & {row[:3] for row in self.head_weights}
        if both:
            raise PlaceError(head_places(min(both)), " is switched off and given weights; only one can be")

    def rows(self, name: str) -> Rows:
        """Return a field as rows; a temperature is one unless it is 1."""
        if name != "temperature":
            return getattr(self, name)
        return (self.temperature,) if self.temperature != 1 else ()

    def with_rows(self, **rows: Rows) -> "Intervention":
        """Return the intervention with other rows in some fields."""
        values: dict[str, Any] = dict(rows)
        if "temperature" in rows:
            values["temperature"] = rows["temperature"][0] if rows["temperature"] else 1.0
        return replace(self, **values)

    @property
    def steers(self) -> bool:
        """Return True if attention itself is changed."""
        return bool(self.weights or self.hidden or self.bonus) or self.temperature != 1

    @property
    def steps(self) -> list[int]:
        """Return every step with a change, unordered and with repetitions."""
        return [step for name, kind in KINDS.items() for step in kind.steps(self.rows(name))]

    @property
    def changes_heads(self) -> bool:
        """Return True if single heads are changed."""
        return bool(self.heads_off or self.head_weights)

    def check(self, reach: Bool[ndarray, " S"], vocabulary: range) -> None:
        """Check that this can be done to a sentence; `reach` marks the positions the decoder may attend to. Raises
        InputError naming the place and the reason."""
        for name, kind in KINDS.items():
            if name not in OF_HEADS:
                kind.fit(self.rows(name), Fit(self.open(reach), vocabulary))
        if not self.open(reach).any():
            raise InputError("every source token is masked; at least one that the model can look at has to stay")

    def check_heads(self, layout: Layout, reach: Bool[ndarray, " S"]) -> None:
        """Check the changes of single heads against a model of this layout. Raises InputError naming the head."""
        for name in OF_HEADS:
            KINDS[name].fit(self.rows(name), Fit(self.open(reach), layout=layout))

    def open(self, reach: Bool[ndarray, " S"]) -> Bool[ndarray, " S"]:
        """Return the positions of `reach` that are not masked."""
        return reach & ~np.isin(np.arange(len(reach)), self.hidden)

    def check_end(self, steps: int) -> None:
        """Check that a translation of this many steps has every changed step. Raises InputError."""
        late = [step for step in self.steps if step >= steps]
        if late:
            problem = f" is past the end: the translation has {steps} step{'s' * (steps > 1)}"
            raise PlaceError({"step": min(late)}, problem)

    def carried(self, moved: Moved) -> "Intervention":
        """Return the changes for a sentence with a replaced word. Those at positions without a successor are dropped,
        as is a row whose weight was on such positions."""
        return self.with_rows(**{name: kind.carried(self.rows(name), moved) for name, kind in KINDS.items()})

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
        size, off = (shape[0], 1), (np.zeros((1, 1)), np.ones((1, 1), dtype=bool))
        none = [NumpyHeadChange(*head, *off) for head in self.heads_off if head[0] == attention]
        given: dict[Head, NumpyHeadChange] = {}
        for name, layer, head, row, weights in self.head_weights:
            if name == attention and first <= row < first + shape[0]:
                fresh = NumpyHeadChange(name, layer, head, np.zeros(shape), np.zeros(size, dtype=bool))
                change = given.setdefault((name, layer, head), fresh)
                change.weights[row - first, : len(weights)] = weights
                change.replaced[row - first] = True
        return (*none, *given.values())

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


def _short(value: object) -> Any:
    """Return whole numbers without a decimal point, and tuples as lists."""
    if isinstance(value, tuple | list):
        return [_short(each) for each in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value


UNTOUCHED = Intervention()
