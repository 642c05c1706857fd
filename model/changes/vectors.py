"""Vectors that a person reads or replaces: h_i, and of a decoder step s_t, c_t, h̃_t and the output z_t of each head.

A head of a Transformer is named as in `head_changes`; its vector is z_t = Σ_i α_ti v_i, before W_O. A replaced vector
affects everything after it, in its own step and in later ones; the gates and weights before it remain the model's own.
A replaced annotation is what the decoder gets; the encoder's own states and layers do not change with it.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any

import numpy as np
import torch
from jaxtyping import Float
from numpy import ndarray
from torch import Tensor

from regard.model.attention import VectorPlace, Vectors
from regard.model.changes.head_changes import head_places
from regard.model.changes.intervention import ANNOTATION, GREATEST, Intervention
from regard.model.input_error import InputError, PlaceError
from regard.model.network import AnyMemory, AnyNetwork

HEAD = "head"
NO_HOOKS: Mapping[str, "Hook"] = MappingProxyType({})
Hook = Callable[..., Any]  # (step or source position, vector), for "head" its name too; returns None or another vector


class HookedVectors:
    """The vectors of one translation while it is decoded: replaced by the intervention, then passed to hooks."""

    def __init__(self, hooks: Mapping[str, Hook], changes: Intervention, sizes: Mapping[str, int]) -> None:
        if unknown := [name for name in hooks if name not in sizes]:
            raise InputError(f"hooks: {unknown[0]!r} names no vector of this model; it has {', '.join(sizes)}")
        self._hooks = hooks
        rows: list[tuple[VectorPlace, int, tuple[float, ...]]] = [
            *changes.vectors,
            *((row[:3], *row[3:]) for row in changes.head_vectors),
        ]
        for place, step, values in rows:
            name = place if isinstance(place, str) else HEAD
            if len(values) != sizes.get(name):
                problem = f": there are {len(values)} components; the model has {sizes.get(name, 'no such vector')}"
                raise PlaceError(_at(place, step), problem)
        self._replaced = {(place, step): values for place, step, values in rows}

    def annotated(self, network: AnyNetwork, memory: AnyMemory) -> AnyMemory:
        """Return the memory of one sentence with its annotations replaced; the memory itself if none is."""
        rows = memory.annotations[0].unbind()
        passed = [self.at(position)(ANNOTATION, row) for position, row in enumerate(rows)]
        unchanged = all(new is row for new, row in zip(passed, rows, strict=True))
        return memory if unchanged else network.annotated(memory, torch.stack(passed).unsqueeze(0))

    def at(self, step: int) -> Vectors:
        """Return the function to which each vector of this step, or annotation of this position, is passed."""

        def passed(place: VectorPlace, own: Tensor) -> Tensor:
            given = self._replaced.get((place, step))
            vector = own if given is None else torch.tensor(given, dtype=own.dtype).reshape(own.shape)
            hook = self._hooks.get(place if isinstance(place, str) else HEAD)
            if hook is None:
                return vector
            shown = vector.flatten().numpy().copy()
            shown.setflags(write=False)
            returned = hook(step, shown) if isinstance(place, str) else hook(step, shown, place)
            if returned is None:
                return vector
            new = _checked(_at(place, step), returned, shown)
            if new.tobytes() == shown.tobytes():
                return vector
            self._replaced[place, step] = tuple(new.tolist())
            return torch.from_numpy(new).reshape(own.shape)

        return passed

    @property
    def any(self) -> bool:
        """Return True if a vector is read or replaced."""
        return bool(self._hooks or self._replaced)

    def recorded(self, changes: Intervention) -> Intervention:
        """Return the intervention with every vector that was replaced."""
        found = [(place, step, values) for (place, step), values in self._replaced.items()]
        plain = tuple((place, step, values) for place, step, values in found if isinstance(place, str))
        heads = tuple((*place, step, values) for place, step, values in found if not isinstance(place, str))
        return replace(changes, vectors=plain, head_vectors=heads)


def _at(place: VectorPlace, step: int) -> dict[str, int]:
    if not isinstance(place, str):
        return head_places(place) | {"step": step}
    return {f"{place}, {'source token' if place == ANNOTATION else 'step'}": step}


def _checked(where: dict[str, int], returned: Any, own: Float[ndarray, " N"]) -> Float[ndarray, " N"]:
    """Return a hook's result as an array of the vector's type. Raises InputError naming the expected shape."""
    try:
        given = np.asarray(returned)
    except (TypeError, ValueError) as error:
        raise PlaceError(where, f": the hook returned no array ({error})") from error
    if given.dtype.kind not in "fiu" or given.shape != own.shape:
        problem = f": the hook returned {given.dtype} of shape {given.shape}; "
        raise PlaceError(where, f"{problem}the vector is {own.dtype} of {own.shape}")
    with np.errstate(over="ignore"):
        new = given.astype(own.dtype)
    beyond = new[~(np.abs(new) <= GREATEST)]  # NaN among them
    if len(beyond):
        raise PlaceError(where, f": the hook returned {beyond[0]:g}; accepted are numbers within ±{GREATEST:,.0f}")
    return new
