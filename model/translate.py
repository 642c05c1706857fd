"""Sentences in, translations or traces out: the decoder's best token at every step, until `</s>` or the limit.

`translate` and `force` record; `write` computes the same translations and keeps only the text.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

import torch
from jaxtyping import Int
from torch import Tensor

from model.checkpoint import Pretrained
from model.corpus import pad
from model.decoder import Memory
from model.recording import Decoded, Decoding, keep, record
from model.tokenizer import START, STOP, Encoding
from model.trace import Trace

Result = TypeVar("Result")
BATCH = 32  # sentences decoded together


def limit(source_tokens: int) -> int:
    """The most tokens a translation may have before decoding is stopped."""
    return 2 * source_tokens + 10


def translate(model: Pretrained, sentences: Sequence[str]) -> list[Trace]:
    """A trace for each sentence, in order, by greedy decoding."""
    encodings = _encode(model, sentences, side=0)
    return _in_batches(encodings, lambda group: _translate(model, [encodings[i] for i in group]))


def write(model: Pretrained, sentences: Sequence[str]) -> list[str]:
    """The translations alone, without recording how they came about."""
    encodings = _encode(model, sentences, side=0)
    return _in_batches(encodings, lambda group: _write(model, [encodings[i] for i in group]))


def force(model: Pretrained, pairs: Sequence[tuple[str, str]]) -> list[Trace]:
    """A trace for each pair of sentences, in order: the decoder is fed the given target and asked how likely it is."""
    sources = _encode(model, [source for source, _ in pairs], side=0)
    targets = [encoding.ids + (STOP,) for encoding in _encode(model, [target for _, target in pairs], side=1)]
    return force_ids(model, sources, targets)


def force_ids(model: Pretrained, sources: Sequence[Encoding], targets: Sequence[tuple[int, ...]]) -> list[Trace]:
    """The same for targets given as ids."""
    return _in_batches(sources, lambda group: _force(model, [sources[i] for i in group], [targets[i] for i in group]))


@torch.inference_mode()
def decode(model: Pretrained, memory: Memory, limits: Sequence[int]) -> Iterator[Decoded]:
    """Greedy decoding of a batch, until each sentence has produced `</s>` or reached its limit.

    `<pad>` and `<s>` are never taken. A sentence that has ended is stepped on idly until the last one ends.
    """
    network, carried = model.network, model.network.start(memory)
    tokens = _first(memory)
    running = set(range(len(limits)))
    for step_number in range(1, max(limits) + 1):
        step = network.step(tokens, carried, memory)
        logits = network.logits(step.attentional)
        tokens = logits[:, STOP:].argmax(-1) + STOP
        yield Decoded(step, logits, tokens)
        carried = step.carried
        running -= {row for row, token in enumerate(tokens.tolist()) if token == STOP or step_number >= limits[row]}
        if not running:
            return


@torch.inference_mode()
def _translate(model: Pretrained, encodings: list[Encoding]) -> list[Trace]:
    memory, limits = _read(model, encodings)
    steps = [keep(decoded) for decoded in decode(model, memory, limits)]
    written = _endings([kept.tokens for kept in steps], limits)
    decodings = [Decoding(encoding, ids, stop) for encoding, (ids, stop) in zip(encodings, written, strict=True)]
    return record(model, decodings, memory, model.network.start(memory), steps)


@torch.inference_mode()
def _write(model: Pretrained, encodings: list[Encoding]) -> list[str]:
    memory, limits = _read(model, encodings)
    tokens = [decoded.tokens for decoded in decode(model, memory, limits)]
    return [model.tokenizer.decode(ids) for ids, _ in _endings(tokens, limits)]


@torch.inference_mode()
def _force(model: Pretrained, sources: list[Encoding], targets: list[tuple[int, ...]]) -> list[Trace]:
    network = model.network
    memory, _ = _read(model, sources)
    carried, tokens, steps = network.start(memory), _first(memory), []
    for given in pad(targets).unbind(1):
        step = network.step(tokens, carried, memory)
        steps.append(keep(Decoded(step, network.logits(step.attentional), given)))
        carried, tokens = step.carried, given
    decodings = [Decoding(source, target, "forced") for source, target in zip(sources, targets, strict=True)]
    return record(model, decodings, memory, network.start(memory), steps)


def _encode(model: Pretrained, sentences: Sequence[str], side: int) -> list[Encoding]:
    return [model.tokenizer.encode(text, model.tokenizer.languages[side]) for text in sentences]


@torch.inference_mode()
def _read(model: Pretrained, encodings: Sequence[Encoding]) -> tuple[Memory, list[int]]:
    """The encoded batch, and the limit of each sentence."""
    ids = [encoding.ids + (STOP,) for encoding in encodings]
    return model.network.encode(pad(ids)), [limit(len(row)) for row in ids]


def _first(memory: Memory) -> Int[Tensor, " B"]:
    """What is fed in at the first step."""
    return torch.full((len(memory.mask),), START)


def _endings(tokens: Sequence[Int[Tensor, " B"]], limits: Sequence[int]) -> list[tuple[tuple[int, ...], str]]:
    """For each sentence of a batch its own ids, up to and with `</s>`, and why they end."""
    endings = []
    for row, most in zip(torch.stack(list(tokens), dim=1).tolist(), limits, strict=True):
        ids = row[:most]
        ended = STOP in ids
        endings.append((tuple(ids[: ids.index(STOP) + 1] if ended else ids), "end" if ended else "limit"))
    return endings


def _in_batches(encodings: Sequence[Encoding], handle: Callable[[list[int]], list[Result]]) -> list[Result]:
    """Handle sentences of like length together; results come in the order of the sentences."""
    order = sorted(range(len(encodings)), key=lambda index: len(encodings[index].ids))
    results: dict[int, Result] = {}
    for start in range(0, len(order), BATCH):
        group = order[start : start + BATCH]
        results |= zip(group, handle(group), strict=True)
    return [results[index] for index in range(len(encodings))]
