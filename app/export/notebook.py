"""Notebook: documents in the output of a cell, each in a frame that the notebook cannot reach.

Scripts run in a frame with its own origin. The style and script that all documents share are in a notebook once,
in the first cell that shows one; `notebook.js` puts them into the frames of the others. In Colab, whose cells are
isolated from each other, and outside IPython, every output includes them. Until a script has filled the frame, as in a
saved notebook that is not trusted, the output is a picture.
"""

import sys
from collections.abc import Sequence
from html import escape

from regard.app.components.shared.modules import script
from regard.app.export.document import HERE, TracePage, code, embedded, shared_hash, style
from regard.app.export.page import described
from regard.app.export.still import still
from regard.app.visitor.telling_step import telling_step
from regard.model.trace import AnyTrace

HEIGHT = 820  # pixels of a frame: a usual translation with its header; it scrolls, and its corner can be dragged
STYLE = f"width: 100%; height: {HEIGHT}px; border: 0; resize: vertical"
ROOM = 4_000_000  # characters of the documents in one output
MISSING = "The stepper is in the output of the cell that showed a trace first: run that cell again, then this one."
UNTRUSTED = (
    "This is a picture, because scripts do not run here. To step through it, trust the notebook, in JupyterLab with "
    "<em>Trust Notebook</em> in the command palette."
)

Cell = tuple[str, int]  # the cell's name and execution number

_carriers: list[Cell] = []  # the executions whose outputs include the shared code


def page_of(trace: AnyTrace) -> str:
    """Return the page of a trace."""
    return described([trace]).html()


def frame(trace: AnyTrace) -> str:
    """Return the output of a trace."""
    return output([described([trace])], still(trace.alignment, telling_step(trace)))


def frames(traces: Sequence[AnyTrace]) -> str:
    """Return the output of several traces, shown one at a time: as many of the first as there is room for."""
    documents: list[TracePage] = []
    size = 0
    for trace in traces:
        document = described([trace])
        size += len(embedded(document.data))
        if documents and size > ROOM:
            break
        documents.append(document)
    if not documents:
        return "<p>No traces.</p>"
    return output(documents, still(traces[0].alignment, telling_step(traces[0])), len(traces))


def output(documents: Sequence[TracePage], picture: str, total: int = 1) -> str:
    """Return documents as one output of a cell, a list to choose from if several; `total` includes those left out, and
    `picture` is shown where no script runs."""
    cell = _cell()
    if total == 1 and cell is None:
        (document,) = documents
        return f'<iframe srcdoc="{escape(document.html())}" {_frame(document)}></iframe>'
    options = "".join(f"<option>{number}: {escape(one.title)}</option>" for number, one in enumerate(documents, 1))
    few = f"<small>The first {len(documents)} of {total:,}.</small>" if total > len(documents) else ""
    chooser = f'<p><select aria-label="Translation">{options}</select> {few}</p>' if total > 1 else ""
    shared = {"style": style(), "code": code()}
    brought = f'<script type="application/json" class="regard-shared">{embedded(shared)}</script>'
    return (
        f'<div class="regard-output" data-shared="{shared_hash()}">{chooser}'
        f'<div class="regard-still">{picture}<p data-missing="{MISSING}">{UNTRUSTED}</p></div>'
        f"<iframe {_frame(documents[0])} hidden></iframe>"
        f'<script type="application/json" class="regard-pages">{embedded([one.around() for one in documents])}</script>'
        f"{brought if _carries(cell) else ''}<script>{{{script(HERE / 'notebook.js')}}}</script></div>"
    )


def _frame(document: TracePage) -> str:
    title = escape(f"Attention, step by step: {document.title}")
    return f'sandbox="allow-scripts" title="{title}" style="{STYLE}"'


def _cell() -> Cell | None:
    """Return the cell that runs, and how many ran before it; None outside IPython and in Colab."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython and "google.colab" not in sys.modules else None
    if shell is None:
        return None
    metadata = (getattr(shell, "get_parent", dict)() or {}).get("metadata", {})
    return str(metadata.get("cellId") or shell.execution_count), shell.execution_count


def _carries(cell: Cell | None) -> bool:
    """Return True if the output must include the shared code: the kernel's first one, and the same cell run again."""
    if cell is None:
        return True
    if _carriers and (cell[0] != _carriers[0][0] or cell in _carriers):
        return False
    _carriers.append(cell)
    return True
