import ast
import inspect
import sys
from collections.abc import Iterator
from importlib.util import module_from_spec, spec_from_file_location
from types import ModuleType

import numpy as np
import pytest

from regard.model.examples.luong_general import as_its_steps
from regard.model.examples.source_code import WIDEST, needs, plain_source
from regard.model.reference.formulas import softmax
from tests.support.every_example import EXAMPLES, others

WRITTEN = '''
import math
from dataclasses import dataclass

import numpy as np

BASE = 2.0


def written(
    first: dict[str, int] | float,  # the colon here: ends nothing, nor does this bracket )
    second: int = 3,
    *rest: float,
    named: str = "a: b",
    **more: dict[str, float],
) -> dict[str, float]:
    """A docstring: it stays."""
    # α, a comment: it stays
    α: float = (first + second)  # so does this one
    inner = lambda value: value * 2

    def deeper(value: float) -> float:
        return -value

    return {"α": α, "rest": deeper(inner(α))}


@dataclass
class Held:
    """A class keeps its fields."""

    value: float

    def twice(self, often: int = 2) -> float:
        return often * self.value


def long(
    first_of_them: int, second_of_them: int, third_of_them: int, fourth_of_them: int, fifth_of_them: int, last: int = 5
) -> int:
    return first_of_them


def unscaled(scores: np.ndarray) -> np.ndarray:
    return np.exp(scores) / math.e


def with_a_constant(scores: np.ndarray) -> np.ndarray:
    return scores * BASE
'''
SHOWN = '''\
def written(first, second=3, *rest, named="a: b", **more):
    """A docstring: it stays."""
    # α, a comment: it stays
    α = (first + second)  # so does this one
    inner = lambda value: value * 2

    def deeper(value):
        return -value

    return {"α": α, "rest": deeper(inner(α))}
'''


@pytest.fixture(scope="module")
def module(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ModuleType]:
    """A file with functions, written as no formatter would leave them."""
    path = tmp_path_factory.mktemp("written") / "written.py"
    path.write_text(WRITTEN, encoding="utf-8")
    spec = spec_from_file_location("written", path)
    assert spec is not None
    assert spec.loader is not None
    made = sys.modules[path.stem] = module_from_spec(spec)
    spec.loader.exec_module(made)
    yield made
    del sys.modules[path.stem]


def annotations(text: str) -> list[ast.AST]:
    """Everything in a function that says what type it has."""
    return [
        node
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.AnnAssign) or getattr(node, "annotation", None) or getattr(node, "returns", None)
    ]


def test_annotations_go_and_everything_else_stays(module: ModuleType) -> None:
    assert plain_source(module.written) == SHOWN


def test_a_class_keeps_its_fields_and_its_methods_lose_their_annotations(module: ModuleType) -> None:
    text = plain_source(module.Held)
    assert "    value: float\n" in text
    assert "def twice(self, often=2):\n" in text
    assert text.startswith("@dataclass\nclass Held:")


def test_a_signature_that_is_too_long_is_broken(module: ModuleType) -> None:
    text = plain_source(module.long)
    assert text.startswith("def long(\n    first_of_them, second_of_them,")
    assert max(map(len, text.splitlines())) <= WIDEST
    shown, own = (ast.parse(source).body[0] for source in (text, inspect.getsource(module.long)))
    assert [node.arg for node in ast.walk(shown) if isinstance(node, ast.arg)] == [
        node.arg for node in ast.walk(own) if isinstance(node, ast.arg)
    ]


@pytest.mark.parametrize("name", EXAMPLES)
def test_what_is_shown_of_an_example_has_no_annotation(name: str) -> None:
    function = EXAMPLES[name].function
    for one in (function, *needs(function).functions):
        assert not annotations(plain_source(one))


@pytest.mark.parametrize("name", EXAMPLES)
def test_what_is_shown_gives_bit_for_bit_what_the_example_gives(name: str) -> None:
    example = EXAMPLES[name]
    needed, space = needs(example.function), {}
    sources = "\n".join([*needed.imports, *map(plain_source, (*needed.functions, example.function))])
    exec(compile(sources, name, "exec"), space)
    for matrices in (example.matrices(), *(others(example, seed) for seed in range(3))):
        expected, found = example.run(matrices), space[example.function.__name__](**matrices)
        assert list(found) == list(expected)
        assert all(np.array_equal(found[value], expected[value], equal_nan=True) for value in expected)


def test_a_function_needs_what_it_calls_and_the_modules_that_both_name() -> None:
    needed = needs(as_its_steps)
    assert needed.functions == (softmax,)
    assert needed.imports == ("import numpy as np",)


def test_an_argument_hides_what_has_the_same_name_outside() -> None:
    assert "H" in inspect.unwrap(as_its_steps).__globals__  # the matrix of the example; the function has an argument H
    assert all("H" not in line for line in needs(as_its_steps).imports)


def test_modules_of_the_standard_library_come_along(module: ModuleType) -> None:
    assert needs(module.unscaled).imports == ("import numpy as np", "import math")


def test_what_no_program_could_take_along_is_refused_by_name(module: ModuleType) -> None:
    with pytest.raises(ValueError, match="with_a_constant uses BASE, which is a float"):
        needs(module.with_a_constant)
