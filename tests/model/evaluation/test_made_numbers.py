import pytest

from regard.model.data.corpus import USUAL, bucket
from regard.model.evaluation.made_numbers import SENTENCES, MadeNumber, exact, exact_rates, made_numbers


def entry(*french: str) -> MadeNumber:
    return MadeNumber("counted", "a sentence", french)


@pytest.mark.parametrize(
    ("french", "translation"),
    [
        ("vingt et un", "Vingt et un."),
        ("vingt et un", "Vingt-et-un soldats attendaient un train."),
        ("1500", "Il y en a 1 500."),
        ("sept heures et demie", "Réveille-moi à sept heures et demie."),
        ("5,99 $", "La bague a coûté 5,99 $."),
        ("trois mille quatre", "Trois mille quatre soldats et un chien"),
    ],
)
def test_the_number_itself_is_exact(french: str, translation: str) -> None:
    assert exact(entry(french), translation)


@pytest.mark.parametrize(
    ("french", "translation"),
    [
        ("vingt", "Vingt et un."),
        ("vingt", "Cent vingt vaches"),
        ("vingt", "Vingt-deux soldats"),
        ("sept heures", "Réveille-moi à sept heures et demie."),
        ("5,99 $", "La bague a coûté 15,99 $."),
        ("99 $", "La bague a coûté 5,99 $."),
        ("1500", "en 15000"),
        ("huit", "neuf"),
    ],
)
def test_a_longer_or_another_number_is_not(french: str, translation: str) -> None:
    assert not exact(entry(french), translation)


def test_the_sentences_are_always_the_same_and_no_number_that_stands_alone_is_learned() -> None:
    made = made_numbers()
    assert made == made_numbers()
    assert len(made) == SENTENCES
    assert {one.kind for one in made} == {"alone", "counted", "ages", "ordinals", "years", "times", "prices"}
    assert all(bucket(one.sentence) < USUAL.test for one in made if one.kind == "alone")


def test_each_number_is_exact_in_its_own_french() -> None:
    made = made_numbers()
    for one in made:
        assert exact(one, f"Il a dit {one.french[0]}."), one
    assert exact_rates(made, [one.french[0] for one in made])["all"] == {"sentences": SENTENCES, "exact": SENTENCES}
