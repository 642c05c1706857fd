"""Nouns with what agrees with them."""

import pytest

from regard.model.data.word_forms import noun_forms

RED, BIG = ["red", "rouge", "rouge"], ["big", "grand", "grande"]


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
