"""Snapshots of attention: the weights on a few fixed sentence pairs at a dozen moments of a training run.

The file `snapshots.npz` is written by the run that made the weights, and by nothing else. A run that continued from
another model's weights begins with the snapshots of that model's run.
"""

from collections.abc import Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, replace
from io import BytesIO
from itertools import starmap
from pathlib import Path
from typing import Any

import numpy as np
import torch
from jaxtyping import Float, Int, Shaped, jaxtyped
from numpy import ndarray
from torch import Tensor

from regard.model.alignment import Alignment
from regard.model.checkpoint import AnyModel
from regard.model.data.corpus import Pair
from regard.model.input_error import InputError
from regard.model.network import AnyNetwork
from regard.model.tokenizer import Tokenizer
from regard.model.trace import entropy
from regard.model.tracing import sentence
from regard.model.transformer.trace import TransformerTrace
from regard.model.translate import force, write

SNAPSHOTS = "snapshots.npz"
MOMENTS, WATCHED = 12, 8


@dataclass(frozen=True, eq=False)
class Snapshot:
    """One moment. The pairs are read with the given target, so that rows stay comparable across moments."""

    update: int
    weights: tuple[Float[ndarray, "_ _"], ...]  # per pair: T × S, the numbers of its own tokens, `</s>` included
    log_probabilities: tuple[float, ...]  # per target, in nats
    translations: tuple[str, ...]  # greedy translation of each source
    heads: tuple[Float[ndarray, "L N _ _"], ...] = ()  # for a Transformer: cross-attention of every layer and head


@dataclass(frozen=True)
class Snapshots:
    pairs: tuple[Pair, ...]
    moments: tuple[Snapshot, ...]  # by update

    def __post_init__(self) -> None:
        if not self.pairs:
            raise InputError("there are no sentence pairs to watch")

    def packed(self) -> bytes:
        """Return the file's bytes."""
        pairs, content = range(len(self.pairs)), BytesIO()
        arrays = {f"weights_{index}": np.stack([moment.weights[index] for moment in self.moments]) for index in pairs}
        if self.headed:
            arrays |= {f"heads_{index}": np.stack([moment.heads[index] for moment in self.moments]) for index in pairs}
        arrays |= {
            "sources": np.array([pair.source for pair in self.pairs]),
            "targets": np.array([pair.target for pair in self.pairs]),
            "updates": np.array([moment.update for moment in self.moments]),
            "log_probabilities": np.array([moment.log_probabilities for moment in self.moments]),
            "translations": np.array([moment.translations for moment in self.moments]),
        }
        np.savez_compressed(content, allow_pickle=False, **arrays)
        return content.getvalue()

    def save(self, path: Path) -> None:
        path.write_bytes(self.packed())

    @classmethod
    def load(cls, path: Path) -> "Snapshots":
        """Load the file. Raises InputError naming it if it is missing or not a snapshots file."""
        try:
            return cls.read(path.read_bytes())
        except OSError as error:
            raise InputError(f"{path}: no snapshots of a training run ({error})") from error
        except ValueError as error:
            raise InputError(f"{path}: {error}") from error

    @classmethod
    def read(cls, content: bytes) -> "Snapshots":
        """Build snapshots from the file's bytes. Raises InputError for other bytes."""
        try:
            with np.load(BytesIO(content), allow_pickle=False) as file:
                arrays = {name: file[name] for name in file.files}
            with jaxtyped("context"):  # so that all have P pairs at M moments
                for name, array in arrays.items():
                    expected: Any = _TYPES.get(name, _HEADS if name.startswith("heads_") else _WEIGHTS)
                    if not isinstance(array, expected) or (array.dtype.kind == "U") != (name in _TEXT):
                        wrong = f"an array of {array.dtype} and shape {array.shape}, which does not fit"
                        raise InputError(f"{name} is {wrong}")
            pairs = tuple(starmap(Pair, zip(arrays["sources"].tolist(), arrays["targets"].tolist(), strict=True)))
            updates, places = arrays["updates"].tolist(), range(len(pairs))
            weights = zip(*(arrays[f"weights_{index}"] for index in places), strict=True)
            heads = list(zip(*(arrays.get(f"heads_{index}", ()) for index in places), strict=True))
            texts = (map(tuple, arrays[name].tolist()) for name in ("log_probabilities", "translations"))
            moments = zip(updates, weights, *texts, heads or [()] * len(updates), strict=True)
            return cls(pairs, tuple(starmap(Snapshot, moments)))
        except Exception as error:  # NumPy's reader raises many kinds of error for a damaged file
            raise InputError(f"no snapshots of a training run ({error})") from error

    def with_moment(self, moment: Snapshot) -> "Snapshots":
        return replace(self, moments=(*self.moments, moment))

    def after(self, earlier: "Snapshots") -> "Snapshots":
        """Append the snapshots of a run to those of the run it continued; its updates count on from the earlier ones.
        Raises InputError if the two watched different pairs."""
        if self.pairs != earlier.pairs:
            raise InputError("the earlier run watched other sentence pairs")
        begun = earlier.moments[-1].update
        counted = (replace(moment, update=begun + moment.update) for moment in self.moments)
        return replace(self, moments=(*earlier.moments, *counted))

    def stored(self) -> dict[str, Tensor]:
        """Return the moments as the file of an unfinished run keeps them: the bytes of `snapshots.npz`, if any."""
        return {SNAPSHOTS: torch.frombuffer(bytearray(self.packed()), dtype=torch.uint8)} if self.moments else {}

    def restored(self, tensors: Mapping[str, Tensor]) -> "Snapshots":
        """Return the snapshots of these pairs from what `stored` returned."""
        kept = tensors.get(SNAPSHOTS)
        return replace(self, moments=() if kept is None else Snapshots.read(kept.numpy().tobytes()).moments)

    @property
    def headed(self) -> bool:
        """True if the heads of a Transformer are kept separately."""
        return any(moment.heads for moment in self.moments)

    def of_head(self, layer: int, head: int) -> "Snapshots":
        """Return the snapshots with the weights of one head of a Transformer's cross-attention, in float32."""
        moments = []
        for moment in self.moments:
            weights = tuple(pair[layer, head].astype(np.float32) for pair in moment.heads)
            moments.append(replace(moment, weights=weights))
        return replace(self, moments=tuple(moments))

    def alignment(self, index: int, moment: int, tokenizer: Tokenizer) -> Alignment:
        """Return the alignment of one pair at one moment. Raises InputError if the tokenizer is not the run's own."""
        source, target = (
            sentence(tokenizer, tokenizer.encode(text, language), language, ended=True)
            for text, language in zip(self.pairs[index], tokenizer.languages, strict=True)
        )
        return Alignment(source, target, self.moments[moment].weights[index])

    def entropies(self, index: int) -> Float[ndarray, " M"]:
        """Return the mean entropy of the attention on one pair at each moment, in bits, as a trace has it."""
        return np.array([entropy(moment.weights[index]).mean() for moment in self.moments])

    def losses(self, index: int) -> Float[ndarray, " M"]:
        """Return the loss of one pair's target at each moment, in nats per token, which training reduces."""
        return np.array(
            [-moment.log_probabilities[index] / len(moment.weights[index]) for moment in self.moments], dtype=np.float64
        )


