"""Learn: attention in short chapters, each with something to touch and something to predict."""

import streamlit as st

from app.asking import begin, link, sentence_field
from app.heading import heading
from app.lesson.chapters import CHAPTERS
from app.lesson.finish import finish
from app.lesson.page import STYLE, reading, touching
from app.lesson.path import around, chapter_list, keep, recall, title
from app.lesson.progress import COUNT
from app.lesson.subject import subject, teacher

arrived = st.session_state.get("screen") != "learn"
asked = begin("learn")
st.html(STYLE)
heading(
    "Learn",
    f"{COUNT} short chapters, from a sentence to a Transformer. In each: one idea, one thing to touch, one prediction.",
)
progress = recall(arrived)
model = teacher(asked)
left, right = st.columns([2, 7], gap="large")
with left:
    chapter_list(progress)
with right:
    title(progress)
    if progress.page > COUNT:
        finish(progress)
    else:
        chapter = CHAPTERS[progress.page - 1]
        reading(chapter)
        with st.container(key="own", gap="xxsmall"):
            if chapter.own:
                sentence_field(model)
            lesson = subject(asked, model, told=chapter.own)
        touching(progress.page, chapter, lesson)
    around(progress)
link(st.session_state.question)
keep(progress)
