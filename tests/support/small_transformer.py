"""A Transformer of random parameters that reads English: two layers on either side, two heads of four components."""

from functools import cache
from pathlib import Path

import torch

from regard.model.checkpoint import COMPARED, TOKENIZER, shipped
from regard.model.tokenizer import Tokenizer
from regard.model.transformer.checkpoint import PretrainedTransformer
from regard.model.transformer.transformer import Transformer, TransformerConfig


@cache
def small_transformer(dtype: torch.dtype = torch.float32, positions: str = "sinusoids") -> PretrainedTransformer:
    tokenizer = Tokenizer.load(shipped(COMPARED) / TOKENIZER, ("en", "fr"))
    config = TransformerConfig(
        len(tokenizer),
        embedding=8,
        heads=2,
        encoder_layers=2,
        decoder_layers=2,
        feed_forward=12,
        positions=positions,
        dropout=0.0,
    )
    torch.manual_seed(3)
    network = Transformer(config).eval().requires_grad_(False)
    for parameter in network.parameters():
        torch.nn.init.normal_(parameter, std=0.7)
    network.half().to(dtype)  # as a file keeps it
    return PretrainedTransformer("small", Path(), config, tokenizer, network, "small")
