import numpy as np
import pytest

from regard.app.components.matrices.mount import payload, plain
from regard.model.examples.documents import DOCUMENTS
from regard.model.examples.example import Example
from regard.model.examples.operations import grid
from regard.model.examples.tutorials import LUONG_GENERAL, LUONG_SUMMARY

EXAMPLES = [example for document in DOCUMENTS for example in document.examples]
each = pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.name)
RAISED = str.maketrans("⁻⁺⁰¹²³⁴⁵⁶⁷⁸⁹", "-+0123456789")


def test_every_entry_names_the_cells_that_it_is_made_from() -> None:
    keys = payload(LUONG_GENERAL, LUONG_GENERAL.steps[0], LUONG_GENERAL.run())
    entry = keys["result"]["entries"][0][2]
    assert entry["where"] == "row “I”, column 3"
    assert sorted(entry["lit"]) == [(0, 0, 0), (0, 0, 1), (0, 0, 2), (1, 0, 2), (1, 1, 2), (1, 2, 2)]
    assert entry["sum"].replace("\u00a0", " ").startswith("0.3·0.3 + 0.7·(−0.1) + (−0.2)·0.7 = ")


def python(number: str) -> str:
    """A number as it is shown, as Python writes it."""
    mantissa, _, power = number.strip("()").replace("−", "-").replace("∞", "inf").partition("·10")
    return f"{mantissa}e{power.translate(RAISED)}" if power else mantissa


@each
def test_what_is_drawn_is_what_numpy_computed(example: Example) -> None:
    values = example.run()
    for step in example.steps:
        drawn = payload(example, step, values)["result"]
        numbers = np.array([[float(python(cell)) for cell in row] for row in drawn["cells"]])
        whole = grid(values[step.name])
        assert numbers == pytest.approx(whole if numbers.shape == whole.shape else whole.T, abs=6e-5, rel=1e-3)
        full = np.array([[float(python(entry["full"])) for entry in row] for row in drawn["entries"]])
        assert full == pytest.approx(whole if full.shape == whole.shape else whole.T, abs=1e-13)


def test_a_vector_that_a_matrix_is_multiplied_by_stands_upright_with_the_result() -> None:
    values = LUONG_GENERAL.run()
    scores = payload(LUONG_GENERAL, LUONG_GENERAL.steps[1], values)
    assert [(matrix["called"], matrix["shape"]) for matrix in scores["operands"]] == [
        ("K", "3 × 3"), ("q", "3 × 1"), ("d", "a number"),
    ]  # fmt: skip
    assert (scores["result"]["shape"], scores["result"]["rows"]) == ("3 × 1", ["I", "love", "you"])
    weights = payload(LUONG_GENERAL, LUONG_GENERAL.steps[2], values)["result"]
    assert (weights["shape"], weights["columns"]) == ("1 × 3", ["I", "love", "you"])
    turned = payload(LUONG_SUMMARY, LUONG_SUMMARY.steps[0], LUONG_SUMMARY.run())["operands"][1]
    assert (turned["called"], turned["cells"][0]) == ("W⊤", ["0.8", "0.5", "−0.3"])


def test_what_the_document_prints_stands_beside_it_and_the_first_wrong_number_is_open() -> None:
    values = LUONG_GENERAL.run()
    keys, scores, *_ = [payload(LUONG_GENERAL, step, values) for step in LUONG_GENERAL.steps]
    assert keys["printed"]["cells"][0] == ["0.65", "0.22", "0.02"]
    assert keys["printed"]["wrong"] == [[False, True, True], [True, True, False], [True, True, True]]
    assert not np.any(keys["printed"]["carried"])
    assert np.all(scores["printed"]["carried"])
    assert keys["open"] == (0, 1)
    assert [entry["difference"] for entry in keys["result"]["entries"][0]] == [
        "", "printed 0.22, computed 0.28", "printed 0.02, computed −0.12",
    ]  # fmt: skip
    assert scores["printed"]["cells"] == [["0.312"], ["0.633"], ["0.565"]]
    assert [[entry["difference"] for entry in row] for row in scores["result"]["entries"]][1] == [
        "printed 0.633, computed 0.365"
    ]


@pytest.mark.parametrize(
    ("name", "step", "changed", "remark"),
    [
        ("luong-general", 0, True, "belong to its own matrices"),
        ("three-dimensions", 2, False, "The document prints the same numbers."),
        ("luong-general", 4, False, ""),
    ],
)
def test_printed_numbers_are_left_out_of_other_matrices_and_where_they_are_right(
    name: str, step: int, changed: bool, remark: str
) -> None:
    example = next(example for example in EXAMPLES if example.name == name)
    sizes = dict.fromkeys(example.sizes, 5)
    values = example.run(example.random(sizes, 1) if changed else None)
    for printed in (True, False):
        drawn = payload(example, example.steps[step], values, printed)
        assert (drawn["printed"], drawn["open"]) == ({}, (0, 0))
        assert remark in drawn["remark"] if printed else not drawn["remark"]


@each
def test_symbols_are_shown_without_a_trace_of_latex(example: Example) -> None:
    for about in (*example.givens, *example.steps):
        assert not set("\\{}^") & set(plain(about.symbol)), about.symbol


@pytest.mark.parametrize(
    ("latex", "shown"),
    [
        (r"\tilde h", "h\u0303"),
        ("W_c", "W_c"),
        (r"\alpha_{\text{dot}}", "α_dot"),
        (r"H W_h^\top", "H W_h⊤"),
        ("s_{t-1}", "s_t−1"),
        ("e'", "e′"),
        (r"W_c\,[q ; c]", "W_c [q ; c]"),
    ],
)
def test_a_symbol_reads_as_it_looks(latex: str, shown: str) -> None:
    assert plain(latex) == shown
