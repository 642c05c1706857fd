import re
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from regard.model.data.corpus import Pair
from regard.pretrained.recipe.numbers import english, english_ordinal, exchange_numbers, french, french_ordinal

CARDINALS = {
    16: ("sixteen", "seize"),
    21: ("twenty-one", "vingt et un"),
    70: ("seventy", "soixante-dix"),
    71: ("seventy-one", "soixante et onze"),
    80: ("eighty", "quatre-vingts"),
    81: ("eighty-one", "quatre-vingt-un"),
    91: ("ninety-one", "quatre-vingt-onze"),
    99: ("ninety-nine", "quatre-vingt-dix-neuf"),
    200: ("two hundred", "deux cents"),
    201: ("two hundred and one", "deux cent un"),
    1980: ("one thousand nine hundred and eighty", "mille neuf cent quatre-vingts"),
    3000: ("three thousand", "trois mille"),
}
ORDINALS = {
    1: ("first", "premier"),
    5: ("fifth", "cinquième"),
    9: ("ninth", "neuvième"),
    12: ("twelfth", "douzième"),
    20: ("twentieth", "vingtième"),
    21: ("twenty-first", "vingt et unième"),
    29: ("twenty-ninth", "vingt-neuvième"),
    80: ("eightieth", "quatre-vingtième"),
}


def test_numbers_are_written_as_grammars_write_them() -> None:
    assert {number: (english(number), french(number)) for number in CARDINALS} == CARDINALS
    assert {number: (english_ordinal(number), french_ordinal(number)) for number in ORDINALS} == ORDINALS


@given(st.integers(0, 10**6), st.lists(st.integers(0, 10**5), min_size=1, max_size=3))
def test_both_sides_hold_the_same_numbers_afterwards(seed: int, numbers: list[int]) -> None:
    source = "There are " + " and ".join(f"{number} cats" for number in numbers)
    target = "Il y a " + " et ".join(f"{number} chats" for number in numbers)
    new = exchange_numbers(Pair(source, target), Random(seed))
    assert re.findall(r"\d+", new.source) == re.findall(r"\d+", new.target)
    assert [len(number) for number in re.findall(r"\d+", new.source)] == [len(str(number)) for number in numbers]
