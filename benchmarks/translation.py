"""Milliseconds per sentence, with and without recording, beside the matrix products that every program must compute."""

import time
from collections.abc import Callable, Sequence
from functools import partial
from statistics import median

import numpy as np
import torch

from benchmarks.report import Table, spread
from regard.model.checkpoint import AnyModel, Pretrained
from regard.model.transformer.checkpoint import PretrainedTransformer
from regard.model.translate import translate, write

REPEATS = 30
SENTENCES = {
    5: "The boy is playing football.",
    10: "The boy who wears a blue shirt is playing football.",
    20: "The boy who is wearing a blue shirt is playing football with two other boys in front of the school.",
    40: (
        "The boy who is wearing a blue shirt is playing football with two other boys in front of the school, while an "
        "old man with a small dog is sitting on a wooden bench under a tree and watching them."
    ),
}


def measure(model: Pretrained) -> Table:
    """Return a row for each length; every sentence is translated alone."""
    return Table(
        "Translating one sentence",
        f"Milliseconds on one thread, {REPEATS} times each, tokenizing and encoding included; *recorded* makes a full "
        "trace, *plain* the text alone. The floor is the matrix products of one decoder step with these sizes and "
        "nothing else, in float32; the model's large matrices are read as float16, so that a step may take less. A "
        "step is the whole time divided by the tokens written. What recording costs is the median of the ratios of "
        "runs that followed each other.",
        (
            "source words", "tokens read", "tokens written", "recorded", "plain", "recording costs",
            "recorded, a step", "plain, a step", "floor in torch, a step", "floor in NumPy, a step",
        ),
        tuple(_row(model, words, sentence) for words, sentence in SENTENCES.items()),
    )  # fmt: skip


def measure_transformer(transformer: PretrainedTransformer, recurrent: Pretrained) -> Table:
    """Compare a Transformer, which keeps the keys and values of earlier steps, with a recurrent network."""
    return Table(
        "Recurrent network and Transformer",
        f"Milliseconds a step on one thread, {REPEATS} times each, in turns: a whole sentence as above, divided by the "
        f"tokens that the model writes. {recurrent.name} is recurrent, {transformer.name} a Transformer that keeps the "
        "keys and values of earlier steps.",
        (
            "source words", f"{recurrent.name}, recorded", "plain", "recording costs",
            f"{transformer.name}, recorded", "plain", "recording costs",
        ),
        tuple(_steps_row([recurrent, transformer], words, sentence) for words, sentence in SENTENCES.items()),
    )  # fmt: skip


def _steps_row(models: Sequence[AnyModel], words: int, sentence: str) -> tuple[str, ...]:
    tasks: list[Callable[[], object]] = []
    for model in models:
        tasks += [partial(translate, model, [sentence]), partial(write, model, [sentence])]
    taken = times(tasks)
    cells = []
    for model, recorded, plain in zip(models, taken[::2], taken[1::2], strict=True):
        written = len(translate(model, [sentence])[0].target)
        cost = median(one / other for one, other in zip(recorded, plain, strict=True)) - 1
        cells += [*(spread([one / written for one in part], 2) for part in (recorded, plain)), f"{100 * cost:.0f}%"]
    return str(words), *cells


def _row(model: Pretrained, words: int, sentence: str) -> tuple[str, ...]:
    trace = translate(model, [sentence])[0]
    read, written = len(trace.source), len(trace.target)
    recorded, plain = times([lambda: translate(model, [sentence]), lambda: write(model, [sentence])])
    in_torch, in_numpy = times(_floors(model, read))
    cost = median(one / other for one, other in zip(recorded, plain, strict=True)) - 1
    steps = (f"{median(taken) / written:.2f}" for taken in (recorded, plain))
    floors = (f"{median(taken):.2f}" for taken in (in_torch, in_numpy))
    return (
        str(words), str(read), str(written), spread(recorded), spread(plain), f"{100 * cost:.0f}%", *steps, *floors,
    )  # fmt: skip


def times(tasks: list[Callable[[], object]]) -> list[list[float]]:
    """Return the milliseconds of each task. Tasks take turns, so that other load on the machine slows all alike."""
    taken: list[list[float]] = [[] for _ in tasks]
    for turn in range(REPEATS + 3):
        for task, measured in zip(tasks, taken, strict=True):
            began = time.perf_counter()
            task()
            if turn >= 3:  # the first three warm up
                measured.append(1000 * (time.perf_counter() - began))
    return taken


def _floors(model: Pretrained, read: int) -> list[Callable[[], object]]:
    """Return the matrix-vector products of one decoder step, in torch and in NumPy."""
    config, gates = model.config, len(model.network.decoder.cell.gates)
    inputs = config.embedding * (1 + config.input_feeding)
    shapes = [
        (gates * config.state, inputs),
        (gates * config.state, config.state),
        (read, config.state),  # keys by state: scores
        (config.annotation, read),  # annotations by weights: context
        (config.embedding, config.annotation + config.state),  # W_c
        (config.vocabulary, config.embedding),  # W_o
    ]
    random = np.random.default_rng(1)
    pairs = [(random.random(shape, dtype=np.float32), random.random(shape[1], dtype=np.float32)) for shape in shapes]
    tensors = [(torch.from_numpy(matrix), torch.from_numpy(vector)) for matrix, vector in pairs]
    return [
        lambda: [matrix @ vector for matrix, vector in tensors],
        lambda: [matrix @ vector for matrix, vector in pairs],
    ]
