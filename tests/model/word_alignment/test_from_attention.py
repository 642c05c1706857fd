from dataclasses import replace

import numpy as np
import pytest

from regard.model.alignment import ROWS
from regard.model.checkpoint import Pretrained
from regard.model.translate import force, translate
from regard.model.word_alignment.alignment_error_rate import Agreement, GoldPair
from regard.model.word_alignment.from_attention import Compared, EndMass, LinkMass, of_words

PAIR = GoldPair("0", "a b c", "A B C", frozenset({(0, 0), (1, 1)}), frozenset({(0, 0), (1, 1), (2, 1)}))


def test_the_weight_on_the_end_is_a_mean_over_first_words_and_over_all() -> None:
    one = EndMass.of(np.array([[0.1, 0.9], [0.5, 0.5], [1.0, 0.0]]))
    other = EndMass.of(np.array([[0.7, 0.3]]))
    assert (one + other).shares() == {"first_word": 0.6, "all_words": 0.425}
    assert EndMass.of(np.zeros((0, 3))).shares() == {"first_word": 0, "all_words": 0}


def test_the_share_on_links_counts_linked_words_alone() -> None:
    weights = np.array([[0.5, 0.25, 0.25, 0], [0.25, 0.25, 0.25, 0.25], [0, 0, 1, 0]])  # the third word has no link
    found = LinkMass.of(weights, PAIR)
    # sure: (.5 + .25) of 2; possible: (.5 + .25 + .25) of 2
    assert found.shares() == {"mass_on_sure": 0.375, "mass_on_possible": 0.5}
    unsure = LinkMass.of(weights, replace(PAIR, sure=frozenset({(0, 0)})))  # the second word counts as possible only
    assert unsure.shares() == {"mass_on_sure": 0.5, "mass_on_possible": 0.5}
    assert (found + unsure).shares() == {"mass_on_sure": 0.4167, "mass_on_possible": 0.5}
    assert LinkMass.of(weights, replace(PAIR, sure=frozenset(), possible=frozenset())).shares()["mass_on_sure"] == 0


HAND = Compared(
    GoldPair("0", "I love you", "Je t' aime", frozenset({(0, 0), (2, 1)}), frozenset({(0, 0), (2, 1), (1, 2)})),
    ("I", "love", "you"),
    ("Je", "t'", "aime"),
    np.array([[0.7, 0.1, 0.1, 0.1], [0.1, 0.5, 0.3, 0.1], [0.1, 0.2, 0.1, 0.6]]),  # aime looks at </s>
)


def test_missed_and_wrong_links_are_told_apart() -> None:
    assert HAND.proposed == {(0, 0), (1, 1)}
    assert HAND.silent == [2]
    assert HAND.missed == [(2, 1)]
    assert HAND.wrong == [(1, 1)]
    assert HAND.agreement == Agreement(proposed=2, sure=2, proposed_and_sure=1, proposed_and_possible=1)
    assert HAND.agreement.error_rate == pytest.approx(1 - 2 / 4)


@pytest.mark.parametrize("rows", ROWS)
@pytest.mark.parametrize("stop", ["forced", "limit"])
def test_between_a_sentence_and_its_translation_the_links_are_those_of_the_alignment(
    tiny_model: Pretrained, rows: str, stop: str
) -> None:
    pair = ("I love the red car.", "J'aime la voiture rouge.")
    trace = force(tiny_model, [pair])[0] if stop == "forced" else translate(tiny_model, [pair[0]])[0]
    assert trace.stop == stop  # a random model goes on to the limit
    compared = of_words(frozenset({(0, 0)}), frozenset(), trace.alignment, rows)
    assert compared.proposed == set(trace.alignment.links(rows))
    assert compared.weights.shape == (trace.alignment.target.spoken, trace.alignment.source.spoken + 1)
    assert compared.gold.sure <= compared.gold.possible
