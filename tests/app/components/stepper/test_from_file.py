import json

import numpy as np
import pytest

from regard.app.components.shared.packed import as_text
from regard.app.components.stepper.payload import of_alignment
from regard.app.screens.attention_files.text import PRESS, origin, sums
from regard.model.alignment import STEP, Alignment
from regard.model.soft_alignments.record import ForeignSentence
from regard.model.soft_alignments.tokens import sentence
from tests.support.javascript import STEPPER, evaluated
from tests.support.made_traces import decoded
from tests.support.step_text import said

X_Y, A_B = sentence(("x", "y@@", "z")), sentence(("a@@", "b", "c"))
WEIGHTS = Alignment(X_Y, A_B, np.array([[0.5, 0.25, 0.25], [0.125, 0.25, 0.625], [0, 0, 0.75]], np.float32))
LINKS = Alignment(X_Y, A_B, np.array([[1, 0, 1], [0, 0, 0], [0, 0, 0]], np.float32))

FIRST = "Step 1 of 3: after <s> the decoder looks equally at x and yz (50.0% each) and writes a, a piece of ab."


def drawn(foreign: ForeignSentence) -> dict:
    """The one trace of its payload, after a journey through JSON."""
    return json.loads(as_text(of_alignment(foreign)))["traces"][0]


def test_weights_arrive_exactly_and_alone() -> None:
    shown = drawn(ForeignSentence(WEIGHTS, 1))
    assert np.array_equal(decoded(shown["arrays"]["weight"]), WEIGHTS.weights)
    assert list(shown["arrays"]) == ["weight"]
    assert shown["file"] == {"links": False}


def test_words_are_linked_where_any_of_their_tokens_are_and_pieces_are_marked_as_our_own() -> None:
    links, kinds = evaluated(
        '[Array.from(trace.words("output").weight.values), trace.target.tokens.map(({ kind }) => kind)]',
        {STEPPER / "trace_reading.js": "open"},
        f"const trace = open({json.dumps(drawn(ForeignSentence(LINKS, 1, links=True)))}, 0);",
    )
    assert links == [1, 1, 0, 0]
    assert kinds == ["word", "piece", "word"]


@pytest.mark.parametrize(
    ("alignment", "links", "step", "told"),
    [
        (WEIGHTS, False, 0, "Nothing is written yet."),
        (WEIGHTS, False, 1, FIRST),
        (WEIGHTS, False, 2, "Step 2 of 3: after a the decoder looks most at yz (87.5%) and writes ·b, a piece of ab."),
        (LINKS, True, 1, "Step 1 of 3: a is linked to x, yz."),
        (LINKS, True, 2, "Step 2 of 3: ·b is linked to none."),
        (LINKS, True, 3, "Step 3 of 3: c is linked to none."),
        (LINKS, False, 3, "Step 3 of 3: after ·b the decoder looks nowhere (all weights are 0) and writes c."),
    ],
)
def test_a_step_is_told_with_what_the_file_has(alignment: Alignment, links: bool, step: int, told: str) -> None:
    assert said(drawn(ForeignSentence(alignment, 1, links)), step) == told
    if links:  # a link is of its own token, however rows are read
        assert said(drawn(ForeignSentence(alignment, 1, links)), step, rows="input") == told


def test_a_number_that_is_clicked_is_what_the_file_has_or_the_sum_of_it() -> None:
    foreign = ForeignSentence(WEIGHTS, 7)
    token = origin(foreign, {"kind": "weight", "step": 2, "position": 2})
    assert token == "Between “c” and “z” the file has 0.75 (sentence of line 7, step 3)."
    word = origin(foreign, {"kind": "word_weight", "rows": "output", "row": 0, "column": 1})
    assert word == "Between “ab” and “yz”, from their tokens: ((0.25 + 0.25) + (0.25 + 0.625)) / 2 = 0.6875."
    assert "(0.5 + 0.125) / 2 = 0.3125" in origin(
        foreign, {"kind": "word_weight", "rows": "output", "row": 0, "column": 0}
    )
    alone = origin(foreign, {"kind": "word_weight", "rows": STEP, "row": 1, "column": 1})
    assert alone == "Between “b” and “yz”, from their tokens: (0.25 + 0.625) = 0.875."
    linked = ForeignSentence(LINKS, 1, links=True)
    assert "are not linked" in origin(linked, {"kind": "weight", "step": 1, "position": 0})
    assert "1 of the 4 pairs" in origin(linked, {"kind": "word_weight", "rows": "output", "row": 0, "column": 1})


@pytest.mark.parametrize(
    "clicked",
    [
        None,
        {},
        {"kind": "score", "step": 0},
        {"kind": "weight", "step": 99, "position": 0},
        {"kind": "weight", "step": True, "position": 0},
        {"kind": "weight", "step": "0", "position": -1},
        {"kind": "word_weight", "rows": ["output"], "row": 0, "column": 0},
        {"kind": "word_weight", "rows": "output", "row": None, "column": 9},
    ],
)
def test_what_the_browser_made_up_is_asked_for_again(clicked: dict | None) -> None:
    assert origin(ForeignSentence(WEIGHTS, 1), clicked) == PRESS


def test_what_the_rows_sum_to_is_told_where_it_is_not_one() -> None:
    def of(*row: float) -> ForeignSentence:
        return ForeignSentence(Alignment(X_Y, sentence(("a",)), np.array([row], np.float32)), 1)

    assert sums(of(0.5, 0.25, 0.25)) == ""
    assert "0.75000: shown as they are" in sums(of(0.5, 0.25, 0))
    assert "0.00000: shown as they are" in sums(of(0, 0, 0))
    assert sums(ForeignSentence(LINKS, 1, links=True)) == ""
