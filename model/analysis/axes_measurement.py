"""Measurement of a model's principal axes, from the vectors of its translations of ordinary sentences."""

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TypeVar

from jaxtyping import Float
from numpy import ndarray

from regard.model.checkpoint import Pretrained
from regard.model.principal_axes import ModelAxes, Moments, save_axes
from regard.model.trace import Trace
from regard.model.transformer.checkpoint import load_any
from regard.model.translate import BATCH, translate

Item = TypeVar("Item")
SENTENCES = 2000  # about 19,000 annotations, many times the 512 components of one

VECTORS: dict[str, Callable[[Trace], Float[ndarray, "N E"]]] = {
    "annotation": lambda trace: trace.annotations,  # contexts use the same axes
    "forwards": lambda trace: trace.annotations[:, : trace.annotations.shape[1] // 2],
    "backwards": lambda trace: trace.annotations[:, trace.annotations.shape[1] // 2 :],
    "state": lambda trace: trace.states,
    "cell": lambda trace: trace.cells,
    "attentional": lambda trace: trace.attentional,
    "embedding": lambda trace: trace.embeddings,
    "fed_embedding": lambda trace: trace.fed_embeddings,
}


def measure_folder(
    folder: Path,
    sentences: Sequence[str],
    progress: Callable[[Iterable[int]], Iterable[int]] = iter,
    out: Path | None = None,
) -> ModelAxes:
    """Write the axes of every kind of vector that a folder's model has, over its translations of the sentences, to
    `out`, by default beside its weights; a Transformer has none, so nothing is written. `progress` wraps the iteration
    over batches, and may draw a progress bar."""
    model = load_any(folder)
    if not isinstance(model, Pretrained):
        return {}
    moments: dict[str, Moments] = {}
    for start in progress(range(0, len(sentences), BATCH)):
        for trace in translate(model, sentences[start : start + BATCH]):
            for kind, vectors in VECTORS.items():
                found = vectors(trace)
                moments.setdefault(kind, Moments(found.shape[1])).add(found)
    axes = {kind: one.axes() for kind, one in moments.items() if one.width}
    save_axes(axes, model.fingerprint, len(sentences), out or folder)
    return axes


def evenly(items: Sequence[Item], most: int = SENTENCES) -> list[Item]:
    """Return at most `most` of the items, such as sentences, evenly spaced."""
    count = min(most, len(items))
    return [items[place * len(items) // count] for place in range(count)]
