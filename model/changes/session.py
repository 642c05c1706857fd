"""Session of changes: the edits of one translation, each tried and then kept, or refused with the reason.

An edit is one gesture in the stepper, which becomes part of the intervention; the browser's messages are untrusted.
`offered` adds what can be changed next: temperatures, and weights that match hand-made word links.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce
from typing import Annotated, Any, Literal, NamedTuple

import numpy as np
from jaxtyping import Bool
from numpy import ndarray
from pydantic import Field, ValidationError, validate_call

from regard.model.alignment import Alignment
from regard.model.changes.intervention import LONGEST_WORD, TEMPERATURES, UNTOUCHED, Intervention, Rows
from regard.model.changes.marks import change_texts, changes
from regard.model.changes.rewording import reword, tokens_of, written
from regard.model.input_error import InputError, check_choice, on_screen
from regard.model.tokenizer import Tokenizer
from regard.model.trace import AnyTrace
from regard.model.word_alignment.alignment_error_rate import GoldPair

STEPS_OF_A_LINK = 12  # changes of a link that can be undone one by one
UNDO_STEPS = 200  # past interventions kept
PARTS = 10_000  # rounded weights are multiples of this
EDITS_AT_ONCE = 20  # edits accepted in one message; each costs a translation
TOO_MANY = f"{{}} changes were sent at once; the first {EDITS_AT_ONCE} are made"

Place = Annotated[int, Field(ge=0, lt=10_000)]  # a step, position, word or token; its existence is checked later
Text = Annotated[str, Field(max_length=LONGEST_WORD)]
Row = Annotated[tuple[float, ...], Field(max_length=1000)]
Attention = Literal["encoder", "decoder", "cross"]


@dataclass(frozen=True)
class History:
    """`past` ends with the next intervention to undo to, `future` with the next one to redo."""

    present: Intervention = UNTOUCHED
    past: tuple[Intervention, ...] = ()
    future: tuple[Intervention, ...] = ()

    def changed(self, present: Intervention) -> "History":
        """Return the history with a new present and an empty future; an equal present changes nothing."""
        if present == self.present:
            return self
        return History(present, (*self.past, self.present)[-UNDO_STEPS:])

    def undone(self) -> "History":
        """Return the history one change back, if there is one."""
        if not self.past:
            return self
        return History(self.past[-1], self.past[:-1], (*self.future, self.present))

    def redone(self) -> "History":
        """Return the history with the last undone change made again, if there is one."""
        if not self.future:
            return self
        return History(self.future[-1], (*self.past, self.present), self.future[:-1])


@dataclass(frozen=True)
class EditedTranslation:
    """The translation that an edit changes."""

    tokenizer: Tokenizer
    sentence: str
    shown: AnyTrace  # with all changes so far

    @property
    def changes(self) -> Intervention:
        return self.shown.intervention


def _token(subject: Any, step: Place, token: Place) -> Intervention:
    """Force this token at this step."""
    return written(subject.changes, subject.shown, step, [token])


def _text(subject: Any, step: Place, text: Text) -> Intervention:
    """Force this text from this step on; it may be several tokens."""
    before = subject.shown.target_ids[:step].tolist()
    return written(subject.changes, subject.shown, step, tokens_of(subject.tokenizer, before, text, step))


def _free(subject: Any, step: Place) -> Intervention:
    """Let the model choose the token at this step again."""
    return written(subject.changes, subject.shown, step, [])


def _weights(subject: Any, step: Place, row: Row) -> Intervention:
    """Replace the row of weights at this step; an empty row gives the step back to the model."""
    return replace(subject.changes, weights=_put(subject.changes.weights, (step,), rounded(row)))


def _mask(subject: Any, positions: Annotated[tuple[Place, ...], Field(max_length=1000)], masked: bool) -> Intervention:
    """Mask source positions, or unmask them. Weights that were set by hand on masked ones move to the others, in
    proportion."""
    changes: Intervention = subject.changes
    others = set(changes.hidden) - set(positions)
    hidden = others | set(positions) if masked else others
    weights = tuple((step, _without(row, hidden)) for step, row in changes.weights)
    of_heads = tuple(
        (*place, _without(row, hidden) if place[0] == "cross" else row) for *place, row in changes.head_weights
    )
    return replace(changes, hidden=tuple(sorted(hidden)), weights=weights, head_weights=of_heads)


def _word(subject: Any, word: Place, text: Text) -> Intervention:
    """Replace a word of the sentence by this text; its own text restores it."""
    return reword(subject.tokenizer, subject.sentence, subject.changes, word, text)


def _bonus(subject: Any, step: Place, position: Place, value: float) -> Intervention:
    """Add this number to the score of a source position at a step; 0 restores it."""
    return replace(subject.changes, bonus=_put(subject.changes.bonus, (step, position), value))


def _temperature(subject: Any, value: float) -> Intervention:
    """Set the temperature of every softmax of the translation."""
    return replace(subject.changes, temperature=value)


def _head(subject: Any, attention: Attention, layer: Place, head: Place, off: bool) -> Intervention:
    """Switch one head of a Transformer off, which drops the weights set by hand in it, or on again."""
    named, changes = (attention, layer, head), subject.changes
    others = [one for one in changes.heads_off if one != named]
    rows = tuple(row for row in changes.head_weights if row[:3] != named or not off)
    return replace(changes, heads_off=tuple(sorted([*others, named] if off else others)), head_weights=rows)


def _head_weights(subject: Any, attention: Attention, layer: Place, head: Place, step: Place, row: Row) -> Intervention:
    """Replace one row of weights in one head; an empty row restores it. A head that is off is switched on."""
    named = (attention, layer, head)
    rows = _put(subject.changes.head_weights, (*named, step), rounded(row))
    heads = tuple(one for one in subject.changes.heads_off if one != named)
    return replace(subject.changes, heads_off=heads, head_weights=rows)


EDITS = {
    edit.__name__.removeprefix("_"): validate_call(edit)
    for edit in (_token, _text, _free, _weights, _mask, _word, _bonus, _temperature, _head, _head_weights)
}


def edited(values: Mapping[str, object], subject: EditedTranslation) -> Intervention:
    """Return the changes so far with one more edit; its kind names a function above, and its other values are the
    arguments. Raises InputError if the edit is invalid."""
    kind = str(values.get("kind"))
    check_choice("kind", kind, EDITS)
    arguments: dict[str, Any] = {name: value for name, value in values.items() if name not in ("kind", "subject")}
    try:
        return EDITS[kind](subject, **arguments)
    except ValidationError as error:
        first = error.errors()[0]
        raise InputError(f"{'.'.join(map(str, first['loc']))}: {first['msg']}") from error


def _put(rows: Rows, place: Rows, content: float | tuple[float, ...]) -> Rows:
    """Return the rows with one whose place and content these are; without content the place is left to the model."""
    others = [row for row in rows if row[: len(place)] != place]
    return tuple(sorted([*others, (*place, content)] if content else others))


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
    exactly = np.array(row, dtype=float) * PARTS
    if not abs(exactly.sum() - PARTS) < 1:  # rejects NaN, too
        return tuple(np.array(row, dtype=float).tolist())
    parts = np.floor(exactly + 1e-6)
    order = np.argsort(parts - exactly, kind="stable")
    parts[order[: max(0, round(PARTS - parts.sum()))]] += 1
    return tuple((parts / PARTS).tolist())


WAYS: dict[str, Callable[[History], History]] = {
    "undo": History.undone,
    "redo": History.redone,
    "reset": lambda history: history.changed(UNTOUCHED),
}


class NumberedEdit(NamedTuple):
    """An edit as the stepper sends it; numbers increase, so that an edit sent twice is made once."""

    number: int
    values: Mapping[str, object]


@dataclass(frozen=True)
class Translator:
    """One sentence that can be translated with any changes; `translate` raises InputError for impossible ones."""

    tokenizer: Tokenizer
    sentence: str
    translate: Callable[[Intervention], AnyTrace]


@dataclass(frozen=True)
class ChangeSession:
    """The history of changes, the reason the last edit was refused (or ""), and the number of the last edit."""

    history: History = field(default_factory=History)
    refused: str = ""
    heard: int = 0

    def hear(self, edits: Sequence[NumberedEdit], translator: Translator) -> "ChangeSession":
        """Make the new edits, in order; all beyond `EDITS_AT_ONCE` are refused."""
        session, new, last = self, [], self.heard
        for edit in edits:
            if edit.number > last:
                new.append(edit)
                last = edit.number
        for edit in new[:EDITS_AT_ONCE]:
            session = replace(session.edit(edit.values, translator), heard=edit.number)
        if len(new) > EDITS_AT_ONCE:
            session = replace(session, refused=TOO_MANY.format(f"{len(new):,}"), heard=last)
        return session

    def edit(self, values: Mapping[str, object], translator: Translator) -> "ChangeSession":
        """Make one edit, or undo, redo or reset."""
        if (kind := str(values.get("kind"))) in WAYS:
            return self.go(kind)
        try:
            shown = translator.translate(self.history.present)
            subject = EditedTranslation(translator.tokenizer, translator.sentence, shown)
            return self.put(edited(values, subject), translator)
        except InputError as error:
            return replace(self, refused=on_screen(error))

    def go(self, way: str) -> "ChangeSession":
        """Undo, redo or reset."""
        return replace(self, history=WAYS[way](self.history), refused="")

    def put(self, changes: Intervention, translator: Translator) -> "ChangeSession":
        """Replace all changes by these, if the sentence can be translated with them."""
        try:
            translator.translate(changes)
        except InputError as error:
            return replace(self, refused=on_screen(error))
        return replace(self, history=self.history.changed(changes), refused="")

    def open(self, changes: Intervention, translator: Translator) -> "ChangeSession":
        """Show the changes of a link; a session that begins with them can undo them one by one. An earlier refusal is
        still shown."""
        begun = self if self.history != History() else replace(self, history=_one_by_one(changes, translator))
        session = begun.put(changes, translator)
        return replace(session, refused=session.refused or self.refused)


def _one_by_one(changes: Intervention, translator: Translator) -> History:
    """Return the history that ends before the last of these changes; empty if they cannot be made."""
    earlier: list[Intervention] = []
    try:
        plain = translator.translate(UNTOUCHED)
        while changes != UNTOUCHED and len(earlier) < STEPS_OF_A_LINK:
            after = translator.translate(changes)
            changes = change_texts(translator.tokenizer, translator.sentence, plain, after)[-1].without
            earlier.append(changes)
            translator.translate(changes)
    except InputError:
        return History()
    return reduce(History.changed, reversed(earlier), History())


BETWEEN = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 1.2, 1.5, 2.0, 3.0, 5.0, 10.0)  # temperatures on offer
UNALIGNED = "Only sentences of the hand-aligned stories have gold links, and this is none of them."


class AlignedWeights(NamedTuple):
    """The weight of each source position at one step, or the reason for their absence."""

    row: tuple[float, ...]
    why: str


def offered(before: AnyTrace, after: AnyTrace, pair: GoldPair | None) -> dict[str, Any]:
    """Return the marks of `after` with the changes that the stepper offers next. `pair` is the aligned sentence pair of
    the source, if people have aligned it; steps and positions are those of `after`."""
    gold = golden(pair, after.alignment, after.reach) if pair else [AlignedWeights((), UNALIGNED)] * len(after.reach)
    return changes(before, after) | {
        "temperatures": sorted({*TEMPERATURES, *BETWEEN, after.intervention.temperature}),
        "gold": [one._asdict() for one in gold],
    }


def golden(pair: GoldPair, alignment: Alignment, reach: Bool[ndarray, "T S"]) -> list[AlignedWeights]:
    """Return for each step the weights that lie only on source words that people linked to the word produced there.

    The weight is spread evenly over these words, and over the tokens of each. Possible links count only if there is no
    sure one. If the hand-made translation repeats a word, the occurrence at the nearest relative place counts.
    """
    source, target = pair.joined((alignment.source.language, alignment.target.language))
    side, tokens = alignment.target, alignment.source.characters[:-1]

    def aligned(step: int) -> AlignedWeights:
        place = side.word_of[step]
        word, row = side.words[place], np.zeros(reach.shape[1])
        if place >= side.spoken:
            return AlignedWeights((), "The end of the sentence has no gold link.")
        places = [index for index, other in enumerate(target.words) if other.casefold() == word.casefold()]
        if not places:
            return AlignedWeights((), f"The hand-made translation has no “{word}”: {target.text}")
        nearest = min(places, key=lambda index: abs(index / len(target.words) - place / side.spoken))
        links = ([one for one, other in kind if other == nearest] for kind in (pair.sure, pair.possible))
        for span in [source.spans[linked] for linked in next(filter(None, links), [])]:
            inside = [
                position
                for position, token in enumerate(tokens)
                if token.start < span.stop and span.start < max(token.stop, token.start + 1) and reach[step, position]
            ]
            row[inside] += 1 / max(1, len(inside))
        if row.any():
            return AlignedWeights(tuple((row / row.sum()).tolist()), "")
        return AlignedWeights((), f"People linked “{word}” to nothing that can be looked at.")

    return [aligned(step) for step in range(len(reach))]
