import pytest

from regard.app.figures.measures import Rate
from regard.app.screens.alignment.error_rate import finding, rates, sums
from regard.model.word_alignment.alignment_error_rate import Agreement


def measured(output: float, fed: float, **baselines: float) -> dict:
    """The part of `scores.json` with these error rates."""
    errors = {"output": output, "input": fed, **baselines}
    found = {name: {"aer": error, "precision": 0.5, "recall": 0.25} for name, error in errors.items()}
    return {"alignments": {"overall": {"pairs": 3, **found}, "stories": {"A": {"pairs": 1, **found}}}}


def test_the_sums_are_written_with_their_numbers() -> None:
    error, precision, recall = sums(Agreement(10, 9, 8, 9))
    assert r"1 - \frac{8 + 9}{10 + 9} = \mathbf{0.105}" in error
    assert r"\frac{9}{10} = \mathbf{0.900}" in precision
    assert r"\frac{8}{9} = \mathbf{0.889}" in recall


def test_nothing_is_divided_by_zero() -> None:
    error, precision, recall = sums(Agreement())
    assert r"\mathbf{1.000}" in error
    assert r"\frac{0}{0} = " not in precision + recall


def test_rates_are_those_of_all_models_both_ways_and_then_the_baselines() -> None:
    scores = {"one": measured(0.3, 0.8, diagonal=0.6), "two": measured(0.4, 0.7, diagonal=0.6, ibm1=0.5)}
    found = rates(scores, "")
    assert [(each.name, each.rows, each.aer) for each in found] == [
        ("one", "output", 0.3),
        ("one", "input", 0.8),
        ("two", "output", 0.4),
        ("two", "input", 0.7),
        ("the diagonal", "", 0.6),
        ("IBM Model 1", "", 0.5),
    ]
    assert rates(scores, "A") == found


def test_what_asking_afterwards_gains_is_told_apart_from_the_attention() -> None:
    found = rates({"one": measured(0.3, 0.8, posterior=0.2, posterior_hmm=0.1, diagonal=0.6, eflomal_forward=0.05)}, "")
    assert [each.rows for each in found] == ["output", "input", "posterior", "posterior_hmm", "", ""]
    told = finding(found)
    assert (
        "The attention of **one** comes closest to people's links, its rows read as the word produced: AER 0.300"
        in told
    )
    assert "which is no longer the attention, **one** (posterior with jumps) has AER 0.100, where its weights" in told
    assert told.endswith("better than the diagonal (0.600), and worse than eflomal forward (0.050).")


def test_what_was_not_measured_is_left_out() -> None:
    assert rates({"one": {}, "two": {"alignments": {}}}, "") == []
    assert rates({"one": measured(0.3, 0.8)}, "unknown") == []
    assert finding([]) == ""
    assert finding([Rate("the diagonal", "", 0.6, 0.5, 0.5)]) == ""


def test_the_best_model_is_named_and_set_against_each_baseline() -> None:
    told = finding(rates({"one": measured(0.45, 0.8, diagonal=0.6, ibm1=0.4), "two": measured(0.5, 0.9)}, ""))
    assert "**one** comes closest to people's links, its rows read as the word produced: AER 0.450" in told
    assert "better than the diagonal (0.600), and worse than IBM Model 1 (0.400)" in told


@pytest.mark.parametrize(
    ("errors", "told"),
    [
        ([(0.3, 0.8), (0.4, 0.7)], "For every model measured a row fits the word produced better"),
        ([(0.8, 0.3), (0.7, 0.4)], "For every model measured a row fits the word fed in at least as well"),
        ([(0.3, 0.8), (0.7, 0.4)], "fits the word produced better for 1 of 2 models (a), and for the others"),
        ([(0.3, 0.8)], "For a a row fits the word produced better than the word fed in. Luong et al. (2015, footnote"),
        ([(0.5, 0.5)], "at least as well as the word produced. Luong et al. (2015, footnote 14) read theirs"),
        ([(0.5, 0.5)], "report no comparison"),
    ],
)
def test_the_reading_of_rows_that_fits_is_told(errors: list[tuple[float, float]], told: str) -> None:
    scores = {name: measured(*pair) for name, pair in zip("ab", errors, strict=False)}
    assert told in finding(rates(scores, ""))
