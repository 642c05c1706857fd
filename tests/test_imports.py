"""Allowed imports: layers, packages without a circle, and modules that load without torch."""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

from benchmarks.server import ROOT


def imports(path: Path) -> set[str]:
    """Modules that a file imports."""
    return imported(ast.parse(path.read_text(encoding="utf-8")))


def imports_in_functions(path: Path) -> set[str]:
    """Those of them that are imported within a function, and nowhere else."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    within = {module for function in functions for module in imported(function)}
    for function in functions:
        function.body = []
    return within - imported(tree)


def imported(tree: ast.AST) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {name.name for name in node.names}
        elif isinstance(node, ast.ImportFrom):
            found.add(node.module or "")
    return found


def top(module: str) -> str:
    """Return the library of a module, or for ours the half of the package that it belongs to."""
    return ".".join(module.split(".")[: 2 if module.startswith("regard.") else 1])


SHOWN_BY = {  # modules that import the app when a picture of a trace is asked for
    "model/commands/export.py": {"regard.app.export.translator.document"},
    "model/commands/report.py": {"regard.app.export.text_report"},
    "model/commands/translate.py": {"regard.app.export.page"},
}


@pytest.mark.parametrize(
    ("folder", "never"),
    [
        ("model", {"streamlit", "plotly", "regard.app"}),
        ("app/figures", {"streamlit", "torch"}),
        ("app/training_jobs", {"streamlit"}),
        ("app/export", {"streamlit", "torch", "plotly"}),
        ("model/reference", {"torch"}),
        ("model/arithmetic", {"torch"}),
        ("app", {"benchmarks", "tests"}),
    ],
)
def test_imports_point_one_way(folder: str, never: set[str]) -> None:
    for path in (ROOT / folder).rglob("*.py"):
        shown = SHOWN_BY.get(path.relative_to(ROOT).as_posix(), set())
        assert not {top(module) for module in imports(path) - shown} & never, path
        assert shown <= imports_in_functions(path), path


READ_ONLY = """trace alignment archive words reference reference.recompute arithmetic
    arithmetic.recurrent decoding.beam_tree doubt.chance soft_alignments.formats examples.documents examples.program"""
DRAWN = """export.page components.shared.modules components.stepper.payload components.matrices.sums
    screens.worksheet.sheet"""
FIGURES = "components.link_grid.mount figures.heatmap figures.lesson figures.measures figures.token_sampling"
LOADING = """
import importlib, sys
for modules, never in eval(sys.argv[1]):
    for module in modules:
        dir(importlib.import_module(module))
        assert not never & sys.modules.keys(), (module, never & sys.modules.keys())
