"""The coverage row: the words for a flagged source word."""

import pytest

from tests.support.javascript import STEPPER, evaluated


@pytest.mark.parametrize(
    ("kind", "credit", "covered", "said"),
    [
        ("left out", 0.08, 0.08, "seems left out"),
        ("said twice", 1.2, 1.8, "seems said twice"),
        (
            "left out",
            0.12,
            0.96,
            "seems left out: the word has 0.12 if each step counts by its token's probability relative to the "
            "likeliest token's",
        ),
    ],
)
def test_a_word_left_out_in_spite_of_its_coverage_is_told_with_what_decides(
    kind: str, credit: float, covered: float, said: str
) -> None:
    asked = f"sayFlag({{kind: '{kind}', credit: {credit}}}, {covered})"
    assert evaluated(asked, {STEPPER / "heatmap.js": "sayFlag"}) == said
