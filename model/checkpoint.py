"""Checkpoint: a folder is a model, `config.json`, `tokenizer.json` and `model.safetensors` (float16), nothing pickled.

Weights are read as float32. A file that is missing, cut short, of other shapes or holding NaN is refused by name.
"""

import hashlib
import os
from dataclasses import dataclass
from pathlib import Path

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file
from safetensors.torch import save as packed
from torch import Tensor

from model.config import Config
from model.files import at_once
from model.seq2seq import Seq2Seq
from model.tokenizer import Tokenizer

CONFIG, TOKENIZER, WEIGHTS = "config.json", "tokenizer.json", "model.safetensors"
# beside the package, in a checkout and in a wheel alike, unless the environment names another folder
PRETRAINED = Path(os.environ.get("REGARD_PRETRAINED", Path(__file__).parent.parent / "pretrained"))
DEFAULT = "en-fr"  # what translates best
COMPARED = "en-fr-general"  # what the models trained alike are set apart from


@dataclass(frozen=True)
class Pretrained:
    """A model ready to translate. `fingerprint` is the SHA-256 of its three files."""

    name: str
    folder: Path
    config: Config
    tokenizer: Tokenizer
    network: Seq2Seq
    fingerprint: str

    @property
    def parameters(self) -> int:
        """How many numbers training set; a matrix that is used twice counts once."""
        return sum(parameter.numel() for parameter in self.network.parameters())


def shipped(name: str = DEFAULT) -> Path:
    """The folder of a model that comes with the program."""
    return PRETRAINED / name


def save(network: Seq2Seq, tokenizer: Tokenizer, folder: Path) -> None:
    """Write the three files of a model, each complete or not at all."""
    folder.mkdir(parents=True, exist_ok=True)
    halves = {name: value.detach().cpu().half().contiguous() for name, value in network.state_dict().items()}
    at_once(folder / CONFIG, network.config.save)
    at_once(folder / TOKENIZER, tokenizer.save)
    at_once(folder / WEIGHTS, lambda path: path.write_bytes(packed(halves)))


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
    weights = _read(folder / WEIGHTS, config)
    try:
        with torch.random.fork_rng(devices=[]):  # the random numbers of whoever loads stay as they are
            network = Seq2Seq(config)
    except (ValueError, RuntimeError) as error:
        raise ValueError(f"{folder / CONFIG}: {error}") from error
    network.load_state_dict(_checked(weights, network, folder / WEIGHTS, dtype), assign=True)
    network.eval().requires_grad_(False)
    _by_columns(network)
    return Pretrained(folder.absolute().name, folder, config, tokenizer, network, fingerprint(folder))


def fingerprint(folder: Path) -> str:
    """SHA-256, in hexadecimal, over the names and contents of a model's three files."""
    digest = hashlib.sha256()
    for name in (CONFIG, TOKENIZER, WEIGHTS):
        content = (folder / name).read_bytes()
        digest.update(f"{name} {len(content)}\n".encode())
        digest.update(content)
    return digest.hexdigest()


def _read(path: Path, config: Config) -> dict[str, Tensor]:
    """The tensors of the file, once it is clear that the config asks for no larger network than they make."""
    try:
        weights = load_file(path)
    except (SafetensorError, OSError) as error:
        raise ValueError(f"{path}: not a complete safetensors file ({error}); fetch or train it again") from error
    asked = {
        "encoder.embedding.weight": config.embedding,
        "encoder.forwards.rnn.weight_hh_l0": config.encoder_state,
        "decoder.cell.rnn.weight_hh_l0": config.state,
    }
    for name, columns in asked.items():
        if name not in weights:
            raise ValueError(f"{path}: its tensors are not those of {CONFIG} ({name})")
        if weights[name].shape[-1] != columns:
            raise ValueError(f"{path}: {name} is {tuple(weights[name].shape)}, {CONFIG} asks for {columns} columns")
    return weights


def _checked(weights: dict[str, Tensor], network: Seq2Seq, path: Path, dtype: torch.dtype) -> dict[str, Tensor]:
    """The weights in that type, if they are all that the network has, in its shapes and finite."""
    expected = network.state_dict()
    if weights.keys() != expected.keys():
        odd = ", ".join(sorted(weights.keys() ^ expected.keys())[:3])
        raise ValueError(f"{path}: its tensors are not those of {CONFIG} ({odd})")
    for name, value in weights.items():
        if value.shape != expected[name].shape:
            raise ValueError(f"{path}: {name} is {tuple(value.shape)}, {CONFIG} asks for {tuple(expected[name].shape)}")
        if not value.isfinite().all():
            raise ValueError(f"{path}: {name} holds NaN or infinity; fetch or train it again")
    return {name: value.to(dtype) for name, value in weights.items()}


def _by_columns(network: Seq2Seq) -> None:
    """Lay out the large matrices of a decoder step so that their product with one vector takes a third less time."""
    for matrix in (network.embedding.weight, *network.decoder.cell.rnn.parameters()):
        if matrix.dim() == 2:
            matrix.data = matrix.t().contiguous().t()
