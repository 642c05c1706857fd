import json
from typing import Any

import numpy as np
import pytest

from regard.app.models.models import scores
from regard.app.navigation import TITLES
from regard.app.screens.worked_examples import common_errors as measured
from regard.app.screens.worked_examples.common_errors import (
    ADDITIVE,
    ERRORS,
    LOVE,
    MULTIPLICATIVE,
    NONE,
    SHEET,
    better,
    holds,
)
from regard.app.theme import component, percent
from regard.model.analysis.claims import gradient_paths
from regard.model.checkpoint import DEFAULT, PRETRAINED, load
from regard.model.synthetic import small_trainings
from regard.model.synthetic.small_trainings import Gap
from regard.model.translate import translate
from tests.support.screens import on_screen

GENERAL, CONCAT = PRETRAINED / "en-fr-general", "en-fr-concat"
ALL = [error for errors in ERRORS.values() for error in errors]


@pytest.mark.parametrize("error", ALL, ids=lambda error: error["said"][:30])
def test_an_error_says_what_holds_and_where_to_check_it(error: Any) -> None:
    assert error["see"]["screen"] in TITLES
    assert holds(error).endswith(".")
    assert error["see"]["screen"] != "translate" or error["see"]["sentence"]  # the one whose numbers are quoted
    assert error["see"].get("model", MULTIPLICATIVE) in (*error.get("models", ()), MULTIPLICATIVE)


