"""Checkpoint: a model is a folder with `config.json`, `tokenizer.json` and `model.safetensors` (float16), nothing
pickled.

Weights are read as float32. A file that is missing, truncated, of the wrong shapes or holds NaN is refused by name.
"""

import hashlib
import os
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Generic, TypeVar

import torch
from safetensors import SafetensorError
from safetensors.torch import load as unpacked
from safetensors.torch import save as packed
from torch import Tensor, nn

from regard.model.config import AnyConfig, Config, ConfigT
from regard.model.files import at_once, write_file
from regard.model.input_error import InputError
from regard.model.linear import make_ready
from regard.model.network import AnyNetwork, Network, TraceT
from regard.model.principal_axes import ModelAxes, load_axes
from regard.model.seq2seq import Seq2Seq
from regard.model.tokenizer import Tokenizer
from regard.model.trace import AnyTrace, Trace

NetworkT = TypeVar("NetworkT", bound=nn.Module)
CPU = torch.device("cpu")
CONFIG, TOKENIZER, WEIGHTS = "config.json", "tokenizer.json", "model.safetensors"
PACKAGED = Path(__file__).parent.parent / "pretrained"  # beside this package, in a checkout or a wheel
PRETRAINED = Path(os.environ.get("REGARD_PRETRAINED", PACKAGED))
DEFAULT = "en-fr"  # the best translator
COMPARED = "en-fr-general"  # the baseline among models that were trained in the same way
ALIKE = tuple(f"en-fr-{name}" for name in ("bahdanau", "concat", "dot", "general", "general-gru", "none"))  # them
GET_ALIKE = "pip install ./pretrained in a checkout of Regard brings the models that are there to be compared"


@dataclass(frozen=True)
class AnyPretrained(Generic[TraceT]):
    """A model with any kind of network, ready to translate. `fingerprint` is the SHA-256 of its three files."""

    name: str
    folder: Path
    config: AnyConfig
    tokenizer: Tokenizer
    network: Network[TraceT]
    fingerprint: str
    axes: ModelAxes = field(default_factory=dict, repr=False)  # files beside the weights, if they were measured

    @property
    def parameters(self) -> int:
        """Return the number of trained parameters; a matrix that is used twice counts once."""
        return sum(parameter.numel() for parameter in self.network.parameters())

    def facts(self) -> dict[str, Any]:
        """Return what `scores.json` says of the model."""
        size = (self.folder / WEIGHTS).stat().st_size
        return {"name": self.name, "fingerprint": self.fingerprint, "parameters": self.parameters, "bytes": size}


AnyModel = AnyPretrained[AnyTrace]


@dataclass(frozen=True)
class Pretrained(AnyPretrained[Trace]):
    """A model with a recurrent network."""

    config: Config
    network: Seq2Seq


def shipped(name: str = DEFAULT) -> Path:
    """Return the folder of a shipped model."""
    return PRETRAINED / name


def named_folder(name: str) -> Path:
    """Return the folder at this path, or else the shipped model of that name."""
    folder = Path(name)
    return shipped(name) if not folder.is_dir() and shipped(name).is_dir() else folder


def save(network: AnyNetwork, tokenizer: Tokenizer, folder: Path) -> None:
    """Write the three files of a model, each atomically."""
    folder.mkdir(parents=True, exist_ok=True)
    halves = {name: value.detach().cpu().half().contiguous() for name, value in network.state_dict().items()}
    at_once(folder / CONFIG, network.config.save)
    at_once(folder / TOKENIZER, tokenizer.save)
    write_file(folder / WEIGHTS, packed(halves))


def device_of(name: Any) -> torch.device:
    """Return the device of this name, after storing a number there and reading it. Raises InputError for a name that
    PyTorch does not know and for a device that this machine lacks."""
    try:
        device = torch.device(name)
        torch.ones(1, device=device).tolist()
    except (RuntimeError, TypeError, AssertionError, ImportError) as error:
        other = torch.accelerator.current_accelerator() if torch.accelerator.is_available() else None
        accepted = f'"cpu" or "{other.type}"' if other else 'only "cpu"'
        raise InputError(f"device is {name!r}; this machine has {accepted}") from error
    return device


