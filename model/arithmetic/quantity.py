"""Quantity: the number of a translation that a click on the screen selects, checked before it is used."""

import reprlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, TypeVar

from regard.model.alignment import ROWS, STEP, AlignedTokens, token_label
from regard.model.arithmetic import transformer_places
from regard.model.arithmetic.kinds import BETWEEN_WORDS, KINDS, SCORES, SHARED, TRANSFORMER
from regard.model.input_error import InputError
from regard.model.trace import AnyTrace, Trace
from regard.model.transformer.trace import TransformerTrace

DIRECTIONS = ("forwards", "backwards")  # of the encoder
TraceT = TypeVar("TraceT", bound=AnyTrace)
LARGEST = 2**31  # far above any index
SHORT = 200  # characters of the input that an error message repeats


@dataclass(frozen=True)
class Quantity:
    """A number, by its kind and its place. Places count from 0 as arrays do.

    Fields that its kind does not name are unset. `trace` is the index of a trace on screen. Step −1 of a state, a
    cell, or an attentional vector that is fed in is the initial one.
    """

    kind: str
    trace: int = 0
    step: int = 0
    position: int = 0  # of a source token
    component: int = 0
    token: int = 0  # an id
    rows: str = ROWS[0]
    row: int = 0
    column: int = 0
    gate: str = ""
    direction: str = ""
    attention: str = ""  # of a Transformer, as a `regard.model.changes.kinds.Head` names it
    layer: int = 0
    head: int = 0

    @classmethod
    def parse(cls, values: object) -> "Quantity":
        """Read a browser's message. Raises InputError naming a field that is missing, unknown or of the wrong type."""
        if not isinstance(values, Mapping):
            raise InputError(f"{_short(values)} does not name a number; it must have a kind and a place")
        kind = values.get("kind")
        if not isinstance(kind, str) or kind not in KINDS:
            raise InputError(f"kind is {_short(kind)}; it must be one of {', '.join(KINDS)}")
        needed = ("kind", "trace", *KINDS[kind].indices)
        if set(values) != set(needed):
            raise InputError(f"a {kind} has the fields {', '.join(needed)}, not {_short(list(values))}")
        types = {field.name: type(field.default) for field in fields(cls) if field.name != "kind"}
        for name in needed[1:]:
            _check_type(name, values[name], types[name])
        return cls(**{name: values[name] for name in needed})

    def place(self) -> dict[str, Any]:
        """Return the fields that its kind names."""
        return {name: getattr(self, name) for name in KINDS[self.kind].indices}

    def of(self, traces: Sequence[TraceT]) -> TraceT:
        """Return the trace it belongs to. Raises InputError if there is no such trace."""
        _check_among("trace", self.trace, range(len(traces)))
        return traces[self.trace]

    def check(self, trace: AnyTrace) -> None:
        """Check that the trace has this number. Raises InputError naming the wrong field and its accepted values."""
        heads = isinstance(trace, TransformerTrace)
        if heads != (self.kind in TRANSFORMER) and self.kind not in SHARED:
            raise InputError(f"kind is {self.kind}; {'a Transformer' if heads else 'this model'} has no such number")
        for name in KINDS[self.kind].indices:
            _check_among(name, getattr(self, name), _accepted(self, name, trace))

    def name(self, trace: AnyTrace) -> str:
        """Return the number in words, such as: weight of “blue” at step 7. Steps and components are counted from 1."""
        words = {
            "component": self.component + 1,
            "source": source_name(trace, self.position),
            "when": f"at step {self.step + 1}" if self.step >= 0 else "before the first step",
            "gate": f"{self.gate} gate" if self.gate != "candidate" else "candidate",
            "direction": self.direction.removesuffix("s"),
            "token": f"“{token_text(trace, self.token)}”",
            "produced": f"“{token_text(trace, int(trace.target_ids[self.step]))}”",
        }
        if isinstance(trace, TransformerTrace):
            words |= transformer_places.words_of_place(self, trace)
        elif self.kind in BETWEEN_WORDS:
            merged = trace.alignment.by_words(self.rows)
            row = f"step {self.row + 1}" if self.rows == STEP else f"“{merged.rows[self.row]}”"
            words |= {"row": row, "column": f"“{merged.columns[self.column]}”"}
        return KINDS[self.kind].phrase.format(**words)


