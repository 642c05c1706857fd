"""Downloads of Translate: the traces on view as JSON, NumPy arrays, CSV and a page, and the app in one file."""

import streamlit as st

from regard.app.export.page import page
from regard.app.screens.translate.parts import on_view
from regard.app.ui.offline_file import take_along
from regard.app.visitor.question import Question
from regard.model.archive import to_json, to_npz, weights_csv


def downloads(question: Question) -> None:
    """Draw the buttons; a file is made from the traces on view when its button is clicked."""
    view = on_view()
    files = (
        ("Trace (JSON)", "trace.json", "application/json", lambda: to_json(view.traces[-1])),
        ("Trace (NumPy)", "trace.npz", "application/octet-stream", lambda: to_npz(view.traces[-1])),
        ("Weights (CSV)", "weights.csv", "text/csv", lambda: weights_csv(view.traces[-1])),
        ("Page (HTML)", "translation.html", "text/html", lambda: page(view.traces, posteriors=view.posteriors)),
    )
    with st.container(horizontal=True, key="downloads"):
        for label, name, kind, content in files:
            st.download_button(label, content, name, kind, on_click="ignore", icon=":material/download:")
        take_along([question.model], question)
