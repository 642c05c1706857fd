"""Small random models of other languages than those that ship: digits, and a pair that the program knows nothing of."""

from dataclasses import replace
from pathlib import Path

import torch

from regard.model.checkpoint import save
from regard.model.config import Config
from regard.model.seq2seq import Seq2Seq
from regard.model.tokenizer import Tokenizer, plain_tokenizer, train_tokenizer
from regard.model.transformer.transformer import Transformer, TransformerConfig

DIGITS = ("plain", "plain")
UNKNOWN = ("xx", "yy")
SENTENCE = "ka lo mi"  # of the first of the unknown languages
SMALL = Config(vocabulary=1, embedding=8, encoder_state=6, state=12, dropout=0.0)


def digits() -> Tokenizer:
    return plain_tokenizer([str(digit) for digit in range(10)])


def unknown() -> Tokenizer:
    lines = ["ka lo mi .", "lo ka .", "mi mi lo ."] * 4
    return train_tokenizer([("xx", lines), ("yy", lines)], UNKNOWN, 280)


def write_model(folder: Path, tokenizer: Tokenizer, **otherwise: str | bool) -> Path:
    """The three files of a model and nothing else; the same ones for the same arguments."""
    torch.manual_seed(1)
    config = replace(SMALL, vocabulary=len(tokenizer), languages=tokenizer.languages, **otherwise)
    save(Seq2Seq(config), tokenizer, folder)
    return folder


def write_transformer(folder: Path, tokenizer: Tokenizer) -> Path:
    """Write a model of other languages with a Transformer."""
    torch.manual_seed(1)
    config = TransformerConfig(len(tokenizer), tokenizer.languages, 8, 2, 1, 2, 12, dropout=0.0)
    save(Transformer(config), tokenizer, folder)
    return folder
