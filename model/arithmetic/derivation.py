"""Derivation of one number: the terms it is made of, and their combination.

The terms are added; an ending follows, such as tanh for an attentional vector. Terms are sorted by magnitude, and all
but the largest are folded into one sum.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from regard.model.arithmetic.quantity import Quantity

Number = float | np.floating

RELATIVE = 1e-4  # allowed difference of two float32 programs, as a share of the number: what four digits show
ROUNDING = 1e-5  # plus this share of the terms' magnitudes, which also counts terms that cancel out
CARRIED = 1e-6  # plus the rounding carried over from earlier numbers, most of which are near 1
LEAST = float(np.finfo(np.float32).tiny)  # below this float32 loses digits


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
    recomputed: float  # by `regard.model.reference.recompute`, from the weights file
    terms: tuple[Term, ...]
    rest_value: float  # the sum of the folded terms
    rest_count: int
    magnitude: float  # the sum of the terms' absolute values
    shapes: dict[str, tuple[int, ...]]  # of the parameters in its terms, by their letters
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
