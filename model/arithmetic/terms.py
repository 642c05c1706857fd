"""Derivation of one number: the terms it is made of, as `numbers.toml` declares them, and their combination.

The terms are added; an ending follows, such as tanh for an attentional vector. They are sorted by magnitude, and all
but the largest are folded into one sum.

`Numbers` is what this needs to know of a network: its letters, the value of a number or a parameter at a place, and
what a loop goes through. `recurrent.py` and `transformer.py` supply it for their networks;
`app/export/engine/terms.js` is the twin of this module.
"""

import math
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from string import Template
from typing import Any, NamedTuple

import numpy as np
from jaxtyping import Bool, Float
from numpy import ndarray

from regard.model.alignment import WordWeights
from regard.model.arithmetic.quantity import (
    ALONE,
    BETWEEN_WORDS,
    CELLS,
    FORMS,
    GATES,
    KINDS,
    LETTERS,
    PARAMETERS,
    READ_TERMS,
    READS,
    Factor,
    Quantity,
    Terms,
    column_text,
    token_text,
)
from regard.model.reference.formulas import START, surprisal

RELATIVE = 1e-4  # allowed difference of two float32 programs, as a share of the number: what four digits show
ROUNDING = 1e-5  # plus this share of the terms' magnitudes, which also counts terms that cancel out
CARRIED = 1e-6  # plus the rounding carried over from earlier numbers, most of which are near 1
LEAST = float(np.finfo(np.float32).tiny)  # below this float32 loses digits
Letters = dict[str, Any]  # letters of a place with their numbers; in a loop they are arrays of whole numbers
Fields = dict[str, Any]  # of a quantity, by name
SHOWN_TERMS = 6  # terms shown separately
IN_FORMULAS = {"W_ih": "W", "W_hh": "U", "b_ih": "b", "b_hh": "d", "gain": "g", "bias": "b"}  # letters of parameters
SET_BY_HAND = "given"  # the form of a number that a person set
CHANGES: dict[str, Callable[[Any], Any]] = {
    "": lambda value: value,
    "-": lambda value: -value,
    "1-": lambda value: 1 - value,
    "1/": lambda value: 1 / value,
    "bits": lambda value: surprisal(np.asarray(value, np.float64)),
    "centred": lambda values: values - np.mean(values, dtype=np.float64),
    "exp": lambda value: value,  # shown as the score itself, like the argument of tanh
    "tanh": lambda value: value,
}


class Ending(NamedTuple):
    """The last step of a derivation, and how far the number moves if each term is off by its own size: the terms'
    magnitude times the ending's slope. A share or a mean has terms of one sign, which cannot cancel out."""

    combine: Callable[["Derivation"], float]
    spread: Callable[["Derivation"], float] | None


ENDINGS: dict[str, Ending] = {
    "sum": Ending(lambda one: one.total, lambda one: one.magnitude),
    "mean": Ending(lambda one: one.total / one.constant, None),
    "root": Ending(
        lambda one: math.sqrt(one.total / one.constant), lambda one: one.magnitude / (2 * one.constant * one.recomputed)
    ),
    "tanh": Ending(lambda one: math.tanh(one.total), lambda one: one.magnitude * (1 - one.recomputed**2)),
    "relu": Ending(lambda one: max(0.0, one.total), lambda one: one.magnitude),
    "sigmoid": Ending(
        lambda one: (1 + math.tanh(one.total / 2)) / 2,
        lambda one: one.magnitude * one.recomputed * (1 - one.recomputed),
    ),
    "share": Ending(lambda one: one.terms[0].value / one.total, None),
    "log": Ending(lambda one: one.constant + math.log(one.total), lambda one: abs(one.constant)),
}


@dataclass(frozen=True)
class Term:
    """One summand: the product of its factors. In a softmax it is e^(score − greatest), and its factor is the score;
    in the state of an LSTM it is o · tanh(m), and its factors are o and m."""

    label: str  # plain text: a token, possibly typed by a person, or a letter of the formula and a component
    factors: tuple[float, ...]
    value: float
    opens: tuple[Quantity, ...]


