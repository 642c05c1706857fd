import json
from collections.abc import Callable

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from regard.app.lesson.chapters import CHAPTERS
from regard.app.screens.learn.page import TO_COME
from regard.app.screens.learn.path import COUNT
from regard.app.visitor.question import EXAMPLE
from regard.model.checkpoint import DEFAULT, Pretrained
from regard.model.translate import translate
from tests.support.lesson_visitor import (
    CAME_TRUE,
    REVEALED,
    SENTENCE,
    array,
    figure,
    in_link,
    markdown,
    opened,
    predicted,
)
from tests.support.screens import html, switch_page


def test_the_first_page_is_the_first_chapter(screen: AppTest) -> None:
    screen.run()
    assert not screen.exception
    assert json.loads(screen.get("bidi_component")[0].proto.json)["title"] == CHAPTERS[0].title
    assert screen.radio(key="predicted-1").value is None
    assert screen.button(key="reveal-1").disabled
    assert dict(screen.query_params) == {}


@pytest.mark.parametrize("chapter", range(1, COUNT + 1))
def test_exactly_one_option_is_right_and_the_others_are_told_why_not(chapter: int, screen: AppTest) -> None:
    opened(screen, chapter, sentence=SENTENCE)
    right, texts = [], []
    for option in range(3):
        assert TO_COME in [caption.value for caption in screen.caption]  # what can be tried is hidden until then
        told = predicted(screen, chapter, option)
        right.append(CAME_TRUE in told)
        texts.append(told)
        assert in_link(screen, "answers") == "-" * (chapter - 1) + "123"[option]
        assert screen.radio(key=f"predicted-{chapter}").disabled
        screen.button(key=f"again-{chapter}").click().run()
        assert "answers" not in screen.query_params
    assert sum(right) == 1
    asked = [option.replace("\\", "").replace("**", "") for option in screen.radio(key=f"predicted-{chapter}").options]
    for option, told in enumerate(texts):
        first = told.split("\n\n")[0]
        if not right[option]:
            assert f"You expected “{asked[option]}”" in first
    assert len({text.split("\n\n", 1)[1] for text in texts}) == 1


def test_another_sentence_is_another_question(screen: AppTest) -> None:
    opened(screen, 6)
    predicted(screen, 6, 0)
    screen.text_input(key="sentence").set_value(SENTENCE).run()
    assert not screen.exception
    assert screen.radio(key="predicted-6").value is None
    assert "answers" not in screen.query_params
    assert in_link(screen, "sentence") == SENTENCE


def test_a_sentence_that_is_read_otherwise_says_so_and_can_be_kept(screen: AppTest) -> None:
    typed, read = "i dont liek teh oragne cat", "i don't like the orange cat"
    opened(screen, 2).text_input(key="sentence").set_value(typed).run()
    assert f"Read as “{read}”" in html(screen)
    assert in_link(screen, "sentence") == read
    screen.button(key="keep").click().run()
    assert not screen.exception
    assert "Read as" not in html(screen)
    assert in_link(screen, "sentence") == screen.text_input(key="sentence").value == typed


@pytest.mark.parametrize(("answers", "true"), [("1", False), ("a", False), ("3", True), ("c", True)])
def test_an_answer_from_a_link_is_marked_by_the_numbers(answers: str, true: bool, screen: AppTest) -> None:
    opened(screen, 1, answers=answers)
    assert f"{int(true)} as predicted" in markdown(screen)
    assert (CAME_TRUE in markdown(screen)) == true


@pytest.mark.parametrize("link", ["3", "5"])
def test_progress_survives_another_screen_and_a_link_to_a_chapter_from_there(link: str, screen: AppTest) -> None:
    opened(screen, 3)
    predicted(screen, 3, 1)
    switch_page(screen, "screens/translate/screen.py").run()
    screen.query_params.clear()
    screen.query_params["chapter"] = link
    switch_page(screen, "screens/learn/screen.py").run()
    assert in_link(screen, "chapter") == link
    assert in_link(screen, "answers") == "--2"
    assert (CAME_TRUE in markdown(screen)) == (link == "3")


def test_start_over_forgets_everything(screen: AppTest) -> None:
    opened(screen, 4, answers="123abc")
    next(button for button in screen.button if button.label == "Start over").click().run()
    assert dict(screen.query_params) == {}
    assert screen.radio(key="predicted-1").value is None


def test_the_list_counts_and_marks_without_colour_alone(screen: AppTest) -> None:
    opened(screen, 2, answers="21")
    told = markdown(screen)
    assert all(text in told for text in ("0 as predicted", "1 surprise", f"{COUNT - 1} to come"))  # of chapter 2 alone
    screen.button(key="chapter-1").click().run()
    told = markdown(screen)
    assert all(text in told for text in ("0 as predicted", "2 surprises", f"{COUNT - 2} to come"))
    icons = [screen.button(key=key).proto.icon for key in ("chapter-1-here", "chapter-2", "chapter-3")]
    assert icons[0] == icons[1] != icons[2]


def test_the_last_page_says_how_it_went_and_where_to_go(screen: AppTest) -> None:
    opened(screen, COUNT + 1, answers="22a")
    assert f"None of the {COUNT} questions is answered yet" in markdown(screen)  # what a link claims does not count
    screen.button(key="chapter-3").click().run()
    screen.button(key=f"chapter-{COUNT + 1}").click().run()
    assert "Of 1 prediction, **0** came true" in markdown(screen)
    pages = {link.proto.page for link in screen.get("page_link")}
    assert pages >= {"", "watch", "worked_examples", "transformer", "glossary", "worksheet"}


@pytest.mark.parametrize("sentence", [".", "$a$ <b>bold</b> `💛`", "ab " * 70])
@pytest.mark.parametrize("chapter", [number for number, one in enumerate(CHAPTERS, 1) if one.own])
def test_any_sentence_leaves_the_page_whole(
    chapter: int, sentence: str, screen: AppTest, offer: Callable[..., Pretrained]
) -> None:
    offer(DEFAULT)
    opened(screen, chapter, sentence=sentence)
    assert not any("<b>bold" in element.proto.body for element in screen.get("html"))


def test_the_lesson_takes_a_model_with_attention(screen: AppTest, offer: Callable[..., Pretrained]) -> None:
    attending = offer("b-with")
    offer("a-without", score="none", initial_state="encoder")
    opened(screen, 7, model="a-without")
    shown = figure(screen)["data"][0]["z"]
    np.testing.assert_allclose(array(shown), 100 * translate(attending, [EXAMPLE])[0].weights, rtol=1e-4)


@pytest.mark.parametrize("chapter", [4, 11])
def test_a_second_question_is_answered_once_an_option_is_chosen(chapter: int, screen: AppTest) -> None:
    opened(screen, chapter)
    second = next(radio for radio in screen.radio if str(radio.key).startswith(f"more-{chapter}-"))
    assert not any(said in markdown(screen) for said in REVEALED)
    told = [markdown(second.set_value(option).run()) for option in range(3)]
    assert sum(CAME_TRUE in each for each in told) == 1
    assert all(any(said in each for said in REVEALED) for each in told)
    assert "answers" not in screen.query_params
