import pytest

from regard.app.figures.measures import Rate, head_error_rates
from regard.app.figures.table import to_csv
from regard.app.models.registry import model_names, transforms
from regard.app.screens.alignment import error_rate
from regard.app.screens.alignment.error_rate import NO_INTERVAL, chosen_heads, finding, rates, sums, told, transformers
from regard.model.word_alignment.alignment_error_rate import Agreement
from regard.model.word_alignment.from_attention import MEAN, head_scores


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
    assert told.startswith("**one** has the lowest alignment error rate, its rows read as the word produced: 0.300. ")
    assert "which is no longer the attention, **one** (posterior with jumps) has AER 0.100, where its weights" in told
    assert told.endswith("better than the diagonal (0.600), and worse than eflomal forward (0.050).")


def test_what_was_not_measured_is_left_out() -> None:
    assert rates({"one": {}, "two": {"alignments": {}}}, "") == []
    assert rates({"one": measured(0.3, 0.8)}, "unknown") == []
    assert finding([]) == ""
    assert finding([Rate("the diagonal", "", 0.6, 0.5, 0.5)]) == ""


def test_the_best_model_is_named_and_set_against_each_baseline() -> None:
    told = finding(rates({"one": measured(0.45, 0.8, diagonal=0.6, ibm1=0.4), "two": measured(0.5, 0.9)}, ""))
    assert told.startswith(
        "**one** has the lowest alignment error rate, its rows read as the word produced: 0.450; next comes **two** "
        f"with 0.500. {NO_INTERVAL}"
    )
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


GOOD, BAD = Agreement(10, 10, 8, 9), Agreement(10, 10, 2, 3)
STORIES = {
    "One": {(rows, layer, head): BAD for rows in ("output", "input") for layer, head in ((0, 0), (0, 1), (0, MEAN))}
    | {("output", MEAN, MEAN): BAD, ("input", MEAN, MEAN): GOOD, ("input", 0, 1): GOOD},
    "Two": {(rows, layer, head): BAD for rows in ("output", "input") for layer, head in ((0, 0), (0, 1), (0, MEAN))}
    | {("output", MEAN, MEAN): BAD, ("input", MEAN, MEAN): BAD, ("output", 0, 0): GOOD},
}


def test_the_best_head_is_told_with_what_it_has_where_it_was_not_chosen() -> None:
    found = head_scores(STORIES)
    text = told("A <b>", found)
    assert f"AER **{found['best']['aer']:.3f}**" in text
    assert f"has **{found['elsewhere']['aer']:.3f}**" in text
    assert found["elsewhere"]["aer"] == pytest.approx(BAD.error_rate, abs=1e-3)  # no choice holds
    for story, each in found["chosen_on_the_others"].items():
        assert f"{story} {each['aer']:.3f}, head {each['head'] + 1} of layer 1" in text
    assert "<b>" not in text


def test_every_head_and_the_mean_are_drawn() -> None:
    found = head_scores(STORIES)["input"]
    lines = to_csv(head_error_rates(found["heads"], found["layers"])).splitlines()[1:]
    assert [line.split(",")[1:4] for line in lines] == [
        ["head 1", "layer 1", str(found["heads"][0][0])],
        ["head 2", "layer 1", str(found["heads"][0][1])],
        ["mean of heads", "layer 1", str(found["layers"][0])],
    ]


def test_only_transformers_of_the_same_languages_stand_beside_the_models(monkeypatch: pytest.MonkeyPatch) -> None:
    here = transformers("en-fr")
    assert all(transforms(name) for name in here)
    assert "reverse-transformer" in model_names()
    assert "reverse-transformer" not in here
    monkeypatch.setattr(error_rate, "transformers", lambda name: ["reverse-transformer"])
    monkeypatch.setattr(error_rate, "scores", lambda name: {"alignments": {"heads": head_scores(STORIES)}})
    [chosen] = chosen_heads("en-fr")
    assert chosen.aer == head_scores(STORIES)["elsewhere"]["aer"]
