"""Worksheet: a step of a translation to be calculated by hand, on paper."""

import streamlit as st

from app.screens.worksheet.view import worksheet_panel
from app.ui.definitions import definitions
from app.ui.heading import heading
from app.visitor.fields import fields, model_field
from app.visitor.sentence_input import begin, question_or_stop, readable

asked = begin("worksheet")
model = readable(asked.model)
with st.container(horizontal=True, vertical_alignment="center", key="header"):
    heading(
        "Worksheet",
        "One step of a translation to calculate on paper, with the model's own numbers, and a sheet with the answers.",
    )
    model_field(asked)
fields(model)
question = question_or_stop(asked, model)
worksheet_panel(question, readable(question.model))
definitions("score", "softmax", "weight", "context", "logit", "probability", "log_normaliser", "heatmap", "rows")
