"""Making a datastore: the model is forced to write training sentences, and the state of every step is kept.

Coordinates are rounded as coarsely as the recall of the ten nearest allows. Then as many sentences, evenly spaced over
the text, are kept as fit into the file. Recall is the share of the ten truly nearest entries, by the vectors as the
network computed them, that are among the ten that the rounded datastore finds. It is measured on states of held-out
text, as is the distance within which ordinary text lies.
"""

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import torch
from jaxtyping import Float
from numpy import ndarray

from regard.model.analysis.axes_measurement import evenly
from regard.model.checkpoint import AnyModel
from regard.model.data.corpus import TRAINING_TOKENS, Corpus, Pair
from regard.model.input_error import InputError
from regard.model.memory.datastore import NEIGHBOURS, Datastore, content
from regard.model.seq2seq import pad
from regard.model.tokenizer import START

TEN = 10
RECALL = 0.9  # the least that is accepted
MEASURED = 200  # queries that measure recall
TIMED = 50
ORDINARY = 0.95  # share of held-out steps whose nearest entry is not counted as far
BATCH = 64  # sentences forced together
ENTRY_BYTES = 90  # least bytes of an entry in the file, which limits the sentences that are read
SPARE = 0.01  # extra recall required, because it is measured before some sentences are dropped
FINEST = 8  # the finest step is the mean deviation of an axis divided by this
FILLED = 0.995  # share of the file's limit that is aimed for, because the packed size is known only afterwards
QUERIES = 2000  # steps of held-out text used as queries
Progress = Callable[[Iterable[int]], Iterable[int]]


class ForcedPair(NamedTuple):
    """A sentence pair as ids, and the state of each step at which the model was forced to write the target."""

    source: tuple[int, ...]
    target: tuple[int, ...]
    states: Float[ndarray, "T A"]


