"""Numbers of a Transformer's translation, opened down to their terms: from a weight to its score, to query and key,
through the residual stream and its layer normalisation to embeddings."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from regard.model.alignment import WordWeights
from regard.model.arithmetic.kinds import DEVIATION, KINDS, MEAN, usual_form
from regard.model.arithmetic.quantity import Quantity, column_text, merged_words
from regard.model.arithmetic.terms import SET_BY_HAND, Derivation, Fields, Letters, Number, Numbers, Place, derive
from regard.model.reference.transformer import EPSILON, START, WAVELENGTH, TransformerParameters
from regard.model.reference.transformer import TransformerRecomputation as Recomputation
from regard.model.trace import entropy
from regard.model.transformer.trace import TransformerTrace

NAMES = {"encoder": "attention", "decoder": "self_attention", "cross": "cross_attention"}  # in parameter names
FEED_FORWARD = ("feed_forward_normalised", "hidden", "feed_forward", "feed_forward_stream")
OFF = "weight/off"


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
        quantity, trace, changes = self.quantity, self.trace, self.trace.intervention
        encoding = quantity.attention == "encoder"
        self.side = "encoder" if encoding else "decoder"
        t, i = (quantity.row, quantity.column) if quantity.attention else (quantity.step, quantity.position)
        heads, queries = trace.cross_attention.queries.shape[1], trace.cross_attention.queries.shape[-1]
        size, j = trace.annotations.shape[1], quantity.component
        fed = [START, *trace.target_ids.tolist()]
        angle = t / WAVELENGTH ** ((j - j % 2) / size)
        self.letters = {
            "t": t, "i": i, "j": j, "y": quantity.token, "w": int(trace.target_ids[quantity.step]),
            "x": int(trace.source_ids[min(t, len(trace.source_ids) - 1)]), "fed": fed[min(t, len(fed) - 1)],
            "r": quantity.head * queries + j, "T": len(trace.target_ids),
            "S": trace.attention(quantity.attention or "cross").weights.shape[-1], "V": self.again.logits.shape[1],
            "D": size, "N": heads, "Q": queries, "F": trace.encoder_feed_forward.hidden.shape[-1],
            "scale": 1 / queries**0.5, "root": size**0.5, "epsilon": EPSILON,
            "sinusoid": np.cos(angle) if j % 2 else np.sin(angle),
            "bonus": sum(value for *place, value in changes.bonus if tuple(place) == (t, i)),
            "temperature": changes.temperature,
            "part": "feed-forward" if quantity.kind in FEED_FORWARD else "heads joined",
        }  # fmt: skip
        self.letters |= self.merged_rows() | self._set_by_hand()

    def _set_by_hand(self) -> Letters:
        """Return the number that a person set, if any: a weight of the row, or a component of a vector."""
        quantity, changes = self.quantity, self.trace.intervention
        head = (quantity.attention, quantity.layer, quantity.head)
        if quantity.kind == "head_weight" and quantity.head >= 0 and head not in changes.heads_off:
            given = [row for *place, row in changes.head_weights if tuple(place) == (*head, quantity.row)]
            if quantity.attention == "cross":
                given += [row for step, row in changes.weights if step == quantity.row]
            return {SET_BY_HAND: given[0][quantity.column]} if given else {}
        at = quantity.position if quantity.kind == "annotation" else quantity.step
        given = [values for name, place, values in changes.vectors if (name, place) == (quantity.kind, at)]
        if quantity.kind == "head_mixed":
            given = [values for *place, values in changes.head_vectors if tuple(place) == (*head, quantity.row)]
        return {SET_BY_HAND: given[0][quantity.component]} if given else {}

    def form(self) -> str:
        quantity, kind = self.quantity, self.quantity.kind
        if SET_BY_HAND in self.letters:
            return SET_BY_HAND
        if kind == "head_score" and quantity.attention == "cross":
            return "head_score" if (self.letters["bonus"], self.letters["temperature"]) == (0, 1) else "score/steered"
        if kind == "head_weight":
            if quantity.head < 0:
                return "head_mean"
            if (quantity.attention, quantity.layer, quantity.head) in self.trace.intervention.heads_off:
                return OFF
            return "weight/softmax" if quantity.column in self.within("reach") else "weight/masked"
        if kind in ("head_key", "head_value"):
            return f"{kind}/{'cross' if quantity.attention == 'cross' else 'self'}"
        if kind == "embedded":
            unplaced = "/unplaced" if self.parameters.positions == "none" else ""
            return f"embedded/{'source' if self.side == 'encoder' else 'target'}{unplaced}"
        return usual_form(kind, self.trace.maker)

    def merged(self) -> tuple[WordWeights, Sequence[int]]:
        return merged_words(self.trace, self.quantity)

    def place_in_file(self) -> dict[str, str]:
        quantity = self.quantity
        layer = f"{self.side}.layers.{quantity.layer}"
        attention = f"{layer}.{NAMES.get(quantity.attention, '')}"
        norms = {"annotation": "encoder.norm", "attentional": "decoder.norm", "normalised": f"{attention}_norm"}
        norm = norms.get(quantity.kind, f"{layer}.feed_forward_norm")
        return {"layer": layer, "attention": attention, "norm": norm}

    def shown(self) -> Number | None:
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
        quantity, row = self.quantity, self.quantity.row
        match name:
            case "reach" | "columns":
                if quantity.attention == "cross":
                    return np.flatnonzero(self.trace.reach[row]).tolist()
                return range(self.letters["S"] if quantity.attention == "encoder" else row + 1)
            case "weighed":
                return np.flatnonzero(self._weights(self.again)[row] > 0).tolist()
            case "on":
                return np.flatnonzero(self._head_weights(self.again)[:, row].sum(1) > 0).tolist()
            case "heads":
                size = self.letters["Q"]
                return [(head * size + k, head, k) for head in range(self.letters["N"]) for k in range(size)]
            case _:
                return super().within(name)

    def label(self, name: str, letters: Letters) -> str:
        if name == "looked":
            return column_text(self.trace, self.quantity.attention, letters["k"])
        return super().label(name, letters)
