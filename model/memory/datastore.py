"""Datastore for nearest-neighbour search: states met in training, and the token after each. Khandelwal et al. (2021).

An entry is a pair (h̃_t, y_t) of one step: the vector that the output layer reads while the model is forced to write a
training sentence, and the sentence's next token. Vectors are stored as coordinates on their principal axes, rounded to
whole multiples of `step`. Distances are Euclidean, between a query's coordinates and the stored ones. The file
`memory.safetensors` beside a model's weights has the hash of that model; xz packs the rounded coordinates axis by axis:
most are small, so they take fewer than eight bits each.

Translation mixes the model's probabilities with those of its k nearest entries (kNN-MT, equations 1 and 2):

    p_kNN(y) ∝ Σ_i [y_i = y] exp(−d_i² / τ)     p(y) = (1 − λ) p_model(y) + λ p_kNN(y)

d_i is the distance to the i-th of the k nearest entries, y_i the token that came next there, τ the temperature.
"""

import lzma
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
from jaxtyping import Float, Int, Shaped
from numpy import ndarray

from regard.model.autoregression import advance, empty
from regard.model.checkpoint import AnyModel
from regard.model.files import companion_content, read_companion, write_file
from regard.model.tokenizer import STOP, Encoding
from regard.model.translate import endings, read

MEMORY = "memory.safetensors"
_FILTERS = [{"id": lzma.FILTER_LZMA2, "preset": 1, "lc": 0, "lp": 0, "pb": 0}]
FRONT = 96  # axes on which every entry's distance is computed, a lower bound of the whole distance
FIRST = 8  # times k: the entries with the lowest bounds, whose k-th distance limits the search
SLACK = 1e-4  # of the largest square: the rounding error of a distance in float32
SHOWN, NEIGHBOURS = 8, 32  # nearest entries that are shown, and whose next tokens vote
TEMPERATURE = 10.0  # τ of the votes


class Neighbours(NamedTuple):
    """The nearest entries of each query, nearest first; equal distances are in the order of the entries."""

    entries: Int[ndarray, "Q k"]
    squares: Float[ndarray, "Q k"]  # squared distances

    @property
    def distances(self) -> Float[ndarray, "Q k"]:
        return np.sqrt(self.squares)


class MetMoment(NamedTuple):
    """The origin of an entry: a sentence pair as ids, with `</s>`, and the step (from 0) that writes the next token."""

    source: tuple[int, ...]
    target: tuple[int, ...]
    step: int


@dataclass(frozen=True, eq=False)
class Datastore:
    """States met in training. All steps of a sentence are kept, so `next_ids` are the target sentences in a row."""

    mean: Float[ndarray, " A"]
    directions: Float[ndarray, "K A"]  # of length 1, the one of most variance first
    step: float  # to which coordinates are rounded
    codes: Shaped[ndarray, "N K"]  # int8: coordinates in steps
    next_ids: Int[ndarray, " N"]
    starts: Int[ndarray, " P1"]  # of each target in `next_ids`, and the end of the last
    source_ids: Int[ndarray, " L"]  # source sentences in a row, without `</s>`
    source_starts: Int[ndarray, " P1"]
    far: float  # the distance from which a state counts as unlike any met in training
    pairs: int  # in the training text, from which the kept sentences are chosen, evenly spaced

    def __len__(self) -> int:
        return len(self.next_ids)

    @property
    def sentences(self) -> int:
        return len(self.starts) - 1

    @cached_property
    def _front(self) -> tuple[Float[ndarray, "N F"], Float[ndarray, " N"]]:
        """Return the first coordinates of all entries, and their squared lengths."""
        front = self.codes[:, :FRONT].astype(np.float32) * np.float32(self.step)
        return front, np.einsum("nf,nf->n", front, front)

    def coordinates(self, vectors: Float[ndarray, "Q A"]) -> Float[ndarray, "Q K"]:
        return ((vectors - self.mean) @ self.directions.T).astype(np.float32)

    def nearest(self, vectors: Float[ndarray, "Q A"], k: int) -> Neighbours:
        """Return the k nearest entries of each vector, exactly, by partial distances (Bei and Gray 1985)."""
        queries, k = self.coordinates(vectors), min(k, len(self))
        front, squares = self._front
        lengths = np.einsum("qf,qf->q", queries[:, :FRONT], queries[:, :FRONT])
        bounds = squares - 2 * (queries[:, :FRONT] @ front.T) + lengths[:, None]
        found = [self._nearest(query, bound, k) for query, bound in zip(queries, bounds, strict=True)]
        entries, exact = (np.array([one[part] for one in found]).reshape(-1, k) for part in (0, 1))
        return Neighbours(entries.astype(np.int64), exact.astype(np.float32))

    def _nearest(self, query: Float[ndarray, " K"], bound: Float[ndarray, " N"], k: int) -> tuple[ndarray, ndarray]:
        """Measure the entries with the lowest bounds, then all whose bound is not above the k-th distance found."""
        some = min(FIRST * k, len(bound))
        first = np.argpartition(bound, some - 1)[:some]
        reach = np.sort(self._squares(query, first))[k - 1] + SLACK * max(1.0, float(bound.max()))
        entries = np.flatnonzero(bound <= reach)
        exact = self._squares(query, entries)
        order = np.lexsort((entries, exact))[:k]
        return entries[order], exact[order]

    def _squares(self, query: Float[ndarray, " K"], entries: Int[ndarray, " n"]) -> Float[ndarray, " n"]:
        difference = self.codes[entries].astype(np.float32) * np.float32(self.step) - query
        return np.einsum("nk,nk->n", difference, difference)

    def moment(self, entry: int) -> MetMoment:
        """Return the sentence pair and the step of an entry."""
        pair = int(np.searchsorted(self.starts, entry, side="right")) - 1
        start, end = self.starts[pair : pair + 2]
        source = self.source(pair)
        return MetMoment(source, tuple(self.next_ids[start:end].tolist()), int(entry - start))

    def source(self, pair: int) -> tuple[int, ...]:
        """Return a source sentence as ids, without `</s>`."""
        return tuple(self.source_ids[slice(*self.source_starts[pair : pair + 2])].tolist())


