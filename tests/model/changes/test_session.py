from functools import partial
from typing import Any

import pytest

from regard.model.changes import what_if
from regard.model.changes.history import History
from regard.model.changes.intervention import UNTOUCHED, Intervention
from regard.model.changes.session import EDITS_AT_ONCE, STEPS_OF_A_LINK, ChangeSession, NumberedEdit, Translator
from regard.model.checkpoint import Pretrained
from regard.model.input_error import InputError
from regard.model.trace import AnyTrace

SENTENCE = "I love you."
MASK = {"kind": "mask", "positions": [0], "masked": True}
COLD = {"kind": "temperature", "value": 0.5}
EVERYTHING = {"kind": "mask", "positions": [*range(30)], "masked": True}


@pytest.fixture
def translator(tiny_model: Pretrained) -> Translator:
    return Translator(tiny_model.tokenizer, SENTENCE, partial(what_if.translate, tiny_model, SENTENCE))


def test_an_edit_that_comes_again_is_made_once(translator: Translator) -> None:
    undone = {"kind": "undo"}
    first = ChangeSession().hear([NumberedEdit(1, MASK), NumberedEdit(2, COLD)], translator)
    assert first.history.present == Intervention(hidden=(0,), temperature=0.5)
    assert first.hear([NumberedEdit(1, MASK), NumberedEdit(2, COLD)], translator) == first
    second = first.hear([NumberedEdit(2, COLD), NumberedEdit(3, undone), NumberedEdit(3, undone)], translator)
    assert second.history.present == Intervention(hidden=(0,))
    assert second.heard == 3


@pytest.mark.parametrize("edit", [EVERYTHING, {"kind": "word", "word": 77, "text": "x"}, {"kind": "nonsense"}])
def test_what_cannot_be_made_is_refused_and_the_changes_stay(translator: Translator, edit: dict[str, Any]) -> None:
    before = ChangeSession().edit(COLD, translator)
    after = before.edit(edit, translator)
    assert after.refused
    assert after.history == before.history
    assert after.edit(MASK, translator).refused == ""


def test_of_many_edits_at_once_the_first_are_made(translator: Translator) -> None:
    translated: list[Intervention] = []

    def translate(changes: Intervention) -> AnyTrace:
        translated.append(changes)
        return translator.translate(changes)

    counted = Translator(translator.tokenizer, SENTENCE, translate)
    edits = [NumberedEdit(number, {"kind": "temperature", "value": 1 + number / 1000}) for number in range(1, 1_001)]
    session = ChangeSession().hear(edits, counted)
    assert session.history.present.temperature == 1 + EDITS_AT_ONCE / 1000
    assert len(set(translated)) == EDITS_AT_ONCE + 1  # and the one without changes
    assert (session.heard, session.refused[:31]) == (1_000, "1,000 changes were sent at once")


def test_changes_of_a_link_are_undone_one_by_one(translator: Translator) -> None:
    changes = Intervention(hidden=(0,), temperature=0.5, tokens=((1, 300),))
    session = ChangeSession().open(changes, translator)
    undone = [session.history.present]
    while session.history.past:
        session = session.go("undo")
        undone.append(session.history.present)
    assert undone == [changes, Intervention(hidden=(0,), temperature=0.5), Intervention(hidden=(0,)), UNTOUCHED]


def test_a_link_of_many_changes_keeps_few_steps_and_one_that_cannot_be_shown_keeps_none(translator: Translator) -> None:
    many = Intervention(bonus=tuple((0, 0, 1.0) if not n else (n % 3, n // 3, 1.0) for n in range(9)), temperature=0.5)
    steps = len(ChangeSession().open(many, translator).history.past)
    assert 0 < steps <= STEPS_OF_A_LINK
    refused = ChangeSession().open(Intervention(hidden=tuple(range(30))), translator)
    assert refused.history == History()
    assert "past the end" in refused.refused


def test_a_refusal_counts_places_from_1_as_screens_do(translator: Translator) -> None:
    changes = Intervention(hidden=(30,))
    assert ChangeSession().put(changes, translator).refused.startswith("source token 31 is past the end")
    with pytest.raises(InputError, match=r"^source token 30 is past the end"):
        translator.translate(changes)


def test_what_was_refused_is_still_said_when_the_page_runs_again(translator: Translator) -> None:
    refused = ChangeSession().edit(COLD, translator).edit(EVERYTHING, translator)
    assert refused.open(refused.history.present, translator) == refused
