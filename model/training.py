"""Parallel text makes weights: one generator that the command line, the app and the tests share.

The rate rises, stays, and falls to zero over the last quarter (warm-up, stable, decay), so a run that is stopped early
can be finished from any point before its decay. The loss is cross-entropy with label smoothing, per target token.
"""

import ctypes
import json
import math
import os
import platform
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy

from model.corpus import Batch, Corpus
from model.seq2seq import Seq2Seq
from model.tokenizer import PAD


@dataclass(frozen=True)
class Options:
    """How to train. `batch_tokens` counts both sides and padding; `patience` counts validations without a new best."""

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
        if self.precision not in PRECISIONS:
            raise ValueError(f"precision is {self.precision!r}; it must be one of {', '.join(PRECISIONS)}")
        for name in ("updates", "batch_tokens", "warmup", "validate_every", "patience"):
            if getattr(self, name) < 1:
                raise ValueError(f"{name} is {getattr(self, name)}; it must be at least 1")

    def rate_at(self, update: int) -> float:
        """The learning rate of the update with this number, from 1."""
        left = (self.updates - update + 1) / (self.decay * self.updates)
        return self.rate * min(1.0, update / self.warmup, left)


PRECISIONS = {"float32": torch.float32, "bfloat16": torch.bfloat16}


@dataclass(frozen=True)
class Progress:
    """Where training stands after an update. `network` is live: look at it before asking for the next update."""

    update: int
    epoch: int
    loss: float  # of this batch, smoothed labels, nats per target token
    tokens: int  # source and target tokens seen so far, without padding
    rate: float
    seconds: float  # of training so far, validation included
    validation: float  # latest validation loss, plain cross-entropy; NaN before the first
    validated: bool  # whether it is of this very update
    best: float
    finished: str  # "", or why training ended
    network: Seq2Seq


