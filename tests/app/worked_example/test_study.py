from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, reject, settings
from hypothesis import strategies as st

from regard.app.worked_example.study import LAST_SEED, LONGEST_LINK, EditedMatrices, EditState
from regard.model.examples.documents import DOCUMENTS
from regard.model.examples.example import Array, Example
from regard.model.examples.score_presets import scores
from regard.model.examples.transformer import MASKED
from regard.model.examples.tutorials import LUONG_GENERAL

EXAMPLES = [example for document in DOCUMENTS for example in document.examples]
each = pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.name)


def same(one: dict[str, Array], other: dict[str, Array]) -> bool:
    return one.keys() == other.keys() and all(np.array_equal(one[name], other[name]) for name in one)


def changed(name: str, array: Array) -> EditedMatrices:
    return EditedMatrices().edited(LUONG_GENERAL, LUONG_GENERAL.matrices() | {name: array})


@each
def test_nothing_changed_is_the_example_as_it_is_and_needs_no_link(example: Example) -> None:
    assert same(EditedMatrices().matrices(example), example.matrices())
    assert EditedMatrices().to_link() == ""
    assert EditedMatrices.from_link("", example) == EditedMatrices()


made_of = st.tuples(
    st.fixed_dictionaries({letter: st.integers(1, 8) for letter in LUONG_GENERAL.sizes}),
    st.integers(0, LAST_SEED),
    st.sampled_from(["", "zero", "equal"]),
    st.lists(st.floats(-1000, 1000), min_size=8, max_size=8),
)


@settings(max_examples=15)
@given(made_of)
def test_a_link_brings_back_the_same_matrices(made: tuple[dict[str, int], int, str, list[float]]) -> None:
    sizes, seed, preset, query = made
    setting = EditedMatrices().drawn(seed)
    for letter, count in sizes.items():
        setting = setting.resized(LUONG_GENERAL, letter, count)
    before = setting.matrices(LUONG_GENERAL)
    setting = setting.edited(LUONG_GENERAL, before | {"q": np.array(query[: sizes["H"]])})
    setting = replace(setting, preset=preset)
    try:
        LUONG_GENERAL.check(setting.matrices(LUONG_GENERAL))
    except ValueError:
        reject()  # a preset that is impossible with these numbers
    back = EditedMatrices.from_link(setting.to_link(), LUONG_GENERAL)
    assert back == setting
    assert same(back.matrices(LUONG_GENERAL), setting.matrices(LUONG_GENERAL))


PARTS = """size-S!4 size-S!0 size-S!99 size-Q!4 size-H!٣ seed!5 seed!-1 seed!99999999999 preset!x at-q!1_2_3 at-q!1_2
at-q!nan_1_2 at-q!1*2*3 at-H! at-W_o!1 at-x!1 preset!equal ! at- at-divisor!0 at-divisor!2 preset!zero at-H!1_2*3"""


@settings(max_examples=60)
@given(st.lists(st.sampled_from(PARTS.split()) | st.text(max_size=20), max_size=8))
def test_what_of_a_link_does_not_fit_is_left_out(parts: list[str]) -> None:
    setting = EditedMatrices.from_link("~".join(parts), LUONG_GENERAL)
    LUONG_GENERAL.run(setting.matrices(LUONG_GENERAL))
    assert 0 <= setting.seed <= LAST_SEED
    assert all(1 <= count <= 8 for _, count in setting.sizes)
    assert setting.preset in ("", "equal", "zero")


@pytest.mark.parametrize(
    ("link", "setting"),
    [
        ("seed!12345678", EditedMatrices(seed=LAST_SEED)),
        ("size-S!99", EditedMatrices(sizes=(("S", 8),))),
        ("preset!nonsense~seed!4", EditedMatrices(seed=4)),
        *(
            (f"at-q!1_{text}_3", EditedMatrices())
            for text in ("x", "nan", "inf", "1_0", "0x1", "٣", "1e400", "1001", "--1", "")
        ),
        ("at-q!" + "1" * 3000 + "x", EditedMatrices()),
    ],
)
def test_numbers_out_of_range_are_brought_into_it(link: str, setting: EditedMatrices) -> None:
    assert EditedMatrices.from_link(link, LUONG_GENERAL) == setting


def test_another_size_keeps_what_was_typed() -> None:
    setting = changed("q", np.array([1.0, 2.0, 3.0])).resized(LUONG_GENERAL, "H", 4)
    assert setting.matrices(LUONG_GENERAL)["q"][:3].tolist() == [1, 2, 3]
    smaller = setting.resized(LUONG_GENERAL, "H", 2).matrices(LUONG_GENERAL)
    assert smaller["q"].tolist() == [1, 2]
    assert smaller["W"].shape == (3, 2)
    assert np.array_equal(smaller["H"], LUONG_GENERAL.matrices()["H"])


def test_a_preset_is_applied_to_what_was_edited_and_can_be_taken_off() -> None:
    edited = changed("q", np.array([1.0, 2.0, 3.0]))
    broken = EditedMatrices(edits=edited.edits, preset="equal")
    assert scores(LUONG_GENERAL, broken.matrices(LUONG_GENERAL)) == pytest.approx(
        scores(LUONG_GENERAL, edited.matrices(LUONG_GENERAL)).mean(), abs=1e-4
    )
    again = broken.edited(LUONG_GENERAL, broken.matrices(LUONG_GENERAL))
    assert again.preset == ""
    assert same(again.matrices(LUONG_GENERAL), broken.matrices(LUONG_GENERAL))


def test_a_link_that_is_cut_off_brings_no_number_that_is_cut_off() -> None:
    matrix = "~at-q!0.1_0.2_0.345"
    padding = "x!" + "y" * (LONGEST_LINK - len(matrix))
    assert EditedMatrices.from_link(padding + matrix, LUONG_GENERAL) == EditedMatrices()
    kept = EditedMatrices.from_link(padding[2:] + matrix, LUONG_GENERAL).matrices(LUONG_GENERAL)["q"]
    assert kept.tolist() == [0.1, 0.2, 0.345]


@pytest.fixture
def state() -> EditState:
    return EditState.of(LUONG_GENERAL, EditedMatrices())


def typing(state: EditState, name: str, place: int | tuple[int, int], number: float) -> dict[str, Array]:
    """The tables' contents after a number was typed into one of them."""
    typed = {**state.typed, name: state.typed[name].copy()}
    typed[name][place] = number
    return typed


def test_a_preset_that_cannot_be_had_is_refused_and_all_stays(state: EditState) -> None:
    zero = state.edited({**state.typed, "q": np.zeros(3)})
    after = zero.turned(EditedMatrices(edits=zero.setting.edits, preset="equal"))
    assert after.setting == zero.setting
    assert "no annotation can change a score" in after.refused
    assert after.edited(typing(after, "q", 0, 1)).refused == ""


def test_a_mask_that_hides_a_whole_row_is_refused() -> None:
    state = EditState.of(MASKED, EditedMatrices())
    after = state.edited(typing(state, "mask", (0, 0), 0))
    assert "leaves nothing visible in row 1" in after.refused
    assert after.setting == state.setting
    assert after.typed["mask"][0, 0] == 0
