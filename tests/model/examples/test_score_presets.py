import numpy as np
import pytest

from regard.model.examples.documents import EXAMPLES
from regard.model.examples.example import Example
from regard.model.examples.score_presets import BELOW, HUGE, PRESETS, presets, scores
from regard.model.examples.tutorials import LUONG_GENERAL
from regard.model.reference.formulas import softmax

PAIRS = [(example, preset.name) for example in EXAMPLES.values() for preset in presets(example)]
ROUNDING = 1e-4  # what six digits of an annotation may make of a score
each = pytest.mark.parametrize(("example", "name"), PAIRS, ids=lambda value: getattr(value, "name", value))


@each
def test_a_preset_does_to_the_scores_what_it_says(example: Example, name: str) -> None:
    own = example.matrices()
    before, after = scores(example, own), scores(example, PRESETS[name].change(example, own))
    weights = softmax(after)
    if name == "equal":
        assert after == pytest.approx(before.mean(), abs=ROUNDING)
        assert weights == pytest.approx(1 / len(after), abs=ROUNDING)
    elif name == "huge":
        assert np.sort(after)[-1] - np.sort(after)[-2] == pytest.approx(HUGE, abs=ROUNDING)
        assert weights.max() > 0.999999
        assert after.argmax() == before.argmax()
    elif name == "negative":
        assert after.max() == pytest.approx(-BELOW, abs=ROUNDING)
        assert weights == pytest.approx(softmax(before), abs=ROUNDING)
    elif name == "scaled":
        assert after == pytest.approx(before / own["H"].shape[1] ** 0.5, abs=ROUNDING)
    else:
        assert not after.any()


@each
def test_what_a_preset_makes_can_be_computed_with(example: Example, name: str) -> None:
    changed = PRESETS[name].change(example, example.matrices())
    example.check(changed)
    moved = [given for given in changed if not np.array_equal(changed[given], example.matrices()[given])]
    assert len(moved) == 1


def test_annotations_move_as_little_as_possible() -> None:
    """Each goes along u alone: of what is across u nothing changes."""
    own = LUONG_GENERAL.matrices()
    u = own["W"] @ own["q"]
    moved = PRESETS["equal"].change(LUONG_GENERAL, own)["H"] - own["H"]
    across = moved - np.outer(moved @ u, u) / (u @ u)
    assert across == pytest.approx(0, abs=2e-6)


def test_an_example_without_such_scores_offers_no_preset() -> None:
    assert presets(EXAMPLES["without-context"]) == ()
    assert presets(EXAMPLES["bahdanau"]) == ()
    assert [preset.name for preset in presets(EXAMPLES["luong-general"])] == list(PRESETS)


def test_a_query_that_comes_to_nothing_moves_no_score() -> None:
    nothing = PRESETS["zero"].change(LUONG_GENERAL, LUONG_GENERAL.matrices())
    with pytest.raises(ValueError, match="no annotation can change a score"):
        PRESETS["equal"].change(LUONG_GENERAL, nothing)
