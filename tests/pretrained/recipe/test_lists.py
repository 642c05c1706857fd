from pathlib import Path

import pytest

from regard.model.data.corpus import USUAL, bucket
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
    read_typed,
)


def entry(french: str) -> Typed:
    return Typed("greetings", "hello", pattern(french))


@pytest.mark.parametrize("translation", ["Bonjour", "bonjour !", "Bonjour.", "BONJOUR…", "Salut à tous", "Salut"])
def test_case_and_the_final_mark_do_not_count(translation: str) -> None:
    assert accepted(entry("Bonjour || Salut( à tous|)"), translation)


@pytest.mark.parametrize("translation", ["", "Bonjour le", "Bon jour", "Salut à", "Le bonjour"])
def test_another_wording_is_not_accepted(translation: str) -> None:
    assert not accepted(entry("Bonjour || Salut( à tous|)"), translation)


def test_what_is_no_regular_expression_in_a_pattern_is_text() -> None:
    assert accepted(entry("Ça coûte 5 $ [.*]"), "Ça coûte 5 $ [.*]")
    assert not accepted(entry("a.c"), "abc")


def test_rates_are_counted_by_kind_and_in_all() -> None:
    found = rates([entry("Bonjour"), entry("Merci")], ["Bonjour !", "Bonjour !"])
    assert found["greetings"] == found["all"] == {"sentences": 2, "accepted": 1}


def test_the_list_has_over_two_hundred_sentences_of_ten_kinds_and_none_twice() -> None:
    entries = read_typed()
    assert len(entries) >= 200
    assert len({one.kind for one in entries}) >= 10
    assert len({one.sentence.lower() for one in entries}) == len(entries)


def test_a_line_that_is_none_is_told_with_its_number(tmp_path: Path) -> None:
    path = tmp_path / "list.tsv"
    path.write_text("greetings\tHi\tSalut\ngreetings\tHi\t(Salut\n", encoding="utf-8")
    with pytest.raises(ValueError, match="line 2"):
        read_typed(path)


def number_entry(*french: str) -> MadeNumber:
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
    assert exact(number_entry(french), translation)


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
    assert not exact(number_entry(french), translation)


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