@dataclass(frozen=True)
class Derivation:
    """The derivation of a number. In float64 `combined` equals `recomputed` except for rounding.

    `form` names the formula. `constant` is the ending's second argument: the greatest score of a softmax, or the number
    of values of a mean or under a root. The ending "share" is the first term's share of the sum.
    """

    quantity: Quantity
    name: str
    asking: int  # the step whose state is compared with the keys; −1 is the initial state
    form: str
    formula: str  # LaTeX; subscripts are step t, source position i and component j, all from 1
    ending: str
    constant: float
    shown: float | None  # the trace's number; None if it is not kept
    recomputed: float  # by `regard.model.reference`, from the weights file; a `summed` kind adds up the terms there
    terms: tuple[Term, ...]
    rest_value: float  # the sum of the folded terms
    rest_count: int
    magnitude: float  # the sum of the terms' absolute values
    kinds: tuple[str, ...]  # of number that its terms are made of
    shapes: dict[str, tuple[int, ...]]  # of what its terms are made of, by its name

    @property
    def total(self) -> float:
        """Return the sum of all terms, before the ending."""
        return math.fsum([*(term.value for term in self.terms), self.rest_value])

    @property
    def combined(self) -> float:
        """Return the number computed from the terms."""
        return ENDINGS[self.ending].combine(self)

    @property
    def difference(self) -> float | None:
        return None if self.shown is None else abs(self.shown - self.recomputed)

    @property
    def tolerance(self) -> float:
        """Return the tolerance between two float32 programs. Terms that cancel out leave rounding errors; those of
        weights and probabilities cannot cancel, so even a tiny weight has a small relative error."""
        near, spread = RELATIVE * abs(self.recomputed) + LEAST, ENDINGS[self.ending].spread
        return near if spread is None or self.form.startswith("weight/") else near + ROUNDING * spread(self) + CARRIED

    @property
    def agrees(self) -> bool:
        """Return True if the shown number and NumPy's differ by float32 rounding at most; False for NaN."""
        return self.difference is None or self.difference <= self.tolerance

    @property
    def tells(self) -> bool:
        """Return True if agreement is meaningful: at least one number is larger than rounding errors."""
        return self.shown is None or not self.difference or max(abs(self.shown), abs(self.recomputed)) > self.tolerance

    @property
    def opens(self) -> tuple[Quantity, ...]:
        """Return the quantities that can be opened next, each once."""
        return tuple(dict.fromkeys(quantity for term in self.terms for quantity in term.opens))


class Place(NamedTuple):
    """A number by its kind, with indices for those of a quantity that it shares the other fields with."""

    kind: str
    at: Sequence[str]
    shared: Quantity

    def fields(self, letters: Letters) -> Fields:
        """Return the fields that place the number: the last ones as indexed, the others as shared."""
        names = KINDS[self.kind].indices
        first = len(names) - len(self.at)
        indexed = {name: index(at, letters) for name, at in zip(names[first:], self.at, strict=True)}
        return {name: getattr(self.shared, name) for name in names[:first]} | indexed


def index(text: str, letters: Letters) -> Any:
    """Return an index such as k, E+k, t-1 or 0; the name of a gate stands for itself."""
    parts = re.findall(r"([+-]?)(\w+)", text)
    values = [letters.get(name, int(name) if name.isdigit() else name) for _, name in parts]
    if len(values) == 1:
        return values[0]
    return sum(-value if sign == "-" else value for (sign, _), value in zip(parts, values, strict=True))


