"""Every worked example there is, with matrices of its own and others, and a Python that has NumPy and nothing else."""

import importlib
import json
import os
import pkgutil
import re
import subprocess
import venv
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

import regard.model.examples
from regard.model.examples.example import MOST_ROWS, Array, Example, Step
from regard.model.examples.operations import Values

MODULES = [
    importlib.import_module(f"regard.model.examples.{found.name}")
    for found in pkgutil.iter_modules(regard.model.examples.__path__)
]
EXAMPLES = {value.name: value for module in MODULES for value in vars(module).values() if isinstance(value, Example)}
NUMBER = re.compile(r"-?(?:inf|\d+\.?\d*(?:e[+-]\d+)?)")
PRINTED = 1e-6  # how far a number may be from what a program prints of it
RUN_ALL = """
import contextlib, io, json, sys
told = []
with open(sys.argv[1], encoding="utf-8") as file:
    programs = json.load(file)
for cells in programs:
    space = {}
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        for cell in cells:
            exec(cell, space)
    told.append(printed.getvalue())
print(json.dumps(told))
"""


def others(example: Example, seed: int) -> dict[str, Array]:
    """Matrices of other sizes and other numbers."""
    generator = np.random.default_rng(seed)
    return example.random({letter: int(generator.integers(1, MOST_ROWS + 1)) for letter in letters(example)}, seed)


def letters(example: Example) -> list[str]:
    return sorted({letter for given in example.givens for axis in given.sizes for letter in axis.split("+")})


def numpy_alone(folder: Path) -> Path:
    """A fresh Python without pip that can import NumPy and nothing else that is installed here."""
    venv.create(folder / "environment", with_pip=False, symlinks=True)
    packages = folder / "packages"
    packages.mkdir()
    installed = Path(np.__file__).parent.parent
    for found in installed.glob("numpy*"):
        (packages / found.name).symlink_to(found)
    site = next((folder / "environment").glob("lib/python*/site-packages"))
    (site / "numpy.pth").write_text(f"{packages}\n", encoding="utf-8")
    return folder / "environment" / "bin" / "python"


def run(python: Path, folder: Path, *arguments: str | Path) -> str:
    """Return a program's output; it is run from another folder, and inherits nothing."""
    command = [python, "-I", *arguments]
    done = subprocess.run(command, cwd=folder, env={"PATH": os.defpath}, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def assert_all_told(python: Path, folder: Path, written: Callable[[Example, Values], list[str]], seeds: range) -> None:
    """Check that every example's code runs cell by cell and prints the app's numbers, random ones included."""
    cases = [
        (example, matrices)
        for example in EXAMPLES.values()
        for matrices in (example.matrices(), *(others(example, seed) for seed in seeds))
    ]
    programs = folder / "programs.json"
    programs.write_text(json.dumps([written(example, matrices) for example, matrices in cases]), encoding="utf-8")
    told = json.loads(run(python, folder, "-c", RUN_ALL, programs))
    for text, (example, matrices) in zip(told, cases, strict=True):
        assert_told(text, example.steps, example.run(matrices))


def steps_told(text: str) -> dict[str, list[float]]:
    """The numbers of every step in what a program printed, by name; those of the document are left out."""
    own = [block.split("but the document prints")[0] for block in text.strip().split("\n\n")]
    return {name: list(map(float, NUMBER.findall(numbers))) for name, numbers in (block.split(" =\n") for block in own)}


def assert_told(text: str, steps: Sequence[Step], values: Values) -> None:
    """Every step was printed once, in order, with the numbers that the app computes."""
    told = steps_told(text)
    assert list(told) == sorted(told, key=[step.name for step in steps].index)
    assert set(told) == {step.name for step in steps}
    for name, numbers in told.items():
        np.testing.assert_allclose(numbers, np.ravel(values[name]), rtol=0, atol=PRINTED, err_msg=name)
