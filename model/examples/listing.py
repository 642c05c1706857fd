"""A worked example as the few lines that compute it: in NumPy those that run here, and the same in PyTorch."""

import inspect
from collections.abc import Mapping

from model.examples.example import Array, Example
from model.examples.in_torch import IN_TORCH
from model.examples.program import literal
from model.examples.source_code import needs, plain_source

DTYPE = "torch.set_default_dtype(torch.float64)  # as in NumPy"


def in_numpy(example: Example) -> str:
    """The functions of this program that run, those that are called first."""
    needed = needs(example.function)
    sources = (plain_source(function) for function in (*needed.functions, example.function))
    return "\n\n".join(["\n".join(needed.imports) + "\n", *sources])


def in_torch(example: Example, matrices: Mapping[str, Array]) -> str:
    """A function of tensors, the tensors as the matrices are now, and the call."""
    function = IN_TORCH[example.name]
    needed = needs(function)
    sources = (plain_source(one) for one in (*needed.functions, function))
    tensors = (f"{given.name} = torch.tensor({literal(matrices[given.name], given.rows)})" for given in example.givens)
    names = ", ".join(inspect.signature(function).parameters)
    call = f'steps = {function.__name__}({names})\nprint(steps["{example.steps[-1].name}"])\n'
    imports = dict.fromkeys(("import torch", *needed.imports))
    return "\n\n".join(["\n".join([*imports, "", DTYPE]) + "\n", *sources, "\n".join(tensors) + "\n", call])
