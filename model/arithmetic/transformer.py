"""Any number of a Transformer's translation opened down to its terms, as `regard.model.arithmetic.work_out` does for a
recurrent network: from a weight to its score, to query and key, through the residual stream to embeddings."""

from dataclasses import replace

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from regard.model.arithmetic.derivation import Derivation, Opened, by_hand, fold, products, single
from regard.model.arithmetic.kinds import DEVIATION, MEAN, STREAMS
from regard.model.arithmetic.layer_norm import layer_norm, open_deviation, open_mean
from regard.model.arithmetic.output import OUTPUT_OPENERS
from regard.model.arithmetic.quantity import Quantity
from regard.model.arithmetic.transformer_heads import (
    HEAD_OPENERS,
    Opener,
    of_layer,
    place_in_file,
    recomputed_attention,
)
from regard.model.reference.transformer import START, WAVELENGTH
from regard.model.reference.transformer import TransformerParameters as Parameters
from regard.model.reference.transformer import TransformerRecomputation as Recomputation
from regard.model.transformer.trace import TransformerTrace


def work_out_transformer(
    quantity: Quantity,
    trace: TransformerTrace,
    recomputation: Recomputation,
    parameters: Parameters,
) -> Derivation:
    """Open one number of `trace`; `recomputation` is computed from the trace's ids. Raises InputError naming the field
    that is out of range and its accepted values."""
    quantity.check(trace)
    opened = OPENERS[quantity.kind](quantity, trace, recomputation, parameters)
    return fold(quantity, quantity.name(trace), quantity.step, by_hand(quantity, trace.intervention, opened))


def _stream(quantity: Quantity, trace: TransformerTrace, again: Recomputation, parameters: Parameters) -> Opened:
    found, at = recomputed_attention(quantity, again), (quantity.row, quantity.component)
    before, value = _stream_before(quantity, again)
    parts = [
        single("before", (before,), value[at]),
        single("heads joined", (of_layer(quantity, "heads_joined", *at),), found.output[at]),
    ]
    return Opened("stream", trace.attention(quantity.attention).stream[quantity.layer][at], found.stream[at], parts, ())


def _stream_before(quantity: Quantity, again: Recomputation) -> tuple[Quantity, Float[ndarray, "N D"]]:
    """Return the quantity and the numbers of the residual stream that an attention reads."""
    at = quantity.row, quantity.component
    if quantity.attention == "cross":
        named = replace(of_layer(quantity, "attention_stream", *at), attention="decoder")
        return named, again.decoder_attention[quantity.layer].stream
    encoding = quantity.attention == "encoder"
    if quantity.layer == 0:
        named = Quantity(
            "embedded", quantity.trace, attention=quantity.attention, row=quantity.row, component=quantity.component
        )
        return named, again.source_embedded if encoding else again.target_embedded
    layers = again.encoder_feed_forward if encoding else again.decoder_feed_forward
    return of_layer(quantity, "feed_forward_stream", *at, layer=quantity.layer - 1), layers[quantity.layer - 1].stream


def _normalised(quantity: Quantity, trace: TransformerTrace, again: Recomputation, parameters: Parameters) -> Opened:
    before, stream = _stream_before(quantity, again)
    parts = layer_norm(parameters, f"{place_in_file(quantity)}_norm", before, stream[quantity.row])
    at = quantity.row, quantity.component
    found = recomputed_attention(quantity, again).normalised[at]
    shown = trace.attention(quantity.attention).normalised[quantity.layer][at]
    return Opened("layer_norm", shown, found, parts, (("vector", stream[quantity.row].shape),))


