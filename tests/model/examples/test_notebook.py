"""The notebook keeps to its format and runs from top to bottom where there is only NumPy."""

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from model.examples.entries import Values
from model.examples.example import Example
from model.examples.luong_general import LUONG_GENERAL
from model.examples.notebook import notebook
from model.examples.program import parts
from model.examples.script import script
from tests.support.every_example import EXAMPLES, assert_all_told, numpy_alone

CELL = {"id", "cell_type", "metadata", "source"}  # and, of code, what it has put out


def made(name: str) -> dict[str, Any]:
    return json.loads(notebook(EXAMPLES[name], EXAMPLES[name].matrices()))


def source(cell: dict[str, Any]) -> str:
    return "".join(cell["source"])


def code(example: Example, matrices: Values) -> list[str]:
    """What a notebook runs, cell by cell."""
    cells = json.loads(notebook(example, matrices))["cells"]
    return [source(cell) for cell in cells if cell["cell_type"] == "code"]


@pytest.mark.parametrize("name", EXAMPLES)
def test_it_is_a_notebook_of_format_4_5_without_outputs(name: str) -> None:
    whole = made(name)
    assert whole.keys() == {"cells", "metadata", "nbformat", "nbformat_minor"}
    assert (whole["nbformat"], whole["nbformat_minor"]) == (4, 5)
    assert whole["metadata"]["kernelspec"].keys() >= {"name", "display_name"}
    assert whole["metadata"]["language_info"]["name"] == "python"
    for cell in whole["cells"]:
        is_code = cell["cell_type"] == "code"
        assert is_code or cell["cell_type"] == "markdown"
        assert cell.keys() == (CELL | {"outputs", "execution_count"} if is_code else CELL)
        assert not is_code or (cell["outputs"], cell["execution_count"]) == ([], None)
        assert re.fullmatch(r"[a-zA-Z0-9-_]{1,64}", cell["id"])
        assert all(line.endswith("\n") for line in cell["source"][:-1])
    assert len({cell["id"] for cell in whole["cells"]}) == len(whole["cells"])


def test_it_is_the_same_every_time() -> None:
    assert notebook(LUONG_GENERAL, LUONG_GENERAL.matrices()) == notebook(LUONG_GENERAL, LUONG_GENERAL.matrices())


def test_every_notebook_runs_with_only_numpy_and_prints_the_apps_numbers(tmp_path: Path) -> None:
    assert_all_told(numpy_alone(tmp_path), tmp_path, code, range(1, 2))


@pytest.mark.parametrize("name", EXAMPLES)
def test_each_step_has_its_formula_above_its_code(name: str) -> None:
    _, *cells = made(name)["cells"]
    texts, codes = cells[::2], cells[1::2]
    for part, text, code in zip(parts(EXAMPLES[name], EXAMPLES[name].matrices()), texts, codes, strict=True):
        assert (text["cell_type"], code["cell_type"]) == ("markdown", "code")
        assert source(code) == part.code
        assert not part.formula or source(text).endswith(f"\n\n$$ {part.formula} $$")


@pytest.mark.parametrize("name", EXAMPLES)
def test_its_code_is_that_of_the_script(name: str) -> None:
    example = EXAMPLES[name]
    text = script(example, example.matrices())
    assert all(cell in text for cell in code(example, example.matrices()))


def test_words_are_no_markup() -> None:
    example = replace(LUONG_GENERAL, title="<b>*W_c* $x$ [a](b)")
    text = source(json.loads(notebook(example, example.matrices()))["cells"][0])
    assert text.startswith(r"# \<b\>\*W\_c\* \$x\$ \[a\](b)")