@dataclass
class Numbers(ABC):
    """The numbers of one translation around the one that is opened. `again` recomputes the trace from its ids.

    The output distribution is here, because every network has it: p = softmax(logits), log p = logit − log Σ e^logit.
    """

    quantity: Quantity
    trace: Any
    again: Any
    parameters: Any

    letters: Letters = field(init=False)
    files: dict[str, str] = field(default_factory=dict, init=False)  # for `$cell` and so on in names of parameters
    cell: str = field(default="", init=False)  # where a recurrent cell is, as in the table's `cells`
    reads: str = field(default="", init=False)  # what it reads

    @abstractmethod
    def form(self) -> str:
        """Return the form in which the number was made."""

    @abstractmethod
    def stored(self, numbers: Any, kind: str, at: Fields) -> Any:
        """Return numbers of a kind that both the trace and its recomputation keep, from either."""

    @abstractmethod
    def merged(self) -> tuple[WordWeights, Sequence[int]]:
        """Return the shown numbers between words, and the word of each column."""

    @abstractmethod
    def row(self) -> tuple[Float[ndarray, " S"], Bool[ndarray, " S"]]:
        """Return NumPy's weights of the number's row, and which columns the row may attend to."""

    def shared_letters(self, t: int, i: int) -> Letters:
        """Return the letters that every network has, of step or row t and source position or column i."""
        quantity, trace, changes = self.quantity, self.trace, self.trace.intervention
        fed = [START, *trace.target_ids.tolist()]
        letters: Letters = {
            "t": t, "i": i, "j": quantity.component, "y": quantity.token, "w": int(trace.target_ids[quantity.step]),
            "fed": fed[min(t, len(fed) - 1)], "T": len(trace.target_ids), "V": self.again.logits.shape[1],
            "A": trace.attentional.shape[1], "temperature": changes.temperature,
            "bonus": sum(value for *place, value in changes.bonus if tuple(place) == (t, i)),
        }  # fmt: skip
        if quantity.kind in BETWEEN_WORDS:
            letters["rows"] = self.merged()[0].row_of.count(quantity.row)
        place = quantity.position if quantity.kind == "annotation" else quantity.step
        rows = [row for kind, at, row in changes.vectors if (kind, at) == (quantity.kind, place)]
        return letters | ({SET_BY_HAND: rows[0][quantity.component]} if rows else {})

    def within(self, name: str) -> Sequence[int | tuple[int, ...]]:
        """Return what the letters of a loop go through: a size, or the items of a name."""
        match name:
            case "likeliest":
                return self.trace.top_ids[self.quantity.step].tolist()
            case "reach":
                return np.flatnonzero(self.row()[1]).tolist()
            case "weighed":
                return np.flatnonzero(self.row()[0]).tolist()
            case "columns":
                weights, reach = self.row()
                return np.flatnonzero(reach | (weights != 0)).tolist()
            case "word":
                merged, column_of = self.merged()
                rows = [row for row, word in enumerate(merged.row_of) if word == self.quantity.row]
                columns = [column for column, word in enumerate(column_of) if word == self.quantity.column]
                return [(row, column) for row in rows for column in columns]
            case _:
                return range(self.letters[name])

    def value(self, kind: str, at: Fields) -> Any:
        """Return NumPy's numbers of a kind at a place, whose fields may be arrays."""
        if kind == "logit":
            return self.again.logits[at["step"], at["token"]]
        if kind in ("probability", "log_probability"):
            token = at.get("token", self.trace.target_ids[at["step"]])
            logits = self.again.logits[at["step"], token]
            logged = logits.astype(np.float64 if logits.ndim else logits.dtype) - self.again.log_normaliser[at["step"]]
            return np.exp(logged) if kind == "probability" else logged
        return self.stored(self.again, kind, at)

    def shown(self) -> float | np.floating | None:
        """Return the trace's number, or None if it keeps none."""
        quantity, kind, trace = self.quantity, self.quantity.kind, self.trace
        if kind in ("logit", "probability"):
            step, likeliest = quantity.step, trace.top_ids[quantity.step].tolist()
            known = quantity.token in likeliest
            logit = trace.top_logits[step, likeliest.index(quantity.token)] if known else trace.logits[step]
            return logit if kind == "logit" else np.exp(logit - trace.log_normaliser[step])
        if kind in BETWEEN_WORDS:
            return self.merged()[0].weights[quantity.row, quantity.column]
        return self.stored(trace, kind, quantity.place()) if KINDS[kind].array else None

    def parameter(self, name: str) -> Float[ndarray, "..."]:
        """Return the array with this name in the file."""
        return self.parameters[Template(PARAMETERS[name]).substitute(self.files)]

    def label(self, name: str, letters: Letters) -> str:
        """Return the text for a name in a label."""
        match name:
            case "looked":
                return column_text(self.trace, self.quantity.attention or "cross", letters["k"])
            case "token":
                return token_text(self.trace, letters["k"])
            case "written":
                return token_text(self.trace, int(self.trace.target_ids[letters["k"]]))
            case _:
                value = letters[name]
                return value if isinstance(value, str) else str(value + 1)

    def place(self, name: str, at: Sequence[str]) -> Place | None:
        """Return the place of a named number, or None if the name stands for no number of the network."""
        named = CELLS.get(self.cell, {})
        if (name in named and (not at or name == "before")) or (self.cell and name in GATES):
            text = named.get(name, named["gate"]).replace("$gate", name).replace("$j", at[0] if at else "j")
            name, _, inner = text.partition("[")
            at = inner.strip("]").split(",")
        return Place(name, at, self.quantity) if name in KINDS else None

    def openable(self, found: Quantity) -> Sequence[Quantity]:
        """Return the quantity if it can be opened: a logit only if the trace keeps it."""
        step = found.step
        hidden = "logit" in found.kind and found.token not in (*self.trace.top_ids[step], self.trace.target_ids[step])
        return () if hidden else (found,)

    def symbols(self) -> dict[str, str]:
        """Return the letters of a recurrent cell, as LaTeX; other networks have none."""
        return LETTERS

    def formula(self, form: str) -> str:
        """Return the formula in symbols as LaTeX, its left side included."""
        letters = {"a": -1, **self.letters}
        now, past = (letters["i"], letters["b"]) if "b" in letters else (letters["t"], letters["t"] - 1)
        places = {
            "t": letters["t"], "i": letters["i"], "j": self.quantity.component, "asking": letters["a"],
            "now": now, "past": past, "part": letters["j"],
        }  # fmt: skip
        named = self.symbols() | {name: str(place + 1) for name, place in places.items()}
        named |= {"at": f"{now + 1},{letters['j'] + 1}", "before": f"{past + 1},{letters['j'] + 1}"}
        named["gate"] = named.get(self.quantity.gate, "")
        named["read"] = Template(READS[self.reads]).substitute(named) if self.reads else ""
        named["left"] = Template(KINDS[self.quantity.kind].latex).substitute(named)
        return Template(FORMS[form].latex).substitute(named)