def _feed_forward(quantity: Quantity, trace: TransformerTrace, again: Recomputation, parameters: Parameters) -> Opened:
    """Open any number of a layer's feed-forward network and of the stream after it."""
    layers = again.encoder_feed_forward if quantity.attention == "encoder" else again.decoder_feed_forward
    side = "encoder" if quantity.attention == "encoder" else "decoder"
    kept = trace.encoder_feed_forward if side == "encoder" else trace.decoder_feed_forward
    found = layers[quantity.layer]
    place, at = f"{side}.layers.{quantity.layer}", (quantity.row, quantity.component)
    before = replace(quantity, attention="encoder" if quantity.attention == "encoder" else "cross")
    attended, stream = recomputed_attention(before, again).stream, of_layer(before, "attention_stream", *at)
    if quantity.kind == "feed_forward_normalised":
        parts = layer_norm(parameters, f"{place}.feed_forward_norm", stream, attended[quantity.row])
        shapes = (("vector", attended[quantity.row].shape),)
        return Opened("layer_norm", kept.normalised[quantity.layer][at], found.normalised[at], parts, shapes)
    if quantity.kind == "feed_forward_stream":
        parts = [
            single("before", (stream,), attended[at]),
            single("feed-forward", (of_layer(quantity, "feed_forward", *at),), found.output[at]),
        ]
        return Opened("stream", kept.stream[quantity.layer][at], found.stream[at], parts, ())
    inner, matrix, letter, vector = {
        "hidden": ("feed_forward_normalised", "W_1", "x̂", found.normalised[quantity.row]),
        "feed_forward": ("hidden", "W_2", "f", found.hidden[quantity.row]),
    }[quantity.kind]
    W, b = (parameters[f"{place}.feed_forward.{matrix}.{part}"] for part in ("weight", "bias"))
    parts = [
        products(letter, lambda j: (of_layer(quantity, inner, quantity.row, j),), W[quantity.component], vector),
        single("bias", (), b[quantity.component]),
    ]
    shapes = ((matrix, W.shape), ("vector", vector.shape))
    if quantity.kind == "hidden":
        return Opened("hidden", kept.hidden[quantity.layer][at], found.hidden[at], parts, shapes, "relu")
    return Opened("feed_forward", kept.output[quantity.layer][at], found.output[at], parts, shapes)


def _final_norm(quantity: Quantity, trace: TransformerTrace, again: Recomputation, parameters: Parameters) -> Opened:
    """Open the normalised output of the last layer: an annotation, or the vector that the output layer reads."""
    encoding = quantity.kind == "annotation"
    row = quantity.position if encoding else quantity.step
    layers = again.encoder_feed_forward if encoding else again.decoder_feed_forward
    side, name = ("encoder", "encoder.norm") if encoding else ("decoder", "decoder.norm")
    last = replace(quantity, kind="feed_forward_stream", position=0, step=0)
    stream = replace(last, attention=side, layer=len(layers) - 1, row=row)
    parts = layer_norm(parameters, name, stream, layers[-1].stream[row])
    at = row, quantity.component
    kept, found = (trace.annotations, again.annotations) if encoding else (trace.attentional, again.attentional)
    return Opened("layer_norm", kept[at], found[at], parts, (("vector", found[row].shape),))


def _embedded(quantity: Quantity, trace: TransformerTrace, again: Recomputation, parameters: Parameters) -> Opened:
    encoding, table = quantity.attention == "encoder", parameters["embedding.weight"]
    ids = trace.source_ids.tolist() if encoding else [START, *trace.target_ids[:-1].tolist()]
    kept, found = (
        (trace.source_embedded, again.source_embedded) if encoding else (trace.target_embedded, again.target_embedded)
    )
    at, size = (quantity.row, quantity.component), table.shape[1]
    parts = [single("embedding", (), table[ids[quantity.row], quantity.component], size**0.5)]
    form = "embedded/source" if encoding else "embedded/target"
    if parameters.positions == "none":
        form += "/unplaced"
    else:
        angle = quantity.row / WAVELENGTH ** ((quantity.component - quantity.component % 2) / size)
        parts.append(single("position", (), np.cos(angle) if quantity.component % 2 else np.sin(angle)))
    return Opened(form, kept[at], found[at], parts, (("embedding", table.shape),))


OPENERS: dict[str, Opener] = {
    **HEAD_OPENERS,
    "normalised": _normalised,
    "attention_stream": _stream,
    "feed_forward_normalised": _feed_forward,
    "hidden": _feed_forward,
    "feed_forward": _feed_forward,
    "feed_forward_stream": _feed_forward,
    "embedded": _embedded,
    **{f"{stream}{MEAN}": open_mean for stream in STREAMS},
    **{f"{stream}{DEVIATION}": open_deviation for stream in STREAMS},
    "annotation": _final_norm,
    "attentional": _final_norm,
    **OUTPUT_OPENERS,
}
