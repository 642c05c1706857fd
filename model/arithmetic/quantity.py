"""Quantity: the number of a translation that a click on the screen selects, checked before it is used."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from regard.model.alignment import ROWS, STEP, AlignedTokens, Alignment, Sentence, WordWeights, token_label
from regard.model.arithmetic.kinds import BETWEEN_WORDS, KINDS, SCORES, SHARED, TRANSFORMER
from regard.model.changes.intervention import ATTENTIONS
from regard.model.input_error import InputError
from regard.model.trace import AnyTrace, Trace
from regard.model.transformer.trace import TransformerTrace

DIRECTIONS = ("forwards", "backwards")  # of the encoder
TraceT = TypeVar("TraceT", bound=AnyTrace)
SIDES = ("encoder", "decoder")
ATTENTION_NAMES = {"encoder": "encoder self-attention", "decoder": "decoder self-attention", "cross": "cross-attention",
                   "self": "self-attention"}  # fmt: skip
OF_HEADS = ("head_score", "head_own_score", "head_query", "head_key", "head_value", "head_mixed")  # not of their mean


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
    attention: str = ""  # of a Transformer, as a `regard.model.changes.intervention.Head` names it
    layer: int = 0
    head: int = 0

    @classmethod
    def parse(cls, values: Mapping[str, Any]) -> "Quantity":
        """Read the fields of a message, which have their types. Raises InputError for a kind that does not exist, and
        for fields that are missing or unknown."""
        kind = values.get("kind")
        if kind not in KINDS:
            raise InputError(f"kind is {kind!r}; it must be one of {_listed(KINDS)}")
        needed = ("kind", "trace", *KINDS[kind].indices)
        if set(values) != set(needed):
            raise InputError(f"a {kind} has the fields {_listed(needed)}, not {_listed(values)}")
        return cls(**values)

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
            _check_among(name, getattr(self, name), accepted(self, name, trace))

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
            words |= _words_of_place(self, trace)
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
    return column_text(trace, "cross", position)


def source_name(trace: AlignedTokens, position: int) -> str:
    """Name a source token in quotation marks, such as: “is” (token 4)."""
    source = trace.alignment.source.tokens
    which = f" (token {position + 1})" if source.count(source[position]) > 1 else ""
    return f"“{token_label(source[position])}”{which}"


def accepted(quantity: Quantity, name: str, trace: AnyTrace) -> Sequence[object]:
    """Return the values that one field of a quantity may have, given that the fields before it are valid."""
    kind = KINDS[quantity.kind]
    match name:
        case "attention":
            return SIDES if quantity.kind.startswith(("embedded", "hidden", "feed_forward")) else ATTENTIONS
        case "layer" | "head" if isinstance(trace, TransformerTrace):
            layers, heads, *_ = trace.attention(quantity.attention).weights.shape
            return range(layers) if name == "layer" else range(0 if quantity.kind in OF_HEADS else -1, heads)
        case "token":
            return sorted({int(trace.target_ids[quantity.step]), *trace.top_ids[quantity.step].tolist()})
        case "step" | "position" | "component" | "row" | "column":
            letter = kind.shape[kind.indices.index(name) - len(kind.indices)]
            size = 0 if name == "component" and not _has(kind.needs, trace) else _size(letter, quantity, trace)
            if name == "column" and quantity.attention == "decoder" and "score" in quantity.kind:
                size = quantity.row + 1
            return range(-1 if name == "step" and quantity.kind in _carried(trace) else 0, size)
        case _:
            return {"rows": (*ROWS, STEP), "gate": trace.maker.gates, "direction": DIRECTIONS}[name]


def _carried(trace: AnyTrace) -> tuple[str, ...]:
    """Return the kinds with a number before the first step."""
    return ("state", "cell", "attentional")[: 2 + trace.maker.input_feeding] if isinstance(trace, Trace) else ()


def _has(needed: str, trace: AnyTrace) -> bool:
    """Return True if the model has a part that a kind of number requires; every model has the part ""."""
    if not needed or not isinstance(trace, Trace):
        return not needed
    score = SCORES[trace.maker.score]
    parts = {"reset": "reset" in trace.maker.gates, "cell": bool(len(trace.initial_cell)), "keys": bool(score.keys)}
    return parts.get(needed, needed in (score.compares, trace.maker.wiring))


def _size(letter: str, quantity: Quantity, trace: AnyTrace) -> int:
    """Return the size that a letter of the kind's shape stands for."""
    if letter in "WX":
        heads = merged_words(trace, quantity)[0] if isinstance(trace, TransformerTrace) else None
        merged = heads or trace.alignment.by_words(quantity.rows)
        return len(merged.rows if letter == "W" else merged.columns)
    looking, looked_at = sides(trace, quantity.attention or "cross")
    sizes = {"T": len(looking.tokens), "S": len(looked_at.tokens), "A": trace.attentional.shape[1]}
    if isinstance(trace, TransformerTrace):
        queries, hidden = trace.cross_attention.queries, trace.encoder_feed_forward.hidden
        sizes |= {"Q": queries.shape[-1], "F": hidden.shape[-1], "D": sizes["A"], "E": sizes["A"]}
    elif isinstance(trace, Trace):
        annotation = trace.annotations.shape[1]
        sizes |= {"H": len(trace.initial_state), "C": len(trace.initial_cell), "E": annotation, "E/2": annotation // 2}
        sizes["D"] = trace.embeddings.shape[1]
    return sizes[letter]


def sides(trace: AlignedTokens, attention: str) -> tuple[Sentence, Sentence]:
    """Return the sentence of the rows, which attend, and that of the columns, which are attended to."""
    source, target = trace.alignment.source, trace.alignment.target
    both = {"encoder": (source, source), "decoder": (target, target.fed()), "cross": (target, source)}
    return (source, source) if attention == "self" else both[attention]


def merged_words(trace: TransformerTrace, asked: Quantity) -> tuple[WordWeights, tuple[int, ...]]:
    """Return the weights between words of a head or of the heads' mean, and the word of each column."""
    looking, looked_at = sides(trace, asked.attention)
    numbers = trace.attention(asked.attention)
    weights = numbers.weights[asked.layer, asked.head] if asked.head >= 0 else numbers.mean(asked.layer)
    return Alignment(looked_at, looking, weights).by_words(asked.rows), looked_at.word_of


def column_text(trace: AlignedTokens, attention: str, column: int) -> str:
    """Return the token of a column, numbered if the token repeats."""
    tokens = sides(trace, attention)[1].tokens
    which = f" ({column + 1})" if tokens.count(tokens[column]) > 1 else ""
    return f"{token_label(tokens[column])}{which}"


def row_text(trace: AlignedTokens, attention: str, row: int) -> str:
    """Name a row: a step, or in the encoder a token."""
    if attention not in ("encoder", "self"):
        return f"at step {row + 1}"
    return f"at “{token_label(trace.alignment.source.tokens[row])}” (token {row + 1})"


def _words_of_place(asked: Quantity, trace: TransformerTrace) -> dict[str, str]:
    """Return the words that complete the phrase of a kind of number."""
    if not asked.attention:
        return {}
    layer = f"layer {asked.layer + 1}"
    of_layer = f"{layer} of the {ATTENTION_NAMES[asked.attention]}"
    words = {
        "side": f"{'encoder' if asked.attention == 'encoder' else 'decoder'} {layer}",
        "of_layer": of_layer,
        "of_head": f"{f'head {asked.head + 1}' if asked.head >= 0 else 'the mean of the heads'}, {of_layer}",
    }
    if asked.kind == "head_word_weight":
        merged, _ = merged_words(trace, asked)
        step = row_text(trace, asked.attention, asked.row).removeprefix("at ")
        row = step if asked.rows == STEP else f"“{merged.rows[asked.row]}”"
        return words | {"word_row": row, "column": f"“{merged.columns[asked.column]}”"}
    looking, looked_at = sides(trace, asked.attention)
    words["from_row"] = row_text(trace, asked.attention, min(asked.row, len(looking.tokens) - 1))
    column = min(asked.column, len(looked_at.tokens) - 1)
    return words | {"looked": f"“{column_text(trace, asked.attention, column)}”"}


def _check_among(name: str, value: object, accepted: Sequence[object]) -> None:
    if value in accepted:
        return
    if not accepted:
        raise InputError(f"{name} is {value!r}, but this model has no such vector")
    message = f"from {accepted[0]} to {accepted[-1]}" if isinstance(accepted, range) else f"one of {_listed(accepted)}"
    raise InputError(f"{name} is {value!r}; it must be {message}")


def _listed(values: Iterable[object]) -> str:
    return ", ".join(map(str, values))
