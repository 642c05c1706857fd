from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from regard.model.decoding.token_sampling import OFF_K, OFF_P, SamplingSettings, cut, draw
from regard.model.tokenizer import STOP

SHARES = np.array([0.5, 0.25, 0.125, 0.0625, 0.0625])  # of the tokens 2 to 6; exact in binary

logits = st.lists(st.floats(-4, 4, width=32), min_size=6, max_size=40).map(lambda rows: np.array(rows, np.float32))
numbers = st.floats(0, 1, exclude_max=True)
asked = st.builds(SamplingSettings, temperature=st.floats(0.1, 2.0), top_k=st.integers(0, 50), top_p=st.floats(0.01, 1))


def distribution(*shares: float) -> np.ndarray:
    """Logits that give the tokens from `</s>` on these shares; `<pad>` and `<s>` are the likeliest of all."""
    return np.array([9, 8, *np.log(shares)], dtype=np.float32)


@pytest.mark.parametrize(
    ("number", "place"), [(0.0, 0), (0.49, 0), (0.51, 1), (0.74, 1), (0.76, 2), (0.9, 3), (0.99, 4), (1 - 2**-53, 4)]
)
def test_a_number_draws_the_token_it_falls_on_and_on_the_border_the_second(number: float, place: int) -> None:
    assert draw(distribution(*SHARES), SamplingSettings(), number).place == place
    assert draw(distribution(1, 1), SamplingSettings(), 0.5).place == 1


def test_temperature_is_a_power_of_the_shares() -> None:
    root = np.sqrt([0.64, 0.36])
    drawn = draw(distribution(0.64, 0.36), SamplingSettings(temperature=2.0), 0.3)
    assert drawn.probability == pytest.approx(0.64 / (1 + np.e**9 + np.e**8), rel=1e-5)
    assert drawn.chance == pytest.approx(root[0] / root.sum(), rel=1e-5)


@pytest.mark.parametrize(
    ("top_k", "top_p", "left"),
    [
        (OFF_K, OFF_P, (5, 5)),
        (1, OFF_P, (1, 1)),
        (3, OFF_P, (3, 3)),
        (99, OFF_P, (5, 5)),
        (OFF_K, 0.5, (5, 1)),  # the first has that much
        (OFF_K, 0.51, (5, 2)),
        (OFF_K, 0.75, (5, 2)),
        (OFF_K, 0.9375, (5, 4)),
        (OFF_K, 0.99, (5, 5)),
        (2, 0.6, (2, 1)),  # of what top-k leaves the first has two thirds
        (2, 0.7, (2, 2)),
    ],
)
def test_top_k_and_the_nucleus_leave_what_was_counted_by_hand(top_k: int, top_p: float, left: tuple[int, int]) -> None:
    assert cut(SHARES, top_k, top_p) == left


@given(logits, asked, numbers)
def test_any_draw_can_be_redone_by_its_definition(row: np.ndarray, settings: SamplingSettings, number: float) -> None:
    drawn = draw(row, settings, number)
    allowed = {index: float(logit) / settings.temperature for index, logit in enumerate(row) if index >= STOP}
    order = sorted(allowed, key=lambda index: (-row[index], index))
    powers = np.exp(np.array([allowed[index] for index in order]) - max(allowed.values()))
    shares = powers / powers.sum()
    kept = shares[: drawn.left] / shares[: drawn.left].sum()
    assert order[drawn.place] == drawn.token >= STOP
    assert drawn.place < drawn.left <= drawn.within_k <= len(order)
    assert drawn.within_k == min(settings.top_k or len(order), len(order))
    within = shares[: drawn.within_k] / shares[: drawn.within_k].sum()
    assert within[: drawn.left].sum() >= settings.top_p - 1e-9
    assert settings.top_p == 1 or within[: drawn.left - 1].sum() < settings.top_p + 1e-9
    assert drawn.mass == pytest.approx(shares[: drawn.left].sum())
    assert drawn.chance == pytest.approx(kept[drawn.place], abs=1e-12)
    assert drawn.below == pytest.approx(kept[: drawn.place].sum(), abs=1e-12)
    assert drawn.below - 1e-12 <= number <= drawn.below + drawn.chance + 1e-12
    assert 0 <= drawn.probability <= 1


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"temperature": 0.0}, "temperature is 0.0; accepted is a number from 0.1 to 2 .*top-k 1"),
        ({"temperature": float("nan")}, "temperature is nan"),
        ({"temperature": 2.1}, "temperature is 2.1"),
        ({"top_k": -1}, "top-k is -1; accepted is a whole number from 1, or 0"),
        ({"top_p": 0.0}, "nucleus is 0.0; accepted is a number above 0, up to 1"),
        ({"top_p": 1.1}, "nucleus is 1.1"),
        ({"samples": 0}, "0 samples .* from 1 to 100"),
        ({"samples": 101}, "101 samples"),
        ({"seed": -1}, "seed is -1; accepted is a whole number from 0 to 4294967295"),
    ],
)
def test_impossible_settings_are_refused_with_what_is_accepted(wrong: dict[str, Any], told: str) -> None:
    with pytest.raises(ValueError, match=told):
        SamplingSettings(**wrong)
