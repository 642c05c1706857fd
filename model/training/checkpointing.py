"""Checkpoint of an unfinished training run: one safetensors file, written atomically."""

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from safetensors import SafetensorError
from safetensors.torch import load, save

from regard.model.data.corpus import Pair
from regard.model.files import in_order, write_file
from regard.model.input_error import InputError
from regard.model.training.snapshots import Snapshots
from regard.model.training.trainer import Training


@dataclass
class TrainingRun:
    """A training and its records so far. `text` identifies the training text by name, as SHA-256."""

    training: Training
    snapshots: Snapshots
    text: dict[str, str] = field(default_factory=dict)
    history: list[dict[str, int | float]] = field(default_factory=list)
    losses: list[float] = field(default_factory=list)  # of the updates since the log's last row
    tokenizer: str = ""  # the vocabulary as the text of its file, and the requested size
    vocabulary: int = 0


def save_run(run: TrainingRun, path: Path) -> None:
    """Write everything needed to resume a run. All processes call this, and the first one writes."""
    tensors, values = run.training.state()
    if not run.training.crew.leads:
        return
    seen, moments = run.snapshots.stored()
    kept = {"pairs": run.snapshots.pairs, "moments": moments, "tokenizer": run.tokenizer, "vocabulary": run.vocabulary}
    notes = {"run": values, "text": run.text, "history": run.history, "losses": run.losses, **kept}
    path.parent.mkdir(parents=True, exist_ok=True)
    metadata = {name: json.dumps(value) for name, value in notes.items()}
    write_file(path, in_order(save(tensors | seen, metadata)))


def restore_run(run: TrainingRun, path: Path) -> None:
    """Resume a saved run. Raises InputError naming the file if it cannot be resumed.

    All processes call this, and the first one reads.
    """
    content = run.training.crew.first(path.read_bytes)
    try:
        tensors, notes = load(content), _notes(content)
        _same_text(notes["text"], run.text)
        pairs = tuple(Pair(*sides) for sides in notes["pairs"])
        if pairs != run.snapshots.pairs:
            raise InputError("the saved run watched other sentence pairs")
        run.training.restore(tensors, notes["run"])
        run.history, run.losses = notes["history"], notes["losses"]
        run.snapshots = run.snapshots.restored(tensors, notes["moments"])
    except (SafetensorError, KeyError, TypeError, AttributeError, RuntimeError) as error:
        raise InputError(f"{path}: not an unfinished run of this version ({error})") from error
    except ValueError as error:
        raise InputError(f"{path}: {error}") from error


def kept_tokenizer(path: Path, vocabulary: int) -> str:
    """Return the vocabulary of a saved run as the text of its file, or "" if there is no run or it did not keep one.

    Raises InputError if the run began with another requested size of vocabulary.
    """
    try:
        notes = _notes(path.read_bytes()) if path.is_file() else {}
    except (ValueError, LookupError, TypeError):
        return ""  # `restore_run` reports the error
    if notes.get("tokenizer") and notes["vocabulary"] != vocabulary:
        asked = f"--vocabulary {notes['vocabulary']} there and {vocabulary} here"
        raise InputError(f"{path}: the saved run was begun with another vocabulary: {asked}")
    return notes.get("tokenizer", "")


def _notes(content: bytes) -> dict[str, Any]:
    """Return the metadata of a safetensors file, which begins with the length of its header in 8 bytes and
    the header.
    """
    length = int.from_bytes(content[:8], "little")
    metadata = json.loads(content[8 : 8 + length])["__metadata__"]
    return {name: json.loads(text) for name, text in metadata.items()}


def _same_text(there: dict[str, str], here: dict[str, str]) -> None:
    if there == here:
        return
    differing = [name for name in {**there, **here} if there.get(name) != here.get(name)]
    raise InputError(
        f"the text has changed since the run was saved ({'; '.join(differing)}); train on the same text, or "
        "begin anew with another --out"
    )
