import numpy as np
import pytest

from regard.model.examples.decoder_steps import BAHDANAU, BAHDANAU_GENERAL, LUONG, WITH_CONTEXT, WITHOUT_CONTEXT
from regard.model.examples.documents import DOCUMENTS
from regard.model.examples.example import Example, slips, wrong
from regard.model.examples.operations import grid
from regard.model.examples.tutorials import (
    DIFFERENT_SIZES,
    LUONG_GENERAL,
    LUONG_SUMMARY,
    THREE_DIMENSIONS,
    THREE_SCORES,
)

EXAMPLES = [example for document in DOCUMENTS for example in document.examples]


@pytest.mark.parametrize(
    ("example", "name", "digits", "by_hand"),
    [
        (LUONG_GENERAL, "keys", 2, [[0.65, 0.28, -0.12], [0.42, 0.38, 0.53], [-0.23, 0.10, 0.65]]),
        (LUONG_GENERAL, "scores", 3, [0.218, 0.365, 0.147]),
        (LUONG_GENERAL, "weights", 4, [0.3236, 0.3749, 0.3015]),
        (LUONG_GENERAL, "context", 4, [0.3448, 0.2861, 0.4014]),
        (LUONG_GENERAL, "summed", 4, [0.5886, 0.0569, 0.1958]),
        (LUONG_GENERAL, "attentional", 4, [0.5289, 0.0568, 0.1934]),
        (LUONG_SUMMARY, "scores", 3, [-0.187, 0.343, 0.530]),
        (LUONG_SUMMARY, "weights", 4, [0.2106, 0.3579, 0.4315]),  # another word wins
        (THREE_DIMENSIONS, "scores", 9, [3.0, 5.0]),
        (THREE_DIMENSIONS, "weights", 3, [0.119, 0.881]),
        (THREE_DIMENSIONS, "context", 3, [1.119, 0.881, 1.881]),
    ],
    ids=lambda value: getattr(value, "name", None),
)
def test_an_example_gives_what_was_computed_by_hand(example: Example, name: str, digits: int, by_hand: list) -> None:
    values = example.run()
    assert values[name].dtype == np.float64
    assert np.round(values[name], digits).tolist() == by_hand


def test_three_dimensions_are_right_to_the_digits_printed() -> None:
    values = THREE_DIMENSIONS.run()
    for step in THREE_DIMENSIONS.steps:
        if step.printed is not None:
            assert np.array_equal(np.round(values[step.name], step.digits), step.printed)


def test_dot_general_and_additive_by_hand() -> None:
    values = THREE_SCORES.run()
    assert values["dot_scores"] == pytest.approx([0.32 - 0.45, 0.96 + 0.30, -0.56 - 0.15])
    assert values["general_scores"][0] == pytest.approx(0.8 * -0.7 - 0.5 * 0.5)
    assert values["additive_scores"][0] == pytest.approx(0.9 * np.tanh(0.78) - 0.7 * np.tanh(0.07))


def test_general_with_the_identity_is_dot() -> None:
    values = THREE_SCORES.run(THREE_SCORES.matrices() | {"W": np.eye(2)})
    assert np.array_equal(values["general_scores"], values["dot_scores"])


def test_with_different_sizes_dot_is_impossible_and_the_others_work() -> None:
    values = DIFFERENT_SIZES.run()
    assert [values[name].shape for name in ("s", "H", "W")] == [(2,), (3, 3), (2, 3)]
    with pytest.raises(ValueError, match="mismatch"):
        np.matmul(values["H"], values["s"])
    for kind in ("general", "additive"):
        assert values[f"{kind}_weights"].sum() == pytest.approx(1)


def test_with_nothing_to_see_the_step_with_context_is_the_one_without() -> None:
    empty = WITH_CONTEXT.run(WITH_CONTEXT.matrices() | {"H": np.zeros((3, 2))})
    without = WITHOUT_CONTEXT.run()
    assert empty["state"] == pytest.approx(without["state"])
    assert empty["probabilities"] == pytest.approx(without["probabilities"])
    assert WITH_CONTEXT.run()["probabilities"] != pytest.approx(without["probabilities"], abs=0.02)


def test_the_wirings_have_the_same_inputs_and_ask_with_different_states() -> None:
    bahdanau, luong = BAHDANAU.run(), LUONG.run()
    same = [given.name for given in BAHDANAU.givens if given in LUONG.givens]
    assert same == ["y", "previous", "H", "U", "W_c", "W_o"]
    assert np.array_equal(bahdanau["W_x"][:, :2], luong["W_x"])
    assert bahdanau["query"] == pytest.approx(bahdanau["W_s"] @ luong["previous"])
    assert luong["scores"] == pytest.approx(luong["H"] @ luong["W_a"].T @ luong["state"])
    assert list(bahdanau).index("weights") < list(bahdanau).index("state")
    assert list(luong).index("weights") > list(luong).index("state")


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.name)
def test_labels_fit_what_they_name(example: Example) -> None:
    values = example.run()
    for part in (*example.givens, *example.steps):
        shape = grid(values[part.name]).shape
        assert len(part.rows) in (0, shape[0]), part.name
        assert len(part.columns) in (0, shape[1]), part.name


def test_with_the_same_score_bahdanaus_order_differs_in_who_asks_and_what_the_cell_reads() -> None:
    controlled, luong = ({given.name: given for given in one.givens} for one in (BAHDANAU_GENERAL, LUONG))
    assert {name for name in luong if controlled[name] is not luong[name]} == {"W_x"}
    assert controlled.keys() == luong.keys()
    one, other = BAHDANAU_GENERAL.run(), LUONG.run()
    np.testing.assert_array_equal(one["keys"], other["keys"])
    np.testing.assert_allclose(one["scores"], one["keys"] @ one["previous"])
    np.testing.assert_allclose(other["scores"], other["keys"] @ other["state"])


def test_names_are_unique_and_what_a_kind_names_is_there() -> None:
    names = [example.name for example in EXAMPLES]
    assert len(set(names)) == len(names)
    assert len({document.name for document in DOCUMENTS}) == len(DOCUMENTS)
    for document in DOCUMENTS:
        assert all(("example" in kind) != ("screen" in kind) for kind in document.kinds)
        assert {kind["example"] for kind in document.kinds if "example" in kind} <= set(names)


def test_only_two_products_of_i_love_you_are_wrong_in_themselves() -> None:
    values, printed = LUONG_GENERAL.run(), [step for step in LUONG_GENERAL.steps if step.printed is not None]
    assert all(wrong(step, values[step.name]).any() for step in printed)
    assert [step.name for step in printed if slips(LUONG_GENERAL, step).any()] == ["keys", "summed"]
    assert np.exp(0.565) == pytest.approx(1.759, abs=5e-4)  # printed 1.760


def test_the_larger_dot_product_is_also_that_of_the_longer_vector() -> None:
    given = THREE_DIMENSIONS.matrices()
    lengths = np.linalg.norm(given["H"], axis=1)
    cosines = given["H"] @ given["s"] / lengths / np.linalg.norm(given["s"])
    assert lengths[1] > lengths[0]
    assert cosines == pytest.approx([0.55, 0.83], abs=5e-3)