@pytest.mark.parametrize(("lowest", "said"), [(40.0, "they overlap"), (46.0, "it falls")])
def test_a_fall_is_told_where_intervals_lie_apart(lowest: float, said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [
        {"words": [12, 14], "bleu": 47.0, "interval": [lowest, 50.0]},
        {"words": [15, 22], "bleu": 39.0, "interval": [32.0, 45.0]},
    ]
    monkeypatch.setattr(measured, "greedy", lambda *_: {"by_length": rows})
    told = measured.by_length(NONE)["bleu"]
    assert f"47.0 [{lowest}, 50.0] at 12 to 14 words" in told
    assert said in told


@pytest.mark.parametrize(
    ("tokens", "steps", "says"), [(12, 12, ", which supports it."), (11, 12, "all but 1."), (6, 12, "does not support")]
)
def test_a_different_word_each_is_supported_by_the_count(tokens: int, steps: int, says: str) -> None:
    assert says in measured.different(tokens, steps)


def test_the_work_of_attention_is_counted_at_several_lengths() -> None:
    network = load(GENERAL).network
    per_step = 2048 * (256 + 512) + 256 * 1024 + network.config.vocabulary * 256

    def share(steps: int, positions: int) -> float:
        attention = positions * 512 * 512 + steps * 2 * positions * 512
        return attention / (attention + steps * per_step)

    told = measured.cost()
    for length in (100, 1_000, 10_000):
        assert percent(share(length, length)) in told["shares"]
    half = int(told["half"].replace(",", ""))
    assert share(half - 1, half - 1) < 0.5 <= share(half, half)


@pytest.mark.parametrize(
    ("values", "says"),
    [
        ((0.1, 0.2, 0.1, 0.3), "with and without attention. Of the two largest"),
        ((0.1, 0.2, 0.1, 0.3), "the one with attention has the greater gap: 0.30 beside 0.20"),
        ((0.1, 0.2, 0.3, 0.1), "without attention only"),
        ((0.2, 0.1, 0.1, 0.3), "with attention only"),
        ((0.2, 0.1, 0.3, 0.1), "does not grow"),
    ],
)
def test_the_gap_is_judged_by_its_sizes(values: tuple[float, ...], says: str) -> None:
    kinds = ("none", "none", "general", "general")
    gaps = [Gap(kind, 8, 100, 1.0, 1.0 + value) for kind, value in zip(kinds, values, strict=True)]
    assert says in measured.gap_verdict(gaps)


def test_the_gradient_is_told_by_the_ways_that_it_takes() -> None:
    model = load(PRETRAINED / DEFAULT)
    trace = translate(model, [LOVE])[0]
    ways = [gradient_paths(model, trace, step) for step in range(len(trace.target))]
    lengths = [f"{np.mean([np.linalg.norm(each) for each in way]):.3f}" for way in zip(*ways, strict=True)]
    found = measured.direct_path()
    assert [found["context"], found["scores"], found["recurrence"]] == lengths


def test_the_scores_of_the_models_are_quoted() -> None:
    attention = json.loads((GENERAL / "scores.json").read_text(encoding="utf-8"))["attention"]
    assert measured.order_of_importance()["tau"] == component(attention["tau"]["leave_one_out"]["mean"])
    kept = attention["counterfactuals"]["all but the maximum"]["function"]["kept"]
    assert measured.kept("all but the maximum")["function"] == percent(kept)


def test_the_sheet_opens_from_its_link_lists_every_error_and_trains_on_a_press(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(small_trainings, "WIDTHS", (8, 16))
    monkeypatch.setattr(small_trainings, "UPDATES", 2)
    screen = on_screen("worked_examples")
    screen.query_params["example"] = SHEET.name
    screen.run()
    assert not screen.exception
    assert sum(element.value.startswith("“") for element in screen.markdown) == len(ALL)
    assert len(screen.get("page_link")) >= len(ALL)
    captions = " ".join(caption.value for caption in screen.caption)
    assert captions.count("Measured with `en-fr-general`, “Luong, general score”") > 5
    screen.button(key="overfitting").click().run()
    assert any("The gap " in element.value for element in screen.markdown)


def test_the_link_to_watch_it_learn_has_both_runs_with_and_without_teacher_forcing() -> None:
    error = next(error for error in ALL if error["said"] == "to speed up convergence")
    screen = on_screen("watch")
    screen.query_params.update({name: value for name, value in error["see"].items() if name != "screen"})
    screen.run()
    assert not screen.exception
    state = screen.session_state
    held = {key: state[key] for key in ("task", "longest", "other", "attention", "other_attention", "other_forcing")}
    assert held == {
        "task": "sort", "longest": 12, "other": True,
        "attention": state["other_attention"], "other_attention": state["attention"], "other_forcing": 0.0,
    }  # fmt: skip


def made_scores(name: str, *intervals: tuple[float, float]) -> dict[str, Any]:
    """Scores of a model whose difference from each other model has these intervals, on as many tests."""
    tests = {str(test): {"interval": ends} for test, ends in enumerate(intervals)}
    return {"against": {other: {"tests": tests} for other in (CONCAT, ADDITIVE)}, "model": {"name": name}}


@pytest.mark.parametrize(
    ("intervals", "says"),
    [
        ([(0.1, 2.0), (0.2, 3.0)], "“Luong, general score” is better on 0 and 1."),
        ([(-2.0, -0.1), (0.2, 3.0)], "“Luong, general score” is better on 1; “Luong, concat score” is better on 0."),
        ([(0.1, 2.0), (-0.1, 3.0)], "“Luong, general score” is better on 0; elsewhere no difference is shown."),
        ([(-0.1, 2.0), (-0.1, 3.0)], "No difference is shown."),
    ],
)
def test_a_verdict_follows_from_the_intervals_of_the_difference(
    intervals: list[tuple[float, float]], says: str
) -> None:
    general = made_scores(MULTIPLICATIVE, *intervals)
    assert better(general, made_scores(CONCAT)) == says  # concat and general differ in the score alone
    both = "They differ in score (general, concat) and wiring (Luong, Bahdanau), and either may be the cause."
    assert better(general, made_scores(ADDITIVE)).endswith(both)


def test_the_models_that_are_compared_are_those_that_ship() -> None:
    for name, found in scores(MULTIPLICATIVE)["against"].items():
        assert found["fingerprint"] == load(PRETRAINED / name).fingerprint
        for test, each in found["tests"].items():
            greedy = [scores(model)["tests"][test]["searches"]["greedy"] for model in (MULTIPLICATIVE, name)]
            assert each["bleu"] == [one["bleu"]["score"] for one in greedy]
            assert each["longest"]["bleu"] == [one["by_length"][-1]["bleu"] for one in greedy]
