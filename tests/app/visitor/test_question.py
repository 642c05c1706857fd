from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from regard.app.visitor.question import UNITS, Question, linked_changes
from regard.model.alignment import READ_AS
from regard.model.changes.intervention import UNTOUCHED, Intervention
from regard.model.words import normalise
from tests.support.interventions import VALUES

MODELS = ["first", "second"]
SENTENCES = st.text(max_size=200).map(normalise)
LINK = ["sentence", "given", "model", "step", "units", "rows", "large", "change"]
QUESTIONS: dict[str, st.SearchStrategy[Any]] = {
    "sentence": SENTENCES,
    "given": SENTENCES,
    "model": st.sampled_from(MODELS),
    "step": st.none() | st.integers(-(10**4), 10**4),
    "units": st.sampled_from(UNITS),
    "rows": st.sampled_from(READ_AS),
    "large": st.booleans(),
}


@pytest.mark.parametrize(("share", "read"), [("0.5", 0.5), ("0.3333333", 0.33), ("1e-300", 0.0), ("2", 0.0), ("", 0.0)])
def test_a_links_share_of_memory_has_two_digits(share: str, read: float) -> None:
    assert Question.from_link({"memory": share}, MODELS).memory == read


@given(st.fixed_dictionaries(QUESTIONS), VALUES)
def test_a_question_survives_its_link(values: dict[str, Any], changes: dict[str, Any]) -> None:
    question, changed = Question(**values), Intervention(**changes)
    link = question.to_link() | {"change": changed.to_json()}
    assert (Question.from_link(link, MODELS), linked_changes(link)) == (question, changed)


@given(st.dictionaries(st.sampled_from(LINK), st.text()))
def test_a_hostile_link_is_clamped_and_never_an_error(link: dict[str, str]) -> None:
    question = Question.from_link(link, MODELS)
    assert question.model in MODELS
    assert question.units in UNITS
    assert question.rows in READ_AS
    assert question.step is None or abs(question.step) <= 10**4
    assert question.sentence == normalise(question.sentence)


@pytest.mark.parametrize("change", ['{"hidden":[1, 1]}', "", "[]", "9" * 300_000])
def test_changes_of_a_link_that_cannot_be_are_none(change: str) -> None:
    assert linked_changes({"change": change}) == linked_changes({}) == UNTOUCHED
