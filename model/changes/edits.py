"""Edits: one change made in the browser becomes part of what is asked. What the browser sends is not trusted."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Literal

import numpy as np
from pydantic import Field, TypeAdapter, ValidationError

from regard.model.changes.forced_text import tokens_of, written
from regard.model.changes.intervention import LONGEST_WORD, Intervention
from regard.model.changes.rewording import reword
from regard.model.input_error import InputError
from regard.model.tokenizer import Tokenizer
from regard.model.trace import AnyTrace

PARTS = 10_000  # of a row of weights

Place = Annotated[int, Field(ge=0, lt=10_000)]  # a step, position, word or token; whether there is one is seen later
Attention = Literal["encoder", "decoder", "cross"]


@dataclass(frozen=True)
class Asked:
    """What a change is made to."""

    tokenizer: Tokenizer
    sentence: str
    shown: AnyTrace  # with all the changes so far

    @property
    def changes(self) -> Intervention:
        return self.shown.intervention


@dataclass(frozen=True)
class Write:
    """This token, at this step."""

    kind: Literal["token"]
    step: Place
    token: Place

    def made(self, asked: Asked) -> Intervention:
        return written(asked.changes, asked.shown, self.step, [self.token])


@dataclass(frozen=True)
class Type:
    """This text from this step on; it may be several tokens."""

    kind: Literal["text"]
    step: Place
    text: Annotated[str, Field(max_length=LONGEST_WORD)]

    def made(self, asked: Asked) -> Intervention:
        before = asked.shown.target_ids[: self.step].tolist()
        tokens = tokens_of(asked.tokenizer, before, self.text, self.step)
        return written(asked.changes, asked.shown, self.step, tokens)


@dataclass(frozen=True)
class Free:
    """The model chooses again at this step."""

    kind: Literal["free"]
    step: Place

    def made(self, asked: Asked) -> Intervention:
        return written(asked.changes, asked.shown, self.step, [])


@dataclass(frozen=True)
class Weigh:
    """This row of weights at this step; an empty one is the model's own again."""

    kind: Literal["weights"]
    step: Place
    row: Annotated[tuple[float, ...], Field(max_length=1000)]

    def made(self, asked: Asked) -> Intervention:
        others = [change for change in asked.changes.weights if change[0] != self.step]
        own = [(self.step, rounded(self.row))] if self.row else []
        return replace(asked.changes, weights=tuple(sorted([*others, *own])))


@dataclass(frozen=True)
class Mask:
    """These source positions are masked, or no longer."""

    kind: Literal["mask"]
    positions: Annotated[tuple[Place, ...], Field(max_length=1000)]
    masked: bool

    def made(self, asked: Asked) -> Intervention:
        """Weights that were set by hand on what is masked now go to the others, in proportion."""
        others = set(asked.changes.hidden) - set(self.positions)
        hidden = others | set(self.positions) if self.masked else others
        weights = tuple((step, _without(row, hidden)) for step, row in asked.changes.weights)
        of_heads = tuple(
            (*place, _without(row, hidden) if place[0] == "cross" else row)
            for *place, row in asked.changes.head_weights
        )
        return replace(asked.changes, hidden=tuple(sorted(hidden)), weights=weights, head_weights=of_heads)


@dataclass(frozen=True)
class Reword:
    """This text in place of a word of the sentence; its own text is no change."""

    kind: Literal["word"]
    word: Place
    text: Annotated[str, Field(max_length=LONGEST_WORD)]

    def made(self, asked: Asked) -> Intervention:
        return reword(asked.tokenizer, asked.sentence, asked.changes, self.word, self.text)


@dataclass(frozen=True)
class Add:
    """This number to the score of a source position at a step; 0 is no change."""

    kind: Literal["bonus"]
    step: Place
    position: Place
    value: float

    def made(self, asked: Asked) -> Intervention:
        others = [change for change in asked.changes.bonus if change[:2] != (self.step, self.position)]
        own = [(self.step, self.position, self.value)] if self.value else []
        return replace(asked.changes, bonus=tuple(sorted([*others, *own])))


@dataclass(frozen=True)
class Warm:
    """The temperature of every softmax of the translation."""

    kind: Literal["temperature"]
    value: float

    def made(self, asked: Asked) -> Intervention:
        return replace(asked.changes, temperature=self.value)


@dataclass(frozen=True)
class SwitchHead:
    """One head of a Transformer is switched off, and what was set by hand in it forgotten; or it is on again."""

    kind: Literal["head"]
    attention: Attention
    layer: Place
    head: Place
    off: bool

    def made(self, asked: Asked) -> Intervention:
        named = (self.attention, self.layer, self.head)
        others = [head for head in asked.changes.heads_off if head != named]
        rows = tuple(row for row in asked.changes.head_weights if row[:3] != named or not self.off)
        heads = tuple(sorted([*others, named] if self.off else others))
        return replace(asked.changes, heads_off=heads, head_weights=rows)


@dataclass(frozen=True)
class WeighHead:
    """This row of weights in one head; an empty one is the head's own again. One that is off is on again."""

    kind: Literal["head_weights"]
    attention: Attention
    layer: Place
    head: Place
    step: Place
    row: Annotated[tuple[float, ...], Field(max_length=1000)]

    def made(self, asked: Asked) -> Intervention:
        named = (self.attention, self.layer, self.head)
        others = [row for row in asked.changes.head_weights if row[:4] != (*named, self.step)]
        own = [(*named, self.step, rounded(self.row))] if self.row else []
        heads = tuple(head for head in asked.changes.heads_off if head != named)
        return replace(asked.changes, heads_off=heads, head_weights=tuple(sorted([*others, *own])))


Edit = SwitchHead | WeighHead | Write | Type | Free | Weigh | Mask | Reword | Add | Warm
_READER: TypeAdapter[Edit] = TypeAdapter(Annotated[Edit, Field(discriminator="kind")])


def made(values: Mapping[str, object], asked: Asked) -> Intervention:
    """The changes so far with one more. Raises InputError that says what is wrong."""
    try:
        edit = _READER.validate_python(dict(values))
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"][1:]))
        raise InputError(f"{place}: {first['msg']}") from error
    return edit.made(asked)


def _without(row: tuple[float, ...], hidden: set[int]) -> tuple[float, ...]:
    """As it is where nothing is taken from it, or where nothing would be left."""
    kept = np.array([0.0 if place in hidden else weight for place, weight in enumerate(row)])
    if not kept.any() or (kept == row).all():
        return row
    return rounded(kept / kept.sum())


def rounded(row: Sequence[float] | np.ndarray) -> tuple[float, ...]:
    """Weights in whole parts of 10,000, those with the largest remainders rounded up, so that they add up to 1.

    The sliders send such rows; a link stays short. What does not add up to 1 is left as it is, and refused elsewhere.
    """
    exactly = np.asarray(row, dtype=float) * PARTS
    if not abs(exactly.sum() - PARTS) < 1:  # nor is NaN
        return tuple(np.asarray(row, dtype=float).tolist())
    parts = np.floor(exactly + 1e-6)
    order = np.argsort(parts - exactly, kind="stable")
    parts[order[: max(0, round(PARTS - parts.sum()))]] += 1
    return tuple((parts / PARTS).tolist())
