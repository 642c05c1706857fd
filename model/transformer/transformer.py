"""The Transformer that owns all parameters: embeddings with positions, encoder, decoder, output.  Section 3.4.

    x_t = √D W_e[y_t] + PE(t)      p_t = softmax(W_e h̃_t)

One table of embeddings W_e serves source, target and output.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

import torch
from jaxtyping import Bool, Float, Int
from numpy import ndarray
from torch import Tensor, nn
from torch.nn.functional import pad

from regard.model.attention import NO_STEERING, HeadChange, Steering
from regard.model.config import AnyConfig
from regard.model.input_error import InputError, check_choice
from regard.model.linear import linear
from regard.model.network import Network, fed_tokens, repeated
from regard.model.trace import TraceOutput
from regard.model.transformer.attention import POSITIONS, Heads
from regard.model.transformer.layers import (
    AttentionPart,
    DecoderPass,
    EncoderPass,
    FeedForwardPart,
    TransformerCarried,
    TransformerDecoder,
    TransformerEncoder,
    TransformerMemory,
)
from regard.model.transformer.trace import AttentionTrace, FeedForwardTrace, TransformerTrace

NETWORK = "transformer"
MOST_LAYERS = 24


@dataclass(frozen=True)
class TransformerConfig(AnyConfig):
    """Sizes in components; a vector that passes from layer to layer has `embedding` components. Source, target and
    output share one embedding table (section 3.4), so both languages need one vocabulary. `network` distinguishes the
    file from that of a recurrent network."""

    vocabulary: int
    languages: tuple[str, str] = ("en", "fr")
    embedding: int = 256
    heads: int = 4
    encoder_layers: int = 3
    decoder_layers: int = 3
    feed_forward: int = 1024
    positions: str = "sinusoids"
    dropout: float = 0.1
    network: str = NETWORK

    def __post_init__(self) -> None:
        self.check_common()
        check_choice("network", self.network, (NETWORK,))
        check_choice("positions", self.positions, POSITIONS)
        self.check_sizes("vocabulary", "embedding", "heads", "encoder_layers", "decoder_layers", "feed_forward")
        if self.embedding % (2 * self.heads):
            raise InputError(
                f"embedding is {self.embedding}; it must be a multiple of {2 * self.heads}, twice the heads"
            )
        for name in ("encoder_layers", "decoder_layers"):
            if getattr(self, name) > MOST_LAYERS:
                raise InputError(f"{name} is {getattr(self, name)}; it must be at most {MOST_LAYERS}")

    def columns(self) -> dict[str, int]:
        last = {"encoder": self.encoder_layers - 1, "decoder": self.decoder_layers - 1}
        hidden = {f"{side}.layers.{layer}.feed_forward.W_2.weight": self.feed_forward for side, layer in last.items()}
        return {"embedding.weight": self.embedding, **hidden}

    @property
    def source_in_state(self) -> str:
        return "layers"


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
    source, annotations = encoded.embedded.numpy(force=True), encoded.annotations.numpy(force=True)
    target, vectors = (
        torch.cat(rows, dim=1).numpy(force=True)
        for rows in ([step.embedded for step in steps], [step.vectors for step in steps])
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
    return {name: torch.stack(one, dim=1).numpy(force=True) for name, one in heads.items()} | _columns(numbers)


def _feed_forward(layers: Sequence[Sequence[FeedForwardPart]]) -> Columns:
    return _columns([[part._asdict() for part in parts] for parts in layers])


def _columns(layers: Sequence[Sequence[Mapping[str, Tensor]]]) -> Columns:
    """Join the steps of each layer along the rows, the last dimension but one."""
    return {
        name: torch.stack([_rows([part[name] for part in parts], name) for parts in layers], dim=1).numpy(force=True)
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


class Transformer(Network[TransformerTrace]):
    """`encode` a sentence, `start`, then `step` from token to token; `forward` takes all steps at once for training.
    Works with and without gradients; nothing is stored on the module by a call."""

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__()
        self.config = config
        layer = config.embedding, config.heads, config.feed_forward, config.dropout
        self.embedding = nn.Embedding(config.vocabulary, config.embedding)
        self.encoder = TransformerEncoder(config.encoder_layers, *layer)
        self.decoder = TransformerDecoder(config.decoder_layers, *layer)
        self.dropout = nn.Dropout(config.dropout)
        nn.init.normal_(self.embedding.weight, std=config.embedding**-0.5)

    def embed(self, tokens: Int[Tensor, "B T"], first: int = 0) -> Float[Tensor, "B T D"]:
        """Embed tokens at positions from `first` on."""
        return self.place(self.embedding(tokens), first)

    def place(self, embeddings: Float[Tensor, "B T D"], first: int = 0) -> Float[Tensor, "B T D"]:
        """Scale embeddings and add positions, so that gradients can be taken with respect to the embeddings."""
        positions = POSITIONS[self.config.positions](first, embeddings.shape[1], embeddings)
        return self.dropout(self.config.embedding**0.5 * embeddings + positions)

    def heads(self) -> Mapping[str, tuple[int, int]]:
        """Return the number of layers and of heads in each, by attention."""
        encoder, decoder, heads = self.config.encoder_layers, self.config.decoder_layers, self.config.heads
        return {"encoder": (encoder, heads), "decoder": (decoder, heads), "cross": (decoder, heads)}

    def vector_sizes(self) -> Mapping[str, int]:
        """Return the number of components of an annotation, the attentional vector, and each head's output z."""
        size = self.config.embedding
        return {"annotation": size, "attentional": size, "head": size // self.config.heads}

    def annotated(self, memory: TransformerMemory, annotations: Float[Tensor, "B S D"]) -> TransformerMemory:
        encoded = replace(memory.encoded, annotations=annotations)
        return TransformerMemory(self.decoder.remember(annotations), memory.mask, encoded)

    def start(self, memory: TransformerMemory) -> TransformerCarried:
        """Return an empty cache, as before the first step."""
        return TransformerCarried(tuple(Heads(*(part[:, :, :0] for part in heads)) for heads in memory.layers))

    def step(
        self,
        tokens: Int[Tensor, " B"],
        carried: TransformerCarried,
        memory: TransformerMemory,
        steering: Steering = NO_STEERING,
    ) -> DecoderPass:
        """Feed one token to each hypothesis."""
        return self.decoder(
            self.embed(tokens[:, None].to(memory.mask.device), carried.length), carried, memory, steering
        )

    def source_embeddings(self, source: Int[Tensor, "B S"]) -> Float[Tensor, "B S D"]:
        return self.embedding(source)

    def encode_embeddings(
        self, embeddings: Float[Tensor, "B S D"], mask: Bool[Tensor, "B S"], changes: tuple[HeadChange, ...] = ()
    ) -> TransformerMemory:
        encoded = self.encoder(self.place(embeddings), mask, changes)
        return TransformerMemory(self.decoder.remember(encoded.annotations), mask, encoded)

    def vectors(self, fed: Int[Tensor, "B T"], memory: TransformerMemory) -> Float[Tensor, "B T A"]:
        """Return h̃ at every step, with all tokens fed at once."""
        return self.decoder(self.embed(fed), self.start(memory), memory).vectors

    def resumed(self, trace: TransformerTrace, steps: Sequence[int]) -> tuple[TransformerCarried, TransformerMemory]:
        """Rebuild the cache before a step; all rows must be of one step, given as often as needed."""
        batched = lambda values: torch.tensor(values, device=self.device)[None]  # noqa: E731
        step, *others = steps
        if set(others) - {step}:
            raise InputError(f"steps are {', '.join(map(str, steps))}; their caches are not equally long, so name one")
        source, own = (
            [Heads(batched(part.keys[layer]), batched(part.values[layer])) for layer in range(len(part.keys))]
            for part in (trace.cross_attention, trace.decoder_attention)
        )
        encoded = EncoderPass(batched(trace.source_embedded), (), batched(trace.annotations))
        memory = TransformerMemory(tuple(source), batched(trace.reach[step]), encoded)
        before = TransformerCarried(tuple(Heads(*(part[:, :, :step] for part in heads)) for heads in own))
        return repeated((before, memory), len(steps))

    def reweighed(self, trace: TransformerTrace, weights: Float[Tensor, "T S"]) -> Float[Tensor, "T V"]:
        """Give the weights to every head of every layer's cross-attention; steps are taken one by one."""
        found = [
            self.step(token[None], *self.resumed(trace, [step]), Steering.to(weights[step : step + 1])).attentional
            for step, token in enumerate(fed_tokens(trace))
        ]
        return self.logits(torch.cat(found))

    def logits(self, attentional: Float[Tensor, "*B A"]) -> Float[Tensor, "*B V"]:
        return linear(attentional, self.embedding.weight)

    def traces(
        self,
        outputs: Sequence[TraceOutput],
        memory: TransformerMemory,
        start: TransformerCarried,
        steps: Sequence[DecoderPass],
    ) -> list[TransformerTrace]:
        return traces(outputs, memory, steps)

    def choices(self) -> tuple[str, str, str, tuple[str, ...]]:
        return "scaled dot", "transformer", "none", ()
