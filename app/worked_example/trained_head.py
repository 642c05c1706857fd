"""One head of a trained Transformer, from a trace and its weights file, in the form of a worked example."""

from dataclasses import dataclass, replace

import numpy as np
import torch

from regard.app.models.traces import transformer, transformer_parameters
from regard.model.alignment import token_label
from regard.model.examples.trained_attention import HeadInput, Worked, head_parameters, worked_layer
from regard.model.tokenizer import PAD
from regard.model.transformer.trace import TransformerTrace

PADDED = 2  # tokens of padding shown


@dataclass(frozen=True)
class HeadPlace:
    """One head of one layer, and the components of its vectors that are shown; all count from 0."""

    layer: int
    head: int
    block: int


def head_input(trace: TransformerTrace, attention: str, place: HeadPlace, masked: bool = True) -> HeadInput:
    """Return one head of `cross`, `encoder` or `decoder` attention; `masked` keeps the decoder's mask."""
    part = trace.attention(attention)
    source, target = (tuple(map(token_label, tokens)) for tokens in (trace.source, trace.target))
    fed = tuple(map(token_label, trace.alignment.fed()))
    rows, columns = {"cross": (target, source), "encoder": (source, source), "decoder": (fed, fed)}[attention]
    asking = part.normalised[place.layer]
    looked_at = trace.annotations if attention == "cross" else asking
    causal = attention == "decoder"
    seen = np.tri(len(rows), dtype=bool) if causal and masked else np.ones((len(rows), len(columns)), dtype=bool)
    return HeadInput(
        f"Layer {place.layer + 1}, head {place.head + 1}",
        f"the model {trace.maker.name}",
        asking,
        rows,
        looked_at,
        columns,
        head_parameters(transformer_parameters(trace.maker.name), attention, place.layer, place.head),
        seen,
        symbol="X" if attention == "cross" else "H",
        unmasked=causal and not masked,
    )


def padded_head_input(trace: TransformerTrace, place: HeadPlace) -> HeadInput:
    """Return the encoder's head with padding after the sentence, as in a batch of longer ones."""
    padded = torch.tensor([[*trace.source_ids.tolist(), *[PAD] * PADDED]])
    with torch.inference_mode():
        encoded = transformer(trace.maker.name).network.encode(padded).encoded
    asked = head_input(trace, "encoder", place)
    names = (*asked.columns, *["<pad>"] * PADDED)
    vectors = encoded.layers[place.layer].attention.normalised[0].numpy()
    seen = np.tile(np.arange(len(names)) < len(asked.columns), (len(names), 1))
    return replace(asked, asking=vectors, looked_at=vectors, rows=names, columns=names, mask=seen)


def joined(trace: TransformerTrace, place: HeadPlace) -> Worked:
    """Return what all heads of a layer's cross-attention add to the stream, and its normalisation."""
    parameters, layer = transformer_parameters(trace.maker.name), place.layer
    heads = range(trace.cross_attention.weights.shape[1])
    norm = f"decoder.layers.{layer}.feed_forward_norm"
    return worked_layer(
        tuple(head_input(trace, "cross", replace(place, head=head)) for head in heads),
        place.head,
        trace.cross_attention.weights[layer],
        trace.decoder_attention.stream[layer],
        (parameters[f"{norm}.weight"], parameters[f"{norm}.bias"]),
        place.block,
    )
