"""Quantity: the number of a translation that a click on the screen selects, and the table of all kinds of number.

The first lines of `numbers.toml` explain the entries that are read here; `for_pages` returns the part that pages need.
"""

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeVar

from regard.model.alignment import ROWS, STEP, AlignedTokens, Alignment, Sentence, WordWeights, token_label
from regard.model.changes.intervention import ATTENTIONS
from regard.model.files import toml_beside
from regard.model.input_error import InputError
from regard.model.trace import AnyTrace, Maker, Trace
from regard.model.transformer.trace import TransformerTrace

TABLE: dict[str, Any] = toml_beside(__file__, "numbers.toml")


class NumberKind(NamedTuple):
    """One kind; `indices` are the fields of a `Quantity` that place a number, `shape` is by letter."""

    indices: tuple[str, ...]
    shape: tuple[str, ...]
    phrase: str
    latex: str
    form: str
    terms: tuple[str, ...] = ()
    array: str = ""  # its name in the trace, in the recomputation and in the page's own trace
    summed: bool = False  # the recomputation keeps no such number: it is added up from its terms
    in_transformer: str = ""
    unit: str = ""
    needs: str = ""


class Factor(NamedTuple):
    """A factor of a term, such as `1-update` or `context[t,k]`: `change` is what happens to the named number."""

    change: str
    name: str
    at: tuple[str, ...]


class Terms(NamedTuple):
    """Terms as a form declares them, `LABEL: FACTORS for LETTERS in RANGE`; a single term has no letters."""

    label: str
    factors: tuple[Factor, ...]
    letters: tuple[str, ...]
    within: str

    @classmethod
    def parse(cls, text: str) -> "Terms":
        label, _, rest = text.partition(": ")
        made, _, loop = rest.partition(" for ")
        letters, _, within = loop.partition(" in ")
        factors = tuple(
            Factor(change.strip(), name, tuple(filter(None, at.strip("[]").split(","))))
            for change, name, at in _FACTOR.findall(made)
        )
        return cls(label, factors, tuple(filter(None, letters.split(","))), within)


_FACTOR = re.compile(r"(-|1-|1/|exp |tanh |bits |centred )?(\w+)(\[[^]]*\])?(?: \* |$)")
GATES = ("input", "forget", "candidate", "output", "reset", "update")


class NumberForm(NamedTuple):
    """One way in which a number is made, in symbols, in terms and in words; "" where nothing is said."""

    latex: str
    made: tuple[Terms, ...] = ()
    ending: str = "sum"
    words: str = ""
    brief: str = ""
    exercise: tuple[str, ...] = ()


class ScoreKind(NamedTuple):
    """A score: its name on screen, the matrix of its keys ("" for none), how it compares, and whether √H divides it."""

    name: str
    keys: str
    compares: str  # "product", "network" or "nothing"
    scaled: bool


def _kind(entry: dict[str, Any]) -> NumberKind:
    lists = {"indices": tuple(entry["indices"]), "shape": tuple(entry["shape"].split())}
    return NumberKind(**{**entry, **lists, "terms": tuple(entry.get("terms", ()))})


def _terms(entry: dict[str, Any]) -> tuple[Terms, ...]:
    return tuple(map(Terms.parse, entry.get("made", ())))


FORWARD, AFTERWARDS, TRANSFORMER = (
    {name: _kind(entry) for name, entry in TABLE[part].items()} for part in ("forward", "afterwards", "transformer")
)
KINDS = FORWARD | AFTERWARDS | TRANSFORMER
SHARED: tuple[str, ...] = tuple(TABLE["shared"])  # kinds that Transformers share with recurrent networks
FORMS = {
    name: NumberForm(**{**entry, "exercise": tuple(entry.get("exercise", ())), "made": _terms(entry)})
    for name, entry in TABLE["forms"].items()
}
SCORES = {name: ScoreKind(**entry) for name, entry in TABLE["scores"].items()}
LETTERS: dict[str, str] = TABLE["letters"]
READS: dict[str, str] = {name: entry["latex"] for name, entry in TABLE["reads"].items()}
READ_TERMS = {name: _terms(entry) for name, entry in TABLE["reads"].items()}
PARAMETERS: dict[str, str] = TABLE["parameters"]
CELLS: dict[str, dict[str, str]] = TABLE["cells"]

PHRASES = {name: kind.phrase for name, kind in KINDS.items()}
BETWEEN_WORDS = tuple(name for name, kind in KINDS.items() if "rows" in kind.indices)
ALONE = "alone_"  # prefix of kinds computed with all the step's weight on one source token
MEAN, DEVIATION = "_mean", "_deviation"  # suffixes of a vector's kind: over all its components
STREAMS = tuple(name.removesuffix(MEAN) for name in TRANSFORMER if name.endswith(MEAN))


