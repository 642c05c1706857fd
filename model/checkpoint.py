"""A folder is a model: `config.json`, `tokenizer.json` and `model.safetensors` (float16), nothing pickled.

Weights are read as float32. A file that is missing, cut short, of other shapes or holding NaN is refused by name.
"""

import hashlib
import json
import os
from dataclasses import dataclass
from pathlib import Path

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import load_file, save_file
from torch import Tensor

from model.config import Config
from model.seq2seq import Seq2Seq
from model.tokenizer import Tokenizer
from model.training import Training

CONFIG, TOKENIZER, WEIGHTS = "config.json", "tokenizer.json", "model.safetensors"


@dataclass(frozen=True)
class Pretrained:
    """A model ready to translate. `fingerprint` is the SHA-256 of its three files."""

    name: str
    folder: Path
    config: Config
    tokenizer: Tokenizer
    network: Seq2Seq
    fingerprint: str


def save(network: Seq2Seq, tokenizer: Tokenizer, folder: Path) -> None:
    """Write the three files of a model, each complete or not at all."""
    folder.mkdir(parents=True, exist_ok=True)
    network.config.save(folder / CONFIG)
    tokenizer.save(folder / TOKENIZER)
    halves = {name: value.detach().cpu().half().contiguous() for name, value in network.state_dict().items()}
    _replace(folder / WEIGHTS, halves, {})


def load(folder: Path | str, dtype: torch.dtype = torch.float32) -> Pretrained:
    """Read a model folder. Raises ValueError naming the file that is missing or wrong, and what is wrong with it."""
    folder = Path(folder)
    missing = [name for name in (CONFIG, TOKENIZER, WEIGHTS) if not (folder / name).is_file()]
    if missing:
        raise ValueError(f"{folder} is not a model folder: {', '.join(missing)} missing; train one or name another")
    config = Config.load(folder / CONFIG)
    tokenizer = Tokenizer.load(folder / TOKENIZER, config.languages)
    if len(tokenizer) != config.vocabulary:
        raise ValueError(f"{folder / TOKENIZER} has {len(tokenizer)} entries, {CONFIG} says {config.vocabulary}")
    network = Seq2Seq(config).to(dtype)
    network.load_state_dict(_weights(folder / WEIGHTS, network))
    network.eval().requires_grad_(False)
    return Pretrained(folder.resolve().name, folder, config, tokenizer, network, fingerprint(folder))


def fingerprint(folder: Path) -> str:
    """SHA-256, in hexadecimal, over the names and contents of a model's three files."""
    digest = hashlib.sha256()
    for name in (CONFIG, TOKENIZER, WEIGHTS):
        content = (folder / name).read_bytes()
        digest.update(f"{name} {len(content)}\n".encode())
        digest.update(content)
    return digest.hexdigest()


def save_run(training: Training, history: list[dict[str, float]], path: Path) -> None:
    """Write everything needed to take up a run, in one safetensors file that appears at once or not at all."""
    tensors, values = training.state()
    path.parent.mkdir(parents=True, exist_ok=True)
    _replace(path, tensors, {"run": json.dumps(values), "history": json.dumps(history)})


def restore_run(training: Training, path: Path) -> list[dict[str, float]]:
    """Take up a saved run and return its history so far. Raises ValueError naming the file when it cannot be."""
    try:
        with safe_open(path, "pt") as file:
            values = file.metadata()
        training.restore(load_file(path), json.loads(values["run"]))
        return json.loads(values["history"])
    except (SafetensorError, KeyError, RuntimeError, ValueError) as error:
        raise ValueError(f"{path}: {error}") from error


def _weights(path: Path, network: Seq2Seq) -> dict[str, Tensor]:
    try:
        weights = load_file(path)
    except (SafetensorError, OSError) as error:
        raise ValueError(f"{path}: not a complete safetensors file ({error}); fetch or train it again") from error
    expected = network.state_dict()
    if weights.keys() != expected.keys():
        odd = ", ".join(sorted(weights.keys() ^ expected.keys())[:3])
        raise ValueError(f"{path}: its tensors are not those of {CONFIG} ({odd})")
    for name, value in weights.items():
        if value.shape != expected[name].shape:
            raise ValueError(f"{path}: {name} is {tuple(value.shape)}, {CONFIG} asks for {tuple(expected[name].shape)}")
        if not value.isfinite().all():
            raise ValueError(f"{path}: {name} holds NaN or infinity; fetch or train it again")
    return weights


def _replace(path: Path, tensors: dict[str, Tensor], metadata: dict[str, str]) -> None:
    partial = path.with_name(f".{path.name}.partial")
    save_file(tensors, partial, metadata=metadata)
    os.replace(partial, path)