class TermLine(NamedTuple):
    """One line of terms, computed for every item of its loop: a row of factors each, and their product."""

    terms: Terms
    items: Sequence[int | tuple[int, ...]]
    factors: Float[ndarray, "N F"]
    values: Float[ndarray, " N"]

    @classmethod
    def of(cls, numbers: Numbers, terms: Terms) -> "TermLine":
        items = numbers.within(terms.within) if terms.within else [()]
        letters = numbers.letters | _loop(terms, items)
        factors = [_value(numbers, factor, letters) for factor in terms.factors]
        shown = np.stack(np.broadcast_arrays(*factors, np.zeros(len(items)))[:-1], axis=-1).astype(np.float64)
        worth = shown.copy()
        for place, factor in enumerate(terms.factors):
            if factor.change == "exp":
                worth[:, place] = np.exp(shown[:, place] - shown[:, place].max())
            elif factor.change == "tanh":
                worth[:, place] = np.tanh(shown[:, place])
        return cls(terms, items, shown, worth.prod(axis=-1))

    def term(self, numbers: Numbers, item: int) -> Term:
        """Return the term of one item, with its label and the quantities that it opens."""
        letters = numbers.letters | _loop(self.terms, self.items, item)
        label = re.sub(r"\{(\w+)\}", lambda found: numbers.label(found[1], letters), self.terms.label)
        places = filter(None, (numbers.place(factor.name, factor.at) for factor in self.terms.factors))
        named = [Quantity(one.kind, numbers.quantity.trace, **one.fields(letters)) for one in places]
        opens = dict.fromkeys(quantity for one in named for quantity in numbers.openable(one))
        return Term(label, tuple(self.factors[item].tolist()), float(self.values[item]), tuple(opens))


