from random import Random

from hypothesis import given
from hypothesis import strategies as st

from regard.model.data.invented_names import invented_name


@given(st.integers(0, 10**9))
def test_it_is_one_word_of_letters_that_begins_with_a_plain_capital(seed: int) -> None:
    name = invented_name(Random(seed))
    assert name.replace("'", "").isalpha()
    assert name[0].isascii()
    assert name[0].isupper()
    assert 1 < len(name) < 25


def test_hardly_any_comes_twice() -> None:
    random = Random(1)
    assert len({invented_name(random) for _ in range(1000)}) > 950
