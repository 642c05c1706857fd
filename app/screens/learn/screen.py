"""Learn: attention in short chapters, each with something to predict and something to try."""

import streamlit as st

from regard.app.lesson.chapter import subject, teacher
from regard.app.lesson.chapters import CHAPTERS
from regard.app.screens.learn.page import picture, reading, settle, touching
from regard.app.screens.learn.path import COUNT, around, chapter_list, keep, recall, title
from regard.app.screens.learn.teaching import finish, lesson_plan
from regard.app.ui.widgets import head
from regard.app.visitor.sentence_input import begin, link, read_chip, screen_before, sentence_field, visit

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
        place = reading(chapter)
        with st.container(key="own", gap="xxsmall"):
            if chapter.own:
                sentence_field(model)
                with st.container(horizontal=True, vertical_alignment="center"):
                    read_chip()
            lesson = subject(asked, model, show_error=bool(chapter.own or chapter.picture))
        question = chapter.asked(lesson)
        if question:
            settle(progress.page, chapter, lesson, question)
        if chapter.picture:
            with place.container():
                unanswered = question is not None and progress.choices[progress.page - 1] is None
                picture(chapter.picture, lesson, question.step if question else 0, unanswered)
        elif chapter.figure:
            with place.container():
                chapter.figure()
        touching(progress.page, chapter, lesson, question)
    around(progress)
link(visit().question)
keep(progress)
