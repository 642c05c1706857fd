import pytest

from regard.model.data.french_verbs import agree, before, verb


@pytest.mark.parametrize(
    ("infinitive", "tense", "person", "form"),
    [
        ("manger", "present", 3, "mangeons"),
        ("manger", "imperfect", 3, "mangions"),
        ("manger", "imperfect", 5, "mangeaient"),
        ("commencer", "imperfect", 0, "commençais"),
        ("commencer", "imperfect", 4, "commenciez"),
        ("finir", "present", 5, "finissent"),
        ("finir", "future", 1, "finiras"),
        ("aller", "conditional", 2, "irait"),
        ("venir", "future", 3, "viendrons"),
        ("acheter", "future", 2, "achètera"),
        ("prendre", "imperfect", 4, "preniez"),
    ],
)
def test_forms(infinitive: str, tense: str, person: int, form: str) -> None:
    assert verb(infinitive).simple(tense, person) == form


def test_participles_and_gerunds() -> None:
    assert [verb(name).participle for name in ("finir", "mettre", "danser")] == ["fini", "mis", "dansé"]
    assert [verb(name).gerund for name in ("finir", "avoir", "manger")] == ["finissant", "ayant", "mangeant"]
    assert agree("mis", female=False, plural=True) == "mis"
    assert agree("venu", female=True, plural=True) == "venues"


def test_before_a_vowel_a_word_elides() -> None:
    assert [before("je", "aime"), before("de", "partir")] == ["j'aime", "de partir"]


def test_an_irregular_verb_that_is_not_in_the_table_is_refused() -> None:
    with pytest.raises(ValueError, match="moudre"):
        verb("moudre")
