from random import Random

from hypothesis import given
from hypothesis import strategies as st

from regard.model.data.addresses import mail, telephone, web
from regard.model.data.name_exchange import Names

NAMES = Names(("Zoë",), ("Łukasz",), ("Öztürk", "Smith"))


@given(st.integers(0, 10**6))
def test_addresses_hold_plain_letters_and_no_blank(seed: int) -> None:
    random = Random(seed)
    for address in (mail(NAMES, random), web(NAMES, random)):
        assert address.isascii()
        assert " " not in address
        assert "." in address


@given(st.integers(0, 10**6))
def test_a_telephone_number_has_seven_digits_or_more(seed: int) -> None:
    written = telephone(Random(seed))
    assert sum(letter.isdigit() for letter in written) >= 7
    assert set(written) <= set("0123456789 +-()")
