import numpy as np
import pytest

from regard.app.worked_example.edits import Cells, EditedMatrices, EditState, cells
from regard.model.examples.transformer import MASKED
from regard.model.examples.tutorials import LUONG_GENERAL, LUONG_SUMMARY


@pytest.fixture
def state() -> EditState:
    return EditState.of(LUONG_GENERAL, EditedMatrices())


def typing(state: EditState, name: str, row: int, column: int, text: str) -> dict[str, Cells]:
    """The cells after something was typed into one of them."""
    lines = [list(line) for line in state.typed[name]]
    lines[row][column] = text
    return {**state.typed, name: tuple(map(tuple, lines))}


def test_a_number_typed_is_computed_with(state: EditState) -> None:
    after = state.edited(typing(state, "H", 1, 2, "0.9"))
    assert after.mistakes == []
    assert after.matrices["H"][1].tolist() == [0.5, 0.4, 0.9]
    assert after.setting.edits[0][0] == "H"
    assert after.version == state.version


@pytest.mark.parametrize("typed", ["x", "", "nan", "inf", "1e9"])
def test_what_is_wrong_stays_in_its_cell_and_the_last_matrices_stay(state: EditState, typed: str) -> None:
    first = state.edited(typing(state, "q", 0, 1, "0.7"))
    wrong = first.edited(typing(first, "q", 0, 2, typed))
    assert [(mistake.given.name, mistake.column) for mistake in wrong.mistakes] == [("q", 2)]
    assert wrong.typed["q"] == (("0.6", "0.7", typed),)
    assert wrong.matrices["q"].tolist() == [0.6, 0.7, 0.5]
    right = wrong.edited(typing(wrong, "q", 0, 2, "0.1"))
    assert right.matrices["q"].tolist() == [0.6, 0.7, 0.1]


def test_an_edit_takes_a_preset_off_and_keeps_what_it_made() -> None:
    broken = EditState.of(LUONG_GENERAL, EditedMatrices(preset="zero"))
    assert broken.typed["q"] == (("0", "0", "0"),)
    after = broken.edited(typing(broken, "q", 0, 0, "1"))
    assert after.setting.preset == ""
    assert after.matrices["q"].tolist() == [1, 0, 0]


def test_another_setting_makes_new_tables(state: EditState) -> None:
    wrong = state.edited(typing(state, "q", 0, 0, "x"))
    after = wrong.turned(EditedMatrices(seed=2))
    assert after.version == state.version + 1
    assert after.shown == after.typed == {name: cells(array) for name, array in after.matrices.items()}


def test_a_preset_that_cannot_be_had_is_refused_and_all_stays(state: EditState) -> None:
    zero = state.edited({**state.typed, "q": (("0", "0", "0"),)})
    after = zero.turned(EditedMatrices(edits=zero.setting.edits, preset="equal"))
    assert after.setting == zero.setting
    assert "no annotation can change a score" in after.refused
    assert after.edited(typing(after, "q", 0, 0, "1")).refused == ""


def test_matrices_as_text_take_the_place_of_those_in_the_tables(state: EditState) -> None:
    after = state.written("q = [1, 2, 3]\nW = 1 0 0; 0 1 0; 0 0 1")
    assert after.typed["q"] == (("1", "2", "3"),)
    assert np.array_equal(after.matrices["W"], np.eye(3))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("q = 1 2", "q has shape 2; 3 is needed"),
        ("H = 1 2; 3 4; 5 6", "W has shape 3 × 3; 2 × 3 is needed"),
        ("Z = 1", "is not a matrix of this example"),
        ("q = 1 2 x", "“x” is not a number"),
    ],
)
def test_text_of_the_wrong_shape_is_refused_with_what_is_needed(state: EditState, text: str, message: str) -> None:
    after = state.written(text)
    assert after.setting == state.setting
    assert message.lower() in after.refused.lower()


def test_text_may_bring_another_size_where_all_fits(state: EditState) -> None:
    after = state.written("H = 1 2 3")
    assert after.matrices["H"].tolist() == [[1, 2, 3]]
    assert after.setting.sizes == (("S", 1),)


def test_a_mask_that_hides_a_whole_row_is_refused() -> None:
    state = EditState.of(MASKED, EditedMatrices())
    after = state.edited(typing(state, "mask", 0, 0, "0"))
    assert "hides every position of row 1" in after.refused
    assert after.setting == state.setting
    assert after.typed["mask"][0][0] == "0"
    assert [state.blind(given) for given in MASKED.givens] == [set()] * len(MASKED.givens)
    assert {given.name: after.blind(given) for given in MASKED.givens if after.blind(given)} == {"mask": {0}}


def test_an_example_with_other_numbers_of_its_own_begins_anew_with_the_same_changes(state: EditState) -> None:
    changed = state.edited(typing(state, "q", 0, 0, "9"))
    assert changed.about(LUONG_GENERAL) is changed
    other = changed.about(LUONG_SUMMARY)
    assert other.matrices.keys() == LUONG_SUMMARY.matrices().keys()
    assert other.matrices["q"][0] == 9
    assert other.version == 1
