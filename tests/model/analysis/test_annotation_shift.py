"""How far annotations move, on numbers that can be checked by hand."""

from dataclasses import replace

import numpy as np
import pytest

from model.analysis.annotation_shift import by_words, moved
from model.checkpoint import Pretrained
from model.translate import translate


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
