"""Edits: one gesture in the stepper becomes part of the intervention. The browser's messages are untrusted.

`rounded` rounds the weights of a row to whole parts of 10,000.
"""

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

PARTS = 10_000  # rounded weights are multiples of this

Place = Annotated[int, Field(ge=0, lt=10_000)]  # a step, position, word or token; its existence is checked later
Attention = Literal["encoder", "decoder", "cross"]


@dataclass(frozen=True)
class EditedTranslation:
    """The translation that an edit changes."""

    tokenizer: Tokenizer
    sentence: str
    shown: AnyTrace  # with all changes so far

    @property
    def changes(self) -> Intervention:
        return self.shown.intervention


@dataclass(frozen=True)
class Write:
    """Force this token at this step."""

    kind: Literal["token"]
    step: Place
    token: Place

    def edited(self, subject: EditedTranslation) -> Intervention:
        return written(subject.changes, subject.shown, self.step, [self.token])


@dataclass(frozen=True)
class Type:
    """Force this text from this step on; it may be several tokens."""

    kind: Literal["text"]
    step: Place
    text: Annotated[str, Field(max_length=LONGEST_WORD)]

    def edited(self, subject: EditedTranslation) -> Intervention:
        before = subject.shown.target_ids[: self.step].tolist()
        tokens = tokens_of(subject.tokenizer, before, self.text, self.step)
        return written(subject.changes, subject.shown, self.step, tokens)


@dataclass(frozen=True)
class Free:
    """Let the model choose the token at this step again."""

    kind: Literal["free"]
    step: Place

    def edited(self, subject: EditedTranslation) -> Intervention:
        return written(subject.changes, subject.shown, self.step, [])


@dataclass(frozen=True)
class Weigh:
    """Replace the row of weights at this step; an empty row gives the step back to the model."""

    kind: Literal["weights"]
    step: Place
    row: Annotated[tuple[float, ...], Field(max_length=1000)]

    def edited(self, subject: EditedTranslation) -> Intervention:
        others = [change for change in subject.changes.weights if change[0] != self.step]
        own = [(self.step, rounded(self.row))] if self.row else []
        return replace(subject.changes, weights=tuple(sorted([*others, *own])))


@dataclass(frozen=True)
class Mask:
    """Mask these source positions, or unmask them."""

    kind: Literal["mask"]
    positions: Annotated[tuple[Place, ...], Field(max_length=1000)]
    masked: bool

    def edited(self, subject: EditedTranslation) -> Intervention:
        """Move weights that were set by hand on masked positions to the others, in proportion."""
        others = set(subject.changes.hidden) - set(self.positions)
        hidden = others | set(self.positions) if self.masked else others
        weights = tuple((step, _without(row, hidden)) for step, row in subject.changes.weights)
        of_heads = tuple(
            (*place, _without(row, hidden) if place[0] == "cross" else row)
            for *place, row in subject.changes.head_weights
        )
        return replace(subject.changes, hidden=tuple(sorted(hidden)), weights=weights, head_weights=of_heads)


@dataclass(frozen=True)
class Reword:
    """Replace a word of the sentence by this text; its own text restores it."""

    kind: Literal["word"]
    word: Place
    text: Annotated[str, Field(max_length=LONGEST_WORD)]

    def edited(self, subject: EditedTranslation) -> Intervention:
        return reword(subject.tokenizer, subject.sentence, subject.changes, self.word, self.text)


@dataclass(frozen=True)
class Add:
    """Add this number to the score of a source position at a step; 0 restores it."""

    kind: Literal["bonus"]
    step: Place
    position: Place
    value: float

    def edited(self, subject: EditedTranslation) -> Intervention:
        others = [change for change in subject.changes.bonus if change[:2] != (self.step, self.position)]
        own = [(self.step, self.position, self.value)] if self.value else []
        return replace(subject.changes, bonus=tuple(sorted([*others, *own])))


@dataclass(frozen=True)
class Warm:
    """Set the temperature of every softmax of the translation."""

    kind: Literal["temperature"]
    value: float

    def edited(self, subject: EditedTranslation) -> Intervention:
        return replace(subject.changes, temperature=self.value)


@dataclass(frozen=True)
class SwitchHead:
    """Switch one head of a Transformer off, which drops the weights set by hand in it, or on again."""

    kind: Literal["head"]
    attention: Attention
    layer: Place
    head: Place
    off: bool

    def edited(self, subject: EditedTranslation) -> Intervention:
        named = (self.attention, self.layer, self.head)
        others = [head for head in subject.changes.heads_off if head != named]
        rows = tuple(row for row in subject.changes.head_weights if row[:3] != named or not self.off)
        heads = tuple(sorted([*others, named] if self.off else others))
        return replace(subject.changes, heads_off=heads, head_weights=rows)


@dataclass(frozen=True)
class WeighHead:
    """Replace one row of weights in one head; an empty row restores it. A head that is off is switched on."""

    kind: Literal["head_weights"]
    attention: Attention
    layer: Place
    head: Place
    step: Place
    row: Annotated[tuple[float, ...], Field(max_length=1000)]

    def edited(self, subject: EditedTranslation) -> Intervention:
        named = (self.attention, self.layer, self.head)
        others = [row for row in subject.changes.head_weights if row[:4] != (*named, self.step)]
        own = [(*named, self.step, rounded(self.row))] if self.row else []
        heads = tuple(head for head in subject.changes.heads_off if head != named)
        return replace(subject.changes, heads_off=heads, head_weights=tuple(sorted([*others, *own])))


Edit = SwitchHead | WeighHead | Write | Type | Free | Weigh | Mask | Reword | Add | Warm
_READER: TypeAdapter[Edit] = TypeAdapter(Annotated[Edit, Field(discriminator="kind")])


def edited(values: Mapping[str, object], subject: EditedTranslation) -> Intervention:
    """Return the changes so far with one more edit. Raises InputError if the edit is invalid."""
    try:
        edit = _READER.validate_python(dict(values))
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"][1:]))
        raise InputError(f"{place}: {first['msg']}") from error
    return edit.edited(subject)


def _without(row: tuple[float, ...], hidden: set[int]) -> tuple[float, ...]:
    """Return the row without weight on hidden positions, unchanged if none had weight or none would be left."""
    kept = np.array([0.0 if place in hidden else weight for place, weight in enumerate(row)])
    if not kept.any() or (kept == row).all():
        return row
    return rounded(kept / kept.sum())


def rounded(row: Sequence[float] | np.ndarray) -> tuple[float, ...]:
    """Round weights to whole parts of 10,000, the largest remainders up, so that they still add up to 1. The sliders
    send such rows, and links stay short. A row that does not add up to 1 is returned as it is, for `Intervention` to
    refuse."""
    exactly = np.asarray(row, dtype=float) * PARTS
    if not abs(exactly.sum() - PARTS) < 1:  # rejects NaN, too
        return tuple(np.asarray(row, dtype=float).tolist())
    parts = np.floor(exactly + 1e-6)
    order = np.argsort(parts - exactly, kind="stable")
    parts[order[: max(0, round(PARTS - parts.sum()))]] += 1
    return tuple((parts / PARTS).tolist())
