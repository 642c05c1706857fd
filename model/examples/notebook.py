"""A worked example as a notebook: for each step a cell with its formula, then a cell with its code.

The format is nbformat 4.5: https://nbformat.readthedocs.io/en/latest/format_description.html
"""

import json
import re
from collections.abc import Mapping
from typing import Any

from model.examples.example import Array, Example
from model.examples.program import about, parts

METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}


def notebook(example: Example, matrices: Mapping[str, Array]) -> str:
    """The notebook as JSON, without outputs. Raises ValueError for matrices that do not fit the example."""
    cells = [_text("about", "\n\n".join([f"# {_plain(example.title)}", *map(_plain, about(example))]))]
    for number, part in enumerate(parts(example, matrices)):
        formula = f"\n\n$$ {part.formula} $$" if part.formula else ""
        cells.append(_text(f"text-{number}-{part.name}", f"{_plain(part.text)}{formula}"))
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
    """The format allows 64 letters, figures, hyphens and underscores."""
    return re.sub(r"[^\w-]", "-", name, flags=re.ASCII)[:64]


def _plain(text: str) -> str:
    """Text that Markdown shows as it is."""
    return re.sub(r"([\\`*_\[\]<>#$|~&])", r"\\\1", text)
