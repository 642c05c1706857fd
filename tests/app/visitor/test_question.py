import json
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from regard.app.visitor.question import FUNCTION_WORDS, TABLES, UNITS, Question, linked_changes, telling_step
from regard.app.wording import EXAMPLES, OPENINGS
from regard.model.alignment import READ_AS
from regard.model.changes.intervention import UNTOUCHED, Intervention
from regard.model.checkpoint import Pretrained
from regard.model.trace import Trace
from regard.model.translate import translate
from regard.model.truecasing import read_as
from regard.model.words import normalise
from regard.pretrained.recipe.lists import read_typed
from tests.support.interventions import VALUES
from tests.support.javascript import APP, evaluated

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


@pytest.fixture(scope="module")
def typed(shipped: Pretrained) -> list[Trace]:
    """Translate what people may type first, by the standard model."""
    return translate(shipped, [read_as(one.sentence, "en") for one in read_typed()])


def whole(trace: Trace, side: str, position: int) -> bool:
    """True if a token is a whole word with letters."""
    half = getattr(trace.alignment, side)
    word = half.word_of[position]
    return word < half.spoken and half.word_of.count(word) == 1 and any(map(str.isalpha, half.words[word]))


def test_no_typed_sentence_opens_at_a_mark_or_the_end_nor_at_a_piece_while_there_is_a_whole_word(
    typed: list[Trace],
) -> None:
    assert len(typed) == 247
    for trace in typed:
        step, looked = telling_step(trace) - 1, trace.weights.argmax(1)
        word = trace.alignment.target.words[trace.alignment.target.word_of[step]]
        assert any(map(str.isalnum, word)), trace.text
        possible = [t for t in range(len(looked)) if whole(trace, "target", t) and whole(trace, "source", looked[t])]
        assert not possible or step in possible, trace.text
        content = [t for t in possible if trace.target[t].strip().casefold() not in FUNCTION_WORDS["fr"]]
        content = [t for t in content if trace.source[looked[t]].strip().casefold() not in FUNCTION_WORDS["en"]]
        assert not content or step in content, trace.text


def test_the_engine_of_the_file_chooses_the_same_step(typed: list[Trace]) -> None:
    def side(one: object) -> dict[str, object]:
        return {name: getattr(one, name) for name in ("text", "language", "tokens", "words")} | {"wordOf": one.word_of}  # type: ignore[attr-defined]

    def matrix(values: np.ndarray) -> dict[str, object]:
        return {"rows": len(values), "width": values.shape[1], "values": values.ravel().tolist()}

    given = [
        {"source": side(trace.alignment.source), "target": side(trace.alignment.target),
         "weights": matrix(trace.weights), "topProbabilities": matrix(trace.top_probabilities)}
        for trace in typed
    ]  # fmt: skip
    revived = "{ ...one, weights: { ...one.weights, values: Float32Array.from(one.weights.values) } }"
    found = evaluated(
        f"{json.dumps(given)}.map((one) => tellingStep({revived}, {json.dumps(TABLES)}))",
        {APP / "export" / "engine" / "trace.js": "tellingStep"},
    )
    assert found == [telling_step(trace) for trace in typed]


@pytest.mark.parametrize(("text", "word"), TABLES["about"].items())
def test_an_example_opens_at_the_word_it_is_about(text: str, word: str, shipped: Pretrained) -> None:
    assert text in {*EXAMPLES["en", "fr"].values(), OPENINGS["translate"]["en", "fr"]}
    trace = translate(shipped, [text])[0]
    assert trace.target[telling_step(trace) - 1].strip() == word
