"""Common errors: false or doubtful claims of the documents, each beside what is true and what was measured here."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import NamedTuple

import streamlit as st

from regard.app.models.registry import model_names
from regard.app.navigation import TITLES
from regard.app.screens.worked_examples import error_measurements as measured
from regard.app.screens.worked_examples.claims import CONCAT, DOT, MULTIPLICATIVE, NONE
from regard.app.worked_example.markdown import prose
from regard.model.examples.documents import DOCUMENTS, Document

SHEET = Document(
    name="common-errors",
    title="Common errors, measured",
    text="Statements about attention in the documents that are wrong or imprecise. The numbers on the right "
    "are computed from the models of this app; each link leads to the screen that shows them.",
)
NEEDED = (MULTIPLICATIVE, CONCAT, DOT, NONE, measured.REVERSAL)
NOWHERE: Mapping[str, str] = MappingProxyType({})
LIMITS = MappingProxyType({"chapter": "9"})
LEARNING = MappingProxyType({"chapter": "10"})
LOVE = MappingProxyType({"sentence": measured.LOVE, "model": MULTIPLICATIVE})
OWN = MappingProxyType({"sentence": measured.BOY, "model": MULTIPLICATIVE})  # the document's own example


class CommonError(NamedTuple):
    """A claim of a document, the correction, and the screen that shows it."""

    said: str
    holds: Callable[[], str]
    screen: str
    link: Mapping[str, str] = NOWHERE  # parameters of that screen


def notation() -> str:
    return (
        "Its h_t and a_t count encoder steps, its s_t counts decoder steps, and its formulas then write i and j for "
        "the two. In the attention formulas of this app t is a decoder step and i a source position."
    )


ERRORS = {  # by the document's name
    "i-love-you": (
        CommonError(
            "Provides direct path for gradients from decoder to encoder", measured.gradient_shares, "translate", LOVE
        ),
        CommonError("Attention weights visualize what the model looks at", measured.look_is_no_link, "alignment"),
    ),
    "from-scratch": (
        CommonError("Assign importance scores (attention weights)", measured.order_of_importance, "learn", LIMITS),
        CommonError("Unimportant ones → near zero", measured.heaviest_removed, "explanation"),
        CommonError("each output word should focus on a different input word", measured.shared_words, "translate", OWN),
        CommonError("Early words are forgotten", measured.early_words, "bottleneck"),
        CommonError("Improves alignment (translation, summarization)", measured.only_translation, "alignment"),
    ),
    "module": (
        CommonError("Not inherently parallelizable like Transformers", measured.parallel, "transformer"),
        CommonError("Computationally expensive for long sequences", measured.cost, "compare"),
        CommonError("Requires more parameters (risk of overfitting)", measured.not_overfitting, "bottleneck"),
        CommonError("a_t = attention weight for encoder step t", notation, "glossary"),
    ),
    "query": (
        CommonError(
            "map a fixed-length input sequence to a fixed-length output sequence",
            measured.words_by_rule,
            "translate",
            LOVE,
        ),
        CommonError("to speed up convergence", measured.own_mistakes, "learn", LEARNING),
        CommonError("ensuring accuracy even for long speeches", measured.long_sentences, "bottleneck"),
        CommonError("introducing “Dot-Product Attention” (Multiplicative)", measured.three_scores, "compare"),
        CommonError(
            "The diagonal pattern indicates that the model has learned to reverse", measured.anti_diagonal, "watch"
        ),
    ),
}
TITLED = {document.name: document.title for document in DOCUMENTS}


def sheet() -> None:
    """Draw all errors by document; a message instead where the models they are measured on are missing."""
    if not set(NEEDED) <= set(model_names()):
        st.info("The models that these sentences are measured on are missing.")
        return
    for document, errors in ERRORS.items():
        st.subheader(TITLED[document])
        for number, error in enumerate(errors):
            with st.container(border=True, key=f"error-{document}-{number}"):
                _draw(error)


def _draw(error: CommonError) -> None:
    left, right = st.columns([2, 5], vertical_alignment="center")
    left.markdown(f"“{prose(error.said)}”")
    with right:
        st.markdown(prose(error.holds()))
        label = f"See it in {TITLES[error.screen]}"
        st.page_link(f"screens/{error.screen}/screen.py", label=label, query_params=dict(error.link))
