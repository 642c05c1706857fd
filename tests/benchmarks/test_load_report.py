import pytest

from benchmarks.load_report import Round, others, spread, table, verdict


def test_percentiles_are_those_of_all_times() -> None:
    assert spread([value / 100 for value in range(101)]) == pytest.approx((0.5, 0.95, 0.99))
    assert spread([3.0]) == (3.0, 3.0, 3.0)


def seen(visitors: int, seconds: float, times: list[float], failed: list[str]) -> Round:
    found = Round(visitors, every=1.0, seconds=seconds, failed=failed)
    found.times["translate"] = times
    found.received = [100_000] * len(times)
    return found


def test_the_answer_is_that_of_the_fastest_round_in_which_hardly_anybody_waited() -> None:
    few, many = seen(10, 10.0, [0.1] * 60, []), seen(40, 10.0, [1.5] * 100, [])
    assert verdict([few, many]).startswith("Good for 60 people who translate every 10 seconds")
    assert verdict([many]).startswith("Not good for a class: with 40 visitors")
    assert verdict([seen(10, 10.0, [0.1] * 60, ["cut off"])]).startswith("Not good")
    assert table([few]).rows[0][:5] == ("10", "100", "100", "100", "6.0")
    assert others([seen(1, 1.0, [0.1], ["a", "a"])])["failed (2 times)"] == "a"
