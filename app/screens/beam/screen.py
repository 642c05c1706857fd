"""Beam search: several translations grow side by side, and pruned branches stay visible."""

from dataclasses import replace

import streamlit as st

from regard.app.components.beam_tree.mount import search
from regard.app.glossary.terms import definitions
from regard.app.models.traces import beam, beam_by_hand
from regard.app.screens.beam.text import best, parting, to_json
from regard.app.ui.plots import download
from regard.app.ui.widgets import ScreenHead, head, question_fields
from regard.app.visitor.question import Question
from regard.app.visitor.sentence_input import any_readable, begin, question_or_stop, went_back
from regard.app.visitor.translated_text import text_row
from regard.app.wording import many_heads
from regard.model.checkpoint import AnyModel
from regard.model.decoding.beam import DRAWN
from regard.model.decoding.beam_tree import STRONGEST, AddedPrefix, BeamSettings, read, written

KEY = "search"  # key of the component
STEP = 0.1  # of the two penalties' sliders
LINKED = "expanded"  # the link's parameter for additions by hand


def choose(top: ScreenHead) -> BeamSettings:
    """Choose the width of the search, and how ended translations are compared."""
    usual = BeamSettings()
    about = "How many translations grow side by side. A beam of width 1 is greedy decoding."
    top.row.caption("Beam width", width="content", help=about)  # a collapsed label would hide the help
    return BeamSettings(
        top.row.slider(
            "Beam width",
            *(1, DRAWN, usual.width),
            label_visibility="collapsed",
            key="beam_width",
            width=180,
            bind="query-params",
        ),
        top.options.slider(
            "Length α",
            *(0.0, STRONGEST, usual.alpha, STEP),
            key="beam_alpha",
            bind="query-params",
            help="Length normalisation. 0 compares plain log-probabilities, which favours short translations.",
        ),
        top.options.slider(
            "Coverage β",
            *(0.0, STRONGEST, usual.coverage, STEP),
            key="beam_coverage",
            bind="query-params",
            help=(
                "Coverage penalty: penalises a translation that paid too little attention to some source token. 0 "
                "switches it off."
            ),
        ),
    )


def recall(question: Question) -> tuple[AddedPrefix, ...]:
    """Return the additions to the search in this sentence; a new visitor's come from the link, and so they do after
    Back or Forward."""
    subject = question.model, question.sentence
    linked = subject, st.query_params.get(LINKED, "")
    known, text = linked if went_back() else st.session_state.get("by_hand", linked)
    entries = read(text) if known == subject else ()
    remember(question, entries)
    return entries


def remember(question: Question, entries: tuple[AddedPrefix, ...]) -> None:
    """Store the additions, also in the link."""
    text = written(entries)
    st.session_state.by_hand = (question.model, question.sentence), text
    if text:
        st.query_params[LINKED] = text
    else:
        st.query_params.pop(LINKED, None)


@st.fragment
def searched(model: AnyModel, question: Question, settings: BeamSettings) -> None:
    """Show the search with these settings, its tree and the translations it found."""
    language = model.tokenizer.languages[1]
    tree = beam(question.model, question.sentence, settings)
    grown = beam_by_hand(question.model, question.sentence, settings, recall(question))
    with st.container(key="beam-found"):
        st.html(best(tree, language) + parting(tree, language))
    search(model, grown.tree, grown.entries, key=KEY, on_add=lambda text: remember(question, read(text)))
    if many := many_heads(model.config):
        st.caption(f"{many} Coverage counts the same weights.")
    with st.container(horizontal=True, vertical_alignment="center"):
        download("Tree (JSON)", lambda: to_json(grown.tree), "beam.json")
    definitions("beam", "greedy", "log_probability", "length_penalty", "coverage_penalty")


asked = replace(begin("beam"), given="")  # the model writes
model = any_readable(asked.model)
top = head(
    "What would a wider search find?",
    "Choose a node of the tree to see why it was kept or dropped.",
    asked,
    options=True,
)
question_fields(top, model)
settings = choose(top)
text_row(asked)
question = question_or_stop(asked, model)
searched(model, question, settings)
