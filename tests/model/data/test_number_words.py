from hypothesis import given
from hypothesis import strategies as st

from regard.model.data.number_words import english, english_ordinal, french, french_ordinal

CARDINALS = {
    16: ("sixteen", "seize"),
    21: ("twenty-one", "vingt et un"),
    70: ("seventy", "soixante-dix"),
    71: ("seventy-one", "soixante et onze"),
    80: ("eighty", "quatre-vingts"),
    81: ("eighty-one", "quatre-vingt-un"),
    91: ("ninety-one", "quatre-vingt-onze"),
    99: ("ninety-nine", "quatre-vingt-dix-neuf"),
    120: ("one hundred and twenty", "cent vingt"),
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


@given(st.lists(st.integers(0, 9999), min_size=2, max_size=2, unique=True))
def test_no_two_numbers_are_written_alike(numbers: list[int]) -> None:
    for write in (english, french):
        assert len({write(number) for number in numbers}) == 2
