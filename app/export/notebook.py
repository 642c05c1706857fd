"""A page inside a notebook: a frame that shares nothing with the notebook around it."""

from collections.abc import Sequence
from html import escape

from app.export.page import page
from model.trace import Trace

HEIGHT = 820  # pixels: a translation of usual length with its header; the page scrolls within, the corner drags


def frame(traces: Sequence[Trace]) -> str:
    """The page of some traces as an element for a notebook's output.

    Scripts run in it, under an origin of its own: the notebook, its cookies and its server are out of reach.
    """
    text = escape(traces[0].alignment.source.text)
    return (
        f'<iframe srcdoc="{escape(page(traces))}" sandbox="allow-scripts" title="Attention, step by step: {text}" '
        f'style="width: 100%; height: {HEIGHT}px; border: 0; resize: vertical"></iframe>'
    )
