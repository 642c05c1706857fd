from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from regard.model.analysis.claims import Apart, apart, by_words, moved, without_source
from regard.model.cells import CELLS
from regard.model.checkpoint import Pretrained, load
from regard.model.translate import force, translate, write
from tests.support.every_kind import named


def test_a_word_moves_by_the_length_of_its_change_over_its_own_length() -> None:
    before = np.array([[3.0, 4.0], [0.0, 2.0], [1.0, 0.0]])
    after = np.array([[3.0, 4.0], [0.0, 3.0], [0.0, 1.0]])
    np.testing.assert_allclose(moved(before, after), [0, 0.5, np.sqrt(2)])


def test_words_that_do_not_correspond_are_refused_with_their_numbers() -> None:
    with pytest.raises(ValueError, match="2 words became 3"):
        moved(np.ones((2, 4)), np.ones((3, 4)))


def test_a_words_annotation_is_the_mean_over_its_tokens(tiny_model: Pretrained) -> None:
    trace = translate(tiny_model, ["The boy sees it."])[0]
    source = trace.alignment.source
    together = replace(source, words=("all", "</s>"), word_of=(*[0] * (len(source.tokens) - 1), 1))
    merged = replace(trace, alignment=replace(trace.alignment, source=together))
    found = by_words(merged)
    np.testing.assert_allclose(found[0], trace.annotations[:-1].astype(np.float64).mean(0))
    np.testing.assert_allclose(found[1], trace.annotations[-1])


def test_the_same_sentence_does_not_move(tiny_model: Pretrained) -> None:
    one, other = (translate(tiny_model, ["The boy sees it."])[0] for _ in range(2))
    assert not moved(by_words(one), by_words(other)).any()


def fed_alike(model: Pretrained) -> Apart:
    written = "Je vois la voiture rouge."
    one, other = force(model, [("I love you.", written), ("Where is the train station?", written)])
    return apart(one, other)


def test_with_the_same_french_the_states_of_two_english_sentences_do_not_differ(
    make_model: Callable[..., Pretrained],
) -> None:
    for cell in CELLS:
        found = fed_alike(make_model(cell=cell))
        assert found.states == 0.0
        assert found.contexts > 0.01


@pytest.mark.parametrize(
    "choice",
    [{"input_feeding": True}, {"score": "concat", "wiring": "bahdanau"}, {"initial_state": "encoder"}],
    ids=named,
)
def test_they_differ_where_the_source_gets_into_the_state(
    choice: dict[str, Any], make_model: Callable[..., Pretrained]
) -> None:
    assert fed_alike(make_model(**choice)).states > 1e-3


def test_sentences_that_are_fed_other_tokens_are_not_compared(tiny_model: Pretrained) -> None:
    one, other = force(tiny_model, [("I love you.", "Je t'aime."), ("I love you.", "Je vois la voiture.")])
    with pytest.raises(ValueError, match="fed different tokens"):
        apart(one, other)


SENTENCES = ("The boy sees the old house.", "I love you.")


@pytest.fixture
def without(make_model: Callable[..., Pretrained]) -> Pretrained:
    return make_model(score="none", initial_state="encoder", encoder_state=7)


@pytest.mark.parametrize("sentence", SENTENCES)
def test_with_nothing_removed_it_is_the_translation(without: Pretrained, sentence: str) -> None:
    assert [without_source(without, sentence)] == write(without, [sentence])


def test_with_both_lists_removed_every_sentence_becomes_the_same(without: Pretrained) -> None:
    one, other = (without_source(without, sentence, state=True, context=True) for sentence in SENTENCES)
    assert one[:10] == other[:10]


def test_each_list_alone_still_tells_sentences_apart(shipped: Pretrained) -> None:
    model = load(shipped.folder.parent / "en-fr-none")
    for removed in ({"state": True}, {"context": True}):
        one, other = (without_source(model, sentence, **removed) for sentence in SENTENCES)
        assert one != other
