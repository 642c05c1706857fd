import pytest

from regard.pretrained.recipe.lists import (
    SENTENCES,
    MadeNumber,
    Typed,
    accepted,
    exact,
    exact_rates,
    made_numbers,
    pattern,
    rates,
)


@pytest.mark.parametrize(
    ("translation", "right"),
    [("bonjour !", True), ("BONJOUR…", True), ("Salut à tous", True), ("Bonjour le", False), ("Salut à", False)],
)
def test_case_and_the_final_mark_do_not_count_but_another_wording_does(translation: str, right: bool) -> None:
    greeting = Typed("greetings", "hello", pattern("Bonjour || Salut( à tous|)"))
    assert accepted(greeting, translation) == right
    assert rates([greeting], [translation])["all"] == {"sentences": 1, "accepted": int(right)}


@pytest.mark.parametrize(
    ("french", "translation", "right"),
    [
        ("vingt et un", "Vingt-et-un soldats attendaient un train.", True),
        ("1500", "Il y en a 1 500.", True),
        ("5,99 $", "La bague a coûté 5,99 $.", True),
        ("vingt", "Cent vingt vaches", False),
        ("sept heures", "Réveille-moi à sept heures et demie.", False),
        ("99 $", "La bague a coûté 5,99 $.", False),
        ("1500", "en 15000", False),
    ],
)
def test_the_number_itself_is_exact_and_a_longer_one_is_not(french: str, translation: str, right: bool) -> None:
    assert exact(MadeNumber("counted", "a sentence", (french,)), translation) == right


def test_each_number_is_exact_in_its_own_french() -> None:
    made = made_numbers()
    for one in made:
        assert exact(one, f"Il a dit {one.french[0]}."), one
    assert exact_rates(made, [one.french[0] for one in made])["all"] == {"sentences": SENTENCES, "exact": SENTENCES}
