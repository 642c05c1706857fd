"""A stand-in for a GPU: tensors that say they are on another device, and refuse to be mixed with those of the CPU.

Run as a program with the name of a model: fails unless the model gives the same traces there as on the CPU. It is a
process of its own, because PyTorch's inference mode, which such tensors cannot enter, is replaced before the import.
"""

import sys
from typing import Any

import torch
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves, tree_map
from torch.utils.backend_registration import _setup_privateuseone_for_python_backend

torch.inference_mode = lambda body=None: torch.no_grad()(body) if body else torch.no_grad()
_setup_privateuseone_for_python_backend()
torch._C._set_only_lift_cpu_tensors(True)
DEVICE = torch.device("privateuseone:0")


class Far(torch.Tensor):
    """A tensor on the device; `near` holds its numbers."""

    def __new__(cls, near: torch.Tensor) -> "Far":
        shape = near.size(), near.stride(), near.storage_offset()
        return torch.Tensor._make_wrapper_subclass(cls, *shape, dtype=near.dtype, device=DEVICE)

    def __init__(self, near: torch.Tensor) -> None:
        self.near = near

    def tolist(self) -> list[Any]:
        return self.near.tolist()

    def numpy(self, *, force: bool = False) -> Any:
        if not force:
            raise TypeError("a tensor of another device is no NumPy array")
        return self.near.numpy()

    @classmethod
    def __torch_dispatch__(cls, op: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        return computed(op, args, kwargs or {})


class There(TorchDispatchMode):
    def __torch_dispatch__(self, op: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        return computed(op, args, kwargs or {})


def near(value: Any) -> Any:
    if isinstance(value, torch.device) and value == DEVICE:
        return torch.device("cpu")
    return value.near if isinstance(value, Far) else value


def far(value: Any) -> Any:
    return Far(value) if isinstance(value, torch.Tensor) and not isinstance(value, Far) else value


def computed(op: Any, args: Any, kwargs: dict[str, Any]) -> Any:
    """Compute an operation on the device of its tensors, or on the one that it names."""
    tensors = [value for value in tree_leaves((args, kwargs)) if isinstance(value, torch.Tensor)]
    away = [isinstance(tensor, Far) for tensor in tensors]
    mixed = any(away) and any(tensor.dim() for tensor, gone in zip(tensors, away, strict=True) if not gone)
    assert not mixed or op.__name__.startswith(("index.", "copy_")), f"{op.__name__}: tensors of two devices"
    kernel: Any = FUSED.get(op.__name__, op)
    result = kernel(*tree_map(near, args), **tree_map(near, kwargs))
    place = kwargs.get("device") or (DEVICE if any(away) else None)
    return tree_map(far, result) if place == DEVICE else result


def lstm(inputs: Any, hidden: Any, cell: Any, b: Any = 0.0, d: Any = 0.0) -> Any:
    """Compute PyTorch's fused kernel of a GPU, which a CPU lacks."""
    i, f, g, o = (inputs + hidden + b + d).chunk(4, 1)
    cell = f.sigmoid() * cell + i.sigmoid() * g.tanh()
    return o.sigmoid() * cell.tanh(), cell, inputs


FUSED: dict[str, Any] = {"_thnn_fused_lstm_cell.default": lstm}


def results(model: Any) -> list[Any]:
    import regard

    sentences = ["I love you.", "She bought a red car."]
    traces = regard.translate(model, sentences)
    traces += regard.force(model, sentences, [trace.text for trace in traces])
    traces += regard.what_if(model, sentences, regard.Intervention(hidden=(1,), temperature=2.0))
    traces += regard.run(model, sentences, {"attentional": lambda step, vector: -vector if step == 2 else None})
    traces += regard.beam(model, sentences, 3) + regard.sample(model, sentences[0], 3)
    readings = ("weights",) if model.network.heads() else ("weights", "posterior", "posterior-hmm")
    return [traces, [regard.align(model, "the red car", "la voiture rouge", reading) for reading in readings]]


if __name__ == "__main__":
    import numpy as np

    import regard

    (here, links), name = results(regard.load(sys.argv[1])), sys.argv[1]
    with There():
        model = regard.load(name, device="privateuseone:0")
        assert str(model.network.device) == "privateuseone:0"
        there, other_links = results(model)
    assert links == other_links
    assert [trace.text for trace in here] == [trace.text for trace in there]
    for one, other in zip(here, there, strict=True):
        for field, array in vars(one).items():
            if isinstance(array, np.ndarray):
                assert type(getattr(other, field)) is np.ndarray
                assert np.allclose(array, getattr(other, field), atol=1e-3), field
