"""Memories of the models on offer: states met in training, and counts of words, read once for all visitors."""

from collections.abc import Sequence

from regard.app.models.models import any_pretrained
from regard.app.models.result_cache import remembered
from regard.app.models.traces import encoding
from regard.model.files import belongs_to
from regard.model.memory import datastore_file
from regard.model.memory import occurrences as occurrences_file
from regard.model.memory.datastore import Datastore
from regard.model.memory.interpolation import Interpolation, write
from regard.model.memory.occurrences import Occurrences
from regard.model.trace import AnyTrace
from regard.model.translate import force_ids


@remembered(1)
def remembers(name: str) -> bool:
    """Return True if a model has a memory, without reading its contents."""
    loaded = any_pretrained(name)
    return belongs_to(loaded.folder / datastore_file.MEMORY, loaded.fingerprint)


@remembered(64, "Reading what the model met in training")
def memory(name: str) -> Datastore | None:
    """Return the states that a model met in training, or None if they were not kept."""
    loaded = any_pretrained(name)
    return datastore_file.load(loaded.folder, loaded.fingerprint)


@remembered(32)
def occurrences(name: str) -> Occurrences | None:
    """Return how often words and tokens occur in a model's training text, or None if not counted."""
    loaded = any_pretrained(name)
    return occurrences_file.load(loaded.folder, loaded.fingerprint)


@remembered(8, "Translating with the memory's help")
def helped(name: str, sentence: str, share: float) -> str:
    """Return the greedy translation by the mixture of model and memory; "" for a model that has no memory."""
    store, loaded = memory(name), any_pretrained(name)
    if store is None:
        return ""
    (ids,) = write(loaded, store, [encoding(name, sentence, 0)], Interpolation(share))
    return loaded.tokenizer.decode(ids)


@remembered(16)
def moments(name: str, entries: tuple[int, ...]) -> Sequence[AnyTrace]:
    """Return the traces of the sentences behind entries of a memory, each forced to its translation."""
    store, loaded = memory(name), any_pretrained(name)
    if store is None:
        return ()
    met = [store.moment(entry) for entry in entries]
    sources = [loaded.tokenizer.read(one.source, loaded.tokenizer.languages[0]) for one in met]
    return tuple(force_ids(loaded, sources, [one.target for one in met]))
