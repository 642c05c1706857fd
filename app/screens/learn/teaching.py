"""The page after the last chapter: what a reader can do now, where to go on, and the notes for teachers.

The notes have a plan for two lessons of 50 minutes and the wrong answers to expect.
"""

import streamlit as st

from regard.app.lesson.attention_chapters import answers
from regard.app.lesson.chapters import CHAPTERS
from regard.app.navigation import ICONS, TITLES
from regard.app.screens.learn.path import COUNT, LessonProgress
from regard.app.ui.widgets import table
from regard.app.wording import counted
from regard.model.files import toml_beside

TOLD = toml_beside(__file__, "teaching.toml")


def notes() -> None:
    for number, plan in enumerate(TOLD["plan"], 1):
        (before, opening), (after, closing) = plan["opening"], plan["closing"]
        each = ", ".join(f"chapter {page} ({TOLD['note'][page - 1]['minutes']})" for page in plan["chapters"])
        st.markdown(f"**Lesson {number}**, minutes in brackets: {opening} ({before}), {each}, {closing} ({after}).")
    st.markdown(TOLD["together"])
    rows = [
        {
            "Chapter": f"{number}. {CHAPTERS[number - 1].title}",
            "Minutes": str(note["minutes"]),
            "Common guess": f"“{note['expected']}”",
            "What to say": note["say"],
        }
        for number, note in enumerate(TOLD["note"], 1)
    ]
    table(rows, "Common wrong guesses in each chapter, for “I love you.” and the first model")
    st.markdown(f"Answers to *Compute it yourself*, chapter 5: {answers()}.")


lesson_plan = st.dialog("Lesson plan: two lessons of 50 minutes", width="large")(notes)


def finish(progress: LessonProgress) -> None:
    with st.container(key="text"):
        st.markdown(TOLD["can"])
        answered = progress.right + progress.surprises
        if answered:
            to_come = f" {COUNT - answered} of {COUNT} questions are still unanswered." if answered < COUNT else ""
            again = " The surprises are worth another look." if progress.surprises else ""
            st.markdown(
                f"Of {counted(answered, 'prediction')}, **{progress.right}** came true and {progress.surprises} turned "
                f"out otherwise.{again}{to_come}"
            )
        else:
            st.markdown(f"None of the {COUNT} questions is answered yet; each takes a minute.")
    st.html('<h3 class="part">Go on with</h3>')
    with st.container(key="onward", gap="xsmall"):
        for screen, about in TOLD["next"].items():
            with st.container(horizontal=True, vertical_alignment="center", gap="small"):
                st.page_link(f"screens/{screen}/screen.py", label=TITLES[screen], icon=ICONS[screen])
                st.caption(about, width="content")
    with st.expander("For teachers: two lessons of 50 minutes", icon=":material/school:"):
        notes()
