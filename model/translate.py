"""Greedy decoding from sentences to translations or traces: the best token at every step, until `</s>` or the limit.

`translate` and `force` record; `write` computes the same translations and keeps only the text.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import TypeVar

import torch
from jaxtyping import Int
from torch import Tensor

from regard.model.attention import HeadChange
from regard.model.autoregression import (
    Choice,
    Decoded,
    Prefixes,
    Steered,
    advance,
    decoder_steps,
    empty,
    likeliest,
    unsteered,
)
from regard.model.checkpoint import AnyModel, AnyPretrained
from regard.model.input_error import InputError
from regard.model.network import AnyMemory, TraceT, taken
from regard.model.seq2seq import pad
from regard.model.tokenizer import STOP, Encoding
from regard.model.tracing import Decoding, keep, record

Result = TypeVar("Result")
BATCH = 32  # sentences decoded together
AHEAD = 8  # batches of a stream that are read before the first is decoded, so that similar lengths are batched


def limit(source_tokens: int) -> int:
    """Return the most tokens a translation may have before decoding stops."""
    return 2 * source_tokens + 10


def translate(model: AnyPretrained[TraceT], sentences: Sequence[str]) -> list[TraceT]:
    """Translate greedily; return a trace for each sentence, in order."""
    return translate_encoded(model, _encode(model, sentences, side=0))


def stream(model: AnyPretrained[TraceT], sentences: Iterable[str], batch_size: int = BATCH) -> Iterator[TraceT]:
    """Yield a trace for each sentence, in order; at most `AHEAD` batches of traces are in memory at once."""
    if batch_size < 1:
        raise InputError(f"batch_size is {batch_size}; it must be at least 1")
    waiting = iter(sentences)
    while group := _encode(model, list(islice(waiting, AHEAD * batch_size)), side=0):
        yield from in_batches(group, lambda rows: _record(model, [group[row] for row in rows]), batch_size)


def translate_encoded(model: AnyPretrained[TraceT], encodings: Sequence[Encoding]) -> list[TraceT]:
    """Translate sentences that are already tokenised; return a trace for each, in order."""
    return in_batches(encodings, lambda group: _record(model, [encodings[i] for i in group]))


def write(model: AnyModel, sentences: Sequence[str], batch_size: int = BATCH) -> list[str]:
    """Return the translations alone, without recording traces."""
    encodings = _encode(model, sentences, side=0)
    return in_batches(encodings, lambda group: _write(model, [encodings[i] for i in group]), batch_size)


def force(model: AnyPretrained[TraceT], pairs: Sequence[tuple[str, str]]) -> list[TraceT]:
    """Force each target on its source; return a trace of each pair, in order, with the target's probabilities."""
    sources = _encode(model, [source for source, _ in pairs], side=0)
    targets = [encoding.ids + (STOP,) for encoding in _encode(model, [target for _, target in pairs], side=1)]
    return force_ids(model, sources, targets)


def of_nothing(model: AnyPretrained[TraceT]) -> TraceT:
    """Return the trace of an empty text and its empty translation; left to itself, a model may write words for it."""
    return force(model, [("", "")])[0]


def force_ids(
    model: AnyPretrained[TraceT], sources: Sequence[Encoding], targets: Sequence[tuple[int, ...]]
) -> list[TraceT]:
    """Force targets given as ids, with `</s>`; return a trace of each pair, in order."""
    return in_batches(sources, lambda group: _record(model, [sources[i] for i in group], [targets[i] for i in group]))


def decode(
    model: AnyModel, memory: AnyMemory, limits: Sequence[int], choose: Choice = likeliest, steering: Steered = unsteered
) -> Iterator[Decoded]:
    """Step a batch until each sentence has `</s>` or has reached its limit; `choose` picks the token at each step. A
    sentence that has ended keeps stepping, without effect, until the last one ends. The caller switches gradients off:
    a generator would do so anew at each step."""
    running = set(range(len(limits)))
    for length, decoded in enumerate(decoder_steps(model.network, memory, choose, steering), start=1):
        yield decoded
        tokens = decoded.tokens.tolist()
        running -= {row for row, token in enumerate(tokens) if token == STOP or length >= limits[row]}
        if not running:
            return


