import re

import pytest

from regard.app.components.matrices.sums import fixed, places, typeset
from regard.app.worked_example.paper import CHANGED, document, equation, prose
from regard.model.examples.documents import DOCUMENTS
from regard.model.examples.example import Example, Step
from regard.model.examples.operations import Tanh, grid
from regard.model.examples.tutorials import LUONG_GENERAL

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


def test_a_symbol_that_says_what_it_equals_stands_alone() -> None:
    assert equation(Step("joined", "[q ; c]", Tanh("z"), "", "[q ; c]")) == "$[q ; c]$"
    assert equation(Step("state", "s", Tanh("z"), "", r"\tanh z")) == r"$s = \tanh z$"


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.name)
def test_every_number_stands_on_the_page_and_the_worksheet_leaves_those_of_the_steps_out(example: Example) -> None:
    values = example.run()
    shown = [each.name for each in (*example.givens, *example.steps)]
    expected = [
        typeset(fixed(number, places(whole)))
        for whole in (grid(values[name]) for name in shown)
        for number in whole.flat
    ]
    givens = sum(grid(values[given.name]).size for given in example.givens)
    page, sheet = (cells(document(example, example.matrices(), blank=blank)) for blank in (False, True))
    assert page == expected
    assert sheet == [*expected[:givens], *[""] * (len(expected) - givens)]


def cells(html: str) -> list[str]:
    """Return the cells of the tables, without the corner above their names."""
    return re.findall(r"<td>([^<]*)</td>", re.sub(r"<thead>.*?</thead>", "", html))


def test_it_loads_nothing_and_says_when_its_numbers_are_not_the_documents() -> None:
    matrices = LUONG_GENERAL.matrices()
    plain = document(LUONG_GENERAL, matrices, blank=False)
    assert not re.search(r"(src|href)=|url\(|<script", plain)
    assert CHANGED not in plain
    changed = document(LUONG_GENERAL, matrices | {"q": matrices["q"] + 1}, blank=True)
    assert CHANGED in changed
    assert ">1.6<" in changed
    assert "(4 decimals)" in changed
