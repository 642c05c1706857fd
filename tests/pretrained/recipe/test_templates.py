import re
from random import Random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from regard.model.data.corpus import Pair
from regard.model.files import toml_beside
from regard.pretrained.recipe import templates as templates_module
from regard.pretrained.recipe.names import Names
from regard.pretrained.recipe.templates import Agreeing, Templates, lists_of, noun_forms, vocabulary_forms

TEMPLATES = Templates(Names(("Anna",), ("Tom",), ("Smith",)), [Pair("the air", "l'air"), Pair("the sea", "la mer")])


@given(st.integers(0, 10**6))
def test_no_place_is_left_open_and_no_side_is_empty(seed: int) -> None:
    pair = TEMPLATES.draw(Random(seed))
    assert pair.source
    assert pair.target
    assert not set("{}|=\0") & set(pair.source + pair.target)
    assert "  " not in pair.source + pair.target


@given(st.integers(0, 10**6))
@example(124)
def test_digits_are_the_same_on_both_sides_but_for_hours_after_noon(seed: int) -> None:
    pair = TEMPLATES.draw(Random(seed))
    source = re.sub(r"(\d+)(:\d\d)? ?p\.?m\b", lambda hour: f"{int(hour[1]) + 12}{hour[2] or ''}", pair.source)
    ours, theirs = (sorted(number.lstrip("0") for number in re.findall(r"\d+", side)) for side in (source, pair.target))
    assert ours == theirs


@given(st.integers(0, 10**6))
def test_a_sentence_has_one_final_mark_and_says_tu_to_nobody_whom_it_says_vous(seed: int) -> None:
    pair = TEMPLATES.draw(Random(seed))
    assert not pair.source.endswith("..")
    polite = {"monsieur", "madame", "mesdames", "tous", "tout le monde"}
    familiar = {"vas-tu", "es-tu", "s'il te plaît", "Viens"}
    assert not (any(word in pair.target for word in polite) and any(word in pair.target for word in familiar))


def test_the_same_seed_draws_the_same_sentences() -> None:
    one, other = Random(7), Random(7)
    assert [TEMPLATES.draw(one) for _ in range(50)] == [TEMPLATES.draw(other) for _ in range(50)]


def test_no_plural_of_a_noun_in_au_or_al_ends_in_a_plain_s() -> None:
    lists = lists_of(toml_beside(templates_module.__file__, "templates.toml"))
    nouns = lists["things"] + lists["animals"]
    plurals = [noun_forms(line, Agreeing())[1]["many"] for line in nouns]
    odd = {many for many in plurals if many.endswith(("aus", "als", "eus"))}
    assert odd <= {"pneus"}


USUAL = Agreeing()


def test_nouns_agree() -> None:
    english, french = noun_forms("apple pomme f", Agreeing(colour=("green", "vert", "verte")))
    assert (english["red_a"], french["red_a"]) == ("a green apple", "une pomme verte")
    assert (english["a"], french["a"], french["the"]) == ("an apple", "une pomme", "la pomme")
    assert (english["many"], french["many"]) == ("apples", "pommes")
    _, star = noun_forms("star étoile f", USUAL)
    assert (star["the"], star["my"], star["this"], star["de"]) == ("l'étoile", "mon étoile", "cette étoile", "d'étoile")
    _, tree = noun_forms("tree arbre m", USUAL)
    assert (tree["this"], tree["big_the"]) == ("cet arbre", "le grand arbre")


@pytest.mark.parametrize(("line", "many"), [("horse cheval m chevaux", "chevaux"), ("mouse souris f souris", "souris")])
def test_irregular_plurals_are_given(line: str, many: str) -> None:
    assert noun_forms(line, USUAL)[1]["many"] == many


def test_what_is_said_of_a_noun_agrees_with_it() -> None:
    _, lamp = noun_forms("lamp lampe f", USUAL)
    assert (lamp["adj"], lamp["done"], lamp["dones"], lamp["it"]) == ("vieille", "trouvée", "trouvées", "elle")
    assert (lamp["other_one"], lamp["which"], lamp["that_one"]) == ("la bleue", "quelle", "celle-là")
    _, coat = noun_forms("coat manteau m manteaux", Agreeing(quality=("beautiful", "more·beautiful", "beau", "belle")))
    assert (coat["adjs"], coat["lo"], coat["all_the"]) == ("beaux", "le", "tous les manteaux")


def test_an_article_goes_with_the_preposition_before_it() -> None:
    pairs = {"le pain": ("du pain", "au pain"), "la mer": ("de la mer", "à la mer"), "l'air": ("de l'air", "à l'air")}
    for target, (of, to) in pairs.items():
        _, french = vocabulary_forms("the word", target)
        assert (french["of"], french["to"]) == (of, to)