"""


def test_what_reads_traces_and_draws_them_loads_without_torch_and_streamlit() -> None:
    """One process loads one after the other, so that what comes first loads the least."""
    heavy = {"torch", "streamlit", "plotly", "scipy", "sacrebleu"}
    asked = [
        (["regard"], {"numpy", *heavy}),
        ([f"regard.model.{name}" for name in READ_ONLY.split()], {"regard.app", *heavy}),
        ([f"regard.app.{name}" for name in DRAWN.split()], {"torch", "streamlit", "plotly"}),
        (["regard.model.text_report.sentence_measures"], {"torch", "streamlit", "plotly"}),
        ([f"regard.app.{name}" for name in FIGURES.split()], {"torch"}),
        (["regard.app.launch"], {"torch"}),
    ]
    subprocess.run([sys.executable, "-c", LOADING, repr(asked)], cwd=ROOT, check=True)


NETWORK = "model: its text, network and trace"  # the modules at the top of model/, together
HELD_BY_TRACES = {"regard.model.changes.intervention"}  # the value, and its errors
ALONE = {  # modules that belong to no package, and why
    "regard.model.arguments": "what the library's functions take, which use every package",
    "regard.model.archive": "it keeps the traces of every network",
    "regard.model.input_error": "every package raises it",
}
MODULES = {
    ".".join(("regard", *path.relative_to(ROOT).with_suffix("").parts)).removesuffix(".__init__"): path
    for half in ("app", "model")
    for path in sorted((ROOT / half).rglob("*.py"))
}


def package(module: str) -> str:
    """The folder of a module; a screen and a component are packages, and so is each module at the top of app/."""
    parts = module.split(".")[1:]
    folders = parts if MODULES[module].name == "__init__.py" else parts[:-1]
    if module in HELD_BY_TRACES:
        return NETWORK
    if len(folders) < 2:
        return NETWORK if parts[0] == "model" and module not in ALONE else module
    return ".".join(folders[: 3 if folders[1] in ("screens", "components") else 2])


def needed(module: str) -> Iterator[str]:
    """The modules of ours that one imports, wherever in its file."""
    for node in ast.walk(ast.parse(MODULES[module].read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            for name in node.names:
                yield next((full for full in (f"{node.module}.{name.name}", node.module or "") if full in MODULES), "")
        elif isinstance(node, ast.Import):
            yield from (name.name for name in node.names)


def test_packages_import_one_way_without_a_circle() -> None:
    graph: dict[str, set[str]] = {}
    for module in MODULES:
        for other in needed(module):
            if other in MODULES and package(module) != package(other):
                graph.setdefault(package(module), set()).add(package(other))
    TopologicalSorter(graph).prepare()  # CycleError names the circle


def test_no_modules_import_each_other_in_a_circle() -> None:
    """Imports within functions count too."""
    graph = {module: {other for other in needed(module) if other in MODULES} for module in MODULES}
    TopologicalSorter(graph).prepare()  # CycleError names the circle


def test_screens_import_no_other_screen() -> None:
    for module in MODULES:
        if module.startswith("regard.app.screens."):
            others = {other for other in needed(module) if other.startswith("regard.app.screens.")}
            assert {other.split(".")[3] for other in others} <= {module.split(".")[3]}, module


@pytest.mark.parametrize("path", [path for path in MODULES.values() if path.name == "__init__.py"], ids=str)
def test_a_package_is_described_and_holds_nothing_else(path: Path) -> None:
    (described,) = ast.parse(path.read_text(encoding="utf-8")).body
    assert isinstance(described, ast.Expr)
    assert isinstance(described.value, ast.Constant)


# A package of many modules of one kind, and the rule in its docstring that stands for most names.
SAYS_A_RULE = {"regard.app.screens": "One folder per screen"}
COMMANDS, PARTS = "regard.model.commands", "parts begin with its name"  # train_arguments is not named, as train is


@pytest.mark.parametrize("package", [name for name, path in MODULES.items() if path.name == "__init__.py"])
def test_a_package_names_each_of_its_modules_in_its_docstring(package: str) -> None:
    docstring = " ".join((ast.get_docstring(ast.parse(MODULES[package].read_text(encoding="utf-8"))) or "").split())
    names = {module.rpartition(".")[2] for module in MODULES if module.rpartition(".")[0] == package}
    named = names & set(re.findall(r"\w+", docstring))
    if package == COMMANDS:
        assert PARTS in docstring
        named |= {name for name in names if name.partition("_")[0] in named}
    if package in SAYS_A_RULE:
        assert SAYS_A_RULE[package] in docstring
    else:
        assert names == named


def test_a_class_name_is_there_once() -> None:
    names = [
        node.name
        for path in MODULES.values()
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ClassDef)
    ]
    assert sorted(names) == sorted(set(names))


def test_a_frozen_value_with_arrays_is_equal_to_itself_alone() -> None:
    """Compared by their fields two of them would raise, as an array is not true or false; nor could they be hashed."""
    for path in MODULES.values():
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef) and any("frozen=True" in ast.unparse(by) for by in node.decorator_list):
                kinds = " ".join(ast.unparse(each.annotation) for each in node.body if isinstance(each, ast.AnnAssign))
                arrays = {"ndarray", "Tensor", "Array"} & set(re.findall(r"\w+", kinds))
                assert not arrays or "eq=False" in ast.unparse(node.decorator_list[0]), (path, node.name)


def test_nothing_in_the_app_hides_an_installed_library() -> None:
    names = {path.stem for path in (ROOT / "app").iterdir() if path.suffix in ("", ".py")}
    ours = {name for name in names if not name.startswith((".", "__"))}
    code = "import importlib.util, sys; print(*(name for name in sys.argv[1:] if importlib.util.find_spec(name)))"
    command = [sys.executable, "-c", code, *ours]
    answer = subprocess.run(command, cwd=ROOT / "tests", check=True, capture_output=True, text=True)
    assert answer.stdout.split() == []
