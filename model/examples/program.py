"""A worked example as a program in parts: NumPy, the functions it calls, its current matrices, then one part per step.

A script puts the parts one below the other. A notebook makes cells of them: for each step one with its formula, then
one with its code. Its format is nbformat 4.5: https://nbformat.readthedocs.io/en/latest/format_description.html
Its lines are the ones that run here.
"""

import ast
import json
import re
import textwrap
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from regard.model.examples.example import Array, Example, Given, Step, changed, wrong
from regard.model.examples.source_code import needs, plain_source

WIDTH = 100  # characters of a comment
SETTINGS = "np.set_printoptions(precision=6, suppress=True, linewidth=120)"
METADATA = {  # of a notebook
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}


@dataclass(frozen=True)
class ProgramPart:
    """Some lines of the program and their description."""

    name: str  # of the step, or of the part before all steps
    text: str
    code: str
    formula: str = ""  # LaTeX


def show(name: str, value: Array, printed: Array | None = None) -> None:
    """Print a step and, if they differ, the document's numbers."""
    print(f"{name} =\n{np.asarray(value)}")
    if printed is not None:
        print(f"but the document prints\n{np.asarray(printed)}")
    print()


def about(example: Example) -> tuple[str, ...]:
    """Describe the program and its origin, a paragraph each."""
    return (
        example.text,
        f"{example.source}. Computed by Regard, and here by the same lines of Python, which need only NumPy.",
        *example.notes,
    )


def parts(example: Example, matrices: Mapping[str, Array]) -> tuple[ProgramPart, ...]:
    """Return the program from top to bottom. Raises InputError for matrices that do not fit the example."""
    values, edited, needed = example.run(matrices), changed(example, matrices), needs(example.function)
    imports = dict.fromkeys(("import numpy as np", *needed.imports))
    functions = [plain_source(function).rstrip() for function in (*needed.functions, show)]
    given = (
        "Not as the example states them: " + ", ".join(edited) + "." if edited else "The numbers that it begins with."
    )
    matrix_lines = "\n\n".join(_assignment(one, matrices[one.name]) for one in example.givens)
    return (
        ProgramPart("numpy", "NumPy", "\n".join([*imports, "", SETTINGS])),
        ProgramPart("functions", "The functions that the steps call", "\n\n\n".join(functions)),
        ProgramPart("given", given, matrix_lines),
        *(_part(code, steps, values, bool(edited)) for code, steps in statements(example)),
    )


def statements(example: Example) -> Iterator[tuple[str, tuple[Step, ...]]]:
    """Yield the lines of the function's body in pieces, with comments, each with the steps that it completes."""
    source = plain_source(example.function)
    lines, function = source.splitlines(), ast.parse(source).body[0]
    body = [node for node in getattr(function, "body", []) if not isinstance(node, ast.Return)]  # of locals()
    done = next(count for count, line in enumerate(lines, 1) if line.endswith(":"))  # the signature
    for node in body:
        named = {name.id for name in ast.walk(node) if isinstance(name, ast.Name) and isinstance(name.ctx, ast.Store)}
        steps = tuple(step for step in example.steps if step.name in named)
        if steps:
            yield "\n".join(line[4:] for line in lines[done : node.end_lineno] if line.strip()), steps
        if steps or isinstance(node, ast.Expr):  # the docstring
            done = node.end_lineno


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


def _assignment(given: Given, array: Array) -> str:
    numbers = literal(array, given.rows)
    return f"{comment(given.text)}\n{given.name} = {f'np.array({numbers})' if np.ndim(array) else numbers}"


def _part(code: str, steps: tuple[Step, ...], values: Mapping[str, Array], edited: bool) -> ProgramPart:
    return ProgramPart(
        "-".join(step.name for step in steps),
        " ".join(step.text for step in steps),
        "\n".join([code, *(_shown(step, values[step.name], edited) for step in steps)]),
        r" \qquad ".join(f"{step.symbol} = {step.formula}" for step in steps),
    )


def _shown(step: Step, value: Array, edited: bool) -> str:
    """Return the line that prints a step, with the document's numbers if the matrices are the document's own."""
    if step.printed is None or edited or not wrong(step, value).any():
        return f'show("{step.name}", {step.name})'
    return f'show("{step.name}", {step.name}, printed={literal(step.printed)})'


def script(example: Example, matrices: Mapping[str, Array]) -> str:
    """Return a program that runs from top to bottom with only NumPy. Raises InputError for matrices that do not fit."""
    head = "\n#\n".join(map(comment, (example.title, *about(example))))
    return "\n\n\n".join([head, *map(_lines, parts(example, matrices))]) + "\n"


def _lines(part: ProgramPart) -> str:
    """Join comment and code: a step's comment on its own line, that of several definitions above them."""
    return ("\n" if part.formula else "\n\n").join([comment(part.text), part.code])


def notebook(example: Example, matrices: Mapping[str, Array]) -> str:
    """Return the notebook as JSON, without outputs. Raises InputError for matrices that do not fit the example."""
    cells = [_text("about", "\n\n".join([f"# {_escaped(example.title)}", *map(_escaped, about(example))]))]
    for number, part in enumerate(parts(example, matrices)):
        formula = f"\n\n$$ {part.formula} $$" if part.formula else ""
        cells.append(_text(f"text-{number}-{part.name}", f"{_escaped(part.text)}{formula}"))
        cells.append(_code(f"code-{number}-{part.name}", part.code))
    whole = {"cells": cells, "metadata": METADATA, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(whole, ensure_ascii=False, indent=1) + "\n"


def _text(name: str, text: str) -> dict[str, Any]:
    return {"cell_type": "markdown", "id": _identity(name), "metadata": {}, "source": text.splitlines(keepends=True)}


def _code(name: str, code: str) -> dict[str, Any]:
    return {
        "cell_type": "code",
        "execution_count": None,
        "id": _identity(name),
        "metadata": {},
        "outputs": [],
        "source": code.splitlines(keepends=True),
    }


def _identity(name: str) -> str:
    """Replace characters that the format does not allow; it has 64 letters, digits, hyphens and underscores."""
    return re.sub(r"[^\w-]", "-", name, flags=re.ASCII)[:64]


def _escaped(text: str) -> str:
    """Escape text for Markdown."""
    return re.sub(r"([\\`*_\[\]<>#$|~&])", r"\\\1", text)


def in_numpy(example: Example) -> str:
    """Return the functions of this program that run, in order of their calls."""
    needed = needs(example.function)
    sources = (plain_source(function) for function in (*needed.functions, example.function))
    return "\n\n".join(["\n".join(needed.imports) + "\n", *sources])
