"""Training on parallel text: one generator that the command line, the app and the tests share.

The learning rate rises, stays, and falls to zero over the last quarter (warm-up, stable, decay), so a run that is
stopped early can be finished from any point before its decay. The loss is cross-entropy with label smoothing, per
target token.
"""

import ctypes
import json
import math
import os
import platform
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from copy import deepcopy
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn
from torch.nn.functional import cross_entropy

from regard.model.data.corpus import Batch, Corpus
from regard.model.input_error import InputError, check_choice
from regard.model.network import AnyNetwork
from regard.model.tokenizer import PAD
from regard.model.training.distributed import ALONE, Crew

PRECISIONS = {"float32": torch.float32, "bfloat16": torch.bfloat16}
PEAK = "VmHWM:"  # the line of Linux's process status with the peak memory, in kilobytes
NETWORK, ADAM = "network.", "adam."
TIMED = 4  # updates that an estimate times, after one with the longest sentences
ACCEPTED: dict[str, tuple[str, Callable[[float], bool]]] = {
    **dict.fromkeys(
        ("updates", "batch_tokens", "warmup", "validate_every", "patience"), ("at least 1", lambda value: value >= 1)
    ),
    "rate": ("above 0 and at most 100", lambda value: 0 < value <= 100),
    "decay": ("above 0 and at most 1, the share of updates over which the rate falls", lambda value: 0 < value <= 1),
    "smoothing": ("from 0 to below 1", lambda value: 0 <= value < 1),
    "clip": ("above 0", lambda value: value > 0),
    "seed": (f"from 0 to {2**32 - 1:,}", lambda value: 0 <= value < 2**32),
}


@dataclass(frozen=True)
class Options:
    """The options of training. `batch_tokens` counts both sides and padding; `patience` counts validations."""

    updates: int
    batch_tokens: int = 4096
    rate: float = 2e-3
    warmup: int = 400
    decay: float = 0.25
    smoothing: float = 0.1
    clip: float = 1.0
    seed: int = 1
    validate_every: int = 500
    patience: int = 10
    precision: str = "float32"

    def __post_init__(self) -> None:
        check_choice("precision", self.precision, PRECISIONS)
        for name, (accepted, holds) in ACCEPTED.items():
            if not holds(getattr(self, name)):
                raise InputError(f"{name} is {getattr(self, name)}; it must be {accepted}")

    def rate_at(self, update: int) -> float:
        """Return the learning rate of update number `update`, from 1."""
        left = (self.updates - update + 1) / (self.decay * self.updates)
        return self.rate * min(1.0, update / self.warmup, left)


@dataclass(frozen=True)
class TrainingProgress:
    """The state of training after an update. `network` is live: look at it before asking for the next update."""

    update: int
    epoch: int
    loss: float  # of this batch, with smoothed labels, nats per target token
    tokens: int  # source and target tokens seen so far, without padding
    rate: float
    seconds: float  # of training so far, validation included
    validation: float  # latest validation loss, plain cross-entropy; NaN before the first
    validated: bool  # true if it is from this very update
    finished: str  # the reason training ended, or ""
    network: AnyNetwork


