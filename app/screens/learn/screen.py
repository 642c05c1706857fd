"""Learn: attention in short chapters, each with something to predict and something to try."""

import streamlit as st

from regard.app.screens.learn.chapter import Phase, subject, teacher
from regard.app.screens.learn.page import about, picture, question, reading, settle, touching
from regard.app.screens.learn.path import CHAPTERS, COUNT, around, chapter_list, keep, recall, title
from regard.app.screens.learn.teaching import finish, lesson_plan
from regard.app.ui.head import head
from regard.app.visitor.fields import read_chip, sentence_field
from regard.app.visitor.sentence_input import begin, link, screen_before, visit

arrived = screen_before() != "learn"
asked = begin("learn")
with st.container(key="learn"):
    head("Learn", f"{COUNT} short chapters. In each: one idea, one prediction, one thing to try.")
progress = recall(arrived)
if st.query_params.pop("plan", ""):
    lesson_plan()
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
        read = chapter.reading(model.network.config)
        place = reading(read)
        with st.container(key="own", gap="xxsmall"):
            if chapter.own:
                sentence_field(model)
                with st.container(horizontal=True, vertical_alignment="center"):
                    read_chip()
            lesson = subject(asked, model, show_error=chapter.own or isinstance(read.picture, Phase))
        seen = question(read.picture, lesson)
        if seen:
            settle(progress.page, seen, about(chapter, lesson, seen))
        with place.container():
            covered = seen is not None and st.session_state.lesson.answers[progress.page - 1] is None
            picture(read.picture, lesson, seen.step if seen else 0, covered)
        touching(progress.page, chapter, lesson, seen)
    around(progress)
link(visit().question)
keep(progress)
