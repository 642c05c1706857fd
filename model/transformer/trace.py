"""Trace of a Transformer: every number of one translation, in every layer and head. NumPy only."""

from dataclasses import dataclass
from typing import ClassVar

from jaxtyping import Float
from numpy import ndarray

from regard.model.input_error import InputError
from regard.model.trace import AnyTrace


@dataclass(frozen=True, eq=False)
class AttentionTrace:
    """One kind of attention in all layers: T vectors attend to S, which in self-attention are the same.

    `own_scores` are the model's; `scores` are those after a person's changes. For later positions, both the score and
    the weight are stored as 0. `mixed` are the heads' outputs z; `output` is W_O times all of them; `stream` is
    the residual stream after adding it.
    """

    normalised: Float[ndarray, "L T D"]  # input of the queries
    queries: Float[ndarray, "L N T Q"]
    keys: Float[ndarray, "L N S Q"]
    values: Float[ndarray, "L N S Q"]
    own_scores: Float[ndarray, "L N T S"]
    scores: Float[ndarray, "L N T S"]
    weights: Float[ndarray, "L N T S"]
    mixed: Float[ndarray, "L N T Q"]
    output: Float[ndarray, "L T D"]
    stream: Float[ndarray, "L T D"]

    def mean(self, layer: int) -> Float[ndarray, "T S"]:
        """Return the weights of a layer, averaged over the active heads; a head that is off has weights of 0."""
        weights = self.weights[layer]
        return weights.sum(0) / (weights.sum(2, keepdims=True) > 0).sum(0).clip(1).astype(weights.dtype)


@dataclass(frozen=True, eq=False)
class FeedForwardTrace:
    """The feed-forward networks of all layers."""

    normalised: Float[ndarray, "L T D"]
    hidden: Float[ndarray, "L T F"]
    output: Float[ndarray, "L T D"]
    stream: Float[ndarray, "L T D"]


@dataclass(frozen=True, eq=False, repr=False)
class TransformerTrace(AnyTrace):
    """One row per source token in the encoder; in the decoder row t produced target token t from the one before it.
    `weights` are the mean of the active heads of the last layer's cross-attention, 0 in all places if every head is
    off. The output layer reads `attentional`."""

    FORMAT: ClassVar = 3
    source_embedded: Float[ndarray, "S D"]  # embeddings with their positions: the stream before the first layer
    encoder_attention: AttentionTrace
    encoder_feed_forward: FeedForwardTrace
    annotations: Float[ndarray, "S D"]
    target_embedded: Float[ndarray, "T D"]
    decoder_attention: AttentionTrace
    cross_attention: AttentionTrace
    decoder_feed_forward: FeedForwardTrace

    def __post_init__(self) -> None:
        super().__post_init__()
        S, T = len(self.source_ids), len(self.target_ids)
        for part, size in (("encoder", (S, S)), ("decoder", (T, T)), ("cross", (T, S))):
            if self.attention(part).weights.shape[2:] != size:
                raise InputError(f"the weights of {part} attention do not fit {S} source and {T} target tokens")

    @property
    def heads(self) -> dict[str, Float[ndarray, "L N R C"]]:
        """The weights of every head by kind of attention, under the same names as those of a `GivenAttention`."""
        return {name: self.attention(name).weights for name in ("cross", "decoder", "encoder")}

    @property
    def decoder_states(self) -> Float[ndarray, "T D"]:
        """The input of the queries of the last layer's cross-attention."""
        return self.cross_attention.normalised[-1]

    @property
    def attention_output(self) -> Float[ndarray, "T D"]:
        """The vector that the last layer's cross-attention adds to the residual stream."""
        return self.cross_attention.output[-1]

    def attention(self, name: str) -> AttentionTrace:
        """Return one of the three kinds of attention by its name in an `Intervention`."""
        return {"encoder": self.encoder_attention, "decoder": self.decoder_attention, "cross": self.cross_attention}[
            name
        ]