@torch.inference_mode()
def _record(
    model: AnyPretrained[TraceT], encodings: list[Encoding], targets: Sequence[tuple[int, ...]] = ()
) -> list[TraceT]:
    """Translate a batch, or force the targets on it; return the trace of each sentence."""
    memory, limits = read(model, encodings)
    choose: Choice = likeliest
    if targets:
        given, limits = pad(targets), [len(target) for target in targets]
        choose = lambda step, logits: given[:, step]  # noqa: E731
    steps = [keep(decoded) for decoded in decode(model, memory, limits, choose)]
    written = [(ids, "forced") for ids in targets] or endings([kept.tokens for kept in steps], limits)
    decodings = [Decoding(encoding, ids, stop) for encoding, (ids, stop) in zip(encodings, written, strict=True)]
    return record(model, decodings, memory, model.network.start(memory), steps)


@torch.inference_mode()
def _write(model: AnyModel, encodings: list[Encoding]) -> list[str]:
    """Write a batch; sentences that have ended leave it, which speeds up the others."""
    memory, limits = read(model, encodings)
    prefixes, written = empty(model.network, memory), [[] for _ in encodings]
    running = list(range(len(encodings)))
    while running:
        step, logits = advance(model.network, prefixes)
        tokens = likeliest(len(written[running[0]]), logits)
        for row, token in zip(running, tokens.tolist(), strict=True):
            written[row].append(token)
        places = [
            place for place, row in enumerate(running) if written[row][-1] != STOP and len(written[row]) < limits[row]
        ]
        prefixes = Prefixes(tokens, step.carried, prefixes.memory)
        if len(places) < len(running):
            running = [running[place] for place in places]
            prefixes = taken(prefixes, torch.tensor(places, dtype=torch.long))
    return [model.tokenizer.decode(ids) for ids in written]


def _encode(model: AnyModel, sentences: Sequence[str], side: int) -> list[Encoding]:
    return [model.tokenizer.encode(text, model.tokenizer.languages[side]) for text in sentences]


@torch.inference_mode()
def read(
    model: AnyModel, encodings: Sequence[Encoding], changes: tuple[HeadChange, ...] = ()
) -> tuple[AnyMemory, list[int]]:
    """Return the encoded batch and the limit of each sentence; `changes` are to heads of a Transformer's encoder."""
    ids = [encoding.ids + (STOP,) for encoding in encodings]
    return model.network.encode(pad(ids), changes), [limit(len(row)) for row in ids]


def endings(tokens: Sequence[Int[Tensor, " B"]], limits: Sequence[int]) -> list[tuple[tuple[int, ...], str]]:
    """Return for each sentence of a batch its own ids, up to and including `</s>`, and why they end."""
    endings = []
    for row, most in zip(torch.stack(list(tokens), dim=1).tolist(), limits, strict=True):
        ids = row[:most]
        ended = STOP in ids
        endings.append((tuple(ids[: ids.index(STOP) + 1] if ended else ids), "end" if ended else "limit"))
    return endings


def in_batches(
    encodings: Sequence[Encoding], handle: Callable[[list[int]], list[Result]], batch_size: int = BATCH
) -> list[Result]:
    """Handle sentences of similar length together; results keep the order of the sentences."""
    order = sorted(range(len(encodings)), key=lambda index: len(encodings[index].ids))
    results: dict[int, Result] = {}
    for start in range(0, len(order), batch_size):
        group = order[start : start + batch_size]
        results |= zip(group, handle(group), strict=True)
    return [results[index] for index in range(len(encodings))]
