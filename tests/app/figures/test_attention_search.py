from dataclasses import replace
from typing import Any, cast

import numpy as np
import pytest

from regard.app.figures.attention_search import (
    FOUND,
    LOWEST,
    NEAREST,
    OWN,
    corners,
    descent,
    share,
    shifts,
    weights_found,
)
from regard.app.figures.token_bars import MARK
from regard.app.screens.why.text import by_penalty, compared, looks, price, spelled, target, verdict
from regard.app.theme import component, percent
from regard.model.alignment import token_label
from regard.model.analysis.attention_search import AttentionSearch, Chance, Outcome, search_attention
from regard.model.arithmetic.quantity import source_text
from regard.model.checkpoint import Pretrained
from regard.model.trace import Trace
from regard.model.translate import translate
from tests.support.figures import csv_rows, marks
from tests.support.letter_models import make_speller

STEP = 1


@pytest.fixture(scope="module")
def model() -> Pretrained:
    return make_speller(5, 2, score="dot", cell="gru")


@pytest.fixture(scope="module")
def trace(model: Pretrained) -> Trace:
    return translate(model, ["abc"])[0]


@pytest.fixture(scope="module")
def searches(model: Pretrained, trace: Trace) -> list[AttentionSearch]:
    return [search_attention(model, trace, STEP, token) for token in range(2, 8)]


@pytest.fixture(scope="module")
def reached(trace: Trace, searches: list[AttentionSearch]) -> AttentionSearch:
    return next(asked for asked in searches if asked.first and asked.own.wanted.rank > 1)


@pytest.fixture(scope="module")
def missed(searches: list[AttentionSearch]) -> AttentionSearch:
    return next(asked for asked in searches if not asked.first)


def outcome(weights: list[float], probability: float = 0.2, rank: int = 2) -> Outcome:
    return Outcome(np.array(weights, dtype=float), 1.234, 0.5, Chance(probability, rank), " other", 0.7)


def test_weights_are_drawn_in_percent_under_the_models_own(trace: Trace, reached: AttentionSearch) -> None:
    bars = marks(weights_found(trace, replace(reached, found=reached.best)))
    assert [bar.name for bar in bars] == [OWN, FOUND]
    assert np.array_equal(bars[0].y, 100 * reached.own.weights)
    assert np.array_equal(bars[1].y, 100 * reached.best.weights)


def test_a_third_row_shows_a_lower_objective_that_does_not_say_the_word(trace: Trace, reached: AttentionSearch) -> None:
    lower = outcome([0.1, 0.2, 0.3, 0.4])
    bars = marks(weights_found(trace, replace(reached, found=lower)))
    assert bars[2].name == LOWEST
    assert np.array_equal(bars[2].y, 100 * lower.weights)
    assert [row["Weights"] for row in compared(replace(reached, found=lower))] == [OWN, FOUND, LOWEST]


def test_weights_that_do_not_say_the_word_are_not_called_found(trace: Trace, missed: AttentionSearch) -> None:
    assert [bar.name for bar in marks(weights_found(trace, missed))] == [OWN, NEAREST]
    assert [bar.name for bar in marks(shifts(missed))] == [OWN, NEAREST]
    assert [row["Weights"] for row in compared(missed)] == [OWN, NEAREST]


def test_both_chances_of_a_token_are_drawn_and_the_wanted_one_is_marked(reached: AttentionSearch) -> None:
    own, found = marks(shifts(reached))
    assert list(own.x) == [100 * shift.before.probability for shift in reached.shifts]
    assert list(found.x) == [100 * shift.after.probability for shift in reached.shifts]
    for bar, chances in ((own, [s.before for s in reached.shifts]), (found, [s.after for s in reached.shifts])):
        assert list(bar.text) == [f"{share(chance.probability)} · #{chance.rank}" for chance in chances]
    marked = {row["x"] for row in csv_rows(shifts(reached)) if row["x"].startswith(MARK)}
    assert marked == {MARK + token_label(reached.text)}


def test_a_source_token_alone_is_named_with_what_it_makes_the_step_write(
    trace: Trace, reached: AttentionSearch
) -> None:
    listed = csv_rows(corners(trace, reached))
    assert [row["x"] for row in listed] == [
        f"{source_text(trace, place)} → {token_label(alone.written)}" for place, alone in reached.corners
    ]
    assert [float(row["value"]) for row in listed] == pytest.approx(
        [100 * alone.wanted.probability for _, alone in reached.corners]
    )


def test_the_path_is_drawn_as_it_was_gone(reached: AttentionSearch) -> None:
    figure = descent(reached)
    wanted, own, cost = marks(figure)
    assert list(wanted.x) == list(range(1, reached.iterations + 1))
    np.testing.assert_allclose(wanted.y, 100 * reached.path.wanted)
    np.testing.assert_allclose(own.y, 100 * reached.path.likeliest)
    np.testing.assert_allclose(cost.y, reached.path.cost)
    assert {line.x0 for line in cast(Any, figure.layout).shapes} == {reached.path.taken + 1}


