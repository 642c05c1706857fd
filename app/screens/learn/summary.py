"""The page after the last chapter: what a reader can do now, where to go next, and the notes for teachers."""

import streamlit as st

from regard.app.navigation import ICONS, TITLES
from regard.app.screens.learn.progress import COUNT, LessonProgress
from regard.app.screens.learn.teaching import notes
from regard.model.files import toml_beside

TOLD = toml_beside(__file__, "summary.toml")


def finish(progress: LessonProgress) -> None:
    with st.container(key="text"):
        st.markdown(TOLD["can"])
        st.markdown(_outcome(progress))
    st.html('<h3 class="part">Go on with</h3>')
    with st.container(key="onward", gap="xsmall"):
        for screen, about in TOLD["next"].items():
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
