"""Data-parallel training in several processes: each takes its rows of every batch, and all make the same update.

PyTorch's launcher `torchrun` starts the processes, on one machine or several, and sets environment variables with each
one's rank, the number of processes and the address of the first. A training started without it runs alone.
"""

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, TypeVar

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel

from regard.model.input_error import InputError

Result = TypeVar("Result")


class DesertedError(InputError):
    """Another process of the training has ended."""


@dataclass(frozen=True)
class Crew:
    """The number of processes that train together, and this one's rank. All must call the same methods in turn."""

    rank: int = 0
    size: int = 1

    @property
    def leads(self) -> bool:
        """True in the process that writes the files and reports for all."""
        return self.rank == 0

    def tell(self, message: str) -> None:
        if self.leads:
            print(message, file=sys.stderr, flush=True)

    def wrap(self, network: nn.Module) -> nn.Module:
        """Wrap the network so that a backward pass leaves the mean of all processes' gradients in each."""
        return DistributedDataParallel(network) if self.size > 1 else network

    def total(self, *values: float) -> list[float]:
        """Return the sum of each value over all processes, bit for bit equal in each of them."""
        if self.size == 1:
            return list(values)
        sums = torch.tensor(values, dtype=torch.float64)
        dist.all_reduce(sums)
        return sums.tolist()

    def gather(self, value: Result) -> list[Result]:
        """Return the values of all processes, by rank."""
        if self.size == 1:
            return [value]
        values: list[Any] = [None] * self.size
        dist.all_gather_object(values, value)
        return values

    def first(self, work: Callable[[], Result]) -> Result:
        """Run `work` in the first process alone, and return its result in all. Raises InputError in all if it fails."""
        if self.size == 1:
            return work()
        outcome: list[Any] = [*_attempt(work)] if self.leads else [None, None]
        dist.broadcast_object_list(outcome, src=0)
        problem, results = outcome
        if problem:
            raise InputError(problem)
        return results[0]

    def together(self, work: Callable[[], Result]) -> Result:
        """Run `work` in every process. Raises InputError in all, with the first reason, if it fails in one."""
        if self.size == 1:
            return work()
        problem, results = _attempt(work)
        problems = [(rank, reason) for rank, reason in enumerate(self.gather(problem)) if reason]
        if problems:
            rank, reason = problems[0]
            raise InputError(reason if rank == 0 else f"process {rank} of {self.size}: {reason}")
        return results[0]


ALONE = Crew()


@contextmanager
def joined() -> Iterator[Crew]:
    """Connect the processes that the launcher started. Raises DesertedError if another one ends too early."""
    size = int(os.environ.get("WORLD_SIZE", "1")) if "RANK" in os.environ else 1
    if size == 1:
        yield ALONE
        return
    own_device()
    dist.init_process_group("cpu:gloo,cuda:nccl" if torch.cuda.is_available() else "gloo")
    crew = Crew(dist.get_rank(), dist.get_world_size())
    try:
        yield crew
    except RuntimeError as error:
        if not isinstance(error, dist.DistError) and "gloo" not in str(error).lower():  # Gloo has no error of its own
            raise
        raise DesertedError(f"process {crew.rank} of {size} has lost another one, so the training ends here") from error
    finally:
        dist.destroy_process_group()


def own_device() -> torch.device:
    """Return a GPU for each process of this machine, or the CPU. Raises InputError if there are too few GPUs."""
    if not torch.cuda.is_available():
        return torch.device("cpu")
    place, count = int(os.environ.get("LOCAL_RANK", "0")), torch.cuda.device_count()
    if place >= count:
        raise InputError(
            f"process {place} of this machine finds {count} GPUs; --nproc-per-node must be at most {count}"
        )
    torch.cuda.set_device(place)
    return torch.device("cuda", place)


def _attempt(work: Callable[[], Result]) -> tuple[str, list[Result]]:
    """Return the error message and no result, or no message and the result."""
    try:
        return "", [work()]
    except (InputError, OSError) as error:
        return str(error) or type(error).__name__, []