_GROUP = r"\{((?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*)\}"
_SIGNS = {
    "alpha": "α", "sigma": "σ", "ell": "ℓ", "varepsilon": "ε", "sum": "Σ", "mid": "|", "cdot": "·", "odot": "⊙",
    "ldots": "…", "quad": " ",
}  # fmt: skip
_AS_TEXT: tuple[tuple[str, Any], ...] = (
    ("&", ""),
    ("-", "−"),
    (r"\\left\( | \\right(?=\))", lambda found: "(" if "(" in found[0] else ""),
    (r"\\(?:text|mathrm)\{([^}]*)\}", r"\1"),
    (
        rf"\\frac{_GROUP}{_GROUP}",
        lambda found: f"({found[1]}) / {found[2]}" if " − " in found[1] else f"{found[1]} / {found[2]}",
    ),
    (rf"\\sqrt{_GROUP}", lambda found: f"√({found[1]})" if " " in found[1] else f"√{found[1]}"),
    (r"\\overrightarrow\{(\w)\}", r"→\1"),
    (r"\\overleftarrow\{(\w)\}", r"←\1"),
    (r"\^\\top", " ·"),
    (r"\s*\\,\s*", " "),
    (r"\\bar ?(\\[a-z]+|\w)", "\\1\u0304"),
    (r"\\tilde ?(\w)", "\\1\u0303"),
    (r"\\hat ?(\w)", "\\1\u0302"),
    (r"\\([a-z]+)", lambda found: _SIGNS.get(found[1], found[1])),
    (r"_\{(\w)\}", r"_\1"),
)


def as_text(latex: str) -> str:
    """Return a formula of the table as plain text, where `_` still sets below the line and `^` above it."""
    first, *others = latex.removeprefix(r"\begin{aligned} ").removesuffix(r" \end{aligned}").split(r" \\ ")
    text, joined = first, "with"
    for line in others:
        if line.startswith("&="):
            text += f" {line}"
        else:  # what the letters of the first lines stand for
            text, joined = "   ".join([text, joined, line.removeprefix(r"& \text{with } ")]), "and"
    for pattern, replacement in _AS_TEXT:
        text = re.sub(pattern, replacement, text)
    return unicodedata.normalize("NFC", text)


def usual_form(kind: str, maker: Maker) -> str:
    """Return the form of numbers of this kind in a model without a person's changes, such as score/dot."""
    entry = KINDS[kind]
    if maker.wiring == "transformer":
        return entry.in_transformer or entry.form
    keys = SCORES[maker.score].keys
    return entry.form.format(score=maker.score, keys=keys, cell=maker.cell, wiring=maker.wiring)


def for_pages() -> dict[str, Any]:
    """Return names, symbols, formulas as text, letters, inputs and units of all numbers, for a page without the app."""
    return {
        "phrases": PHRASES,
        "symbols": {name: as_text(kind.latex) for name, kind in KINDS.items()},
        "units": {name: kind.unit for name, kind in KINDS.items() if kind.unit},
        "forms": {name: as_text(form.latex) for name, form in FORMS.items()},
        "letters": LETTERS,
        "reads": {name: as_text(latex) for name, latex in READS.items()},
    }


def with_terms() -> dict[str, Any]:
    """Return what `for_pages` does, and all that a page needs to open numbers by itself."""
    fields = ("indices", "array", "summed", "form", "in_transformer")
    kinds = {name: {field: getattr(kind, field) for field in fields} for name, kind in KINDS.items()}
    return for_pages() | {
        "kinds": kinds,
        "made": {name: {"made": form.made, "ending": form.ending} for name, form in FORMS.items()},
        "read_terms": READ_TERMS,
        "parameters": PARAMETERS,
        "cells": CELLS,
        "gates": GATES,
    }


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
        source = trace.alignment.source.tokens
        which = f" (token {self.position + 1})" if source.count(source[self.position]) > 1 else ""
        words = {
            "component": self.component + 1,
            "source": f"“{token_label(source[self.position])}”{which}",
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
            feeding = isinstance(trace, Trace) and trace.maker.input_feeding
            carried = quantity.kind in ("state", "cell") or (quantity.kind == "attentional" and feeding)
            return range(-1 if name == "step" and carried else 0, size)  # −1 is before the first step
        case _:
            return {"rows": (*ROWS, STEP), "gate": trace.maker.gates, "direction": DIRECTIONS}[name]


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
