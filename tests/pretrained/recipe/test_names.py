from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from regard.model.data.corpus import Pair
from regard.pretrained.recipe.names import Names, elided, exchange

NAMES = Names(("Anna", "Sigrid", "Hanna"), ("Tom", "Igor", "Yves", "Paul"), ("Okafor", "Smith"))
GENDER = NAMES.gender()


@pytest.mark.parametrize(
    ("before", "old", "new", "after"),
    [
        ("le chien de Tom", "Tom", "Anna", "le chien d'Anna"),
        ("Je sais que Tom dort.", "Tom", "Igor", "Je sais qu'Igor dort."),
        ("Lorsqu'Anna vient", "Anna", "Tom", "Lorsque Tom vient"),
        ("Tom et Tomas", "Tom", "Anna", "Anna et Tomas"),
    ],
)
def test_french_elides_before_a_vowel_alone(before: str, old: str, new: str, after: str) -> None:
    assert elided(before, old, new) == after


@given(st.integers(0, 10**6))
def test_the_new_name_is_on_both_sides_as_often_as_the_old_one_was(seed: int) -> None:
    pair = Pair("Tom says that Tom's dog is Anna's.", "Tom dit que le chien de Tom est celui d'Anna.")
    new = exchange(pair, NAMES, GENDER, Random(seed))
    name = new.source.split(" says")[0]
    assert new.source.count(name) == new.target.count(name) == 2
    assert "de A" not in new.target
    assert "d'T" not in new.target
