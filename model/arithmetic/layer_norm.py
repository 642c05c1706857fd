"""Layer normalisation opened: a component minus the vector's mean, divided by the deviation, each opened in turn.

Ba, Kiros and Hinton (2016). The vector is one of the residual stream.
"""

from dataclasses import replace

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from regard.model.arithmetic.derivation import DerivationPart, Opened, products, single
from regard.model.arithmetic.kinds import DEVIATION, MEAN
from regard.model.arithmetic.quantity import Quantity
from regard.model.arithmetic.transformer_heads import recomputed_attention
from regard.model.reference.transformer import EPSILON
from regard.model.reference.transformer import TransformerParameters as Parameters
from regard.model.reference.transformer import TransformerRecomputation as Recomputation
from regard.model.transformer.trace import TransformerTrace


def layer_norm(parameters: Parameters, name: str, of: Quantity, vector: Float[ndarray, " D"]) -> list[DerivationPart]:
    """Return the terms of a component: minus the mean, divided by the deviation, times the gain, plus the bias."""
    gain, bias = (parameters[f"{name}.{part}"][of.component] for part in ("weight", "bias"))
    wide = vector.astype(np.float64)
    mean, deviation = (replace(of, kind=f"{of.kind}{part}", component=0) for part in (MEAN, DEVIATION))
    return [
        single("x times gain / deviation", (of, deviation), wide[of.component], 1 / _deviation_of(wide), gain),
        single("mean times gain / deviation", (mean, deviation), -wide.mean(), 1 / _deviation_of(wide), gain),
        single("bias", (), bias),
    ]


def _deviation_of(vector: Float[ndarray, " D"]) -> np.floating:
    """Return the deviation that layer normalisation divides by, kept above 0 by ε."""
    return np.sqrt(vector.var() + EPSILON)


def open_mean(quantity: Quantity, trace: TransformerTrace, again: Recomputation, parameters: Parameters) -> Opened:
    """Open the mean of all components of a vector of the residual stream."""
    of, vector = _whole_stream(quantity, MEAN, again)
    part = products("x", lambda j: (replace(of, component=j),), vector)
    size = float(len(vector))
    return Opened("stream_mean", None, vector.mean(), [part], (("vector", vector.shape),), "mean", size)


def open_deviation(quantity: Quantity, trace: TransformerTrace, again: Recomputation, parameters: Parameters) -> Opened:
    """Open the deviation: the root of the mean square of each component's distance from the mean."""
    of, vector = _whole_stream(quantity, DEVIATION, again)
    off, size = vector - vector.mean(), float(len(vector))
    mean = replace(quantity, kind=f"{of.kind}{MEAN}")
    parts = [products("x", lambda j: (mean, replace(of, component=j)), off, off), single("ε", (), size, EPSILON)]
    return Opened("stream_deviation", None, _deviation_of(vector), parts, (("vector", vector.shape),), "root", size)


def _whole_stream(quantity: Quantity, part: str, again: Recomputation) -> tuple[Quantity, Float[ndarray, " D"]]:
    """Return the quantity and the components of the vector whose mean or deviation is opened."""
    of = replace(quantity, kind=quantity.kind.removesuffix(part))
    encoding = quantity.attention == "encoder"
    if of.kind == "embedded":
        rows = again.source_embedded if encoding else again.target_embedded
    elif of.kind == "attention_stream":
        rows = recomputed_attention(quantity, again).stream
    else:
        rows = (again.encoder_feed_forward if encoding else again.decoder_feed_forward)[quantity.layer].stream
    return of, rows[quantity.row].astype(np.float64)
