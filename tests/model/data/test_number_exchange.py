import re
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from regard.model.data import number_words
from regard.model.data.corpus import Pair
from regard.model.data.number_exchange import HOURS, exchange_numbers


@given(st.integers(0, 10**6), st.lists(st.integers(0, 10**5), min_size=1, max_size=3))
def test_both_sides_hold_the_same_numbers_afterwards(seed: int, numbers: list[int]) -> None:
    source = "There are " + " and ".join(f"{number} cats" for number in numbers)
    target = "Il y a " + " et ".join(f"{number} chats" for number in numbers)
    new = exchange_numbers(Pair(source, target), Random(seed))
    assert re.findall(r"\d+", new.source) == re.findall(r"\d+", new.target)
    assert [len(number) for number in re.findall(r"\d+", new.source)] == [len(str(number)) for number in numbers]


@pytest.mark.parametrize(
    "pair",
    [
        Pair("I have 1 cat.", "J'ai 1 chat."),  # the words around it are singular
        Pair("It is 7:30.", "Il est 7 h 30."),  # written otherwise
        Pair("1,000 people", "1 000 personnes"),
        Pair("One or two cats.", "Un ou deux chats."),
        Pair("The two of us left.", "Nous sommes partis tous les deux."),
        Pair("Three quarters of it", "Les trois quarts"),
        Pair("I have one cat.", "J'ai un chat."),
        Pair("I have two cats and three dogs.", "J'ai deux chats et trois chiens."),
        Pair("on the second of May", "le deux mai"),
        Pair("thirty thousand people", "trente mille personnes"),  # above 10,000
        Pair("3 cats", "4 chats"),
    ],
)
def test_what_the_languages_write_otherwise_stays(pair: Pair) -> None:
    assert all(exchange_numbers(pair, Random(seed)) == pair for seed in range(20))


@given(st.integers(0, 10**6))
def test_a_year_stays_a_year(seed: int) -> None:
    new = exchange_numbers(Pair("in 1984", "en 1984"), Random(seed))
    assert 1900 <= int(new.source.split()[1]) <= 2030


HOURS_IN_WORDS = [number_words.english(hour) for hour in HOURS]
NUMERALS = {n: (number_words.english_variants(n), number_words.french(n)) for n in range(2, 10_001)}


@given(st.integers(0, 10**6))
def test_a_number_in_words_becomes_another_one_on_both_sides(seed: int) -> None:
    source, target = exchange_numbers(Pair("He was thirty.", "Il avait trente ans."), Random(seed))
    english, french = source.removeprefix("He was ").removesuffix("."), target[len("Il avait ") : -len(" ans.")]
    assert any(english in ways and french == way for ways, way in NUMERALS.values())


def exchanged(source: str, target: str, seeds: int = 60) -> set[Pair]:
    return {exchange_numbers(Pair(source, target), Random(seed)) for seed in range(seeds)}


def test_a_number_keeps_its_capital_its_kind_and_an_hour_of_the_morning() -> None:
    for source, target in exchanged("Two hundred men left.", "Deux cents hommes sont partis."):
        assert source[0].isupper()
        assert target[0].isupper()
        assert source.endswith(" men left.")
    for _, target in exchanged("my sixth cat", "mon sixième chat"):
        assert target.endswith("ième chat")
    for source, _ in exchanged("I get up at six this morning.", "Je me lève à six heures ce matin."):
        assert source.removeprefix("I get up at ").removesuffix(" this morning.") in HOURS_IN_WORDS
    for _, target in exchanged("I slept six hours.", "J'ai dormi six heures."):
        assert not target.removesuffix(" heures.").endswith("un")


def test_a_whole_hour_becomes_any_time_and_an_amount_any_price() -> None:
    times = exchanged("Come at six o'clock.", "Viens à six heures.", 300)
    assert any(source.startswith("Come at half past ") and "et demi" in target for source, target in times)
    assert any(source.endswith(" p.m.") for source, _ in times)
    assert not any(".m.." in source for source, _ in times)
    prices = exchanged("I paid ten dollars.", "J'ai payé dix dollars.")
    assert any(re.search(r"\.\d\d\.$", source) and re.search(r",\d\d .\.$", target) for source, target in prices)
