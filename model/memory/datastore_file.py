"""File of a datastore: `memory.safetensors` beside a model's weights, with the hash of that model.

The rounded coordinates are packed by xz, axis by axis: most are small, so they take fewer than eight bits each.
"""

import lzma
from collections.abc import Mapping
from pathlib import Path

import numpy as np
from jaxtyping import Int, Shaped
from numpy import ndarray

from regard.model.files import companion_content, read_companion, write_file
from regard.model.memory.datastore import Datastore

MEMORY = "memory.safetensors"
_FILTERS = [{"id": lzma.FILTER_LZMA2, "preset": 1, "lc": 0, "lp": 0, "pb": 0}]


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
