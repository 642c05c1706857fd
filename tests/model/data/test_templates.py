"""Sentences from templates."""

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from model.data.name_exchange import Names
from model.data.templates import Templates

TEMPLATES = Templates(Names(("Anna",), ("Tom",), ("Smith",)))


@given(st.integers(0, 10**6))
def test_no_place_is_left_open_and_no_side_is_empty(seed: int) -> None:
    pair = TEMPLATES.draw(Random(seed))
    assert pair.source
    assert pair.target
    assert not set("{}|=\0") & set(pair.source + pair.target)
    assert "  " not in pair.source + pair.target


@given(st.integers(0, 10**6))
def test_digits_are_the_same_on_both_sides(seed: int) -> None:
    pair = TEMPLATES.draw(Random(seed))
    digits = ["".join(c if c.isdigit() else " " for c in side).split() for side in pair]
    ours, theirs = (sorted(number.lstrip("0") for number in side) for side in digits)
    assert ours == theirs


def test_the_same_seed_draws_the_same_sentences() -> None:
    one, other = Random(7), Random(7)
    assert [TEMPLATES.draw(one) for _ in range(50)] == [TEMPLATES.draw(other) for _ in range(50)]
