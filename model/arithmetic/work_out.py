"""Any number of a translation opened down to its terms.

`work_out` returns three things: the trace's number, the number that NumPy recomputes from the weights file, and its
terms. Every term names the quantities it came from, so a reader can go from a weight to its score, from there to the
state, its gates, and back to the embeddings and parameters.
"""

from collections.abc import Callable

from regard.model.arithmetic.attention import ATTENTION_OPENERS, asking
from regard.model.arithmetic.derivation import Derivation, Opened, by_hand, fold
from regard.model.arithmetic.output import OUTPUT_OPENERS
from regard.model.arithmetic.quantity import Quantity
from regard.model.arithmetic.recurrent_cell import CELL_OPENERS
from regard.model.reference.parameters import Parameters
from regard.model.reference.recomputation import Recomputation
from regard.model.trace import Trace

Opener = Callable[[Quantity, Trace, Recomputation, Parameters], Opened]

OPENERS: dict[str, Opener] = {**ATTENTION_OPENERS, **CELL_OPENERS, **OUTPUT_OPENERS}


def work_out(quantity: Quantity, trace: Trace, recomputation: Recomputation, parameters: Parameters) -> Derivation:
    """Open one number of `trace`; `recomputation` is computed from its ids by `weights`. Raises InputError naming the
    field that is out of range and its accepted values."""
    quantity.check(trace)
    opened = OPENERS[quantity.kind](quantity, trace, recomputation, parameters)
    opened = by_hand(quantity, trace.intervention, opened)
    return fold(quantity, quantity.name(trace), asking(quantity, parameters), opened)
