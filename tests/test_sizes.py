import ast
import io
import re
import subprocess
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmarks.server import ROOT

FOLDERS = ("app", "benchmarks", "model", "pretrained", "regard", "tests")
MOST_OF_A_FILE = 600
MOST_OF_A_FUNCTION = 40  # without the functions in it
NAMED = re.compile(r"(?<![\w./-])[\w/]+\.(?:py|js|toml|css)\b")
FUNCTION = ast.FunctionDef | ast.AsyncFunctionDef


def tracked(folder: str) -> Iterator[Path]:
    listed = subprocess.run(["git", "ls-files", folder], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    yield from (ROOT / name for name in listed.splitlines() if name.endswith((".py", ".js")) and (ROOT / name).exists())


def own_lines(function: FUNCTION) -> int:
    inner = {
        line
        for node in ast.walk(function)
        if isinstance(node, FUNCTION) and node is not function
        for line in range(node.lineno, (node.end_lineno or 0) + 1)
    }
    return (function.end_lineno or 0) - function.lineno + 1 - len(inner)


@pytest.mark.parametrize("folder", FOLDERS)
def test_no_file_is_longer_than_one_idea_takes(folder: str) -> None:
    lines = {path: path.read_text("utf-8").count("\n") for path in tracked(folder)}
    assert not {name: count for name, count in lines.items() if count > MOST_OF_A_FILE}


@pytest.mark.parametrize("folder", FOLDERS)
def test_no_function_is_longer_than_a_screen(folder: str) -> None:
    functions = [
        (f"{path.relative_to(ROOT)}: {node.name}", own_lines(node))
        for path in tracked(folder)
        if path.suffix == ".py"
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, FUNCTION)
    ]
    assert not {name: lines for name, lines in functions if lines > MOST_OF_A_FUNCTION}


def remarks(path: Path) -> str:
    """The comments and docstrings of a file."""
    text = path.read_text("utf-8")
    if path.suffix == ".js":
        return " ".join(re.findall(r"//.*|/\*[\s\S]*?\*/", text))
    described = (each for each in ast.walk(ast.parse(text)) if isinstance(each, ast.Module | ast.ClassDef | FUNCTION))
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    comments = [token.string for token in tokens if token.type == tokenize.COMMENT]
    return " ".join([*comments, *(ast.get_docstring(each) or "" for each in described)])


@pytest.mark.parametrize("folder", ["app", "model"])
def test_a_file_that_a_comment_names_exists(folder: str) -> None:
    files = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
    ends = {"/".join(Path(file).parts[start:]) for file in files for start in range(len(Path(file).parts))}
    named = {(path.name, name) for path in tracked(folder) for name in NAMED.findall(remarks(path))}
    assert not {(place, name) for place, name in named if name not in ends}
