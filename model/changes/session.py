"""Session of changes: the edits of one translation, each tried and then kept, or refused with the reason."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from regard.model.changes.change_text import change_texts
from regard.model.changes.edits import EditedTranslation, edited
from regard.model.changes.history import History
from regard.model.changes.intervention import UNTOUCHED, Intervention
from regard.model.input_error import InputError, on_screen
from regard.model.tokenizer import Tokenizer
from regard.model.trace import AnyTrace

EDITS_AT_ONCE = 20  # edits accepted in one message; each costs a translation
TOO_MANY = f"{{}} changes were sent at once; the first {EDITS_AT_ONCE} are made"
STEPS_OF_A_LINK = 12  # changes of a link that can be undone one by one

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

    def edited(self, values: Mapping[str, object], changes: Intervention) -> Intervention:
        """Return the changes with one more edit. Raises InputError if the edit is invalid."""
        return edited(values, EditedTranslation(self.tokenizer, self.sentence, self.translate(changes)))


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
        kind = str(values.get("kind"))
        if kind in WAYS:
            return self.go(kind)
        try:
            return self.put(translator.edited(values, self.history.present), translator)
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
            told = change_texts(translator.tokenizer, translator.sentence, plain, translator.translate(changes))
            changes = told[-1].without
            earlier.append(changes)
            translator.translate(changes)
    except InputError:
        return History()
    history = History()
    for present in reversed(earlier):
        history = history.changed(present)
    return history
