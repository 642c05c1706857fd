"""Tracing: turn the tensors of a decoded batch, stacked once, into one trace per sentence."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import torch
from jaxtyping import Float, Int
from numpy import ndarray
from torch import Tensor

from regard.model.alignment import Sentence
from regard.model.autoregression import Decoded
from regard.model.changes.intervention import UNTOUCHED, Intervention
from regard.model.checkpoint import AnyModel, AnyPretrained
from regard.model.config import Config
from regard.model.network import AnyMemory, AnyStep, TraceT
from regard.model.tokenizer import STOP, Encoding, Tokenizer
from regard.model.trace import Maker, TraceOutput
from regard.model.words import END, Span

LIKELIEST = 10  # next tokens kept by a trace


class Kept(NamedTuple):
    """The values of one decoder step of a batch that traces keep; all logits of all steps would fill the memory."""

    step: AnyStep
    tokens: Int[Tensor, " B"]
    logits: Float[Tensor, " B"]  # of the tokens taken
    log_normaliser: Float[Tensor, " B"]
    top_ids: Int[Tensor, "B K"]
    top_logits: Float[Tensor, "B K"]


class Decoding(NamedTuple):
    """One sentence of a batch: its source, its output and why decoding ended."""

    source: Encoding
    target_ids: tuple[int, ...]  # including `</s>` if it was produced
    stop: str


def sentence(tokenizer: Tokenizer, encoding: Encoding, language: str, ended: bool) -> Sentence:
    """Build one side of a trace; `ended` adds `</s>` as a word of its own."""
    tokens = tuple(map(tokenizer.token, encoding.ids))
    words = tuple(encoding.text[word.start : word.stop] for word in encoding.words)
    end = Span(len(encoding.text), len(encoding.text))
    return Sentence(
        encoding.text,
        language,
        (*tokens, END) if ended else tokens,
        (*words, END) if ended else words,
        (*encoding.word_of, len(words)) if ended else encoding.word_of,
        (*encoding.characters, end) if ended else encoding.characters,
    )


def maker(model: AnyModel) -> Maker:
    feeding = isinstance(model.config, Config) and model.config.input_feeding
    return Maker(model.name, model.fingerprint, *model.network.choices(), feeding, model.axes, len(model.tokenizer))


def keep(decoded: Decoded) -> Kept:
    """Keep the likeliest tokens and the one taken instead of all logits. The log-normaliser is a logit minus its
    log-probability; PyTorch's `logsumexp` takes five times as long."""
    step, logits, tokens = decoded
    top = logits.topk(min(LIKELIEST, logits.shape[1]))
    taken = tokens.unsqueeze(1)
    chosen, log_probability = logits.gather(1, taken), logits.log_softmax(1).gather(1, taken)
    return Kept(step, tokens, chosen.squeeze(1), (chosen - log_probability).squeeze(1), top.indices, top.values)


def record(
    model: AnyPretrained[TraceT],
    decodings: Sequence[Decoding],
    memory: AnyMemory,
    start: Any,
    steps: Sequence[Kept],
    intervention: Intervention = UNTOUCHED,
) -> list[TraceT]:
    """Return the traces of one batch's sentences, in order; `intervention` applies to all of them."""
    columns = [
        torch.stack(values, dim=1).numpy(force=True) for values in zip(*(kept[2:] for kept in steps), strict=True)
    ]
    made_by, rows = maker(model), zip(*columns, strict=True)
    outputs = [
        _output(model, made_by, intervention, decoding, row) for decoding, row in zip(decodings, rows, strict=True)
    ]
    return model.network.traces(outputs, memory, start, [kept.step for kept in steps])


def _output(
    model: AnyModel, made_by: Maker, intervention: Intervention, decoding: Decoding, row: Sequence[ndarray]
) -> TraceOutput:
    """Build the output of one sentence of the batch, cut to its own length."""
    tokenizer, (source_language, target_language) = model.tokenizer, model.tokenizer.languages
    read, ids = decoding.source, decoding.target_ids
    written = tokenizer.read(ids, target_language)
    logits, log_normaliser, top_ids, top_logits = (values[: len(ids)].copy() for values in row)
    return TraceOutput(
        maker=made_by,
        read=sentence(tokenizer, read, source_language, ended=True),
        written=sentence(tokenizer, written, target_language, ended=ids[-1:] == (STOP,)),
        stop=decoding.stop,
        source_ids=_ids((*read.ids, STOP)),
        target_ids=_ids(ids),
        logits=logits,
        log_normaliser=log_normaliser,
        top_ids=top_ids,
        top_tokens=tuple(tuple(tokenizer.token(index) for index in likeliest) for likeliest in top_ids.tolist()),
        top_logits=top_logits,
        intervention=intervention,
    )


def _ids(ids: Sequence[int]) -> Int[ndarray, " N"]:
    return np.array(ids, dtype=np.int64)
