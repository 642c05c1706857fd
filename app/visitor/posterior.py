"""Posterior attention where a visitor reads it: computed for those who ask, which the question remembers."""

from collections.abc import Sequence
from dataclasses import replace

import streamlit as st

from regard.app.models.analyses import afterwards
from regard.model.posterior_attention import AFTER, READ_AS, Posterior
from regard.model.trace import AnyTrace, Trace


def hear_rows(sent: str) -> None:
    """Read rows as the browser says from now on; what is no way to read them changes nothing."""
    if sent in READ_AS:
        st.session_state.question = replace(st.session_state.question, rows=sent)


def rows() -> str:
    """How they are read."""
    return st.session_state.question.rows


def asked_for(traces: Sequence[AnyTrace]) -> list[Posterior]:
    """One for each trace where the posterior is read, else none: it takes as long as the translation or longer.

    It is of one attention; where a trace has many heads there is none.
    """
    recurrent = [trace for trace in traces if isinstance(trace, Trace)]
    return [afterwards(trace) for trace in recurrent] if rows() == AFTER and len(recurrent) == len(traces) else []
