"""The source code of a function or class, to display and download: without annotations, otherwise as written."""

import ast
import inspect
import textwrap
from collections.abc import Callable, Iterator
from functools import cache
from types import ModuleType
from typing import NamedTuple

from regard.model.input_error import InputError

PROJECT = __name__.split(".")[0]
WIDEST = 88  # characters of a signature on one line


class Needs(NamedTuple):
    """The names a function needs from outside itself."""

    imports: tuple[str, ...]  # lines such as: import numpy as np
    functions: tuple[Callable[..., object], ...]  # of this project, each after those that it calls


class Edit(NamedTuple):
    """A replacement of characters `start` to `stop` by `text`."""

    start: int
    stop: int
    text: str


@cache
def plain_source(thing: Callable[..., object]) -> str:
    """Return the lines that define a function or a class, with comments and docstrings, ending in a line break.
    Arguments, results and local values of functions lose their annotations, and each signature is on one line if it
    fits. Fields of a class keep theirs, which are part of its behaviour."""
    text = textwrap.dedent(inspect.getsource(thing))
    for edit in sorted(_edits(text), reverse=True):
        text = text[: edit.start] + edit.text + text[edit.stop :]
    return text


@cache
def needs(function: Callable[..., object]) -> Needs:
    """Return the modules and functions that it uses. Raises InputError naming one that a program cannot include."""
    imports: dict[str, None] = {}
    functions: dict[Callable[..., object], None] = {}
    for name, value in _reached(function).items():
        if isinstance(value, ModuleType):
            imports[f"import {value.__name__}" + (f" as {name}" if name != value.__name__ else "")] = None
        elif inspect.isfunction(value) and value.__module__.split(".")[0] == PROJECT:
            deeper = needs(value)
            imports |= dict.fromkeys(deeper.imports)
            functions |= dict.fromkeys((*deeper.functions, value))
        else:
            called = getattr(function, "__name__", str(function))
            raise InputError(
                f"{called} uses {name}, which is a {type(value).__name__}: modules and functions of {PROJECT} can be "
                "taken along"
            )
    return Needs(tuple(imports), tuple(functions))


def _reached(function: Callable[..., object]) -> dict[str, object]:
    """Return the globals that its lines name, in order of appearance."""
    outside = getattr(inspect.unwrap(function), "__globals__", {})
    nodes = list(ast.walk(ast.parse(plain_source(function))))
    names = sorted((node.lineno, node.col_offset, node.id) for node in nodes if isinstance(node, ast.Name))
    own = {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    own |= {node.arg for node in nodes if isinstance(node, ast.arg)}
    return {name: outside[name] for *_, name in names if name in outside and name not in own}


def _edits(text: str) -> Iterator[Edit]:
    lines = text.splitlines(keepends=True)
    for function in ast.walk(ast.parse(text)):
        if isinstance(function, ast.FunctionDef) and function.returns:  # one without a result's type has no types
            start = _offset(lines, function.lineno, function.col_offset)
            colon = text.index(":", _end(lines, function.returns))
            yield Edit(start, colon, _signature(function, text))
            for node in ast.walk(function):
                if isinstance(node, ast.AnnAssign):
                    yield Edit(_end(lines, node.target), _end(lines, node.annotation), "")


def _offset(lines: list[str], line: int, column: int) -> int:
    """Return the offset of a place in the syntax tree, which counts lines from 1, and columns in bytes."""
    return sum(map(len, lines[: line - 1])) + len(lines[line - 1].encode()[:column].decode())


def _end(lines: list[str], node: ast.expr) -> int:
    return _offset(lines, node.end_lineno or node.lineno, node.end_col_offset or node.col_offset)


def _signature(function: ast.FunctionDef, text: str) -> str:
    arguments = function.args
    for argument in ast.walk(arguments):
        if isinstance(argument, ast.arg):
            argument.annotation = None
    arguments.defaults = [_as_written(default, text) for default in arguments.defaults]
    arguments.kw_defaults = [default and _as_written(default, text) for default in arguments.kw_defaults]
    listed = ast.unparse(arguments)
    line = f"def {function.name}({listed})"
    if len(line) <= WIDEST:
        return line
    indent = " " * (function.col_offset + 4)
    return "\n".join(
        [f"def {function.name}(", *textwrap.wrap(listed, WIDEST, initial_indent=indent, subsequent_indent=indent)]
        + [f"{' ' * function.col_offset})"]
    )


def _as_written(node: ast.expr, text: str) -> ast.expr:
    """Return a name that reads as the node does in the text, including quotes."""
    return ast.Name(ast.get_source_segment(text, node) or ast.unparse(node))
