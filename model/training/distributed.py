"""Data-parallel training in several processes: each takes its rows of every batch, and all make the same update.

PyTorch's launcher `torchrun` starts the processes, on one machine or several, and tells each by environment variables
which of how many it is and where they meet. A training that was started without it is alone.
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
    """How many processes train together, and which of them this is. All have to call the same methods in turn."""

    rank: int = 0
    size: int = 1

    @property
    def leads(self) -> bool:
        """Whether this one writes the files and speaks for all."""
        return self.rank == 0

    def tell(self, message: str) -> None:
        if self.leads:
            print(message, file=sys.stderr, flush=True)

    def wrap(self, network: nn.Module) -> nn.Module:
        """The same network; a backward pass through it leaves in each process the mean of all their gradients."""
        return DistributedDataParallel(network) if self.size > 1 else network

    def total(self, *values: float) -> list[float]:
        """The sum of each value over all processes, to the same bit in each of them."""
        if self.size == 1:
            return list(values)
        sums = torch.tensor(values, dtype=torch.float64)
        dist.all_reduce(sums)
        return sums.tolist()

    def gather(self, value: Result) -> list[Result]:
        """The values of all processes, by rank."""
        if self.size == 1:
            return [value]
        values: list[Any] = [None] * self.size
        dist.all_gather_object(values, value)
        return values

    def first(self, work: Callable[[], Result]) -> Result:
        """Do it in the first process alone, and give all its result. Raises InputError in all where it fails."""
        if self.size == 1:
            return work()
        outcome: list[Any] = [*_attempt(work)] if self.leads else [None, None]
        dist.broadcast_object_list(outcome, src=0)
        problem, results = outcome
        if problem:
            raise InputError(problem)
        return results[0]

    def together(self, work: Callable[[], Result]) -> Result:
        """Do it in every process. Raises InputError in all, with the first reason, where it fails in one."""
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
    """The processes that the launcher started with this one. Raises DesertedError when another one ends too early."""
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
        if not _is_of_the_connection(error):
            raise
        raise DesertedError(f"process {crew.rank} of {size} has lost another one, so the training ends here") from error
    finally:
        dist.destroy_process_group()


def own_device() -> torch.device:
    """A GPU for each process of this machine, or the processor. Raises InputError when there are too few GPUs."""
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
    """What went wrong and no result, or nothing and the result."""
    try:
        return "", [work()]
    except (InputError, OSError) as error:
        return str(error) or type(error).__name__, []


def _is_of_the_connection(error: RuntimeError) -> bool:
    """Gloo raises plain errors, known by the path of its source in their message."""
    return isinstance(error, dist.DistError) or "gloo" in str(error).lower()
