import pytest

from regard.model.data.word_forms import Agreeing, noun_forms, vocabulary_forms

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
