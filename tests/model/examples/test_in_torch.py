import ast

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from regard.model.examples.documents import DOCUMENTS
from regard.model.examples.entries import Values
from regard.model.examples.example import Array, Example
from regard.model.examples.in_torch import IN_TORCH, in_torch
from regard.model.examples.program import in_numpy
from regard.model.examples.source_code import plain_source
from tests.support.every_example import EXAMPLES, others

each = pytest.mark.parametrize("name", EXAMPLES)


def compute(example: Example, matrices: dict[str, Array], kind: torch.dtype) -> dict[str, torch.Tensor]:
    return IN_TORCH[example.name](**{name: torch.tensor(array, dtype=kind) for name, array in matrices.items()})


def assert_same(found: dict[str, torch.Tensor], expected: Values, tolerance: float) -> None:
    """Whatever has the same name has the same numbers, those of a large matrix as far as their size allows."""
    for name in found.keys() & expected.keys():
        array, known = found[name].numpy(), expected[name]
        finite = np.abs(known[np.isfinite(known)])
        np.testing.assert_allclose(array, known, rtol=0, atol=tolerance * max(1.0, finite.max(initial=0)), err_msg=name)


def test_every_example_of_the_documents_has_its_pytorch() -> None:
    assert not {example.name for document in DOCUMENTS for example in document.examples} - IN_TORCH.keys()


def test_every_other_example_has_its_pytorch_and_no_other_has() -> None:
    assert IN_TORCH.keys() == EXAMPLES.keys()


@each
@pytest.mark.parametrize(("kind", "tolerance"), [(torch.float64, 1e-12), (torch.float32, 1e-6)], ids=str)
def test_it_equals_numpy_on_the_examples_matrices(name: str, kind: torch.dtype, tolerance: float) -> None:
    example = EXAMPLES[name]
    assert_same(compute(example, example.matrices(), kind), example.run(), tolerance)


@each
@settings(max_examples=8)
@given(seed=st.integers(0, 10_000))
def test_it_equals_numpy_on_matrices_of_any_size(name: str, seed: int) -> None:
    example = EXAMPLES[name]
    matrices = others(example, seed)
    assert_same(compute(example, matrices, torch.float64), example.run(matrices), 1e-12)
    assert_same(compute(example, matrices, torch.float32), example.run(matrices), 1e-6)


@each
def test_it_comes_to_the_same_end(name: str) -> None:
    example = EXAMPLES[name]
    assert example.steps[-1].name in compute(example, example.matrices(), torch.float64)


@each
def test_what_is_shown_runs_as_it_stands(
    name: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    example = EXAMPLES[name]
    matrices, space = others(example, 1), {}
    try:
        exec(compile(in_torch(example, matrices), name, "exec"), space)
    finally:
        torch.set_default_dtype(torch.float32)
    assert_same(space["steps"], example.run(matrices), 1e-12)
    assert capsys.readouterr().out.startswith("tensor(")


@each
def test_what_is_shown_is_the_functions_own_source(name: str) -> None:
    example = EXAMPLES[name]
    assert plain_source(IN_TORCH[name]) in in_torch(example, example.matrices())
    assert plain_source(example.function) in in_numpy(example)
    ast.parse(in_numpy(example))
