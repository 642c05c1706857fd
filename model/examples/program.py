"""A worked example as code: a script, a notebook, and the same in PyTorch.

The lines of NumPy are the ones that run here. PyTorch has the same names, so its lines follow from them. A script puts
the parts of a program one below the other; a notebook makes cells of them, for each step one with its formula, then
one with its code. Its format is nbformat 4.5: https://nbformat.readthedocs.io/en/latest/format_description.html
"""

import inspect
import json
import re
import textwrap
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from regard.model.examples.example import Array, Example, Given, Step, changed, wrong
from regard.model.reference.formulas import softmax

WIDTH = 100  # characters of a comment
SETTINGS = "import numpy as np\n\nnp.set_printoptions(precision=6, suppress=True, linewidth=120)"
ANNOTATION = re.compile(r'(: | -> )(Float|Bool)\[ndarray, "[^"]*"\]( \| bool)?( = )?')
SOFTMAX = ANNOTATION.sub(lambda found: "=" if found[4] else "", inspect.getsource(softmax)).rstrip()
SHOW = '''\
def show(name, value, printed=None):
    """Print a step and, if they differ, the document's numbers."""
    print(f"{name} =\\n{np.asarray(value)}")
    if printed is not None:
        print(f"but the document prints\\n{np.asarray(printed)}")
    print()'''
METADATA = {  # of a notebook
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}


class ProgramPart(NamedTuple):
    """Some lines of the program and their description."""

    name: str  # of the step, or of the part before all steps
    text: str
    code: str
    formula: str = ""  # LaTeX


def in_torch(example: Example, matrices: Mapping[str, Array]) -> str:
    """Return the example in tensors, with the current matrices. `torch.softmax` needs its axis, and where there is a
    call that has several steps in one, both ways are compared."""
    lines = ["import torch", *["import torch.nn.functional as F"] * bool(example.one_call[0])]
    lines += ["", "torch.set_default_dtype(torch.float64)  # as in NumPy"]
    lines += [f"{one.name} = torch.tensor({literal(matrices[one.name], one.rows)})" for one in example.givens]
    for step in example.steps:
        line = f"{step.name} = {step.operation.numpy}".replace("np.", "torch.")
        lines.append(re.sub(r"softmax\((\w+)\)", r"torch.softmax(\1, dim=-1)", line))
    name, one_call = example.one_call
    if name:
        lines += ["# PyTorch has it in one call:", f"torch.testing.assert_close({name}, {one_call})"]
    return "\n".join([*lines, f"print({example.steps[-1].name})"]) + "\n"


def about(example: Example) -> tuple[str, ...]:
    """Describe the program and its origin, a paragraph each."""
    return (
        example.text,
        f"{example.source}. Computed by Regard, and here by the same lines of Python, which need only NumPy.",
        *example.notes,
    )


def parts(example: Example, matrices: Mapping[str, Array]) -> tuple[ProgramPart, ...]:
    """Return the program from top to bottom. Raises InputError for matrices that do not fit the example."""
    values, edited = example.run(matrices), changed(example, matrices)
    given = (
        "Not as the example states them: " + ", ".join(edited) + "." if edited else "The numbers that it begins with."
    )
    return (
        ProgramPart("numpy", "NumPy", SETTINGS),
        ProgramPart("functions", "The functions that the steps call", f"{SOFTMAX}\n\n\n{SHOW}"),
        ProgramPart("given", given, "\n\n".join(_assignment(one, matrices[one.name]) for one in example.givens)),
        *(_part(step, values[step.name], bool(edited)) for step in example.steps),
    )


def _assignment(given: Given, array: Array) -> str:
    numbers = literal(array, given.rows)
    return f"{comment(given.text)}\n{given.name} = {f'np.array({numbers})' if np.ndim(array) else numbers}"


def _part(step: Step, value: Array, edited: bool) -> ProgramPart:
    """Return a step's line, and one that prints it, with the document's numbers if the matrices are the document's own
    and it differs from them."""
    printed = "" if step.printed is None or edited or not wrong(step, value).any() else literal(step.printed)
    shown = f'show("{step.name}", {step.name}{printed and f", printed={printed}"})'
    code = f"{step.name} = {step.operation.numpy}\n{shown}"
    return ProgramPart(step.name, step.text, code, f"{step.symbol} = {step.formula}")


def comment(text: str) -> str:
    return textwrap.fill(_one_line(text), WIDTH, initial_indent="# ", subsequent_indent="# ", break_on_hyphens=False)


def literal(array: Array, rows: tuple[str, ...] = ()) -> str:
    """Return the numbers in brackets, exactly: a line for each row, with the row's name beside it."""
    values = np.asarray(array, dtype=np.float64)
    if values.ndim < 2:
        return repr(values.tolist())
    named = rows if len(rows) == len(values) else ("",) * len(values)
    notes = (f"  # {_one_line(name)}" if name else "" for name in named)
    lines = [f"    {row!r},{note}" for row, note in zip(values.tolist(), notes, strict=True)]
    return "\n".join(["[", *lines, "]"])


def _one_line(text: str) -> str:
    """Keep a visitor's text on one line, so that in a comment it cannot begin a line of code."""
    return "".join(filter(str.isprintable, " ".join(text.split())))


def script(example: Example, matrices: Mapping[str, Array]) -> str:
    """Return a program that runs from top to bottom with only NumPy. Raises InputError for matrices that do not fit."""
    head = "\n#\n".join(map(comment, (example.title, *about(example))))
    # a step's comment stands on its own line, that of several definitions above them
    pieces = parts(example, matrices)
    lines = (("\n" if part.formula else "\n\n").join([comment(part.text), part.code]) for part in pieces)
    return "\n\n\n".join([head, *lines]) + "\n"


def notebook(example: Example, matrices: Mapping[str, Array]) -> str:
    """Return the notebook as JSON, without outputs. Raises InputError for matrices that do not fit the example."""
    cells = [_cell("about", "\n\n".join([f"# {_escaped(example.title)}", *map(_escaped, about(example))]))]
    for number, part in enumerate(parts(example, matrices)):
        formula = f"\n\n$$ {part.formula} $$" if part.formula else ""
        cells.append(_cell(f"text-{number}-{part.name}", f"{_escaped(part.text)}{formula}"))
        code = {"cell_type": "code", "execution_count": None, "outputs": []}
        cells.append(_cell(f"code-{number}-{part.name}", part.code) | code)
    whole = {"cells": cells, "metadata": METADATA, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(whole, ensure_ascii=False, indent=1) + "\n"


def _cell(name: str, text: str) -> dict[str, Any]:
    """Return a cell of text. Its id may have 64 letters, digits, hyphens and underscores."""
    identity = re.sub(r"[^\w-]", "-", name, flags=re.ASCII)[:64]
    return {"cell_type": "markdown", "id": identity, "metadata": {}, "source": text.splitlines(keepends=True)}


def _escaped(text: str) -> str:
    """Escape text for Markdown."""
    return re.sub(r"([\\`*_\[\]<>#$|~&])", r"\\\1", text)
