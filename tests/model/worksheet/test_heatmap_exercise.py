import numpy as np

from regard.model.alignment import Alignment, Sentence
from regard.model.words import Span
from regard.model.worksheet.heatmap_exercise import reading


def sentence(words: tuple[str, ...]) -> Sentence:
    return Sentence(" ".join(words), "plain", words, words, tuple(range(len(words))), tuple(Span(0, 0) for _ in words))


def test_a_row_is_read_by_hand() -> None:
    """Two words alike are told apart by their places; two weights printed alike are both right."""
    table = np.array([[0.7, 0.2, 0.1], [0.1, 0.45, 0.45]])
    alignment = Alignment(sentence(("a", "b", "a")), sentence(("x", "y")), table)
    found = reading(alignment, 1)
    assert found.columns == ("a (1)", "b", "a (3)")
    assert found.cells == (("70.0", "20.0", "10.0"), ("10.0", "45.0", "45.0"))
    assert (found.row, found.heaviest, found.fed) == (1, ("b", "a (3)"), "x")
    assert (reading(alignment, 0).heaviest, reading(alignment, 0).fed) == (("a (1)",), "<s>")


def test_a_large_heatmap_is_cut_around_the_row_and_the_rest_added_up() -> None:
    """Forty source words that all weigh 2.5 %: twelve columns keep 30 % of a row."""
    words = tuple(f"w{place}" for place in range(40))
    alignment = Alignment(sentence(words), sentence(words), np.full((40, 40), 1 / 40))
    for step in (0, 20, 39):
        found = reading(alignment, step)
        assert len(found.rows) == len(found.columns) == 12
        assert found.rows[found.row] == f"w{step}"
        assert set(found.others) == {"70.0"}


def test_a_row_has_no_name_by_what_was_fed_in_where_other_steps_then_share_it() -> None:
    """The word xy takes two steps. Fed in, the first of them follows v, the second x, and w follows y."""
    spans = tuple(Span(0, 0) for _ in range(4))
    target = Sentence("v xy w", "plain", ("v", "x", "y", "w"), ("v", "xy", "w"), (0, 1, 1, 2), spans)
    alignment = Alignment(sentence(("a", "b")), target, np.full((4, 2), 0.5))
    assert [reading(alignment, step).fed for step in range(4)] == ["<s>", "", "", ""]
