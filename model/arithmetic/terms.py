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
from dataclasses import dataclass, field
from string import Template
from typing import Any, NamedTuple

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from regard.model.alignment import WordWeights
from regard.model.arithmetic.kinds import (
    ALONE,
    BETWEEN_WORDS,
    CELLS,
    FORMS,
    GATES,
    KINDS,
    PARAMETERS,
    READ_TERMS,
    Factor,
    Terms,
)
from regard.model.arithmetic.quantity import Quantity, token_text
from regard.model.reference.formulas import surprisal

Number = float | np.floating

RELATIVE = 1e-4  # allowed difference of two float32 programs, as a share of the number: what four digits show
ROUNDING = 1e-5  # plus this share of the terms' magnitudes, which also counts terms that cancel out
CARRIED = 1e-6  # plus the rounding carried over from earlier numbers, most of which are near 1
LEAST = float(np.finfo(np.float32).tiny)  # below this float32 loses digits
Letters = dict[str, Any]  # letters of a place with their numbers; in a loop they are arrays of whole numbers
Fields = dict[str, Any]  # of a quantity, by name
SHOWN_TERMS = 6  # terms kept apart
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
    reads: str = ""  # what a gate's cell reads, as in the table of numbers

    @property
    def total(self) -> float:
        """Return the sum of all terms, before the ending."""
        return math.fsum([*(term.value for term in self.terms), self.rest_value])

    @property
    def combined(self) -> float:
        """Return the number computed from the terms."""
        return ENDINGS[self.ending](self)

    @property
    def difference(self) -> float | None:
        return None if self.shown is None else abs(self.shown - self.recomputed)

    @property
    def tolerance(self) -> float:
        """Return the tolerance between two float32 programs. Terms that cancel out leave rounding errors; those of
        weights and probabilities cannot cancel, so even a tiny weight has a small relative error."""
        near = RELATIVE * abs(self.recomputed) + LEAST
        if self.ending in ("share", "mean") or self.form.startswith("weight/"):
            return near
        return near + ROUNDING * SPREADS[self.ending](self) + CARRIED

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


ENDINGS: dict[str, Callable[[Derivation], float]] = {
    "sum": lambda working: working.total,
    "mean": lambda working: working.total / working.constant,
    "root": lambda working: math.sqrt(working.total / working.constant),
    "tanh": lambda working: math.tanh(working.total),
    "relu": lambda working: max(0.0, working.total),
    "sigmoid": lambda working: (1 + math.tanh(working.total / 2)) / 2,
    "share": lambda working: working.terms[0].value / working.total,
    "log": lambda working: working.constant + math.log(working.total),
}


# The change of the number if each term is off by its own size: the terms' magnitude times the ending's slope.
SPREADS: dict[str, Callable[[Derivation], float]] = {
    "sum": lambda working: working.magnitude,
    "relu": lambda working: working.magnitude,
    "tanh": lambda working: working.magnitude * (1 - working.recomputed**2),
    "sigmoid": lambda working: working.magnitude * working.recomputed * (1 - working.recomputed),
    "log": lambda working: abs(working.constant),
    "root": lambda working: working.magnitude / (2 * working.constant * working.recomputed),
}


