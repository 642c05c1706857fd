"""One step of a worked example as its matrices: operands, the sign between them, the result, and the sum of each entry.

Every entry of the result is a button. The selected entry, or the one under the pointer, highlights the cells it is made
from and shows its sum. The browser has every sum from the start and does not ask the server.
"""

from regard.app.components.matrices.payload import payload
from regard.app.components.shared.served import served
from regard.model.examples.entries import Values
from regard.model.examples.example import Example, Step

mounted = served("matrices", "matrices.js", ("colours", "matrices"))


def matrices(example: Example, step: Step, values: Values, *, key: str, printed: bool = True) -> None:
    """Draw one step of a run of the example; `printed` adds the numbers that the document prints."""
    mounted()(key=key, data=payload(example, step, values, printed))