def derive(numbers: Numbers) -> Derivation:
    """Open the number: list its largest terms and add up the others."""
    quantity, letters = numbers.quantity, numbers.letters
    name = SET_BY_HAND if SET_BY_HAND in letters else numbers.form()
    made = [
        one for terms in FORMS[name].made for one in (READ_TERMS[numbers.reads] if terms.label == "read" else (terms,))
    ]
    lines = [TermLine.of(numbers, terms) for terms in made]
    ending, _, about = FORMS[name].ending.partition(" of ")
    places = [(line, item) for line in lines for item in range(len(line.items))]
    values = np.array([float(line.values[item]) for line, item in places])
    order = np.argsort(-np.abs(values), kind="stable").tolist()
    if ending == "share":  # the term that the share is of comes first
        first = list(lines[0].items).index(letters[about])
        order = [first, *(place for place in order if place != first)]
    kept = len(order) if len(order) <= SHOWN_TERMS + 1 else SHOWN_TERMS
    shown, summed = numbers.shown(), KINDS[quantity.kind].summed
    factors = [factor for line in lines for factor in line.terms.factors]
    working = Derivation(
        quantity=quantity,
        name=quantity.name(numbers.trace),
        asking=letters.get("a", quantity.step),
        form=name,
        formula=numbers.formula(name),
        ending=ending,
        constant=_constant(lines, about if ending != "share" else "", letters),
        shown=None if shown is None else float(shown),
        recomputed=math.nan if summed else float(numbers.value(quantity.kind, quantity.place())),
        terms=tuple(line.term(numbers, item) for line, item in (places[place] for place in order[:kept])),
        rest_value=math.fsum(values[order[kept:]]),
        rest_count=len(order) - kept,
        magnitude=math.fsum(np.abs(values)),
        kinds=tuple(place.kind for place in (numbers.place(one.name, one.at) for one in factors) if place),
        shapes=_shapes(numbers, lines),
    )
    return replace(working, recomputed=working.combined) if summed else working


def _constant(lines: Sequence[TermLine], about: str, letters: Letters) -> float:
    """Return the greatest score of a softmax, or the count that an ending is about: a letter, or a loop's items."""
    if lines and lines[0].terms.factors[0].change == "exp":
        return float(lines[0].factors.max())
    return float(letters.get(about, max(1, len(lines[0].items)))) if about else 0.0


def _shapes(numbers: Numbers, lines: Sequence[TermLine]) -> dict[str, tuple[int, ...]]:
    """Return the sizes of the parameters and of the vectors that the terms are made of, by name."""
    shapes: dict[str, tuple[int, ...]] = {}
    for line in lines:
        for factor in line.terms.factors:
            place = numbers.place(factor.name, factor.at)
            if factor.name in PARAMETERS:
                shapes[IN_FORMULAS.get(factor.name, factor.name)] = numbers.parameter(factor.name).shape
            elif line.terms.letters and place:
                shapes[place.kind.removeprefix(ALONE).replace("_", " ")] = (len(line.items),)
    return shapes


def _loop(terms: Terms, items: Sequence[int | tuple[int, ...]], item: int | None = None) -> Letters:
    """Return the letters of a loop, as arrays over all its items, or of a single item."""
    columns = np.array(items, dtype=int).reshape(len(items), len(terms.letters)).T
    return dict(zip(terms.letters, columns if item is None else columns[:, item].tolist(), strict=True))


def _value(numbers: Numbers, factor: Factor, letters: Letters) -> Any:
    """Return a factor: a parameter's number, a number of the network or one of the letters, changed as it says."""
    if factor.name in PARAMETERS:
        value = numbers.parameter(factor.name)[tuple(index(at, letters) for at in factor.at)]
    elif place := numbers.place(factor.name, factor.at):
        value = numbers.value(place.kind, place.fields(letters))
    else:
        value = index(factor.name, letters)
    return CHANGES[factor.change](value)
