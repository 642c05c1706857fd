"""Encoder of the Transformer: every source token attends to all of them, layer by layer. Section 3.1.

    x = x + MultiHead(LayerNorm(x))      x = x + FFN(LayerNorm(x))      annotations = LayerNorm(x) after the last layer

x is the residual stream: each part of a layer reads it, and adds to it.
"""

from dataclasses import dataclass
from typing import NamedTuple

from jaxtyping import Bool, Float
from torch import Tensor, nn

from regard.model.attention import HeadChange
from regard.model.transformer.attention import FeedForward, Heads, HeadsAttended, MultiHeadAttention


class AttentionPart(NamedTuple):
    """One attention of a layer: its inputs and its output, which is added to the residual stream."""

    normalised: Float[Tensor, "B T D"]
    heads: Heads
    attended: HeadsAttended
    stream: Float[Tensor, "B T D"]  # after this part


class FeedForwardPart(NamedTuple):
    """The feed-forward network of a layer: its inputs and its output, which is added to the residual stream."""

    normalised: Float[Tensor, "B T D"]
    hidden: Float[Tensor, "B T F"]
    output: Float[Tensor, "B T D"]
    stream: Float[Tensor, "B T D"]  # after this part


class EncoderLayerPass(NamedTuple):
    attention: AttentionPart
    feed_forward: FeedForwardPart


@dataclass(frozen=True, eq=False)
class EncoderPass:
    """Every number of the encoder."""

    embedded: Float[Tensor, "B S D"]  # the residual stream before the first layer
    layers: tuple[EncoderLayerPass, ...]
    annotations: Float[Tensor, "B S D"]


class EncoderLayer(nn.Module):
    def __init__(self, size: int, heads: int, hidden: int, dropout: float) -> None:
        super().__init__()
        self.attention_norm, self.feed_forward_norm = nn.LayerNorm(size), nn.LayerNorm(size)
        self.attention = MultiHeadAttention(size, heads)
        self.feed_forward = FeedForward(size, hidden)
        self.dropout = nn.Dropout(dropout)

    def forward(
        self, stream: Float[Tensor, "B S D"], mask: Bool[Tensor, "B 1 1 S"], changes: tuple[HeadChange, ...]
    ) -> EncoderLayerPass:
        normalised = self.attention_norm(stream)
        heads = self.attention.remember(normalised)
        attended = self.attention(normalised, heads, mask, changes=changes)
        stream = stream + self.dropout(attended.output)
        attention = AttentionPart(normalised, heads, attended, stream)
        return EncoderLayerPass(attention, transform(self.feed_forward_norm, self.feed_forward, self.dropout, stream))


class TransformerEncoder(nn.Module):
    def __init__(self, layers: int, size: int, heads: int, hidden: int, dropout: float) -> None:
        super().__init__()
        self.layers = nn.ModuleList(EncoderLayer(size, heads, hidden, dropout) for _ in range(layers))
        self.norm = nn.LayerNorm(size)

    def forward(
        self, embedded: Float[Tensor, "B S D"], mask: Bool[Tensor, "B S"], changes: tuple[HeadChange, ...] = ()
    ) -> EncoderPass:
        """Encode embeddings with positions; the annotations of padding are meaningless and never attended to."""
        stream, layers = embedded, []
        for number, layer in enumerate(self.layers):
            layers.append(layer(stream, mask[:, None, None], of_layer(changes, "encoder", number)))
            stream = layers[-1].feed_forward.stream
        return EncoderPass(embedded, tuple(layers), self.norm(stream))


def transform(
    norm: nn.LayerNorm, network: FeedForward, dropout: nn.Dropout, stream: Float[Tensor, "B T D"]
) -> FeedForwardPart:
    """Compute the feed-forward part of a layer."""
    normalised = norm(stream)
    hidden, output = network(normalised)
    return FeedForwardPart(normalised, hidden, output, stream + dropout(output))


def of_layer(changes: tuple[HeadChange, ...], attention: str, layer: int) -> tuple[HeadChange, ...]:
    """Return the changes for one attention of one layer."""
    return tuple(change for change in changes if (change.attention, change.layer) == (attention, layer))
