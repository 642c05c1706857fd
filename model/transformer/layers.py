"""Encoder and decoder of the Transformer, layer by layer.  Sections 3.1 and 3.2.3.

    encoder     x = x + MultiHead(LayerNorm(x))      x = x + FFN(LayerNorm(x))
    decoder     x = x + MultiHead(LayerNorm(x), target so far)      x = x + MultiHead(LayerNorm(x), annotations)
                x = x + FFN(LayerNorm(x))

x is the residual stream: each part of a layer reads it, and adds to it. Annotations, and h̃, are LayerNorm(x) after the
last layer. In training all target tokens are read at once, and a mask hides later tokens from each. In decoding they
come one by one: the keys and values of earlier tokens are cached, so a step computes one token alone.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple, cast

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn

from regard.model.attention import NO_STEERING, HeadChange, Steering
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


class TransformerMemory(NamedTuple):
    """The decoder's view of a source sentence."""

    layers: tuple[Heads, ...]  # keys and values of the annotations, for each layer of the decoder
    mask: Bool[Tensor, "B S"]  # true at tokens, false at padding
    encoded: EncoderPass  # of the sentences as read, however many hypotheses there are

    @property
    def annotations(self) -> Float[Tensor, "B S E"]:
        return self.encoded.annotations


class TransformerCarried(NamedTuple):
    """The values the decoder carries from one step to the next: its key-value cache."""

    layers: tuple[Heads, ...]

    @property
    def length(self) -> int:
        """The number of tokens fed so far."""
        return self.layers[0].keys.shape[2]


class DecoderLayerPass(NamedTuple):
    self_attention: AttentionPart
    cross_attention: AttentionPart
    feed_forward: FeedForwardPart


class DecoderPass(NamedTuple):
    """Every number of one decoder step, or of all at once, except the output distribution."""

    embedded: Float[Tensor, "B T D"]  # the residual stream before the first layer
    layers: tuple[DecoderLayerPass, ...]
    vectors: Float[Tensor, "B T A"]  # h̃, the input of the output layer

    @property
    def weights(self) -> Float[Tensor, "B S"]:
        """The mean over the active heads of the last layer's cross-attention at the last step; a head that is switched
        off has weights of 0."""
        weights = self.layers[-1].cross_attention.attended.weights[:, :, -1]
        return weights.sum(1) / (weights.sum(2) > 0).sum(1, keepdim=True).clamp(min=1)

    @property
    def attentional(self) -> Float[Tensor, "B A"]:
        return self.vectors[:, -1]

    @property
    def carried(self) -> TransformerCarried:
        return TransformerCarried(tuple(layer.self_attention.heads for layer in self.layers))


class DecoderLayer(nn.Module):
    def __init__(self, size: int, heads: int, hidden: int, dropout: float) -> None:
        super().__init__()
        self.self_attention_norm, self.cross_attention_norm = nn.LayerNorm(size), nn.LayerNorm(size)
        self.feed_forward_norm = nn.LayerNorm(size)
        self.self_attention = MultiHeadAttention(size, heads)
        self.cross_attention = MultiHeadAttention(size, heads)
        self.feed_forward = FeedForward(size, hidden)
        self.dropout = nn.Dropout(dropout)

    def remember(self, annotations: Float[Tensor, "B S E"]) -> Heads:
        """Return the keys and values of the annotations."""
        return self.cross_attention.remember(annotations)

    def forward(
        self,
        stream: Float[Tensor, "B T D"],
        before: Heads,
        source: Heads,
        masks: tuple[Bool[Tensor, "1 1 T P"], Bool[Tensor, "B 1 1 S"]],
        steering: Steering,
        number: int,
    ) -> DecoderLayerPass:
        """Compute one layer; `masks` are for the target so far and for the source."""
        normalised = self.self_attention_norm(stream)
        heads = before.longer(self.self_attention.remember(normalised))
        changes, vectors = of_layer(steering.heads, "decoder", number), partial(steering.mixed, "decoder", number)
        attended = self.self_attention(normalised, heads, masks[0], changes=changes, vectors=vectors)
        stream = stream + self.dropout(attended.output)
        first = AttentionPart(normalised, heads, attended, stream)
        normalised = self.cross_attention_norm(stream)
        changes, vectors = of_layer(steering.heads, "cross", number), partial(steering.mixed, "cross", number)
        attended = self.cross_attention(normalised, source, masks[1], steering, changes, vectors)
        stream = stream + self.dropout(attended.output)
        second = AttentionPart(normalised, source, attended, stream)
        third = transform(self.feed_forward_norm, self.feed_forward, self.dropout, stream)
        return DecoderLayerPass(first, second, third)


class TransformerDecoder(nn.Module):
    def __init__(self, layers: int, size: int, heads: int, hidden: int, dropout: float) -> None:
        super().__init__()
        self.layers = nn.ModuleList(DecoderLayer(size, heads, hidden, dropout) for _ in range(layers))
        self.norm = nn.LayerNorm(size)

    def remember(self, annotations: Float[Tensor, "B S E"]) -> tuple[Heads, ...]:
        """Return the keys and values of the annotations, for each layer."""
        return tuple(layer.remember(annotations) for layer in cast("Iterable[DecoderLayer]", self.layers))

    def forward(
        self,
        embedded: Float[Tensor, "B T D"],
        carried: TransformerCarried,
        memory: TransformerMemory,
        steering: Steering = NO_STEERING,
    ) -> DecoderPass:
        """Decode the next tokens, one or all; each attends to the cache and to the tokens up to itself."""
        before, count = carried.length, embedded.shape[1]
        so_far = torch.ones(count, before + count, dtype=torch.bool, device=embedded.device).tril(before)
        masks = so_far[None, None], memory.mask[:, None, None]
        stream, layers = embedded, []
        for number, layer in enumerate(self.layers):
            layers.append(layer(stream, carried.layers[number], memory.layers[number], masks, steering, number))
            stream = layers[-1].feed_forward.stream
        return DecoderPass(embedded, tuple(layers), steering.vectors("attentional", self.norm(stream)))
