"""A small translator that ends its sentences, as a random one hardly ever does: it learned how small texts begin."""

from dataclasses import replace
from pathlib import Path

import torch
from torch.nn.functional import cross_entropy

from regard.model.analysis.axes_measurement import measure_folder
from regard.model.checkpoint import save
from regard.model.seq2seq import Seq2Seq, pad
from regard.model.tokenizer import PAD, STOP, Tokenizer
from tests.support.small_texts import PAIRS, TINY

UPDATES, RATE = 100, 0.04
LEARNED_TOKENS = 12  # tokens of a text that are learned before the end


def write_translator(folder: Path, tokenizer: Tokenizer, **otherwise: str) -> None:
    """A second of learning; name what its config should have otherwise than the smallest."""
    torch.manual_seed(1)
    network = Seq2Seq(replace(TINY, vocabulary=len(tokenizer), **otherwise))
    sides = zip(*PAIRS, strict=True)
    source, target = (
        pad([[*tokenizer.encode(text, language).ids[:most], STOP] for text in texts])
        for texts, language, most in zip(sides, tokenizer.languages, (None, LEARNED_TOKENS), strict=True)
    )
    adam = torch.optim.Adam(network.parameters(), lr=RATE)
    for _ in range(UPDATES):
        adam.zero_grad()
        cross_entropy(network(source, target), target[target != PAD]).backward()
        adam.step()
    save(network, tokenizer, folder)
    measure_folder(folder, [pair[0] for pair in PAIRS])
