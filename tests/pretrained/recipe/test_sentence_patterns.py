from itertools import pairwise
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from regard.pretrained.recipe.sentence_patterns import SentencePatterns, VerbPhrase, VerbPhrases, VerbSubject, verb

PATTERNS = SentencePatterns()
SHE, THEY, ME = (
    VerbSubject("she", "elle", 2, female=True),
    VerbSubject("they", "elles", 5, female=True),
    VerbSubject("I", "je", 0),
)


def phrase(base: str, rest: str) -> VerbPhrase:
    phrases, random = VerbPhrases(), Random(1)
    return next(one for one in iter(lambda: phrases.phrase(random), None) if (one.base, one.rest) == (base, rest))


@given(st.integers(0, 10**6))
def test_a_sentence_has_a_capital_a_mark_and_nothing_left_open(seed: int) -> None:
    pair = PATTERNS.draw(Random(seed))
    for side in pair:
        assert side[0].isupper()
        assert side.endswith((".", "?"))
        assert not set("{}|=") & set(side)
        assert "  " not in side


@given(st.integers(0, 10**6))
def test_french_elides_and_addresses_nobody_in_two_ways(seed: int) -> None:
    target = f" {PATTERNS.draw(Random(seed)).target.lower()}"
    words = target.replace("?", "").replace(".", "").split()
    pairs = pairwise(words)
    assert not [
        two for two in pairs if two[0] in ("je", "ne", "de", "que", "me", "te", "se") and two[1][0] in "aeiouéê"
    ]
    assert " si il" not in target
    assert not (" tu " in target and " vous " in target)


def test_participles_agree_with_the_subject_and_not_before_an_object() -> None:
    assert phrase("leave", "early").compound("conditional", SHE) == "elle serait partie tôt"
    assert phrase("get up", "early").compound("present", THEY) == "elles se sont levées tôt"
    assert phrase("break", "{my} leg").compound("present", SHE) == "elle s'est cassé la jambe"
    assert phrase("get up", "early").having(ME) == "m'être levé tôt"


@pytest.mark.parametrize(
    ("infinitive", "tense", "person", "form"),
    [
        ("manger", "present", 3, "mangeons"),
        ("finir", "future", 1, "finiras"),
        ("aller", "conditional", 2, "irait"),
        ("venir", "future", 3, "viendrons"),
        ("prendre", "imperfect", 4, "preniez"),
    ],
)
def test_forms(infinitive: str, tense: str, person: int, form: str) -> None:
    assert verb(infinitive).simple(tense, person) == form