def load(folder: Path | str, dtype: torch.dtype = torch.float32, device: torch.device = CPU) -> Pretrained:
    """Load a recurrent model from its folder; `regard.model.transformer.checkpoint.load_any` loads any kind. Raises
    InputError naming the missing or invalid file and the reason."""
    config, tokenizer, network = read_parts(Path(folder), Config, Seq2Seq, dtype, device)
    decoder = network.decoder
    W, U, b, d = decoder.cell.rnn.all_weights[0]
    for matrix, bias in ((W, b), (U, d), (decoder.W_c.weight, None), (network.embedding.weight, None)):
        make_ready(matrix, bias)
    folder, digest = Path(folder), fingerprint(Path(folder))
    axes = load_axes(folder, digest)
    return Pretrained(folder.absolute().name, folder, config, tokenizer, network, digest, axes)


def read_parts(
    folder: Path,
    config_of: type[ConfigT],
    network_of: Callable[[ConfigT], NetworkT],
    dtype: torch.dtype,
    device: torch.device,
) -> tuple[ConfigT, Tokenizer, NetworkT]:
    """Return the contents of a folder's three files. Raises InputError naming the file that is missing or wrong."""
    if not folder.is_dir():
        if folder.name in ALIKE and folder in (Path(folder.name), shipped(folder.name)):
            raise InputError(f"{folder.name} is not installed; {GET_ALIKE}")
        known = ", ".join(sorted(path.parent.name for path in PRETRAINED.glob(f"*/{CONFIG}")))
        raise InputError(f"{folder} is not a model folder, nor the name of a shipped model; those are {known}")
    missing = [name for name in (CONFIG, TOKENIZER, WEIGHTS) if not (folder / name).is_file()]
    if missing:
        raise InputError(f"{folder} is not a model folder: {', '.join(missing)} missing; train one or name another")
    config = config_of.load(folder / CONFIG)
    tokenizer = Tokenizer.load(folder / TOKENIZER, config.languages)
    if len(tokenizer) != config.vocabulary:
        raise InputError(f"{folder / TOKENIZER} has {len(tokenizer)} entries, {CONFIG} says {config.vocabulary}")
    weights = _read(folder / WEIGHTS, config)
    try:
        with torch.random.fork_rng(devices=[]):  # leave the caller's random state as it is
            network = network_of(config)
    except (ValueError, RuntimeError) as error:
        raise InputError(f"{folder / CONFIG}: {error}") from error
    network.load_state_dict(_checked(weights, network, folder / WEIGHTS, dtype), assign=True)
    network.to(device).eval().requires_grad_(False)
    return config, tokenizer, network


def fingerprint(folder: Path) -> str:
    """Return the SHA-256, in hexadecimal, of the names and contents of a model's three files."""
    digest = hashlib.sha256()
    for name in (CONFIG, TOKENIZER, WEIGHTS):
        content = (folder / name).read_bytes()
        digest.update(f"{name} {len(content)}\n".encode())
        digest.update(content)
    return digest.hexdigest()


def _read(path: Path, config: AnyConfig) -> dict[str, Tensor]:
    """Read the tensors after checking that the file is large enough for the configured network."""
    try:
        weights = unpacked(path.read_bytes())  # not memory-mapped: if the file shrank later, the process would crash
    except (SafetensorError, OSError) as error:
        raise InputError(f"{path}: not a complete safetensors file ({error}); fetch or train it again") from error
    for name, columns in config.columns().items():
        if name not in weights:
            raise InputError(f"{path}: its tensors are not those of {CONFIG} ({name})")
        if weights[name].shape[-1:] != (columns,):
            raise InputError(f"{path}: {name} is {tuple(weights[name].shape)}, {CONFIG} asks for {columns} columns")
    return weights


def _checked(weights: dict[str, Tensor], network: nn.Module, path: Path, dtype: torch.dtype) -> dict[str, Tensor]:
    """Return the weights as `dtype` after checking that names and shapes fit the network and all values are finite."""
    expected = network.state_dict()
    if weights.keys() != expected.keys():
        odd = ", ".join(sorted(weights.keys() ^ expected.keys())[:3])
        raise InputError(f"{path}: its tensors are not those of {CONFIG} ({odd})")
    for name, value in weights.items():
        if value.shape != expected[name].shape:
            raise InputError(f"{path}: {name} is {tuple(value.shape)}, {CONFIG} asks for {tuple(expected[name].shape)}")
        if not value.is_floating_point():
            raise InputError(f"{path}: {name} holds {str(value.dtype).removeprefix('torch.')}; accepted are floats")
        if not value.to(dtype).isfinite().all():
            raise InputError(f"{path}: {name} holds NaN or infinity; fetch or train it again")
    return {name: value.to(dtype) for name, value in weights.items()}
