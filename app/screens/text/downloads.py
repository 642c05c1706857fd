"""Downloads of a translated text: TSV, JSON lines, word links in Pharaoh format, and a report with the stepper."""

from collections.abc import Sequence

import streamlit as st

from regard.app.export.text_report import ROOM, text_report
from regard.app.models.models import any_pretrained, title
from regard.app.ui.download import download
from regard.model.checkpoint import AnyModel
from regard.model.text_report.measuring import traced
from regard.model.text_report.sentence_measures import SentenceMeasures
from regard.model.text_report.text_files import WRITERS
from regard.model.text_report.text_measures import text_scores

LABELS = {"tsv": "Table (TSV)", "jsonl": "All measures (JSON lines)", "pharaoh": "Word links (Pharaoh)"}
HTML = f"One page with the sentences; the first ones, up to {ROOM // 10**6} MB, open in the stepper without a server."


def downloads(rows: Sequence[SentenceMeasures], name: str, model: str) -> None:
    """Draw a button for each file; the file is written when it is asked for."""
    with st.container(horizontal=True, key="text-files"):
        for ending, write in WRITERS.items():
            download(LABELS[ending], lambda write=write: "".join(write(rows)), f"regard-text.{ending}")
        loaded, about = any_pretrained(model), f"{name}, translated by {title(model)}"
        download("Report (HTML)", lambda: report(rows, about, loaded), "regard-text.html", HTML)


def report(rows: Sequence[SentenceMeasures], about: str, model: AnyModel) -> str:
    """Write the report; the sentences are translated again for the stepper."""
    return text_report(about, rows, traced(model, rows), [score.text for score in text_scores(rows)])
