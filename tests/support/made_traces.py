"""Traces made by hand of random numbers, for whatever draws them."""

from base64 import b64decode

import numpy as np
from numpy import ndarray

from regard.model.alignment import Alignment, Sentence
from regard.model.trace import Maker, Trace
from regard.model.words import END, Span

MAKER = Maker("hand-made", "0" * 64, "general", "luong", "lstm", ("input", "forget", "candidate", "output"))


def sentence(language: str, tokens: tuple[str, ...], word_of: tuple[int, ...]) -> Sentence:
    """A sentence whose words are their tokens put together."""
    words = tuple(
        "".join(token for token, word in zip(tokens, word_of, strict=True) if word == index).strip()
        for index in range(max(word_of) + 1)
    )
    spoken = words[: len(words) - (tokens[-1] == END)]
    starts = [len(" ".join(("", *spoken[:index]))) for index in range(len(words))]
    characters = tuple(Span(starts[word], starts[word] + len(words[word])) for word in word_of)
    return Sentence(" ".join(spoken), language, tokens, words, word_of, characters)


def made_of(source: Sentence, target: Sentence, seed: int = 0, cell: int = 4) -> Trace:
    """A trace with random numbers: 3 likeliest tokens, states of 4, annotations of 6, attentional vectors of 5."""
    rng = np.random.default_rng(seed)
    steps, length = len(target.tokens), len(source.tokens)

    def numbers(*shape: int) -> ndarray:
        return rng.standard_normal(shape).astype(np.float32)

    scores = numbers(steps, length)
    weights = np.exp(scores) / np.exp(scores).sum(1, keepdims=True)
    return Trace(
        maker=MAKER,
        alignment=Alignment(source, target, weights),
        stop="end",
        source_ids=np.arange(length),
        target_ids=np.arange(steps),
        annotations=numbers(length, 6),
        initial_state=numbers(4),
        initial_cell=numbers(cell),
        gates=numbers(steps, 4, 4),
        states=numbers(steps, 4),
        cells=numbers(steps, cell),
        own_scores=scores,
        scores=scores,
        mask=np.ones((steps, length), bool),
        contexts=numbers(steps, 6),
        attentional=numbers(steps, 5),
        embeddings=numbers(length, 5),
        fed_embeddings=numbers(steps, 5),
        logits=numbers(steps),
        log_normaliser=numbers(steps) + 5,
        top_ids=np.tile(np.arange(3), (steps, 1)),
        top_tokens=((" le", "t", END),) * steps,
        top_logits=numbers(steps, 3),
    )


SOURCE = sentence("en", (" foot", "ball", ".", END), (0, 0, 1, 2))
TARGET = sentence("fr", (" le", " foot", "ball", END), (0, 1, 1, 2))


def decoded(array: dict) -> ndarray:
    return np.frombuffer(b64decode(array["data"]), "<f4").reshape(array["shape"])