def token_text(trace: AnyTrace, index: int) -> str:
    """Return a token of this trace as text, without the blank that begins a word."""
    for ids, tokens in ((trace.target_ids, trace.target), *zip(trace.top_ids, trace.top_tokens, strict=True)):
        if index in ids:
            return token_label(tokens[ids.tolist().index(index)])
    return f"token {index}"


def source_text(trace: AnyTrace, position: int) -> str:
    """Return a source token as text, without the blank that begins a word, numbered if the token repeats."""
    return f"{token_label(trace.source[position])}{_place_of_repeated(trace, position, '{}')}"


def source_name(trace: AlignedTokens, position: int) -> str:
    """Name a source token in quotation marks, such as: “is” (token 4)."""
    return f"“{token_label(trace.alignment.source.tokens[position])}”{_place_of_repeated(trace, position, 'token {}')}"


def _place_of_repeated(trace: AlignedTokens, position: int, words: str) -> str:
    source = trace.alignment.source.tokens
    several = source.count(source[position]) > 1
    return f" ({words.format(position + 1)})" if several else ""


def _accepted(quantity: Quantity, name: str, trace: AnyTrace) -> Sequence[object]:
    """Return the values that one field of a quantity may have, given that the fields before it are valid."""
    if isinstance(trace, TransformerTrace) and quantity.kind in TRANSFORMER:
        return transformer_places.accepted(quantity, name, trace)
    steps, positions = trace.weights.shape
    match name:
        case "step":
            carried = ("state", "cell", *["attentional"] * trace.maker.input_feeding)
            return range(-1 if quantity.kind in carried else 0, steps)
        case "position":
            return range(positions)
        case "component":
            return range(_width(quantity, trace))
        case "token":
            return sorted({int(trace.target_ids[quantity.step]), *trace.top_ids[quantity.step].tolist()})
        case "row":
            return range(len(trace.alignment.by_words(quantity.rows).rows))
        case "column":
            return range(len(trace.alignment.source.words))
        case _:
            return {"rows": (*ROWS, STEP), "gate": trace.maker.gates, "direction": DIRECTIONS}[name]


def _width(quantity: Quantity, trace: AnyTrace) -> int:
    """Return the number of components of the vector, or 0 if this model has no such vector."""
    if isinstance(trace, TransformerTrace):
        return trace.annotations.shape[1]
    kind = KINDS[quantity.kind]
    if not isinstance(trace, Trace) or not _has_part(kind.needs, trace):
        return 0
    state, annotation = len(trace.initial_state), trace.annotations.shape[1]
    sizes = {"H": state, "C": len(trace.initial_cell), "E": annotation, "E/2": annotation // 2}
    return (sizes | {"A": trace.attentional.shape[1], "D": trace.embeddings.shape[1]})[kind.shape[-1]]


def _has_part(part: str, trace: Trace) -> bool:
    """Return True if the model has the part that a kind of number needs; "" is always there."""
    score = SCORES[trace.maker.score]
    parts = {
        "": True,
        "reset": "reset" in trace.maker.gates,
        "cell": bool(len(trace.initial_cell)),
        "keys": bool(score.keys),
        "network": score.compares == "network",
        "bahdanau": trace.maker.wiring == "bahdanau",
    }
    return parts[part]


def _check_type(name: str, value: object, wanted: type) -> None:
    """Check a field's type, where True is not a number, and that a number is not huge."""
    if type(value) is not wanted:
        raise InputError(f"{name} is {_short(value)}; it must be {'a whole number' if wanted is int else 'text'}")
    if isinstance(value, int) and abs(value) >= LARGEST:
        raise InputError(f"{name} is {_short(value)}; it must be a place in this translation")


def _check_among(name: str, value: object, accepted: Sequence[object]) -> None:
    if value in accepted:
        return
    if not accepted:
        raise InputError(f"{name} is {_short(value)}, but this model has no such vector")
    if isinstance(accepted, range):
        raise InputError(f"{name} is {_short(value)}; it must be from {accepted[0]} to {accepted[-1]}")
    raise InputError(f"{name} is {_short(value)}; it must be one of {', '.join(map(str, accepted))}")


def _short(value: object) -> str:
    """Return a value shortened for a message."""
    if isinstance(value, int) and abs(value) >= LARGEST:
        return f"a number of {value.bit_length()} bits"
    text = reprlib.repr(value)
    return text if len(text) <= SHORT else f"{text[:SHORT]}…"
