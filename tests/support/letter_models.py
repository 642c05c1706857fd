"""Models so small that everything they could write can be tried: a few letters, random weights, any kind."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import torch

from regard.model.checkpoint import Pretrained
from regard.model.config import Config
from regard.model.reference.recompute import Parameters
from regard.model.seq2seq import Seq2Seq
from regard.model.tokenizer import CONTROL, Encoding, Tokenizer
from regard.model.words import Span

LETTERS = "abcdefghijklmnop"
SIZES = Config(vocabulary=1, embedding=8, encoder_state=4, state=8, dropout=0.0)


class Spelling(Tokenizer):
    """Every letter is a token, all of them make one word; there are no bytes, so it reads nothing else."""

    def __init__(self, letters: str) -> None:
        self.languages = ("plain", "plain")
        self._text = (*CONTROL, *letters)
        self._byte = {}

    def encode(self, text: str, language: str) -> Encoding:
        ids = tuple(self._text.index(letter) for letter in text)
        spans = tuple(Span(place, place + 1) for place in range(len(text)))
        return Encoding(text, ids, (Span(0, len(text)),) if text else (), (0,) * len(text), spans)


def make_speller(letters: int, seed: int = 1, strength: float = 1.0, **kind: Any) -> Pretrained:
    """A model with random weights; the stronger they are, the surer it is of what it writes."""
    torch.manual_seed(seed)
    config = replace(SIZES, vocabulary=len(CONTROL) + letters, **kind)
    network = Seq2Seq(config).eval().requires_grad_(False)
    for parameter in network.parameters():
        torch.nn.init.normal_(parameter, std=strength)
    return Pretrained("speller", Path(), config, Spelling(LETTERS[:letters]), network, f"speller {seed}")


def weights_of(model: Pretrained) -> Parameters:
    """Its weights as `regard.model.reference.recompute` takes them, in float64."""
    arrays = {name: value.numpy().astype(np.float64) for name, value in model.network.state_dict().items()}
    config = model.config
    return Parameters(arrays, config.score, config.wiring, config.cell, config.input_feeding, config.initial_state)
