"""A worked example as a program that runs from top to bottom with only NumPy."""

from collections.abc import Mapping

from model.examples.example import Array, Example
from model.examples.program import ProgramPart, about, comment, parts


def script(example: Example, matrices: Mapping[str, Array]) -> str:
    """The program's text. Raises ValueError for matrices that do not fit the example."""
    head = "\n#\n".join(map(comment, (example.title, *about(example))))
    return "\n\n\n".join([head, *map(_lines, parts(example, matrices))]) + "\n"


def _lines(part: ProgramPart) -> str:
    """A step's comment stands on its line, that of several definitions above them."""
    return ("\n" if part.formula else "\n\n").join([comment(part.text), part.code])
