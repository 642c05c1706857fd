import json
import re
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import torch

from regard.model.examples.documents import EXAMPLES
from regard.model.examples.example import MOST_ROWS, Array, Example
from regard.model.examples.program import in_torch, notebook, parts, script
from regard.model.examples.tutorials import LUONG_GENERAL

each = pytest.mark.parametrize("example", EXAMPLES.values(), ids=lambda example: example.name)


def cases(example: Example) -> list[dict[str, Array]]:
    """The example's own matrices, and others of other sizes."""
    generator = np.random.default_rng(0)
    sizes = ({letter: int(generator.integers(1, MOST_ROWS + 1)) for letter in example.sizes} for _ in range(3))
    return [example.matrices(), *(example.random(one, seed) for seed, one in enumerate(sizes))]


@each
def test_a_script_needs_only_numpy_and_computes_and_prints_the_apps_numbers(
    example: Example, capsys: pytest.CaptureFixture[str]
) -> None:
    for matrices in cases(example):
        text, space = script(example, matrices), {}
        assert re.findall(r"^\s*(?:import|from) (\w+)", text, re.MULTILINE) == ["numpy"]
        exec(compile(text, example.name, "exec"), space)
        for key, value in example.run(matrices).items():
            assert np.array_equal(space[key], value, equal_nan=True)
        printed = re.findall(r"^(\w+) =$", capsys.readouterr().out, re.MULTILINE)
        assert printed == [step.name for step in example.steps]


@each
def test_pytorch_runs_as_it_stands_and_equals_numpy(example: Example, capsys: pytest.CaptureFixture[str]) -> None:
    """Its one call, where there is one, is compared within the program."""
    for matrices in cases(example):
        space: dict[str, Any] = {}
        try:
            exec(compile(in_torch(example, matrices), example.name, "exec"), space)
        finally:
            torch.set_default_dtype(torch.float32)
        assert capsys.readouterr().out.startswith("tensor(")
        for value, expected in example.run(matrices).items():
            found, scale = space[value].numpy(), np.abs(expected[np.isfinite(expected)]).max(initial=1)
            np.testing.assert_allclose(found, expected, rtol=0, atol=1e-12 * scale, err_msg=value)


def test_what_the_document_prints_stands_beside_what_is_computed_from_its_own_matrices() -> None:
    matrices = LUONG_GENERAL.matrices()
    text = script(LUONG_GENERAL, matrices)
    printed = [step.name for step in LUONG_GENERAL.steps if step.printed is not None]
    assert [name for name in printed if f'show("{name}", {name}, printed=' in text] == printed
    text = script(LUONG_GENERAL, matrices | {"q": matrices["q"] + 1})
    assert "# Not as the example states them: q.\n" in text
    assert ", printed=[" not in text


@pytest.mark.parametrize("end", ["\n", "\r", "\r\n", "\x0c", "\u2028", "\x00"])
def test_a_visitors_word_stays_in_its_comment(end: str) -> None:
    given = replace(LUONG_GENERAL.givens[0], rows=(f"I{end}raise SystemExit(1)", "love", "you"))
    example = replace(LUONG_GENERAL, title=f"a{end}raise SystemExit(1)", givens=(given, *LUONG_GENERAL.givens[1:]))
    exec(compile(script(example, example.matrices()), "script", "exec"), {})


CELL = {"id", "cell_type", "metadata", "source"}  # and, of code, what it has put out


@each
def test_a_notebook_of_format_4_5_has_the_code_of_the_script_below_its_formulas(example: Example) -> None:
    whole = json.loads(notebook(example, example.matrices()))
    assert whole.keys() == {"cells", "metadata", "nbformat", "nbformat_minor"}
    assert (whole["nbformat"], whole["nbformat_minor"]) == (4, 5)
    for cell in whole["cells"]:
        is_code = cell["cell_type"] == "code"
        assert cell.keys() == (CELL | {"outputs", "execution_count"} if is_code else CELL)
        assert re.fullmatch(r"[a-zA-Z0-9-_]{1,64}", cell["id"])
    assert len({cell["id"] for cell in whole["cells"]}) == len(whole["cells"])
    texts, codes = whole["cells"][1::2], whole["cells"][2::2]
    for part, text, code in zip(parts(example, example.matrices()), texts, codes, strict=True):
        assert "".join(code["source"]) == part.code
        assert part.code in script(example, example.matrices())
        assert not part.formula or "".join(text["source"]).endswith(f"\n\n$$ {part.formula} $$")


def test_words_are_no_markup() -> None:
    example = replace(LUONG_GENERAL, title="<b>*W_c* $x$ [a](b)")
    text = "".join(json.loads(notebook(example, example.matrices()))["cells"][0]["source"])
    assert text.startswith(r"# \<b\>\*W\_c\* \$x\$ \[a\](b)")
