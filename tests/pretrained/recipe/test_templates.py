from random import Random

from hypothesis import given
from hypothesis import strategies as st

from regard.model.data.corpus import Pair
from regard.pretrained.recipe.names import Names
from regard.pretrained.recipe.templates import Agreeing, Templates, noun_forms

TEMPLATES = Templates(Names(("Anna",), ("Tom",), ("Smith",)), [Pair("the air", "l'air"), Pair("the sea", "la mer")])


@given(st.integers(0, 10**6))
def test_no_place_is_left_open_and_no_side_is_empty(seed: int) -> None:
    pair = TEMPLATES.draw(Random(seed))
    assert pair.source
    assert pair.target
    assert not set("{}|=\0") & set(pair.source + pair.target)
    assert "  " not in pair.source + pair.target


def test_nouns_agree() -> None:
    english, french = noun_forms("apple pomme f", Agreeing(colour=("green", "vert", "verte")))
    assert (english["red_a"], french["red_a"]) == ("a green apple", "une pomme verte")
    assert (english["a"], french["a"], french["the"]) == ("an apple", "une pomme", "la pomme")
    assert (english["many"], french["many"]) == ("apples", "pommes")
    _, star = noun_forms("star étoile f", Agreeing())
    assert (star["the"], star["my"], star["this"], star["de"]) == ("l'étoile", "mon étoile", "cette étoile", "d'étoile")
    _, tree = noun_forms("tree arbre m", Agreeing())
    assert (tree["this"], tree["big_the"]) == ("cet arbre", "le grand arbre")
