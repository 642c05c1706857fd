"""The page after the last chapter: what a reader can do now, where to go next, and the notes for teachers."""

import streamlit as st

from regard.app.navigation import ICONS, TITLES
from regard.app.screens.learn.progress import COUNT, LessonProgress
from regard.app.screens.learn.teaching import notes

CAN = """
You can now read a step of the decoder from its numbers: its **scores**, the **weights** that the softmax makes of them,
the **context** they mix, and the **probabilities** that come out. The first three you can compute on paper. You know
what a row of a heatmap belongs to, and that a bright cell is not yet a reason.
"""
NEXT = (
    (
        "translate",
        "Every number of your own sentence; and *what if*: drag a line or change a word, and it translates again",
    ),
    ("watch", "A small network learns to reverse numbers while you watch"),
    (
        "worked_examples",
        "Whole examples with matrices that you can change, and the common errors of tutorials, measured",
    ),
    ("transformer", "Query, key and value, masks and heads"),
    ("glossary", "Every term with its formula and its source"),
    ("worksheet", "Your sentence on a sheet with blanks to fill, and its answers"),
)


def finish(progress: LessonProgress) -> None:
    with st.container(key="text"):
        st.markdown(CAN)
        st.markdown(_outcome(progress))
    st.html('<h3 class="part">Go on with</h3>')
    with st.container(key="onward", gap="xsmall"):
        for screen, about in NEXT:
            with st.container(horizontal=True, vertical_alignment="center", gap="small"):
                st.page_link(f"screens/{screen}/screen.py", label=TITLES[screen], icon=ICONS[screen])
                st.caption(about, width="content")
    notes()


def _outcome(progress: LessonProgress) -> str:
    """Return how the predictions went, as Markdown."""
    answered = progress.right + progress.surprises
    if not answered:
        return f"None of the {COUNT} questions is answered yet; each takes a minute."
    to_come = f" {COUNT - answered} of {COUNT} questions are still unanswered." if answered < COUNT else ""
    again = " The surprises are worth another look." if progress.surprises else ""
    return (
        f"Of {answered} predictions, **{progress.right}** came true and {progress.surprises} turned out otherwise."
        f"{again}{to_come}"
    )
