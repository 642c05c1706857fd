"""A small translator that ends its sentences, as a random one hardly ever does: it knows the small texts by heart."""

from pathlib import Path

import torch
from torch.nn.functional import cross_entropy

from model.checkpoint import save
from model.config import Config
from model.seq2seq import Seq2Seq, pad
from model.tokenizer import PAD, STOP, Tokenizer
from tests.support.small_texts import PAIRS

UPDATES = 40


def write_translator(folder: Path, tokenizer: Tokenizer) -> None:
    """A second of learning."""
    torch.manual_seed(1)
    network = Seq2Seq(Config(len(tokenizer), embedding=16, encoder_state=12, state=24, dropout=0.0))
    sides = zip(*PAIRS, strict=True)
    source, target = (
        pad([[*tokenizer.encode(text, language).ids, STOP] for text in texts])
        for texts, language in zip(sides, tokenizer.languages, strict=True)
    )
    adam = torch.optim.Adam(network.parameters(), lr=0.02)
    for _ in range(UPDATES):
        adam.zero_grad()
        cross_entropy(network(source, target), target[target != PAD]).backward()
        adam.step()
    save(network, tokenizer, folder)