def packed(codes: Shaped[ndarray, "N K"]) -> bytes:
    return lzma.compress(np.ascontiguousarray(codes.T).tobytes(), filters=_FILTERS)


def content(store: Datastore, fingerprint: str) -> bytes:
    """Return the bytes of the file, for the model whose files have this hash."""
    tensors = {
        "mean": store.mean.astype(np.float32),
        "directions": store.directions.astype(np.float32),
        "codes": np.frombuffer(packed(store.codes), dtype=np.uint8),
        "next_ids": _compact(store.next_ids),
        "starts": store.starts.astype(np.uint32),
        "source_ids": _compact(store.source_ids),
        "source_starts": store.source_starts.astype(np.uint32),
    }
    return companion_content(tensors, fingerprint, step=repr(store.step), far=repr(store.far), pairs=store.pairs)


def save(store: Datastore, fingerprint: str, folder: Path) -> int:
    """Write the file and return its size in bytes."""
    written = content(store, fingerprint)
    write_file(folder / MEMORY, written)
    return len(written)


def load(folder: Path, fingerprint: str) -> Datastore | None:
    """Read the memory beside a model; None if it is missing, broken or for other weights."""
    return read_companion(folder / MEMORY, fingerprint, _datastore)


def _datastore(tensors: dict[str, ndarray], facts: Mapping[str, str]) -> Datastore:
    axes, entries = len(tensors["directions"]), len(tensors["next_ids"])
    by_axis = np.frombuffer(lzma.decompress(tensors["codes"].tobytes()), dtype=np.int8).reshape(axes, entries)
    places = {name: tensors[name].astype(np.int64) for name in ("starts", "source_starts", "next_ids", "source_ids")}
    if places["starts"][-1] != entries or places["source_starts"][-1] != len(places["source_ids"]):
        raise ValueError("its sentences do not fit its entries")
    return Datastore(
        mean=tensors["mean"],
        directions=tensors["directions"],
        codes=np.ascontiguousarray(by_axis.T),
        step=float(facts["step"]),
        far=float(facts["far"]),
        pairs=int(facts["pairs"]),
        **places,
    )


def _compact(ids: Int[ndarray, " N"]) -> Shaped[ndarray, " N"]:
    """Return ids as two bytes each, or four for a large vocabulary."""
    return ids.astype(np.uint16 if ids.max(initial=0) < 2**16 else np.uint32)


def votes(found: Neighbours) -> Float[ndarray, "Q k"]:
    """Return the weight of each neighbour, exp(−d²/τ) divided by the sum over all."""
    powers = np.exp((found.squares[:, :1] - found.squares).astype(np.float64) / TEMPERATURE)
    return powers / powers.sum(1, keepdims=True)


def mixed(
    probabilities: Float[ndarray, "Q V"], next_ids: Int[ndarray, "Q k"], weights: Float[ndarray, "Q k"], share: float
) -> Float[ndarray, "Q V"]:
    """Return (1 − λ) p_model + λ p_kNN."""
    mixture = (1 - share) * probabilities.astype(np.float64)
    np.add.at(mixture, (np.arange(len(mixture))[:, None], next_ids), share * weights)
    return mixture


@torch.inference_mode()
def write(model: AnyModel, store: Datastore, encodings: Sequence[Encoding], share: float) -> list[tuple[int, ...]]:
    """Translate greedily by the mixture, of which the memory has this share λ; return the ids of each translation, with
    `</s>` unless the limit ended it."""
    memory, limits = read(model, encodings)
    prefixes, tokens = empty(model.network, memory), []
    ended = torch.zeros(len(limits), dtype=torch.bool)
    for _ in range(max(limits)):
        step, logits = advance(model.network, prefixes)
        found = store.nearest(step.attentional.numpy(), NEIGHBOURS)
        mixture = mixed(logits.softmax(1).numpy(), store.next_ids[found.entries], votes(found), share)
        tokens.append(torch.from_numpy(mixture[:, STOP:].argmax(1) + STOP))
        ended |= tokens[-1] == STOP
        if ended.all():
            break
        prefixes = prefixes._replace(fed=tokens[-1], carried=step.carried)
    return [ids for ids, _ in endings(tokens, limits)]