class Training:
    """A run that can be stopped after any update, saved, and resumed bit for bit.

    Several processes together make the updates of one: the gradient is that of the whole batch's loss over all its
    target tokens. Every process calls the same methods in turn.
    """

    def __init__(
        self, network: AnyNetwork, train: Corpus, validation: Corpus, options: Options, crew: Crew = ALONE
    ) -> None:
        if not len(train) or not len(validation):
            raise InputError(f"{len(train)} pairs to train on and {len(validation)} to validate on; both are needed")
        self.network, self.train, self.validation, self.options = network, train, validation, options
        self.crew, self.wrapped = crew, crew.wrap(network)
        self.device = next(network.parameters()).device
        fused = self.device.type in ("cpu", "cuda")
        self.adam = torch.optim.Adam(network.parameters(), lr=options.rate, betas=(0.9, 0.98), eps=1e-9, fused=fused)
        self.update = self.epoch = self.position = self.tokens = self.waited = 0
        self.seconds, self.latest, self.best = 0.0, math.nan, math.inf
        self.planned = options.updates  # for a resumed run: those of its last save
        torch.manual_seed(options.seed + crew.rank)  # each process has its own dropout

    def run(self) -> Iterator[TrainingProgress]:
        """Train to the end, yielding one `TrainingProgress` per update."""
        keep_freed_memory()
        finished = self.finished()  # nonempty if the run was saved at its end
        while not finished:
            for position, batch in enumerate(
                self.train.epoch(self.epoch).batches(self.options.batch_tokens, self.epoch_seed())
            ):
                if position < self.position:
                    continue  # learned before the run was stopped
                began = time.perf_counter()
                loss = self.learn(batch)
                self.position = position + 1
                validated = self.update % self.options.validate_every == 0 or self.update == self.options.updates
                if validated:
                    self.validate()
                finished = self.finished()
                self.seconds += time.perf_counter() - began
                yield TrainingProgress(
                    self.update, self.epoch, loss, self.tokens, self.options.rate_at(self.update), self.seconds,
                    self.latest, validated, finished, self.network,
                )  # fmt: skip
                if finished:
                    return
            self.epoch, self.position = self.epoch + 1, 0

    def learn(self, batch: Batch) -> float:
        """Make one update; return the batch's loss before it, with smoothed labels, in nats per target token."""
        self.update += 1
        for group in self.adam.param_groups:
            group["lr"] = self.options.rate_at(self.update)
        self.network.train()
        self.adam.zero_grad()
        count = _tokens(batch.target)
        rows = batch.part(self.crew.rank, self.crew.size)
        given, weight = (rows, 1.0) if len(rows.source) else (batch.part(0, len(batch.source)), 0.0)
        loss = self._loss(self.wrapped, given, self.options.smoothing) * weight
        (loss / (count / self.crew.size)).backward()  # mean over processes: batch sum / batch tokens
        nn.utils.clip_grad_norm_(self.network.parameters(), self.options.clip)
        self.adam.step()
        self.tokens += _tokens(batch.source) + count
        return self.crew.total(loss.item())[0] / count

    def state(self) -> tuple[dict[str, Tensor], dict[str, Any]]:
        """Return everything needed to resume: tensors by name, and plain values."""
        tensors = learned(self.network, self.adam)
        own = {"cpu": torch.get_rng_state()}
        if self.device.type == "cuda":
            own["cuda"] = torch.cuda.get_rng_state(self.device)
        for rank, random in enumerate(self.crew.gather(own)):
            tensors |= {f"random.{rank}.{name}": value for name, value in random.items()}
        counters = {name: getattr(self, name) for name in _COUNTERS}
        return tensors, counters | {"options": self._choices()}

    def restore(self, tensors: dict[str, Tensor], values: dict[str, Any]) -> None:
        """Resume a saved run. Raises InputError if it was trained with other options, apart from the number of updates.
        The number of processes may differ; a process without a saved random state starts a new one."""
        check_same(values["options"], self._choices(), "trained")
        relearn(self.network, self.adam, tensors)
        self.planned = values["options"]["updates"]
        random = f"random.{self.crew.rank}."
        if f"{random}cpu" in tensors:
            torch.set_rng_state(tensors[f"{random}cpu"])
        if f"{random}cuda" in tensors and self.device.type == "cuda":
            torch.cuda.set_rng_state(tensors[f"{random}cuda"], self.device)
        for name in _COUNTERS:
            setattr(self, name, values[name])

    def finished(self) -> str:
        """Return the reason to stop, or "" to go on."""
        if self.update >= self.options.updates:
            return "all updates done"
        return f"no better validation in {self.waited} tries" if self.waited >= self.options.patience else ""

    def epoch_seed(self) -> int:
        """Return the seed for the order of this epoch's batches."""
        return self.options.seed * 1_000_003 + self.epoch

    def _choices(self) -> dict[str, object]:
        """Return the options of the run and its network, as they read back from JSON."""
        return json.loads(json.dumps(asdict(self.options) | asdict(self.network.config)))

    def _loss(self, network: nn.Module, batch: Batch, smoothing: float) -> Float[Tensor, ""]:
        """Return the loss summed over the target tokens."""
        source, target = batch.source.to(self.device), batch.target.to(self.device)
        precision = PRECISIONS[self.options.precision]
        with torch.autocast(self.device.type, precision, enabled=precision != torch.float32):
            logits = network(source, target)
            return cross_entropy(logits, target[target != PAD], label_smoothing=smoothing, reduction="sum")

    @torch.no_grad()
    def validate(self) -> None:
        """Compute the validation loss; the processes take the batches in turn."""
        self.network.eval()
        loss = count = 0.0
        for place, batch in enumerate(self.validation.batches(self.options.batch_tokens, 0)):
            if place % self.crew.size == self.crew.rank:
                loss += self._loss(self.network, batch, 0.0).item()
                count += _tokens(batch.target)
        loss, count = self.crew.total(loss, count)
        self.latest = loss / count
        self.waited = 0 if self.latest < self.best else self.waited + 1
        self.best = min(self.best, self.latest)