class Training:
    """A run that can be stopped after any update, saved, and taken up bit for bit where it was."""

    def __init__(self, network: Seq2Seq, train: Corpus, validation: Corpus, options: Options) -> None:
        if not len(train) or not len(validation):
            raise ValueError(f"{len(train)} pairs to train on and {len(validation)} to validate on; both are needed")
        self.network, self.train, self.validation, self.options = network, train, validation, options
        self.device = next(network.parameters()).device
        fused = self.device.type in ("cpu", "cuda")
        self.adam = torch.optim.Adam(network.parameters(), lr=options.rate, betas=(0.9, 0.98), eps=1e-9, fused=fused)
        self.update = self.epoch = self.position = self.tokens = self.waited = 0
        self.seconds, self.latest, self.best = 0.0, math.nan, math.inf
        torch.manual_seed(options.seed)

    def run(self) -> Iterator[Progress]:
        """Train to the end, one `Progress` an update."""
        keep_freed_memory()
        finished = self._finished()  # of a run that was saved at its end
        while not finished:
            for position, batch in enumerate(self.train.batches(self.options.batch_tokens, self._epoch_seed())):
                if position < self.position:
                    continue  # taken before the run was stopped
                began = time.perf_counter()
                loss = self._learn(batch)
                self.position = position + 1
                validated = self.update % self.options.validate_every == 0 or self.update == self.options.updates
                if validated:
                    self._validate()
                finished = self._finished()
                self.seconds += time.perf_counter() - began
                yield Progress(
                    self.update,
                    self.epoch,
                    loss,
                    self.tokens,
                    self.options.rate_at(self.update),
                    self.seconds,
                    self.latest,
                    validated,
                    self.best,
                    finished,
                    self.network,
                )
                if finished:
                    return
            self.epoch, self.position = self.epoch + 1, 0

    def state(self) -> tuple[dict[str, Tensor], dict[str, Any]]:
        """Everything needed to go on: tensors by name, and plain values."""
        tensors = {f"network.{name}": value for name, value in self.network.state_dict().items()}
        for index, entries in self.adam.state_dict()["state"].items():
            tensors |= {f"adam.{index}.{name}": value for name, value in entries.items()}
        tensors["random"] = torch.get_rng_state()
        counters = {name: getattr(self, name) for name in _COUNTERS}
        return tensors, counters | {"options": self._choices()}

    def restore(self, tensors: dict[str, Tensor], values: dict[str, Any]) -> None:
        """Take up a saved run. Raises ValueError when it was trained otherwise, apart from the number of updates."""
        mine, theirs = self._choices(), dict(values["options"])
        differing = [name for name in mine if name != "updates" and mine[name] != theirs.get(name, mine[name])]
        if differing:
            told = ", ".join(f"{name} {theirs[name]} there and {mine[name]} here" for name in differing)
            raise ValueError(f"the saved run was trained otherwise: {told}")
        self.network.load_state_dict(_under("network.", tensors))
        adam = self.adam.state_dict()
        adam["state"] = {
            index: _under(f"adam.{index}.", tensors) for index in range(len(adam["param_groups"][0]["params"]))
        }
        self.adam.load_state_dict(adam)
        torch.set_rng_state(tensors["random"])
        for name in _COUNTERS:
            setattr(self, name, values[name])

    def _choices(self) -> dict[str, object]:
        """How the run and its network were asked for, as JSON gives it back."""
        return json.loads(json.dumps(asdict(self.options) | asdict(self.network.config)))

    def _epoch_seed(self) -> int:
        return self.options.seed * 1_000_003 + self.epoch

    def _learn(self, batch: Batch) -> float:
        self.update += 1
        for group in self.adam.param_groups:
            group["lr"] = self.options.rate_at(self.update)
        self.network.train()
        self.adam.zero_grad()
        loss, count = self._loss(batch, self.options.smoothing)
        (loss / count).backward()
        nn.utils.clip_grad_norm_(self.network.parameters(), self.options.clip)
        self.adam.step()
        self.tokens += int((batch.source != PAD).sum()) + count
        return loss.item() / count

    def _loss(self, batch: Batch, smoothing: float) -> tuple[Tensor, int]:
        """Summed over the target tokens, and how many those are."""
        source, target = batch.source.to(self.device), batch.target.to(self.device)
        precision = PRECISIONS[self.options.precision]
        with torch.autocast(self.device.type, precision, enabled=precision != torch.float32):
            logits = self.network(source, target)
            wanted = target[target != PAD]
            return cross_entropy(logits, wanted, label_smoothing=smoothing, reduction="sum"), len(wanted)

    @torch.no_grad()
    def _validate(self) -> None:
        self.network.eval()
        sums = [self._loss(batch, 0.0) for batch in self.validation.batches(self.options.batch_tokens, 0)]
        self.latest = sum(loss.item() for loss, _ in sums) / sum(count for _, count in sums)
        self.waited = 0 if self.latest < self.best else self.waited + 1
        self.best = min(self.best, self.latest)

    def _finished(self) -> str:
        if self.update >= self.options.updates:
            return "all updates done"
        return f"no better validation in {self.waited} tries" if self.waited >= self.options.patience else ""


_COUNTERS = ("update", "epoch", "position", "tokens", "waited", "seconds", "latest", "best")


def _under(prefix: str, tensors: dict[str, Tensor]) -> dict[str, Tensor]:
    return {name.removeprefix(prefix): value for name, value in tensors.items() if name.startswith(prefix)}


def fastest_precision() -> str:
    """bfloat16 where a GPU or the processor's AVX-512 computes it, float32 elsewhere."""
    if torch.cuda.is_available():
        return "bfloat16" if torch.cuda.is_bf16_supported() else "float32"
    return "bfloat16" if torch.cpu._is_avx512_bf16_supported() else "float32"


def keep_freed_memory() -> None:
    """Reuse the large buffers of an update: handing them back and faulting them in again cost a third of it.

    Every shape of a batch leaves compiled kernels behind; few are kept, or they fill gigabytes.
    """
    os.environ.setdefault("ONEDNN_PRIMITIVE_CACHE_CAPACITY", "64")
    if platform.libc_ver()[0] == "glibc":
        libc = ctypes.CDLL(None)
        mmap_max, trim_threshold = -4, -1
        libc.mallopt(mmap_max, 0)
        libc.mallopt(trim_threshold, 2**31 - 1)
