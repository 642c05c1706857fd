"""The recurrent network that owns all parameters: an encoder, a decoder and the output layer."""

from collections.abc import Mapping, Sequence

import numpy as np
import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from regard.model.attention import NO_STEERING, HeadChange, Steering
from regard.model.cells import Recurrent
from regard.model.config import Config
from regard.model.decoder import WIRINGS, Carried, DecoderStep, Memory
from regard.model.encoder import Encoder
from regard.model.linear import linear
from regard.model.network import Network, fed_tokens
from regard.model.tokenizer import PAD, START
from regard.model.trace import Trace, TraceOutput

OF_A_STEP = ("gates", "states", "cells", "own_scores", "scores", "mask", "weights", "contexts", "attentional")
BY_POSITION = ("own_scores", "scores", "mask", "weights")  # a column per source token


class Seq2Seq(Network[Trace]):
    """`encode` a sentence, `start`, then `step` from token to token; `forward` takes all steps at once for training.
    Works with and without gradients; nothing is stored on the module by a call."""

    def __init__(self, config: Config) -> None:
        super().__init__()
        self.config = config
        self.encoder = Encoder(config.cell, config.vocabulary, config.embedding, config.encoder_state, config.dropout)
        self.embedding = nn.Embedding(config.vocabulary, config.embedding)  # also W_o: logits are W_o h̃
        sizes = config.embedding, config.annotation, config.state, config.embedding  # the last of h̃
        self.decoder = WIRINGS[config.wiring](config.cell, config.score, *sizes, config.input_feeding)
        self.bridge = nn.Linear(config.annotation, config.state) if config.initial_state == "encoder" else None
        self.dropout = nn.Dropout(config.dropout)
        for table in (self.encoder.embedding, self.embedding):
            nn.init.normal_(table.weight, std=config.embedding**-0.5)

    def vector_sizes(self) -> Mapping[str, int]:
        """Return the number of components of an annotation, the state, the context and the attentional vector."""
        return {
            "annotation": self.config.annotation,
            "state": self.config.state,
            "context": self.config.annotation,
            "attentional": self.config.embedding,
        }

    def annotated(self, memory: Memory, annotations: Float[Tensor, "B S E"]) -> Memory:
        return Memory(annotations, self.decoder.score.keys(annotations), memory.mask)

    def start(self, memory: Memory) -> Carried:
        """Return the decoder's values before its first step."""
        rows = len(memory.mask)
        state = memory.annotations.new_zeros(rows, self.config.state)
        if self.bridge is not None:
            state = torch.tanh(self.bridge(_ends(memory.annotations, memory.mask)))
        cell = memory.annotations.new_zeros(rows, self.decoder.cell.cell_size)
        return Carried(Recurrent(state, cell), memory.annotations.new_zeros(rows, self.config.embedding))

    def step(
        self, tokens: Int[Tensor, " B"], carried: Carried, memory: Memory, steering: Steering = NO_STEERING
    ) -> DecoderStep:
        """Feed one token to each hypothesis."""
        return self.decoder.step(self.dropout(self.embedding(tokens.to(memory.mask.device))), carried, memory, steering)

    def source_embeddings(self, source: Int[Tensor, "B S"]) -> Float[Tensor, "B S D"]:
        return self.encoder.embedding(source)

    def encode_embeddings(
        self, embeddings: Float[Tensor, "B S D"], mask: Bool[Tensor, "B S"], changes: tuple[HeadChange, ...] = ()
    ) -> Memory:
        """Return annotations, keys and reach; this encoder has no heads that could be changed."""
        annotations, score = self.encoder(embeddings, mask), self.decoder.score
        return Memory(annotations, score.keys(annotations), score.reach(mask))

    def vectors(self, fed: Int[Tensor, "B T"], memory: Memory) -> Float[Tensor, "B T A"]:
        """Return h̃ at every step, with all tokens fed at once."""
        return self.decoder(self.dropout(self.embedding(fed)), self.start(memory), memory)

    def resumed(self, trace: Trace, steps: Sequence[int]) -> tuple[Carried, Memory]:
        """Return the values before the given steps (from 0) of a trace; a step may be given more than once."""
        rows = list(steps)
        states, cells, attentional = (
            np.vstack([start, after[:-1]])[rows]
            for start, after in (
                (trace.initial_state, trace.states),
                (trace.initial_cell, trace.cells),
                (trace.initial_attentional, trace.attentional),
            )
        )
        place = self.device
        annotations = torch.tensor(trace.annotations, device=place)[None]
        keys = self.decoder.score.keys(annotations)
        memory = Memory(
            annotations.expand(len(rows), -1, -1),
            keys.expand(len(rows), -1, -1),
            torch.tensor(trace.mask[rows], device=place),
        )
        state, cell, before = (torch.tensor(values, device=place) for values in (states, cells, attentional))
        return Carried(Recurrent(state, cell), before), memory

    def reweighed(self, trace: Trace, weights: Float[Tensor, "T S"]) -> Float[Tensor, "T V"]:
        """Step all rows side by side, since each carries all that it needs from the steps before it."""
        carried, memory = self.resumed(trace, range(len(trace.target_ids)))
        return self.logits(self.step(fed_tokens(trace), carried, memory, Steering.to(weights)).attentional)

    def logits(self, attentional: Float[Tensor, "*B A"]) -> Float[Tensor, "*B V"]:
        return linear(self.dropout(attentional), self.embedding.weight)

    def traces(
        self, outputs: Sequence[TraceOutput], memory: Memory, start: Carried, steps: Sequence[DecoderStep]
    ) -> list[Trace]:
        numbers = [torch.stack(values, dim=1) for values in zip(*steps, strict=True)]
        begin = [memory.annotations, start.recurrent.state, start.recurrent.cell]
        rows = zip(*(tensor.numpy(force=True) for tensor in (*begin, *numbers)), strict=True)
        return [_trace(output, [*row, *self._read(output)]) for output, row in zip(outputs, rows, strict=True)]

    def _read(self, output: TraceOutput) -> list[np.ndarray]:
        """Return the embeddings of the source tokens and of the tokens fed in."""
        fed = [START, *output.target_ids[:-1].tolist()]
        tables = self.encoder.embedding.weight, self.embedding.weight
        return [
            table[ids].numpy(force=True).copy() for table, ids in zip(tables, (output.source_ids, fed), strict=True)
        ]

    def choices(self) -> tuple[str, str, str, tuple[str, ...]]:
        return self.config.score, self.config.wiring, self.config.cell, self.decoder.cell.gates


