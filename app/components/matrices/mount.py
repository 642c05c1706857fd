"""One step of a worked example as its matrices: operands, the sign between them, the result, and how an entry is made.

Every entry of the result is a button. The one that is chosen, or under the pointer, lights up the cells that it is made
from and has its sum written out. The server is not asked for it: the browser is given every sum at once.
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
    """Draw one step of a run of the example; `printed` shows what the document has in its place."""
    mounted()(key=key, data=payload(example, step, values, printed))


@cache
def mounted() -> Any:
    """The component, registered once."""
    return served("matrices", script(HERE / "matrices.js"), style(HERE, ("matrices",)))