def estimate(training: Training) -> list[str]:
    """Time a few updates of a copy of the training and estimate its cost, as lines for a person; the training and the
    process's random state stay as they are. Raises InputError if memory does not suffice."""
    keep_freed_memory()
    options, corpus = training.options, training.train
    devices = [training.device] if training.device.type == "cuda" else []
    with torch.random.fork_rng(devices):
        trial = Training(deepcopy(training.network), corpus, training.validation, options, training.crew)
        try:
            trial.learn(corpus.longest(options.batch_tokens))  # which needs the most memory
        except torch.OutOfMemoryError as error:
            raise InputError(f"batches of {options.batch_tokens:,} tokens need more memory than there is") from error
        batches = list(islice(corpus.batches(options.batch_tokens, training.epoch_seed()), TIMED))
        began = time.perf_counter()
        for batch in batches:
            trial.learn(batch)
        each = (time.perf_counter() - began) / len(batches)
    left = 0 if training.finished() else options.updates - training.update
    parameters = sum(parameter.numel() for parameter in training.network.parameters())
    epochs, memory = left / corpus.count(options.batch_tokens), peak_memory(training.device)
    size = f"{memory / 1e9:.1f} GB of memory" if memory else "memory unknown on this system"
    return [
        f"{parameters:,} parameters; {left:,} updates to make, the text {epochs:.1f} times",
        f"estimate: {duration(left * each)}, {size} (from {len(batches)} updates of a copy, just now on this machine)",
    ]


def duration(seconds: float) -> str:
    """Return a duration in readable units."""
    minutes = round(seconds / 60)
    if seconds < 90:
        return f"about {math.ceil(seconds)} s"
    return f"about {minutes} min" if minutes < 90 else f"about {minutes // 60} h {minutes % 60} min"


_COUNTERS = ("update", "epoch", "position", "tokens", "waited", "seconds", "latest", "best")


def _tokens(ids: Int[Tensor, "B N"]) -> int:
    """Count the tokens that are not padding."""
    return int((ids != PAD).sum())


def check_same(saved: Mapping[str, object], here: Mapping[str, object], how: str) -> None:
    """Check that a saved run had these options, apart from the number of updates. Raises InputError naming others."""
    differing = [name for name in here if name != "updates" and here[name] != saved.get(name, here[name])]
    if differing:
        differences = ", ".join(f"{name} {saved[name]} there and {here[name]} here" for name in differing)
        raise InputError(f"the saved run was {how} otherwise: {differences}")


def learned(network: AnyNetwork, adam: torch.optim.Adam) -> dict[str, Tensor]:
    tensors = {f"{NETWORK}{name}": value for name, value in network.state_dict().items()}
    for index, entries in adam.state_dict()["state"].items():
        tensors |= {f"{ADAM}{index}.{name}": value for name, value in entries.items()}
    return tensors


def relearn(network: AnyNetwork, adam: torch.optim.Adam, tensors: dict[str, Tensor]) -> None:
    """Restore both from the tensors. Raises KeyError or RuntimeError if they belong to another network."""
    network.load_state_dict(_under(NETWORK, tensors))
    values = adam.state_dict()
    count = len(values["param_groups"][0]["params"])
    values["state"] = {index: _under(f"{ADAM}{index}.", tensors) for index in range(count)}
    adam.load_state_dict(values)


def _under(prefix: str, tensors: dict[str, Tensor]) -> dict[str, Tensor]:
    return {name.removeprefix(prefix): value for name, value in tensors.items() if name.startswith(prefix)}


def fastest_precision() -> str:
    """Return "bfloat16" if a GPU or the CPU's AVX-512 computes it, else "float32"."""
    if torch.cuda.is_available():
        return "bfloat16" if torch.cuda.is_bf16_supported() else "float32"
    return "bfloat16" if torch.cpu._is_avx512_bf16_supported() else "float32"


def keep_freed_memory() -> None:
    """Reuse the large buffers of an update: returning them and faulting them in again cost a third of it. Each batch
    shape leaves compiled kernels behind; few are kept, or they would fill gigabytes."""
    os.environ.setdefault("ONEDNN_PRIMITIVE_CACHE_CAPACITY", "64")
    if platform.libc_ver()[0] == "glibc":
        libc = ctypes.CDLL(None)
        mmap_max, trim_threshold = -4, -1
        libc.mallopt(mmap_max, 0)
        libc.mallopt(trim_threshold, 2**31 - 1)


def peak_memory(device: torch.device) -> int:
    """Return this process's peak memory in bytes, on the GPU if it computes there; 0 if unknown."""
    if device.type == "cuda":
        return torch.cuda.max_memory_allocated(device)
    if not sys.platform.startswith("linux"):
        return 0
    lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    return next((1024 * int(line.split()[1]) for line in lines if line.startswith(PEAK)), 0)
