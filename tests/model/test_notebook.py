"""A trace is shown by the renderer that was registered last, and as plain text where there is none."""

import pytest

from regard.model import notebook
from regard.model.trace import Trace


def test_a_trace_without_a_renderer_is_left_to_its_plain_text(before: Trace, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(notebook, "_renderers", [])
    assert before._repr_html_() is None
    notebook.register(lambda traces: f"{len(traces)} of {traces[0].maker.name}")
    assert before._repr_html_() == f"1 of {before.maker.name}"