class Place(NamedTuple):
    """A number by its kind, with indices for those of a quantity that it shares the other fields with."""

    kind: str
    at: Sequence[str]
    shared: Quantity

    def fields(self, letters: Letters) -> dict[str, Any]:
        """Return the fields that place the number: the last ones as indexed, the others as shared."""
        names = KINDS[self.kind].indices
        given = dict(zip(names[len(names) - len(self.at) :], (index(at, letters) for at in self.at), strict=True))
        return {name: given[name] if name in given else getattr(self.shared, name) for name in names}

    def quantity(self, letters: Letters) -> Quantity:
        return Quantity(self.kind, self.shared.trace, **self.fields(letters))


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

    def merged_rows(self) -> Letters:
        """Return the number of tokens in the row of a number between words."""
        between = self.quantity.kind in BETWEEN_WORDS
        return {"rows": self.merged()[0].row_of.count(self.quantity.row)} if between else {}

    @abstractmethod
    def place_in_file(self) -> dict[str, str]:
        """Return the places in the network that stand for `$cell` and so on in the names of parameters."""

    def within(self, name: str) -> Sequence[int | tuple[int, ...]]:
        """Return what the letters of a loop go through: a size, or the items of a name."""
        if name == "likeliest":
            return self.trace.top_ids[self.quantity.step].tolist()
        if name != "word":
            return range(self.letters[name])
        merged, column_of = self.merged()
        rows = [row for row, word in enumerate(merged.row_of) if word == self.quantity.row]
        columns = [column for column, word in enumerate(column_of) if word == self.quantity.column]
        return [(row, column) for row in rows for column in columns]

    def value(self, kind: str, at: Fields) -> Any:
        """Return NumPy's numbers of a kind at a place, whose fields may be arrays."""
        if kind == "logit":
            return self.again.logits[at["step"], at["token"]]
        if kind in ("probability", "log_probability"):
            logged = self._logged(at["step"], at.get("token"), np.float64)
            return np.exp(logged) if kind == "probability" else logged
        return self.stored(self.again, kind, at)

    def _logged(self, step: Any, token: Any, dtype: Any) -> Any:
        token = self.trace.target_ids[step] if token is None else token
        return self.again.logits[step, token].astype(dtype) - self.again.log_normaliser[step]

    def shown(self) -> Number | None:
        """Return the trace's number, or None if it keeps none."""
        quantity, kind, trace = self.quantity, self.quantity.kind, self.trace
        if kind in ("logit", "probability"):
            step, token, likeliest = quantity.step, quantity.token, trace.top_ids[quantity.step].tolist()
            kept = token in likeliest
            logit = float(trace.top_logits[step, likeliest.index(token)] if kept else trace.logits[step])
            return logit if kind == "logit" else np.exp(logit - trace.log_normaliser[step])
        if kind in BETWEEN_WORDS:
            return self.merged()[0].weights[quantity.row, quantity.column]
        return self.stored(trace, kind, quantity.place()) if KINDS[kind].array else None

    def recomputed(self) -> Number:
        """Return NumPy's number."""
        quantity, kind, again = self.quantity, self.quantity.kind, self.again
        if kind in ("probability", "log_probability"):
            token = quantity.token if kind == "probability" else None
            logged = self._logged(quantity.step, token, again.logits.dtype)
            return np.exp(logged) if kind == "probability" else logged
        if KINDS[kind].summed:
            terms = FORMS[self.form()].made[-1]
            letters = self.letters | _loop(terms, self.within(terms.within))
            factors = [np.asarray(_value(self, factor, letters), np.float64) for factor in terms.factors]
            total = float(np.dot(*factors) if len(factors) == 2 else factors[0].sum())
            return 1 + total if kind == "rest" else total / self.letters["rows"] if kind in BETWEEN_WORDS else total
        return self.value(kind, quantity.place())

    def parameter(self, name: str) -> Float[ndarray, "..."]:
        """Return the array with this name in the file."""
        return self.parameters[Template(PARAMETERS[name]).substitute(self.place_in_file())]

    def label(self, name: str, letters: Letters) -> str:
        """Return the text for a name in a label."""
        match name:
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
        if "logit" in found.kind and found.token not in (*self.trace.top_ids[step], self.trace.target_ids[step]):
            return ()
        return (found,)


class TermLine(NamedTuple):
    """One line of terms, computed for every item of its loop: a row of factors each, and their product."""

    terms: Terms
    items: Sequence[int | tuple[int, ...]]
    factors: Float[ndarray, "N F"]
    values: Float[ndarray, " N"]

    def term(self, numbers: Numbers, item: int) -> Term:
        """Return the term of one item, with its label and the quantities that it opens."""
        letters = numbers.letters | _loop(self.terms, self.items, item)
        label = re.sub(r"\{(\w+)\}", lambda found: numbers.label(found[1], letters), self.terms.label)
        places = [numbers.place(factor.name, factor.at) for factor in self.terms.factors]
        opens = [quantity for place in places if place for quantity in numbers.openable(place.quantity(letters))]
        factors = tuple(self.factors[item].tolist())
        return Term(label, factors, float(self.values[item]), tuple(dict.fromkeys(opens)))


def derive(numbers: Numbers) -> Derivation:
    """Open the number: list its largest terms and add up the others."""
    quantity, letters, name = numbers.quantity, numbers.letters, numbers.form()
    form = FORMS[name]
    made = [one for terms in form.made for one in (READ_TERMS[numbers.reads] if terms.label == "read" else (terms,))]
    lines = [_line(numbers, terms) for terms in made]
    ending, _, about = form.ending.partition(" of ")
    constant = 0.0
    if made and made[0].factors[0].change == "exp":
        constant = float(lines[0].factors.max())
    elif about and ending != "share":
        constant = float(letters[about] if about in letters else max(1, len(lines[0].items)))
    places = [(line, item) for line in lines for item in range(len(line.items))]
    values = np.array([float(line.values[item]) for line, item in places])
    order = np.argsort(-np.abs(values), kind="stable").tolist()
    if ending == "share":  # the term that the share is of comes first
        first = list(lines[0].items).index(letters[about])
        order = [first, *(place for place in order if place != first)]
    kept = len(order) if len(order) <= SHOWN_TERMS + 1 else SHOWN_TERMS
    shown = numbers.shown()
    factors = [factor for line in lines for factor in line.terms.factors]
    return Derivation(
        quantity=quantity,
        name=quantity.name(numbers.trace),
        asking=letters.get("a", quantity.step),
        form=name,
        ending=ending,
        constant=constant,
        shown=None if shown is None else float(shown),
        recomputed=float(numbers.recomputed()),
        terms=tuple(line.term(numbers, item) for line, item in (places[place] for place in order[:kept])),
        rest_value=math.fsum(values[order[kept:]]),
        rest_count=len(order) - kept,
        magnitude=math.fsum(np.abs(values)),
        kinds=tuple(place.kind for place in (numbers.place(one.name, one.at) for one in factors) if place),
        shapes=_shapes(numbers, lines),
        reads=numbers.reads if any(terms.label == "read" for terms in form.made) else "",
    )


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


def _line(numbers: Numbers, terms: Terms) -> TermLine:
    """Compute one line of terms for every item of its loop."""
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
    return TermLine(terms, items, shown, worth.prod(axis=-1))


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