_TYPES: dict[str, Any] = {
    "sources": Shaped[ndarray, " P"],
    "targets": Shaped[ndarray, " P"],
    "updates": Int[ndarray, " M"],
    "log_probabilities": Float[ndarray, "M P"],
    "translations": Shaped[ndarray, "M P"],
}
_WEIGHTS: Any = Float[ndarray, "M _ _"]  # on one pair
_HEADS: Any = Float[ndarray, "M L N _ _"]
_TEXT = ("sources", "targets", "translations")


def moments(updates: int) -> set[int]:
    """Return the updates to take snapshots after: dense early, when most is learned, and the last."""
    return {1 + round((updates - 1) * (place / (MOMENTS - 1)) ** 3) for place in range(MOMENTS)}


def watched(pairs: Sequence[Pair]) -> list[Pair]:
    """Return some pairs evenly spread by length, short to long."""
    ordered = sorted(set(pairs), key=lambda pair: (len(pair.source), pair))
    places = np.linspace(0, len(ordered) - 1, min(WATCHED, len(ordered)))
    return [ordered[round(place)] for place in places]


def look(network: AnyNetwork, tokenizer: Tokenizer, pairs: Sequence[Pair], update: int) -> Snapshot:
    """Record the network's attention, probabilities and translations on the pairs."""
    still = deepcopy(network).cpu().eval()
    model = AnyModel("", Path(), network.config, tokenizer, still, "")
    traces = force(model, pairs)
    return Snapshot(
        update,
        tuple(trace.weights for trace in traces),
        tuple(trace.log_probability for trace in traces),
        tuple(write(model, [pair.source for pair in pairs])),
        tuple(
            trace.cross_attention.weights.astype(np.float16) for trace in traces if isinstance(trace, TransformerTrace)
        ),
    )