def make(
    model: AnyModel, training: Sequence[Pair], held_out: Sequence[Pair], most: int, progress: Progress = iter
) -> tuple[Datastore, dict[str, Any]]:
    """Return a datastore whose file has at most `most` bytes, and its scores, measured on states of held-out text.
    `progress` wraps the iteration over batches, and may draw a progress bar. Raises InputError if either text is empty
    or has only sentences that are too long, or if no sentence fits."""
    some, measured = write(model, evenly(training, 200)), write(model, evenly(held_out, QUERIES // 4))
    if not some or not measured:
        raise InputError(
            "a memory needs text to keep and held-out text to be measured on; this text is too small, or its sentences "
            f"have more than {TRAINING_TOKENS} tokens"
        )
    length = sum(len(one.target) for one in some) / len(some)
    written = _some_of(write(model, evenly(training, int(most / ENTRY_BYTES / length)), progress), most)
    queries = np.concatenate([one.states for one in measured])[:QUERIES]
    store = _rounded(written, queries, len(training))
    while (size := len(content(store, model.fingerprint))) > FILLED * most:
        written = _some_of(evenly(written, int(FILLED * most / size * len(written))), most)
        store = _datastore(written, store.mean, store.directions, store.step, store.pairs)
    store = replace(store, far=float(np.quantile(store.nearest(queries, 1).distances, ORDINARY)))
    return store, {
        "states": len(store),
        "sentence_pairs": store.sentences,
        "of_pairs": store.pairs,
        "axes": len(store.directions),
        "bytes": len(content(store, model.fingerprint)),
        "recall": round(recall(store, truly_nearest(_states(written), queries), queries), 4),
        "milliseconds": round(milliseconds(store, queries), 1),
        "far": round(store.far, 3),
    }


@torch.inference_mode()
def write(model: AnyModel, pairs: Sequence[Pair], progress: Progress = iter) -> list[ForcedPair]:
    """Force the model to write each target; a pair that is too long is left out."""
    corpus = Corpus(pairs, model.tokenizer)
    order = np.lexsort((corpus.lengths[:, 1], corpus.lengths[:, 0]))
    written: dict[int, ForcedPair] = {}
    for start in progress(range(0, len(order), BATCH)):
        chosen = order[start : start + BATCH].tolist()
        target = pad([corpus.targets[i] for i in chosen])
        fed = torch.cat([torch.full((len(chosen), 1), START), target[:, :-1]], dim=1)
        vectors = model.network.vectors(fed, model.network.encode(pad([corpus.sources[i] for i in chosen]))).numpy()
        for index, states in zip(chosen, vectors, strict=True):
            source, ids = corpus.sources[index][:-1].tolist(), corpus.targets[index].tolist()
            written[index] = ForcedPair(tuple(source), tuple(ids), states[: len(ids)].copy())
    return [written[index] for index in range(len(corpus))]


def _some_of(written: list[ForcedPair], most: int) -> list[ForcedPair]:
    """Return the pairs. Raises InputError if there are none."""
    if not written:
        raise InputError(f"a memory of {most:,} bytes holds no sentence of this text; allow more")
    return written


def _rounded(written: Sequence[ForcedPair], queries: Float[ndarray, "Q A"], pairs: int) -> Datastore:
    """Return a datastore on the principal axes, rounded as coarsely as the recall allows."""
    vectors = _states(written)
    values, directions = np.linalg.eigh(np.cov(vectors.T.astype(np.float64)))
    axes = np.ascontiguousarray(directions[:, ::-1].T).astype(np.float32)
    truly, deviation = truly_nearest(vectors, queries), float(np.sqrt(values.mean()))
    for finer in 2.0 ** np.arange(0.5, np.log2(FINEST), 0.25):
        store = _datastore(written, vectors.mean(0), axes, deviation / float(finer), pairs)
        if recall(store, truly, queries) >= RECALL + SPARE:
            return store
    return _datastore(written, vectors.mean(0), axes, deviation / FINEST, pairs)


def _states(written: Sequence[ForcedPair]) -> Float[ndarray, "N A"]:
    return np.concatenate([one.states for one in written])


def _datastore(
    written: Sequence[ForcedPair], mean: Float[ndarray, " A"], axes: Float[ndarray, "K A"], step: float, pairs: int
) -> Datastore:
    """Return a datastore with the sentences' states rounded to whole multiples of a step on the axes."""
    rounded = np.rint((_states(written) - mean) @ (axes.T / np.float32(step)))
    return Datastore(
        mean=mean,
        directions=axes,
        step=step,
        codes=np.clip(rounded, -127, 127).astype(np.int8),
        next_ids=np.array([index for one in written for index in one.target]),
        starts=np.cumsum([0, *(len(one.target) for one in written)]),
        source_ids=np.array([index for one in written for index in one.source], dtype=np.int64),
        source_starts=np.cumsum([0, *(len(one.source) for one in written)]),
        far=0.0,
        pairs=pairs,
    )


def recall(store: Datastore, truly: Sequence[set[int]], queries: Float[ndarray, "Q A"]) -> float:
    """Return the share of the truly nearest entries that the datastore finds, over the measured queries."""
    found = store.nearest(measuring(queries), TEN).entries.tolist()
    return float(np.mean([len(true & {*one}) / len(true) for true, one in zip(truly, found, strict=True)]))


def truly_nearest(vectors: Float[ndarray, "N A"], queries: Float[ndarray, "Q A"]) -> list[set[int]]:
    """Return the ten entries nearest to each measured query, by the vectors as the network computed them."""
    squares, ten = np.einsum("na,na->n", vectors, vectors), min(TEN, len(vectors))
    away = (squares - 2 * (vectors @ query) for query in measuring(queries))
    return [{*np.argpartition(one, ten - 1)[:ten].tolist()} for one in away]


def measuring(queries: Float[ndarray, "Q A"]) -> Float[ndarray, "M A"]:
    return queries[:: max(1, len(queries) // MEASURED)]


def milliseconds(store: Datastore, queries: Float[ndarray, "Q A"]) -> float:
    """Return the median CPU time of a search, one state at a time, on one thread."""
    times = []
    for query in queries[: TIMED + 1]:
        began = time.process_time()
        store.nearest(query[None], NEIGHBOURS)
        times.append(1000 * (time.process_time() - began))
    return float(np.median(times[1:] or times))
