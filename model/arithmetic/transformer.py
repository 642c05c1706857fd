"""Numbers of a Transformer's translation, opened down to their terms: from a weight to its score, to query and key,
through the residual stream and its layer normalisation to embeddings."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from jaxtyping import Bool, Float
from numpy import ndarray

from regard.model.alignment import WordWeights
from regard.model.arithmetic.quantity import DEVIATION, KINDS, MEAN, Quantity, merged_words, usual_form
from regard.model.arithmetic.terms import SET_BY_HAND, Derivation, Fields, Letters, Numbers, Place, derive
from regard.model.reference.transformer import EPSILON, WAVELENGTH, TransformerParameters
from regard.model.reference.transformer import TransformerRecomputation as Recomputation
from regard.model.trace import entropy
from regard.model.transformer.trace import TransformerTrace

NAMES = {"encoder": "attention", "decoder": "self_attention", "cross": "cross_attention"}  # in parameter names
FEED_FORWARD = ("feed_forward_normalised", "hidden", "feed_forward", "feed_forward_stream")


def work_out_transformer(
    quantity: Quantity, trace: TransformerTrace, recomputation: Recomputation, parameters: TransformerParameters
) -> Derivation:
    """Open one number of `trace`; `recomputation` is computed from the trace's ids. Raises InputError naming the field
    that is out of range and its accepted values."""
    quantity.check(trace)
    return derive(TransformerNumbers(quantity, trace, recomputation, parameters))


@dataclass
class TransformerNumbers(Numbers):
    """The numbers around one number of a Transformer's trace: a `row` attends to a `column`; head −1 is the mean."""

    def __post_init__(self) -> None:
        quantity, trace = self.quantity, self.trace
        side = "encoder" if quantity.attention == "encoder" else "decoder"
        t, i = (quantity.row, quantity.column) if quantity.attention else (quantity.step, quantity.position)
        if quantity.kind == "annotation":
            t = i
        heads, queries = trace.cross_attention.queries.shape[1], trace.cross_attention.queries.shape[-1]
        size, j = trace.annotations.shape[1], quantity.component
        angle = t / WAVELENGTH ** ((j - j % 2) / size)
        self.letters = self.shared_letters(t, i) | {
            "x": int(trace.source_ids[min(t, len(trace.source_ids) - 1)]), "r": quantity.head * queries + j,
            "S": trace.attention(quantity.attention or "cross").weights.shape[-1], "D": size, "N": heads, "Q": queries,
            "F": trace.encoder_feed_forward.hidden.shape[-1], "scale": 1 / queries**0.5, "root": size**0.5,
            "epsilon": EPSILON, "sinusoid": np.cos(angle) if j % 2 else np.sin(angle),
            "part": "feed-forward" if quantity.kind in FEED_FORWARD else "heads joined",
        } | self._head_set_by_hand()  # fmt: skip
        layer = f"{side}.layers.{quantity.layer}"
        attention = f"{layer}.{NAMES.get(quantity.attention, '')}"
        norms = {"annotation": "encoder.norm", "attentional": "decoder.norm", "normalised": f"{attention}_norm"}
        norm = norms.get(quantity.kind, f"{layer}.feed_forward_norm")
        self.files = {"layer": layer, "attention": attention, "norm": norm}

    def _head_set_by_hand(self) -> Letters:
        """Return the weight of a head, or the component of its output, that a person set, if any."""
        quantity, changes, rows = self.quantity, self.trace.intervention, []
        place = (quantity.attention, quantity.layer, quantity.head, quantity.row)
        if quantity.kind == "head_mixed":
            rows = [row for *at, row in changes.head_vectors if tuple(at) == place]
        elif quantity.kind == "head_weight" and quantity.head >= 0 and place[:3] not in changes.heads_off:
            rows = [row for *at, row in changes.head_weights if tuple(at) == place]
            if quantity.attention == "cross":
                rows += [row for step, row in changes.weights if step == quantity.row]
        last = quantity.column if quantity.kind == "head_weight" else quantity.component
        return {SET_BY_HAND: rows[0][last]} if rows else {}

    def form(self) -> str:
        quantity, kind = self.quantity, self.quantity.kind
        if kind == "head_score" and quantity.attention == "cross":
            return "head_score" if (self.letters["bonus"], self.letters["temperature"]) == (0, 1) else "score/steered"
        if kind == "head_weight":
            if quantity.head < 0:
                return "head_mean"
            if (quantity.attention, quantity.layer, quantity.head) in self.trace.intervention.heads_off:
                return "weight/off"
            return "weight/softmax" if self.row()[1][quantity.column] else "weight/masked"
        if kind in ("head_key", "head_value"):
            return f"{kind}/{'cross' if quantity.attention == 'cross' else 'self'}"
        if kind == "embedded":
            unplaced = "/unplaced" if self.parameters.positions == "none" else ""
            return f"embedded/{'source' if quantity.attention == 'encoder' else 'target'}{unplaced}"
        return usual_form(kind, self.trace.maker)

    def merged(self) -> tuple[WordWeights, Sequence[int]]:
        return merged_words(self.trace, self.quantity)

    def row(self) -> tuple[Float[ndarray, " S"], Bool[ndarray, " S"]]:
        row, columns = self.quantity.row, np.arange(self.letters["S"])
        reach = {"cross": self.trace.reach[min(row, len(self.trace.reach) - 1)], "encoder": columns >= 0}
        return self._weights(self.again)[row], reach.get(self.quantity.attention, columns <= row)

    def shown(self) -> float | np.floating | None:
        quantity = self.quantity
        if quantity.kind == "head_entropy":
            return entropy(self._weights(self.trace)[quantity.row : quantity.row + 1])[0]
        return super().shown()

    def stored(self, numbers: Any, kind: str, at: Fields) -> Any:
        array = KINDS[kind].array
        if kind == "head_weight" and np.ndim(at["head"]) == 0 and at["head"] < 0:
            return self._weights(numbers)[at["row"], at["column"]]
        if kind == "embedded":
            side = "source" if at["attention"] == "encoder" else "target"
            return getattr(numbers, f"{side}_embedded")[at["row"], at["component"]]
        if "attention" in at:
            name, layer, *place = at.values()
            return self._layer(numbers, array, kind, name, layer)[tuple(place)]
        return getattr(numbers, array)[tuple(at.values())] if at else getattr(numbers, array)

    def _layer(self, numbers: Any, array: str, kind: str, attention: str, layer: int) -> Any:
        """Return an array of one layer of the trace or of its recomputation."""
        if kind in FEED_FORWARD:
            group = numbers.encoder_feed_forward if attention == "encoder" else numbers.decoder_feed_forward
        else:
            group = getattr(numbers, f"{attention}_attention")
        return getattr(group[layer], array) if isinstance(group, tuple) else getattr(group, array)[layer]

    def _head_weights(self, numbers: Any) -> Any:
        """Return the weights of all heads of the quantity's layer."""
        return self._layer(numbers, "weights", "", self.quantity.attention, self.quantity.layer)

    def _weights(self, numbers: Any) -> Any:
        """Return the weights of the quantity's head, or the mean over the heads that are on."""
        weights = self._head_weights(numbers)
        if self.quantity.head >= 0:
            return weights[self.quantity.head]
        return weights.sum(0) / (weights.sum(2, keepdims=True) > 0).sum(0).clip(1).astype(weights.dtype)

    def value(self, kind: str, at: Fields) -> Any:
        if not kind.endswith((MEAN, DEVIATION)):
            return super().value(kind, at)
        stream = kind.removesuffix(MEAN).removesuffix(DEVIATION)
        vector = self.stored(self.again, stream, {**at, "component": slice(None)}).astype(np.float64)
        return vector.mean() if kind.endswith(MEAN) else np.sqrt(vector.var() + EPSILON)

    def _stream(self) -> Quantity:
        """Return the component of the residual stream that the number is made from."""
        quantity = self.quantity
        kind, attention, layer, row = quantity.kind, quantity.attention, quantity.layer, quantity.row
        if kind.endswith((MEAN, DEVIATION)):
            return replace(quantity, kind=kind.removesuffix(MEAN).removesuffix(DEVIATION))
        if kind in ("annotation", "attentional"):
            attention, row = ("encoder", quantity.position) if kind == "annotation" else ("decoder", quantity.step)
            kind, layer = "feed_forward_stream", len(getattr(self.again, f"{attention}_feed_forward")) - 1
        elif kind in FEED_FORWARD:
            kind, attention = "attention_stream", "encoder" if attention == "encoder" else "cross"
        elif attention == "cross":
            kind, attention = "attention_stream", "decoder"
        elif layer == 0:
            kind = "embedded"
        else:
            kind, layer = "feed_forward_stream", layer - 1
        named = {"attention": attention, "layer": layer, "row": row, "component": quantity.component}
        return Quantity(kind, quantity.trace, **{name: named[name] for name in KINDS[kind].indices})

    def place(self, name: str, at: Sequence[str]) -> Place | None:
        if name == "added":
            name = "feed_forward" if self.quantity.kind in FEED_FORWARD else "heads_joined"
        if name in ("stream", "mean", "deviation"):
            stream = self._stream()
            return Place(stream.kind if name == "stream" else f"{stream.kind}_{name}", at, stream)
        if self.quantity.attention and f"head_{name}" in KINDS:
            name = f"head_{name}"
        return super().place(name, at)

    def openable(self, found: Quantity) -> Sequence[Quantity]:
        """Return the quantity; a component that is centred opens the mean as well."""
        if not self.quantity.kind.endswith(DEVIATION):
            return super().openable(found)
        return (replace(self.quantity, kind=f"{found.kind}{MEAN}"), found)

    def within(self, name: str) -> Sequence[int | tuple[int, ...]]:
        if name == "on":
            return np.flatnonzero(self._head_weights(self.again)[:, self.quantity.row].sum(1) > 0).tolist()
        if name == "heads":
            size = self.letters["Q"]
            return [(head * size + k, head, k) for head in range(self.letters["N"]) for k in range(size)]
        return super().within(name)
