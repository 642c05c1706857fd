"""Confidence on paper, columns left out, and two alignments cut to the same tokens."""

import math

import numpy as np
import pytest

import regard
from regard.model.alignment import Alignment
from regard.model.input_error import InputError
from regard.model.soft_alignments.derived import confidence, cut_alike, without
from regard.model.soft_alignments.record import ForeignSentence
from regard.model.soft_alignments.tokens import sentence

HALF = np.array([[0.5, 0.5], [0.5, 0.5]], np.float32)


def of(weights: list[list[float]], source: str, target: str) -> ForeignSentence:
    sides = sentence(tuple(source.split())), sentence(tuple(target.split()))
    return ForeignSentence(Alignment(*sides, np.array(weights, np.float32)), 1)


def test_confidence_is_0_one_to_one_and_loses_the_entropy_of_rows_and_columns_and_what_is_not_covered() -> None:
    assert confidence(np.eye(3)).total == 0
    spread = confidence(HALF)
    assert (spread.coverage, spread.rows, spread.columns) == pytest.approx((0, -math.log(2), -math.log(2)))
    uncovered = confidence(np.array([[1.0, 0], [1, 0]]))  # the first source token twice, the second never
    assert (uncovered.coverage, uncovered.rows) == pytest.approx((-math.log(2), 0))
    assert uncovered.columns == pytest.approx(-math.log(2) / 2)  # a column of zeros has no entropy
    assert confidence(np.zeros((1, 2))).total == pytest.approx(-math.log(2))


def test_columns_are_left_out_and_rows_divided_by_what_is_left() -> None:
    foreign = of([[0.5, 0.1, 0.4], [1, 0, 0]], "x y </s>", "a b")
    first = without(foreign, ["the first token"]).alignment
    assert first.source.words == ("y", "</s>")
    np.testing.assert_allclose(first.weights, [[0.2, 0.8], [0, 0]], rtol=1e-6)
    ends = without(foreign, ["</s>"]).alignment
    np.testing.assert_allclose(ends.weights, [[5 / 6, 1 / 6], [1, 0]], rtol=1e-6)
    both = without(foreign, ["the first token", "</s>"]).alignment
    assert both.weights.tolist() == [[1], [0]]
    with pytest.raises(InputError, match="nothing is left of the source without the first token"):
        without(of([[1]], "x", "a"), ["the first token"])


def test_self_attention_without_a_token_has_neither_its_column_nor_its_row() -> None:
    given = regard.show(np.tri(3) / np.arange(1, 4)[:, None], ["[CLS]", "a", "b"])
    cut = without(ForeignSentence(given.alignment, 1, given=given), ["the first token"])
    assert cut.given is not None
    np.testing.assert_allclose(cut.given.heads["self"][0, 0], [[1, 0], [0.5, 0.5]])
    assert cut.given.causal
    assert cut.alignment.source == cut.alignment.target
    cross = regard.show(HALF[None, None], ["x", "y"], ["a", "b"], encoder=HALF, decoder=HALF)
    less = without(ForeignSentence(cross.alignment, 1, given=cross), ["the first token"]).given
    assert less is not None
    assert [less.heads[name].shape[2:] for name in ("cross", "encoder", "decoder")] == [(2, 1), (1, 1), (2, 2)]


def test_two_alignments_are_cut_to_the_ends_that_both_have() -> None:
    soft, links = of([[0.7, 0.3], [0, 1]], "x </s>", "a </s>"), of([[1]], "x", "a")
    one, other = cut_alike(soft.alignment, links.alignment)
    assert (one.source, one.target) == (other.source, other.target)
    assert one.weights.tolist() == [[pytest.approx(0.7)]]
    assert [each.weights.shape for each in cut_alike(soft.alignment, soft.alignment)] == [(2, 2)] * 2
