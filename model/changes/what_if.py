"""Counterfactual translation: the same model translates a sentence with an intervention.

The words of the source are changed before it is read. At each step attention is steered, and a token is written: the
forced one if any, else the likeliest. No state is kept between calls: without changes the result is the model's own
translation, bit for bit.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any

import numpy as np
import torch
from jaxtyping import Float, Int
from numpy import ndarray
from torch import Tensor

from regard.model.attention import NO_STEERING, HeadChange, Steering, VectorPlace, Vectors
from regard.model.autoregression import likeliest
from regard.model.changes.intervention import ANNOTATION, GREATEST, UNTOUCHED, Intervention, head_places
from regard.model.changes.rewording import changed_text
from regard.model.checkpoint import AnyModel, AnyPretrained
from regard.model.input_error import InputError, PlaceError, naming
from regard.model.network import AnyMemory, AnyNetwork, TraceT
from regard.model.readable import LINE_TOKENS
from regard.model.reference.formulas import NumpyHeadChange
from regard.model.tokenizer import STOP
from regard.model.tracing import Decoding, keep, record
from regard.model.translate import decode, endings, of_nothing, read

HEAD = "head"
NO_HOOKS: Mapping[str, "Hook"] = MappingProxyType({})
Hook = Callable[..., Any]
"""A function of step or source position and vector, for "head" of its name too; returns None or another vector."""


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
            vector = own if given is None else torch.tensor(given).to(own).reshape(own.shape)
            hook = self._hooks.get(place if isinstance(place, str) else HEAD)
            if hook is None:
                return vector
            shown = vector.flatten().numpy(force=True).copy()
            shown.setflags(write=False)
            returned = hook(step, shown) if isinstance(place, str) else hook(step, shown, place)
            if returned is None:
                return vector
            new = _checked(_at(place, step), returned, shown)
            if new.tobytes() == shown.tobytes():
                return vector
            self._replaced[place, step] = tuple(new.tolist())
            return torch.from_numpy(new).to(own).reshape(own.shape)

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


@torch.inference_mode()
def translate(
    model: AnyPretrained[TraceT],
    sentence: str,
    intervention: Intervention = UNTOUCHED,
    given: str = "",
    hooks: Mapping[str, Hook] = NO_HOOKS,
) -> TraceT:
    """Return the trace of one translation. `given` is a person's translation: its tokens are written up to the first
    one that the intervention forces; the model writes the rest. `hooks` receive the vectors that they name, and their
    replacements become part of the trace's intervention. Raises InputError naming the place and the reason if the
    intervention does not fit this sentence, or a hook does not fit the model."""
    languages = model.tokenizer.languages
    source = model.tokenizer.encode(reworded(model, sentence, intervention), languages[0])
    if intervention.words and len(source.ids) > LINE_TOKENS:
        problem = f"with its changed words the sentence has {len(source.ids)} tokens"
        raise InputError(f"{problem}; accepted are up to {LINE_TOKENS}")
    positions = len(source.ids) + 1
    intervention.check_heads(model.network.heads(), np.ones(positions, dtype=bool))
    memory, (most,) = read(model, [source], _heads(intervention.heads("encoder", (positions, positions))))
    intervention.check(memory.mask[0].numpy(force=True), range(STOP, len(model.tokenizer)))
    forced, whole = dict(intervention.tokens), bool(given) and not intervention.tokens
    own = (*model.tokenizer.encode(given, languages[1]).ids, STOP) if given else ()
    written = dict(enumerate(own[: min(forced, default=len(own))])) | forced  # tokens by step
    limits = [len(written) if whole else max(most, len(written))]
    vectors = HookedVectors(hooks, intervention, model.network.vector_sizes())
    memory = vectors.annotated(model.network, memory)

    def choose(step: int, logits: Float[Tensor, "B V"]) -> Int[Tensor, " B"]:
        return torch.tensor([written[step]]) if step in written else likeliest(step, logits)

    def steering(step: int) -> Steering:
        changed = _steering(intervention, step, positions)
        return replace(changed, vectors=vectors.at(step)) if vectors.any else changed

    steps = [keep(one) for one in decode(model, memory, limits, choose, steering)]
    ((ids, stop),) = endings([kept.tokens for kept in steps], limits)
    intervention.check_end(len(ids))
    intervention = vectors.recorded(intervention)
    decoding = Decoding(source, ids, "forced" if whole else stop)
    return record(model, [decoding], memory, model.network.start(memory), steps, intervention)[0]


def reworded(model: AnyModel, sentence: str, intervention: Intervention) -> str:
    """Return the sentence with its changed words. Raises InputError for a word that it does not have."""
    plain = model.tokenizer.encode(sentence, model.tokenizer.languages[0])
    return changed_text(plain, intervention.words)


def translate_each(
    model: AnyPretrained[TraceT], sentences: Mapping[int, str], intervention: Intervention, called: str
) -> Iterator[TraceT]:
    """Yield the trace of each numbered sentence; that of an empty one is empty. Raises InputError naming the first
    sentence, such as *item 3*, that the intervention does not fit."""
    for number, sentence in sentences.items():
        with naming(f"{called} {number}"):
            trace = translate(model, sentence, intervention) if sentence else of_nothing(model)
        yield trace


def _steering(intervention: Intervention, step: int, positions: int) -> Steering:
    """Return the changes of attention at one step as the network takes them."""
    steering = NO_STEERING
    if intervention.steers:
        row = intervention.steering(1, positions, step)
        steering = replace(steering, **{name: _tensor(getattr(row, name)) for name in Steering.OF_WEIGHTS})
    if not intervention.changes_heads:
        return steering
    own, cross = (intervention.heads(*place, step) for place in (("decoder", (1, step + 1)), ("cross", (1, positions))))
    return replace(steering, heads=_heads((*own, *cross)))


def _heads(changes: tuple[NumpyHeadChange, ...]) -> tuple[HeadChange, ...]:
    return tuple(
        HeadChange(one.attention, one.layer, one.head, _tensor(one.weights), _tensor(one.replaced)) for one in changes
    )


def _tensor(array: ndarray) -> Tensor:
    tensor = torch.from_numpy(array)
    return tensor if tensor.dtype == torch.bool else tensor.float()
