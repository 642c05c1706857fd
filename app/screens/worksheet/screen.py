"""Worksheet: a step of a translation to be calculated by hand, on paper."""

import streamlit as st

from regard.app.screens.worksheet.view import worksheet_panel
from regard.app.ui.definitions import definitions
from regard.app.ui.heading import heading
from regard.app.visitor.fields import fields, model_field
from regard.app.visitor.sentence_input import begin, question_or_stop, readable

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
