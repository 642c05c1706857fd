"""Tokens per second in training: a few updates of a new network of the model's size."""

import os
from itertools import pairwise

import numpy as np
import torch

from benchmarks.report import Table, spread
from regard.model.checkpoint import Pretrained
from regard.model.data.corpus import Corpus, Pair
from regard.model.seq2seq import Seq2Seq
from regard.model.training.trainer import PRECISIONS, Options, Training, fastest_precision

UPDATES = 8
PAIRS = 2000


def measure(model: Pretrained) -> Table:
    """Return a row for each precision that this processor supports."""
    precisions = [name for name in PRECISIONS if name in ("float32", fastest_precision())]
    corpus = Corpus(_pairs(model), model.tokenizer)
    return Table(
        "Training",
        f"Source and target tokens a second on all cores, over {UPDATES} updates of {Options(1).batch_tokens} tokens, "
        "the first two left out. The sentences are made of random words of the vocabulary, 3 to 20 on a side.",
        ("precision", "tokens a second"),
        tuple((name, spread(_speeds(model, corpus, name), 0)) for name in precisions),
    )


def _speeds(model: Pretrained, corpus: Corpus, precision: str) -> list[float]:
    threads = torch.get_num_threads()
    torch.set_num_threads(os.cpu_count() or 1)
    # The last update is followed by a validation, so one more runs than is measured.
    options = Options(UPDATES + 1, validate_every=UPDATES + 1, precision=precision)
    marks = [(done.tokens, done.seconds) for done in Training(Seq2Seq(model.config), corpus, corpus, options).run()]
    torch.set_num_threads(threads)
    return [(after[0] - before[0]) / (after[1] - before[1]) for before, after in pairwise(marks[1:-1])]


def _pairs(model: Pretrained) -> list[Pair]:
    vocabulary = [model.tokenizer.token(index) for index in range(len(model.tokenizer))]
    words = [token[1:] for token in vocabulary if token.startswith(" ") and token[1:].isalpha()]
    random = np.random.default_rng(1)
    lengths = random.integers(3, 21, PAIRS)
    return [Pair(*(" ".join(random.choice(words, length)) for _ in range(2))) for length in lengths]
