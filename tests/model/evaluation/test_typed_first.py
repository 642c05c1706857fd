from pathlib import Path

import pytest

from regard.model.evaluation.typed_first import Typed, accepted, pattern, rates, read_typed


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
