from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from regard.model.changes import what_if
from regard.model.changes.intervention import UNTOUCHED, Intervention
from regard.model.changes.rewording import tokens_of
from regard.model.changes.session import (
    EDITS_AT_ONCE,
    ChangeSession,
    EditedTranslation,
    History,
    NumberedEdit,
    Translator,
    edited,
    rounded,
)
from regard.model.checkpoint import Pretrained
from regard.model.input_error import InputError
from regard.model.tokenizer import Tokenizer
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


def test_a_refusal_counts_places_from_1_as_screens_do(translator: Translator) -> None:
    changes = Intervention(hidden=(30,))
    assert ChangeSession().put(changes, translator).refused.startswith("source token 31 is past the end")
    with pytest.raises(InputError, match=r"^source token 30 is past the end"):
        translator.translate(changes)


def test_what_was_refused_is_still_said_when_the_page_runs_again(translator: Translator) -> None:
    refused = ChangeSession().edit(COLD, translator).edit(EVERYTHING, translator)
    assert refused.open(refused.history.present, translator) == refused


def asked(model: Pretrained, changes: Intervention = UNTOUCHED) -> EditedTranslation:
    return EditedTranslation(model.tokenizer, SENTENCE, what_if.translate(model, SENTENCE, changes))


@pytest.mark.parametrize(
    ("before", "text", "whole"),
    [
        ("Je", "rouge", "Je rouge"),
        ("Je n'", "aime", "Je n'aime"),
        ("la maison", ".", "la maison."),
        ("la maison", "?", "la maison ?"),
        ("Vois", "-tu", "Vois-tu"),
        ("la mais", "·on rouge", "la maison rouge"),
        ("", "·rouge", "rouge"),
        ("Je", "日本", "Je 日本"),
    ],
)
def test_a_typed_word_stands_where_text_has_it(tokenizer: Tokenizer, before: str, text: str, whole: str) -> None:
    ids = tokenizer.encode(before, "fr").ids
    assert tokenizer.decode((*ids, *tokens_of(tokenizer, ids, text, 0))) == whole


@pytest.mark.parametrize("text", ["", "   ", "·", " · "])
def test_nothing_typed_is_refused_with_the_step(tokenizer: Tokenizer, text: str) -> None:
    with pytest.raises(ValueError, match="step 3: nothing was typed"):
        tokens_of(tokenizer, (), text, 2)


def test_masking_takes_the_weight_that_was_set_there_by_hand(tiny_model: Pretrained) -> None:
    length = len(asked(tiny_model).shown.source)
    row = (0.5, 0.25, 0.25, *[0.0] * (length - 3))
    masked = edited(MASK, asked(tiny_model, Intervention(weights=((1, row),))))
    assert masked.hidden == (0,)
    assert masked.weights[0][1][:3] == pytest.approx((0, 0.5, 0.5))
    assert edited({**MASK, "masked": False}, asked(tiny_model, masked)).hidden == ()


def test_rows_of_weights_are_short_in_a_link_and_add_up_to_1() -> None:
    assert rounded([1 / 3] * 3) == (0.3334, 0.3333, 0.3333)
    assert rounded((0.00020002, 0.99979998)) == (0.0002, 0.9998)
    assert rounded((1.0, 0.0)) == (1.0, 0.0)
    assert rounded((0.5, 0.1)) == (0.5, 0.1)  # refused elsewhere, with its sum
    changes = Intervention(weights=((2, rounded((0.00020002, 0.99979998))), (3, (1.0, 0.0))), temperature=2.0)
    assert changes.to_json() == '{"weights":[[2,[0.0002,0.9998]],[3,[1,0]]],"temperature":2}'
    assert Intervention.from_json(changes.to_json()) == changes


@pytest.mark.parametrize(
    ("change", "back"),
    [
        ({"kind": "word", "word": 1, "text": "see"}, {"text": "love"}),
        ({"kind": "bonus", "step": 0, "position": 1, "value": 2}, {"value": 0}),
        ({"kind": "temperature", "value": 0.5}, {"value": 1}),
        ({"kind": "token", "step": 2, "token": 300}, {"kind": "free"}),
        ({"kind": "weights", "step": 1, "row": [1, *[0] * 8]}, {"row": []}),
    ],
)
def test_a_change_is_made_and_put_back(tiny_model: Pretrained, change: dict[str, Any], back: dict[str, Any]) -> None:
    changes = edited(change, asked(tiny_model))
    assert changes != UNTOUCHED
    back = {name: value for name, value in (change | back).items() if back.get("kind") != "free" or name != "token"}
    assert edited(back, asked(tiny_model, changes)) == UNTOUCHED


@pytest.mark.parametrize(
    "values",
    [
        {},
        {"kind": "delete everything"},
        {"kind": "token"},
        {"kind": "token", "step": -1, "token": 5},
        {"kind": "token", "step": "x", "token": None},
        {"kind": "weights", "step": 0, "row": ["nan"]},
        {"kind": "weights", "step": 0, "row": [0.5, 0.2]},
        {"kind": "text", "step": 0, "text": "x" * 10_000},
        {"kind": "mask", "positions": {"a": 1}, "masked": True},
        {"kind": "word", "word": 77, "text": "x"},
        {"kind": "temperature", "value": float("nan")},
        {"kind": "bonus", "step": 0, "position": 0, "value": float("inf")},
    ],
)
def test_nonsense_from_the_browser_is_refused(tiny_model: Pretrained, values: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=r"."):
        edited(values, asked(tiny_model))


def test_undo_goes_back_and_redo_forth() -> None:
    cooler, hotter = Intervention(temperature=0.5), Intervention(temperature=2.0)
    history = History().changed(cooler).changed(hotter)
    assert history.undone().present == cooler
    assert history.undone().undone().present == UNTOUCHED
    assert history.undone().redone() == history


WAYS = st.one_of(
    st.just(History.undone),
    st.just(History.redone),
    st.floats(0.1, 10).map(lambda value: lambda history: history.changed(Intervention(temperature=value))),
)


@given(ways=st.lists(WAYS, max_size=30))
def test_as_many_undos_as_changes_restore_the_original(ways: list[Callable[[History], History]]) -> None:
    history = History()
    for way in ways:
        history = way(history)
    for _ in ways:
        history = history.undone()
    assert history.present == UNTOUCHED
