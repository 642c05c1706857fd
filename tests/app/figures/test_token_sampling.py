from collections.abc import Callable
from typing import Any

import pytest
import torch

from regard.app.figures.table import to_csv
from regard.app.figures.token_sampling import ends, line, small_percent, stages
from regard.app.screens.sampling.settings import compared, step_told
from regard.app.theme import percent
from regard.model.checkpoint import Pretrained
from regard.model.decoding.sampling import Sample, sample
from regard.model.decoding.token_sampling import Draw, SamplingSettings, seen

CUT = SamplingSettings(temperature=1.5, top_k=20, top_p=0.9, samples=2, seed=2)
FREE = SamplingSettings(samples=2)
SOME = 4  # steps of which figures are drawn


@pytest.fixture(scope="module")
def drawn(make_model: Callable[..., Pretrained]) -> list[tuple[SamplingSettings, Sample]]:
    """Two samples each of two settings, of a tiny model with clear preferences."""
    model = make_model()
    with torch.no_grad():
        model.network.embedding.weight.mul_(6)
    return [(settings, each) for settings in (CUT, FREE) for each in sample(model, "I love you.", settings)]


def test_the_stages_draw_what_the_draw_saw(drawn: list[tuple[SamplingSettings, Sample]]) -> None:
    for settings, each in drawn:
        for step, one in enumerate(each.draws[:SOME]):
            look = seen(each.trace, step, one, settings.temperature)
            rows: Any = stages(look, one, settings.temperature, 337).data
            for row, shares in zip(rows, (look.own, look.heated, look.left, look.chance), strict=True):
                assert list(row.y) == pytest.approx(100 * shares)
                assert row.texttemplate[look.drawn] == small_percent(shares[look.drawn])
            assert [text == "cut" for text in rows[2].texttemplate] == (look.left == 0).tolist()


def test_the_line_is_whole_and_the_number_falls_on_the_drawn_token(
    drawn: list[tuple[SamplingSettings, Sample]],
) -> None:
    for settings, each in drawn:
        for step, one in enumerate(each.draws[:SOME]):
            figure: Any = line(seen(each.trace, step, one, settings.temperature), one)
            (bars,) = figure.data
            place = list(bars.marker.line.width).index(2)
            assert sum(bars.x) == pytest.approx(1, abs=1e-5)
            assert sum(bars.x[:place]) - 1e-5 <= one.number <= sum(bars.x[: place + 1]) + 1e-5
            assert to_csv(figure).count("\n") == len(bars.x) + 1


def test_a_number_is_written_with_digits_enough_to_see_it_between_its_ends() -> None:
    near = Draw(0.123456789, 3, 0, 5, 5, 1.0, 0.1, 1e-7, 0.12345674, 0.0)
    assert ends(near) == ("0.12345674", "0.12345679", "0.12345684")
    assert ends(near._replace(below=0.1, chance=0.2)) == ("0.1000", "0.1235", "0.3000")
    assert [small_percent(share) for share in (0.5, 0.0006, 0.00012345)] == ["50.0%", "0.1%", "0.012%"]


def test_the_greedy_translation_is_compared_with_the_samples(drawn: list[tuple[SamplingSettings, Sample]]) -> None:
    one = drawn[0][1]
    unlikely = sum(each.place > 0 for each in one.draws)
    told = compared([one, one], one.trace)
    assert "drawn 2×" in told
    assert "Different texts: 1 in 2; 2 of 2 like the greedy translation." in told
    assert f"not the likeliest of their step: {2 * unlikely} of {2 * len(one.draws)}." in told


def test_a_draw_is_told_setting_by_setting(drawn: list[tuple[SamplingSettings, Sample]]) -> None:
    first, free = drawn[0][1], drawn[-1][1]
    one = first.draws[0]
    told = step_told(seen(first.trace, 0, one, 1.5), one, CUT, 337).splitlines()
    assert told[0].startswith("1. **Temperature 1.5** divides every logit")
    assert told[1] == "1. **Top-k 20** leaves 20 of 337 tokens."
    assert told[2] == f"1. **Nucleus 0.9** leaves {one.left} of 20 tokens."
    assert f"has {percent(one.mass)} together" in told[3]
    assert f"the model gave it {small_percent(one.probability)}." in told[3]
    assert len(step_told(seen(free.trace, 0, free.draws[0], 1.0), free.draws[0], FREE, 337).splitlines()) == 3


def test_the_number_that_is_told_falls_between_the_ends_that_are_told(
    drawn: list[tuple[SamplingSettings, Sample]],
) -> None:
    for one in (one for _, each in drawn for one in each.draws):
        low, number, high = map(float, ends(one))
        assert low <= number < high
