"""Estimate of a training's cost, from a few updates of a copy on this machine."""

import math
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from copy import deepcopy
from dataclasses import dataclass
from itertools import islice

import torch

from regard.model.data.corpus import Batch
from regard.model.input_error import InputError
from regard.model.training.trainer import Training, keep_freed_memory, peak_memory

TIMED = 4  # updates that are timed, after one with the longest sentences


@dataclass(frozen=True)
class Estimate:
    parameters: int
    updates: int  # updates left
    epochs: float  # passes over the text by all updates left
    timed: int  # updates of the copy that were timed
    seconds: float  # for the updates left, without validation
    memory: int  # peak memory of this process in bytes, 0 if unknown

    def report(self) -> list[str]:
        """Return the estimate as lines for a person."""
        size = f"{self.memory / 1e9:.1f} GB of memory" if self.memory else "memory unknown on this system"
        timed = "1 update" if self.timed == 1 else f"{self.timed} updates"
        return [
            f"{self.parameters:,} parameters; {self.updates:,} updates to make, the text {self.epochs:.1f} times",
            f"estimate: {duration(self.seconds)}, {size} (from {timed} of a copy, just now on this machine)",
        ]


def estimate(training: Training) -> Estimate:
    """Time a copy of the training; the training itself and the process's random state stay as they are. Raises
    InputError if memory does not suffice."""
    options, corpus = training.options, training.train
    with _trial(training) as (trial, batches):
        each = _seconds(trial, batches)
    left = 0 if training.finished() else options.updates - training.update
    return Estimate(
        sum(parameter.numel() for parameter in training.network.parameters()),
        left,
        left / corpus.count(options.batch_tokens),
        len(batches),
        left * each,
        peak_memory(training.device),
    )


def fastest_threads(training: Training) -> int:
    """Measure an update of a copy with one thread and with as many as PyTorch would take; return the faster number."""
    default = torch.get_num_threads()
    seconds: dict[int, float] = {}
    with _trial(training) as (trial, batches):
        for threads in sorted({1, default}):
            torch.set_num_threads(threads)
            seconds[threads] = _seconds(trial, batches)
    torch.set_num_threads(default)
    return min(seconds, key=seconds.__getitem__)


@contextmanager
def _trial(training: Training) -> Iterator[tuple[Training, list[Batch]]]:
    """Return a copy of a training, warmed up, and a few batches; the process's random state is restored."""
    keep_freed_memory()
    options, corpus = training.options, training.train
    devices = [training.device] if training.device.type == "cuda" else []
    with torch.random.fork_rng(devices):
        trial = Training(deepcopy(training.network), corpus, training.validation, options, training.crew)
        try:
            trial.learn(corpus.longest(options.batch_tokens))  # which needs the most memory
        except torch.OutOfMemoryError as error:
            raise InputError(f"batches of {options.batch_tokens:,} tokens need more memory than there is") from error
        yield trial, list(islice(corpus.batches(options.batch_tokens, training.epoch_seed()), TIMED))


def _seconds(trial: Training, batches: Sequence[Batch]) -> float:
    """Return the mean time of an update."""
    began = time.perf_counter()
    for batch in batches:
        trial.learn(batch)
    return (time.perf_counter() - began) / len(batches)


def duration(seconds: float) -> str:
    """Return a duration in readable units."""
    minutes = round(seconds / 60)
    if seconds < 90:
        return f"about {math.ceil(seconds)} s"
    return f"about {minutes} min" if minutes < 90 else f"about {minutes // 60} h {minutes % 60} min"