def test_a_probability_that_is_hardly_any_can_still_be_followed(reached: AttentionSearch) -> None:
    faint = replace(reached, path=replace(reached.path, wanted=reached.path.wanted / np.float32(1e9)))
    for asked in (reached, faint):
        axis = cast(Any, descent(asked).layout).yaxis
        assert axis.type == "log"
        assert 2 <= len(axis.tickvals) <= 9
        assert min(axis.tickvals) <= 1000 * 100 * asked.path.wanted.min()
    assert "10<sup>" in axis.ticktext[-1]


def test_the_axis_of_probabilities_that_differ_little_has_marks_between_powers_of_ten(reached: AttentionSearch) -> None:
    near = np.linspace(0.12, 0.45, len(reached.path.wanted), dtype=np.float32)
    asked = replace(reached, path=replace(reached.path, wanted=near, likeliest=near[::-1].copy()))
    axis = cast(Any, descent(asked).layout).yaxis
    assert {"20%", "50%"} <= {*axis.ticktext}
    assert [float(text.rstrip("%")) for text in axis.ticktext] == pytest.approx(list(axis.tickvals))


def test_a_search_for_the_models_own_word_has_one_line_for_it(model: Pretrained, trace: Trace) -> None:
    asked = search_attention(model, trace, STEP, int(trace.target_ids[STEP]))
    assert len(marks(descent(asked))) == 2
    assert "here already" in verdict(trace, asked)


def test_a_verdict_says_whether_and_where(trace: Trace, reached: AttentionSearch, missed: AttentionSearch) -> None:
    yes, no = verdict(trace, reached), verdict(trace, missed)
    assert yes.startswith("The model would write ")
    assert looks(trace, reached.best) in yes
    assert no.startswith("No attention was found that makes it write ")
    assert f"reaches {share(missed.best.wanted.probability)}, rank {missed.best.wanted.rank}" in no
    assert missed.best.written != missed.own.written
    assert f"{target(trace, missed.best.written)} comes first" in no
    same = replace(missed, found=replace(missed.found, written=missed.own.written))
    assert f"{target(trace, missed.own.written)} stays first" in verdict(trace, same)
    assert "no proof" in price(trace, missed)
    assert "no proof" not in price(trace, reached)
    for asked in (reached, missed):
        told = price(trace, asked)
        assert f"{component(asked.best.cost)} nats" in told
        assert percent(asked.best.moved) in told
        assert f"Searched from {asked.starts} starts, {asked.iterations} iterations each" in told


def test_where_a_lower_objective_does_not_say_the_word_the_reason_is_told(
    trace: Trace, reached: AttentionSearch
) -> None:
    likelier = replace(reached, found=outcome([0.4, 0.2, 0.2, 0.2], reached.best.wanted.probability + 0.01))
    dearer = replace(reached, found=outcome([0.4, 0.2, 0.2, 0.2], reached.best.wanted.probability - 0.01))
    assert "With other weights it is likelier still, but not first" in price(trace, likelier)
    assert "The penalty holds the search back" in price(trace, dearer)


def test_the_heaviest_tokens_are_named_and_the_rest_added_up(trace: Trace) -> None:
    assert looks(trace, outcome([0, 1, 0, 0])) == '100.0% at “<em lang="plain">·b</em>”'
    assert (
        looks(trace, outcome([0.03, 0.5, 0.4, 0.07]))
        == '50.0% at “<em lang="plain">·b</em>”, 40.0% at “<em lang="plain">·c</em>”, '
        '7.0% at “<em lang="plain">&lt;/s&gt;</em>” and 3.0% elsewhere'
    )


def test_of_several_tokens_the_first_is_looked_for() -> None:
    assert spelled([" chat"]) == ""
    assert "takes 2 tokens" in spelled([" nour", "riture"])
    assert "the next one, “·riture”, would be searched for" in spelled([" nour", "riture"])
    assert "the others, “·ri” “·ture”, would be searched for" in spelled([" nour", "ri", "ture"])


def test_a_table_of_penalties_has_a_row_for_each(reached: AttentionSearch, missed: AttentionSearch) -> None:
    first, second = by_penalty([replace(reached, penalty=0.0), replace(missed, penalty=3.0)])
    assert (first["Penalty λ"], second["Penalty λ"]) == ("0", "3")
    assert reached.first
    assert first["To write it"] == f"{component(reached.first.cost)} nats"
    assert second["To write it"] == "–"


def test_a_share_has_the_digits_it_needs() -> None:
    assert [share(value) for value in (0.5, 0.00012, 1e-9)] == ["50.0%", "0.012%", "below 0.0001%"]
