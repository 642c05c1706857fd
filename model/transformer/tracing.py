"""Tracing of a Transformer: join the passes of a batch once and split them into one trace per sentence."""

from collections.abc import Mapping, Sequence
from typing import TypeVar

import torch
from numpy import ndarray
from torch import Tensor
from torch.nn.functional import pad

from regard.model.trace import TraceOutput
from regard.model.transformer.decoder import DecoderPass, TransformerMemory
from regard.model.transformer.encoder import AttentionPart, FeedForwardPart
from regard.model.transformer.trace import AttentionTrace, FeedForwardTrace, TransformerTrace

Columns = dict[str, ndarray]  # arrays of a batch by name, each B × L × … × rows × columns
SQUARE = ("own_scores", "scores", "weights")  # columns are positions, too
ATTENDED = ("keys", "values")  # rows are the positions attended to
PartT = TypeVar("PartT", AttentionTrace, FeedForwardTrace)


def traces(
    outputs: Sequence[TraceOutput], memory: TransformerMemory, steps: Sequence[DecoderPass]
) -> list[TransformerTrace]:
    """Return the trace of each sentence of a batch."""
    layers = range(len(steps[0].layers))
    encoded = memory.encoded
    source, annotations = encoded.embedded.numpy(), encoded.annotations.numpy()
    target, vectors = (
        torch.cat(rows, dim=1).numpy() for rows in ([step.embedded for step in steps], [step.vectors for step in steps])
    )
    encoder = _attention([[layer.attention] for layer in encoded.layers])
    encoder_hidden = _feed_forward([[layer.feed_forward] for layer in encoded.layers])
    own = _attention([[step.layers[layer].self_attention for step in steps] for layer in layers])
    cross = _attention([[step.layers[layer].cross_attention for step in steps] for layer in layers])
    hidden = _feed_forward([[step.layers[layer].feed_forward for step in steps] for layer in layers])
    parts = []
    for row, output in enumerate(outputs):
        read = min(row, len(source) - 1)  # hypotheses of one sentence were read together
        S, T = len(output.source_ids), len(output.target_ids)
        looked = _cut(AttentionTrace, cross, row, T, S)
        parts.append(
            TransformerTrace(
                source_embedded=source[read, :S].copy(),
                encoder_attention=_cut(AttentionTrace, encoder, read, S, S),
                encoder_feed_forward=_cut(FeedForwardTrace, encoder_hidden, read, S),
                annotations=annotations[read, :S].copy(),
                target_embedded=target[row, :T].copy(),
                decoder_attention=_cut(AttentionTrace, own, row, T, T),
                cross_attention=looked,
                decoder_feed_forward=_cut(FeedForwardTrace, hidden, row, T),
                attentional=vectors[row, :T].copy(),
                **output.shared(looked.mean(-1)),
            )
        )
    return parts


def _attention(layers: Sequence[Sequence[AttentionPart]]) -> Columns:
    """Join the parts of all steps, layer by layer; the last step has the keys and values of all."""
    numbers = [
        [{"normalised": part.normalised, **part.attended._asdict(), "stream": part.stream} for part in parts]
        for parts in layers
    ]
    heads = {name: [getattr(parts[-1].heads, name) for parts in layers] for name in ATTENDED}
    return {name: torch.stack(one, dim=1).numpy() for name, one in heads.items()} | _columns(numbers)


def _feed_forward(layers: Sequence[Sequence[FeedForwardPart]]) -> Columns:
    return _columns([[part._asdict() for part in parts] for parts in layers])


def _columns(layers: Sequence[Sequence[Mapping[str, Tensor]]]) -> Columns:
    """Join the steps of each layer along the rows, the last dimension but one."""
    return {
        name: torch.stack([_rows([part[name] for part in parts], name) for parts in layers], dim=1).numpy()
        for name in layers[0][0]
    }


def _rows(steps: Sequence[Tensor], name: str) -> Tensor:
    if name in SQUARE:
        width = steps[-1].shape[-1]
        steps = [pad(step, (0, width - step.shape[-1])) if step.shape[-1] < width else step for step in steps]
    return torch.cat(list(steps), dim=-2)


def _cut(kind: type[PartT], columns: Columns, row: int, T: int, S: int = 0) -> PartT:
    """Cut out one sentence: T rows, and of an attention the S positions that they attend to."""
    parts = {name: values[row][..., : S if name in ATTENDED else T, :] for name, values in columns.items()}
    return kind(**{name: part[..., : S if name in SQUARE else None].copy() for name, part in parts.items()})
