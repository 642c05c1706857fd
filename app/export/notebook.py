"""Notebook: documents in the output of a cell, each in a frame with an origin of its own, which the notebook cannot
reach. Where scripts do not run, as in a saved notebook that is not trusted, a table of the weights remains.
"""

from collections.abc import Sequence
from html import escape

from regard.app.components.shared.modules import script
from regard.app.export.document import HERE, TracePage, code, embedded, style
from regard.app.export.page import described, described_attention
from regard.model.alignment import Alignment, token_label
from regard.model.soft_alignments.given_attention import GivenAttention
from regard.model.trace import AnyTrace

STYLE = "width: 100%; height: 820px; border: 0; resize: vertical"  # a usual translation with its header
ROOM = 4_000_000  # characters of the documents in one output
UNTRUSTED = "Without scripts: the weights in percent. To step through them, trust the notebook"


def page_of(trace: AnyTrace) -> str:
    """Return the page of a trace."""
    return described([trace]).html()


def given_page_of(given: GivenAttention) -> str:
    """Return the page of given attention."""
    return described_attention(given).html()


def frame(trace: AnyTrace) -> str:
    """Return the output of a trace."""
    return _single(described([trace]), trace.alignment)


def given_frame(given: GivenAttention) -> str:
    """Return the output of given attention."""
    return _single(described_attention(given), given.alignment)


def frames(traces: Sequence[AnyTrace]) -> str:
    """Return the output of several traces, chosen from a list: as many of the first as there is room for."""
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
    options = "".join(f"<option>{number}: {escape(one.title)}</option>" for number, one in enumerate(documents, 1))
    few = f"<small>The first {len(documents)} of {len(traces):,}.</small>" if len(traces) > len(documents) else ""
    data = {"style": style(), "code": code(), "pages": [one.around() for one in documents]}
    return (
        f'<div class="regard-output"><p><select aria-label="Translation">{options}</select> {few}</p>'
        f"<iframe {_frame(documents[0])}></iframe>{_table(traces[0].alignment)}"
        f'<script type="application/json">{embedded(data)}</script>'
        f"<script>{{{script(HERE / 'notebook.js')}}}</script></div>"
    )


def _single(document: TracePage, alignment: Alignment) -> str:
    return f'<iframe srcdoc="{escape(document.html())}" {_frame(document)}></iframe>{_table(alignment)}'


def _frame(document: TracePage) -> str:
    title = escape(f"Attention, step by step: {document.title}")
    return f'sandbox="allow-scripts" title="{title}" style="{STYLE}"'


def _table(alignment: Alignment) -> str:
    """Return the weights as a table, with a row for each target token, folded below the frame."""
    rows, columns = (
        [escape(token_label(token)) for token in side.tokens] for side in (alignment.target, alignment.source)
    )
    heads = "".join(f"<th>{name}</th>" for name in columns)
    lines = "".join(
        f"<tr><th>{name}</th>{''.join(f'<td>{100 * weight:.0f}</td>' for weight in weights)}</tr>"
        for name, weights in zip(rows, alignment.weights.tolist(), strict=True)
    )
    return f"<details><summary>{UNTRUSTED}</summary><table><tr><th></th>{heads}</tr>{lines}</table></details>"
