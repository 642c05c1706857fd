import re

import pytest

from regard.app.worked_example.paper import equation, matrix, prose
from regard.model.examples.documents import DOCUMENTS
from regard.model.examples.example import Step
from regard.model.examples.operations import Tanh
from regard.model.examples.tutorials import EMBEDDINGS

EXAMPLES = [example for document in DOCUMENTS for example in document.examples]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Each row of W_c times [q ; c].", r"Each row of $W_c$ times \[q \; c\]\."),
        ("default_rng(4)", r"default\_rng\(4\)"),
        ("<b> $x$", r"\<b\> \$x\$"),
    ],
)
def test_a_name_with_an_index_is_a_symbol_and_nothing_else_is_markup(text: str, shown: str) -> None:
    assert prose(text) == shown


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.name)
def test_every_sentence_of_every_example_has_its_dollars_in_pairs(example) -> None:  # noqa: ANN001
    for text in (example.text, *example.notes, *(step.text for step in example.steps)):
        assert len(re.findall(r"(?<!\\)\$", prose(text))) % 2 == 0


def test_a_symbol_that_says_what_it_equals_stands_alone() -> None:
    assert equation(Step("joined", "[q ; c]", Tanh("z"), "", "[q ; c]")) == "$[q ; c]$"
    assert equation(Step("state", "s", Tanh("z"), "", r"\tanh z")) == r"$s = \tanh z$"


def test_a_matrix_stands_in_brackets_row_by_row() -> None:
    assert matrix(EMBEDDINGS).startswith(r"X = \begin{bmatrix} 0.5 & 0.2 & -0.3 & 0.1 \\ 0.8 & -0.1")
