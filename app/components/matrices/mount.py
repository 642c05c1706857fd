"""One step of a worked example as its matrices: operands, the sign between them, the result, and the sum of each entry.

Every entry of the result is a button. The selected entry, or the one under the pointer, highlights the cells it is made
from and shows its sum. The browser has every sum from the start and does not ask the server.
"""

from functools import cache
from pathlib import Path
from typing import Any

from regard.app.components.matrices.payload import payload
from regard.app.components.shared.modules import script, style
from regard.app.components.shared.served import served
from regard.model.examples.entries import Values
from regard.model.examples.example import Example, Step

HERE = Path(__file__).parent


def matrices(example: Example, step: Step, values: Values, *, key: str, printed: bool = True) -> None:
    """Draw one step of a run of the example; `printed` adds the numbers that the document prints."""
    mounted()(key=key, data=payload(example, step, values, printed))


@cache
def mounted() -> Any:
    """Return the component, registered once."""
    return served("matrices", script(HERE / "matrices.js"), style(HERE, ("colours", "matrices")))
