import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from regard.model.examples.example import Example
from regard.model.examples.operations import Values
from regard.model.examples.program import in_torch, notebook, parts, script
from regard.model.examples.tutorials import LUONG_GENERAL
from tests.support.every_example import EXAMPLES, assert_all_told, numpy_alone, others


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return numpy_alone(tmp_path_factory.mktemp("alone"))


def test_every_script_runs_there_with_the_examples_matrices_and_with_others(python: Path, tmp_path: Path) -> None:
    assert_all_told(python, tmp_path, lambda example, matrices: [script(example, matrices)], range(1, 3))


@pytest.mark.parametrize("name", EXAMPLES)
def test_a_scripts_matrices_are_those_of_the_reader_to_the_last_bit(name: str) -> None:
    example = EXAMPLES[name]
    matrices = others(example, 3)
    matrices = {key: array + 0.1 if example.matrices()[key].ndim else array for key, array in matrices.items()}
    if any(given.mask for given in example.givens):
        matrices["mask"] = others(example, 3)["mask"]
    space: dict[str, np.ndarray] = {}
    exec(compile(script(example, matrices), name, "exec"), space)
    for key, value in example.run(matrices).items():
        assert np.array_equal(space[key], value, equal_nan=True)


def test_what_the_document_prints_stands_beside_what_is_computed() -> None:
    text = script(LUONG_GENERAL, LUONG_GENERAL.matrices())
    printed = [step.name for step in LUONG_GENERAL.steps if step.printed is not None]
    assert [name for name in printed if f'show("{name}", {name}, printed=' in text] == printed
    assert "    [0.76, 0.22, 0.53],\n" in text


def test_with_other_matrices_the_documents_are_no_measure() -> None:
    matrices = LUONG_GENERAL.matrices()
    matrices["q"] = matrices["q"] + 1
    text = script(LUONG_GENERAL, matrices)
    assert "# Not as the example states them: q.\n" in text
    assert ", printed=[" not in text


@pytest.mark.parametrize("end", ["\n", "\r", "\r\n", "\x0c", "\u2028", "\x00"])
def test_a_visitors_word_stays_in_its_comment(end: str) -> None:
    given = replace(LUONG_GENERAL.givens[0], rows=(f"I{end}raise SystemExit(1)", "love", "you"))
    example = replace(LUONG_GENERAL, title=f"a{end}raise SystemExit(1)", givens=(given, *LUONG_GENERAL.givens[1:]))
    exec(compile(script(example, example.matrices()), "script", "exec"), {})


CELL = {"id", "cell_type", "metadata", "source"}  # and, of code, what it has put out


def made(name: str) -> dict[str, Any]:
    return json.loads(notebook(EXAMPLES[name], EXAMPLES[name].matrices()))


def source(cell: dict[str, Any]) -> str:
    return "".join(cell["source"])


def code(example: Example, matrices: Values) -> list[str]:
    """Return a notebook's code, cell by cell."""
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


def test_every_notebook_runs_with_only_numpy_and_prints_the_apps_numbers(tmp_path: Path) -> None:
    assert_all_told(numpy_alone(tmp_path), tmp_path, code, range(1, 2))


@pytest.mark.parametrize("name", EXAMPLES)
def test_each_step_has_its_formula_above_its_code_which_is_that_of_the_script(name: str) -> None:
    _, *cells = made(name)["cells"]
    texts, codes = cells[::2], cells[1::2]
    for part, text, code in zip(parts(EXAMPLES[name], EXAMPLES[name].matrices()), texts, codes, strict=True):
        assert (text["cell_type"], code["cell_type"]) == ("markdown", "code")
        assert source(code) == part.code
        assert source(code) in script(EXAMPLES[name], EXAMPLES[name].matrices())
        assert not part.formula or source(text).endswith(f"\n\n$$ {part.formula} $$")


def test_words_are_no_markup() -> None:
    example = replace(LUONG_GENERAL, title="<b>*W_c* $x$ [a](b)")
    text = source(json.loads(notebook(example, example.matrices()))["cells"][0])
    assert text.startswith(r"# \<b\>\*W\_c\* \$x\$ \[a\](b)")


@pytest.mark.parametrize("name", EXAMPLES)
def test_pytorch_runs_as_it_stands_and_equals_numpy(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Its one call, where there is one, is compared within the program."""
    example = EXAMPLES[name]
    for matrices in (example.matrices(), *(others(example, seed) for seed in range(3))):
        space: dict[str, Any] = {}
        try:
            exec(compile(in_torch(example, matrices), name, "exec"), space)
        finally:
            torch.set_default_dtype(torch.float32)
        assert capsys.readouterr().out.startswith("tensor(")
        for value, expected in example.run(matrices).items():
            found, scale = space[value].numpy(), np.abs(expected[np.isfinite(expected)]).max(initial=1)
            np.testing.assert_allclose(found, expected, rtol=0, atol=1e-12 * scale, err_msg=value)