def _trace(output: TraceOutput, row: list[np.ndarray]) -> Trace:
    """Build the trace of one sentence of a batch, cut to its own lengths."""
    length, steps = len(output.source_ids), len(output.target_ids)
    annotations, state, cell, *numbers, embeddings, fed = row
    cut = {name: array[:steps] for name, array in zip(OF_A_STEP, numbers, strict=True)}
    cut |= {name: cut[name][:, :length] for name in BY_POSITION}
    kept = {name: array.copy() for name, array in cut.items()}
    weights = kept.pop("weights")
    return Trace(
        annotations=annotations[:length].copy(),
        initial_state=state.copy(),
        initial_cell=cell.copy(),
        embeddings=embeddings,
        fed_embeddings=fed,
        **kept,
        **output.shared(weights),
    )


def _ends(annotations: Float[Tensor, "B S E"], mask: Bool[Tensor, "B S"]) -> Float[Tensor, "B E"]:
    """Return the last state of each direction: forward at the last token the mask has, backward at the first."""
    half = annotations.shape[-1] // 2
    last = (mask * torch.arange(mask.shape[1], device=mask.device)).argmax(1)
    return torch.cat(
        [annotations[torch.arange(len(last), device=mask.device), last, :half], annotations[:, 0, half:]], dim=-1
    )


def pad(rows: Sequence[np.ndarray | Sequence[int]]) -> Int[Tensor, "B N"]:
    padded = np.full((len(rows), max(map(len, rows))), PAD)
    for row, ids in zip(padded, rows, strict=True):
        row[: len(ids)] = ids
    return torch.from_numpy(padded)
