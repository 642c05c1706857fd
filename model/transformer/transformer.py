"""The Transformer that owns all parameters: embeddings with positions, encoder, decoder, output.  Section 3.4.

    x_t = √D W_e[y_t] + PE(t)      p_t = softmax(W_e h̃_t)

One table of embeddings W_e serves source, target and output.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from regard.model.attention import NO_STEERING, HeadChange, Steering
from regard.model.input_error import InputError
from regard.model.linear import linear
from regard.model.network import Network, fed_tokens, repeated
from regard.model.trace import TraceOutput
from regard.model.transformer.attention import Heads
from regard.model.transformer.config import TransformerConfig
from regard.model.transformer.decoder import DecoderPass, TransformerCarried, TransformerDecoder, TransformerMemory
from regard.model.transformer.encoder import EncoderPass, TransformerEncoder
from regard.model.transformer.positions import POSITIONS
from regard.model.transformer.trace import AttentionTrace, TransformerTrace
from regard.model.transformer.tracing import traces


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
        return self.decoder(self.embed(tokens[:, None], carried.length), carried, memory, steering)

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
        step, *others = steps
        if set(others) - {step}:
            raise InputError(f"steps are {', '.join(map(str, steps))}; their caches are not equally long, so name one")
        source, own = (
            [_heads(part, layer) for layer in range(len(part.keys))]
            for part in (trace.cross_attention, trace.decoder_attention)
        )
        encoded = EncoderPass(torch.tensor(trace.source_embedded)[None], (), torch.tensor(trace.annotations)[None])
        memory = TransformerMemory(tuple(source), torch.tensor(trace.reach[step][None]), encoded)
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


def _heads(part: AttentionTrace, layer: int) -> Heads:
    """Return keys and values of one layer, as a trace keeps them."""
    return Heads(torch.tensor(part.keys[layer])[None], torch.tensor(part.values[layer])[None])
