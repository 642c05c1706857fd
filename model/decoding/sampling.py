"""Ancestral sampling: each step samples a token from the model's distribution, reshaped by `SamplingSettings`.

`regard.model.decoding.token_sampling` has the definitions and their sources. Each sample has random numbers of its own,
so it stays the same however many are requested: sample i of a seed (from 0) takes one number per step from
`numpy.random.default_rng(numpy.random.SeedSequence(seed, spawn_key=(i,)))`. Only the last bits of the network's numbers
depend on how many sentences it computes together.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic

import numpy as np
import torch
from jaxtyping import Float, Int
from torch import Tensor

from regard.model.checkpoint import AnyPretrained
from regard.model.decoding.token_sampling import Draw, SamplingSettings, draw
from regard.model.network import TraceT, repeated
from regard.model.tokenizer import STOP
from regard.model.tracing import Decoding, keep, record
from regard.model.translate import decode, read


@dataclass(frozen=True)
class Sample(Generic[TraceT]):
    """A sampled translation. Its trace has the model's own probabilities, not the reshaped ones."""

    trace: TraceT
    draws: tuple[Draw, ...]  # one per step

    @property
    def ids(self) -> tuple[int, ...]:
        """The sampled tokens, with `</s>` if it was sampled."""
        return tuple(each.token for each in self.draws)


@torch.inference_mode()
def sample(model: AnyPretrained[TraceT], sentence: str, settings: SamplingSettings) -> list[Sample[TraceT]]:
    """Sample the requested number of translations side by side; each ends with `</s>` or at the limit."""
    count = settings.samples
    source = model.tokenizer.encode(sentence, model.tokenizer.languages[0])
    alone, limits = read(model, [source])
    memory = repeated(alone, count)
    chances = [np.random.default_rng(np.random.SeedSequence(settings.seed, spawn_key=(i,))) for i in range(count)]
    draws: list[list[Draw]] = [[] for _ in range(count)]

    def choose(step: int, logits: Float[Tensor, "B V"]) -> Int[Tensor, " B"]:
        for own, row, chance in zip(draws, logits.numpy(force=True), chances, strict=True):
            if not _ended(own):
                own.append(draw(row, settings, chance.random()))
        return torch.tensor([own[-1].token for own in draws])

    steps = [keep(decoded) for decoded in decode(model, memory, limits * count, choose)]
    stops = ["end" if _ended(own) else "limit" for own in draws]
    written = [tuple(each.token for each in own) for own in draws]
    decodings = [Decoding(source, ids, stop) for ids, stop in zip(written, stops, strict=True)]
    traces = record(model, decodings, memory, model.network.start(memory), steps)
    return [Sample(trace, tuple(own)) for trace, own in zip(traces, draws, strict=True)]


def _ended(draws: Sequence[Draw]) -> bool:
    return bool(draws) and draws[-1].token == STOP
