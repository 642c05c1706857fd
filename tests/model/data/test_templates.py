"""Sentences from templates."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from model.data.name_exchange import Names
from model.data.templates import Templates, noun_forms

TEMPLATES = Templates(Names(("Anna",), ("Tom",), ("Smith",)))
RED, BIG = ["red", "rouge", "rouge"], ["big", "grand", "grande"]


@given(st.integers(0, 10**6))
def test_no_place_is_left_open_and_no_side_is_empty(seed: int) -> None:
    pair = TEMPLATES.draw(Random(seed))
    assert pair.source
    assert pair.target
    assert not set("{}|=\0") & set(pair.source + pair.target)
    assert "  " not in pair.source + pair.target


@given(st.integers(0, 10**6))
def test_digits_are_the_same_on_both_sides(seed: int) -> None:
    pair = TEMPLATES.draw(Random(seed))
    digits = ["".join(c if c.isdigit() else " " for c in side).split() for side in pair]
    ours, theirs = (sorted(number.lstrip("0") for number in side) for side in digits)
    assert ours == theirs


def test_nouns_agree() -> None:
    english, french = noun_forms("apple pomme f", ["green", "vert", "verte"], BIG)
    assert (english["red_a"], french["red_a"]) == ("a green apple", "une pomme verte")
    assert (english["a"], french["a"], french["the"]) == ("an apple", "une pomme", "la pomme")
    assert (english["many"], french["many"]) == ("apples", "pommes")
    _, star = noun_forms("star étoile f", RED, BIG)
    assert (star["the"], star["my"], star["this"], star["de"]) == ("l'étoile", "mon étoile", "cette étoile", "d'étoile")
    _, tree = noun_forms("tree arbre m", RED, BIG)
    assert (tree["this"], tree["big_the"]) == ("cet arbre", "le grand arbre")


@pytest.mark.parametrize(("line", "many"), [("horse cheval m chevaux", "chevaux"), ("mouse souris f souris", "souris")])
def test_irregular_plurals_are_given(line: str, many: str) -> None:
    assert noun_forms(line, RED, BIG)[1]["many"] == many


def test_the_same_seed_draws_the_same_sentences() -> None:
    one, other = Random(7), Random(7)
    assert [TEMPLATES.draw(one) for _ in range(50)] == [TEMPLATES.draw(other) for _ in range(50)]
