"""Checkpoint of an unfinished training run: one safetensors file, written atomically; and runs that begin with others.

Weight averaging takes the mean of the parameters of several saves of a run, and of models that it began with. At a
constant learning rate the parameters move around a good point, and the mean of several saves is nearer to it than each
of them (Vaswani et al. 2017, section 6.1; Izmailov et al. 2018). A mean that includes the model a run began with keeps
more of what that model learned (Wortsman et al. 2022).

A warm start begins a run with the parameters of an already trained model. A network with input feeding (Luong et al.
2015, section 3.3) may begin from one without: the columns of the decoder's input matrix that read h̃ begin as zeros, so
that at first both compute the same numbers.
"""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import load, save

from regard.model.checkpoint import TOKENIZER, WEIGHTS, AnyModel, fingerprint
from regard.model.config import AnyConfig, Config
from regard.model.data.corpus import Pair
from regard.model.files import in_order, write_file
from regard.model.input_error import InputError
from regard.model.network import AnyNetwork
from regard.model.training.snapshots import Snapshots
from regard.model.training.trainer import NETWORK, Training

READS_INPUT = "decoder.cell.rnn.weight_ih_l0"


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
    kept = {"pairs": run.snapshots.pairs, "tokenizer": run.tokenizer, "vocabulary": run.vocabulary}
    notes = {"run": values, "text": run.text, "history": run.history, "losses": run.losses, **kept}
    path.parent.mkdir(parents=True, exist_ok=True)
    metadata = {name: json.dumps(value) for name, value in notes.items()}
    write_file(path, in_order(save(tensors | run.snapshots.stored(), metadata)))


def restore_run(run: TrainingRun, path: Path) -> None:
    """Resume a saved run. Raises InputError naming the file if it cannot be resumed.

    All processes call this, and the first one reads.
    """
    content = run.training.crew.first(path.read_bytes)
    try:
        tensors, notes = load(content), _notes(content)
        texts = notes["text"], run.text
        if differing := [name for name in texts[0] | texts[1] if texts[0].get(name) != texts[1].get(name)]:
            raise InputError(
                f"the text has changed since the run was saved ({'; '.join(differing)}); train on the same text, or "
                "begin anew with another --out"
            )
        pairs = tuple(Pair(*sides) for sides in notes["pairs"])
        if pairs != run.snapshots.pairs:
            raise InputError("the saved run watched other sentence pairs")
        run.training.restore(tensors, notes["run"])
        run.history, run.losses = notes["history"], notes["losses"]
        run.snapshots = run.snapshots.restored(tensors)
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
        sizes = f"--vocabulary {notes['vocabulary']} there and {vocabulary} here"
        raise InputError(f"{path}: the saved run was begun with another vocabulary: {sizes}")
    return notes.get("tokenizer", "")


def _notes(content: bytes) -> dict[str, Any]:
    """Return the metadata of a safetensors file, which begins with the length of its header in 8 bytes and
    the header.
    """
    length = int.from_bytes(content[:8], "little")
    metadata = json.loads(content[8 : 8 + length])["__metadata__"]
    return {name: json.loads(text) for name, text in metadata.items()}


def average(network: AnyNetwork, paths: Sequence[Path]) -> dict[str, Any]:
    """Give the network the mean parameters of saved runs and of model folders, each counted once. Return the update of
    each save, and the fingerprint of each model by its folder's name. Raises InputError naming a file that is not a
    save or model of this network, or an update that is given twice."""
    sums = {name: torch.zeros_like(value, dtype=torch.float64) for name, value in network.state_dict().items()}
    updates, models = [], {}
    for path in paths:
        prefix, weights = ("", path / WEIGHTS) if path.is_dir() else (NETWORK, path)
        try:
            with safe_open(weights, framework="pt") as file:
                for name in sums:
                    sums[name] += file.get_tensor(f"{prefix}{name}")
                if path.is_dir():
                    models[path.absolute().name] = fingerprint(path)
                else:
                    updates.append(json.loads(file.metadata()["run"])["update"])
        except (OSError, SafetensorError, RuntimeError, KeyError, TypeError, ValueError) as error:
            raise InputError(f"{path}: neither a save of this run nor a model like it ({error})") from error
    if len(set(updates)) + len(models) < len(paths):
        raise InputError(f"of {len(paths)} saves and models some are the same; each must be given once")
    network.load_state_dict({name: (total / len(paths)).to(torch.float32) for name, total in sums.items()})
    return {"updates": sorted(updates), "models": models}


def warm_start(network: AnyNetwork, earlier: AnyModel) -> None:
    """Copy the earlier model's parameters into the network. Raises InputError if they do not fit."""
    parameters = {name: value.clone() for name, value in earlier.network.state_dict().items()}
    expected = network.state_dict()
    if _feeds(network) and not _feeds(earlier.network) and READS_INPUT in parameters:
        narrow, columns = parameters[READS_INPUT], expected[READS_INPUT].shape[1]
        zeros = narrow.new_zeros(len(narrow), max(0, columns - narrow.shape[1]))
        parameters[READS_INPUT] = torch.cat([narrow, zeros], dim=1)
    shapes, wanted = ({name: value.shape for name, value in each.items()} for each in (parameters, expected))
    if shapes != wanted:
        raise InputError(f"{earlier.folder} is another network: {_differences(earlier, network.config)}")
    network.load_state_dict(parameters)


def _differences(earlier: AnyModel, config: AnyConfig) -> str:
    """Name the options by which two networks differ."""
    theirs, mine = ({"network": "recurrent", **asdict(one)} for one in (earlier.config, config))
    names = [name for name in mine if name not in ("languages", "dropout") and mine[name] != theirs.get(name)]
    if "network" in names:
        names = ["network"]
    differing = ", ".join(f"--{name.replace('_', '-')} {theirs[name]} there and {mine[name]} here" for name in names)
    return differing + f"; --tokenizer {earlier.folder / TOKENIZER} has the same" * ("vocabulary" in names)


def _feeds(network: AnyNetwork) -> bool:
    return isinstance(network.config, Config) and network.config.input_feeding
