from fractions import Fraction

import pytest

from regard.model.data.corpus import Pair
from regard.model.word_alignment import baselines
from regard.model.word_alignment.alignment_error_rate import GoldPair
from regard.model.word_alignment.baselines import train

CROSSED = [
    Pair(f"{colour} {thing}", f"{chose} {couleur}")
    for colour, couleur in (("red", "rouge"), ("blue", "bleue"), ("green", "verte"))
    for thing, chose in (("house", "maison"), ("car", "voiture"), ("door", "porte"))
]


def gold(source: str, target: str) -> GoldPair:
    return GoldPair("0", source, target, frozenset(), frozenset())


def test_one_round_gives_the_probabilities_worked_out_by_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(baselines, "ITERATIONS", 1)
    found = train([Pair("the house", "la maison"), Pair("The", "La")], ("en", "fr"))
    # Each of the 3 sources (the empty word is one) takes 1/3 of both words of the first pair, each of 2 takes 1/2 of
    # the second: "the" and the empty word count 1/3 + 1/2 for "la" and 1/3 for "maison", "house" 1/3 for both.
    for source, la in (("the", Fraction(5, 7)), (None, Fraction(5, 7)), ("house", Fraction(1, 2))):
        assert found.probability("la", source) == pytest.approx(float(la))
        assert found.probability("maison", source) == pytest.approx(float(1 - la))
    # "maison" is likelier from "house" than from nothing; "la" is as likely from nothing as from "the"
    assert found.links(gold("the house", "la maison")) == [(1, 1)]


def test_words_that_occur_together_are_linked_whatever_their_order() -> None:
    found = train(CROSSED, ("en", "fr"))
    assert found.links(gold("Green car", "Voiture verte")) == [(1, 0), (0, 1)]
    assert found.probability("maison", "house") > 0.9
    assert found.probability("maison", "red") < 0.1


def test_a_word_that_was_never_seen_has_no_link() -> None:
    found = train(CROSSED, ("en", "fr"))
    assert found.links(gold("red castle", "château rouge")) == [(0, 1)]
    assert found.links(gold("castle", "maison")) == []
    assert found.probability("château", "castle") == 0


def test_words_given_apart_are_those_of_the_text_it_learned_from() -> None:
    pairs = [
        Pair("the car", "l'auto"),
        Pair("the hotel", "l'hôtel"),
        Pair("a car", "une auto"),
        Pair("a tree", "arbre"),
    ]
    assert train(pairs, ("en", "fr")).links(gold("The car", "L’ auto")) == [(0, 0), (1, 1)]
