"""A training so small that a test takes it to its end: digits written from right to left."""

import torch
from torch import Tensor

from regard.model.config import Config
from regard.model.data.corpus import Corpus, Pair
from regard.model.seq2seq import Seq2Seq
from regard.model.tokenizer import plain_tokenizer
from regard.model.training.trainer import Options, Training

DIGITS = plain_tokenizer([str(digit) for digit in range(10)])
CONFIG = Config(len(DIGITS), ("plain", "plain"), embedding=8, encoder_state=8, state=16, dropout=0.2)
OPTIONS = Options(updates=12, batch_tokens=80, rate=0.01, warmup=2, validate_every=3)


def reversals(numbers: range) -> Corpus:
    """Digits to the same digits from right to left; lengths differ."""
    sources = [" ".join(str(number * number)) for number in numbers]
    return Corpus([Pair(source, source[::-1]) for source in sources], DIGITS)


TRAIN, VALIDATION = reversals(range(1, 41)), reversals(range(41, 49))


def train(options: Options = OPTIONS, config: Config = CONFIG) -> Training:
    torch.manual_seed(0)
    return Training(Seq2Seq(config), TRAIN, VALIDATION, options)


def finish(training: Training) -> dict[str, Tensor]:
    """The weights after the last update."""
    for _ in training.run():
        pass
    return training.network.state_dict()


def same(one: dict[str, Tensor], other: dict[str, Tensor]) -> bool:
    return all(torch.equal(value, other[name]) for name, value in one.items())
