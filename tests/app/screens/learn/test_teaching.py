import pytest
from streamlit.testing.v1 import AppTest

from regard.app.lesson.chapters import CHAPTERS
from regard.app.lesson.decoder_chapters import both_wirings, changes
from regard.app.models.models import pretrained
from regard.app.models.traces import trace
from regard.app.screens.learn.teaching import TOLD
from regard.app.visitor.question import EXAMPLE
from regard.model.checkpoint import DEFAULT
from tests.support.lesson_visitor import CAME_TRUE, opened, predicted

NOTES, PLANS = TOLD["note"], TOLD["plan"]


def test_a_lesson_takes_50_minutes_and_every_chapter_is_taught_once() -> None:
    for plan in PLANS:
        chapters = sum(NOTES[number - 1]["minutes"] for number in plan["chapters"])
        assert plan["opening"][0] + chapters + plan["closing"][0] == 50
    assert [number for plan in PLANS for number in plan["chapters"]] == list(range(1, len(CHAPTERS) + 1))
    assert len(NOTES) == len(CHAPTERS)


@pytest.mark.parametrize("chapter", range(1, len(NOTES) + 1))
def test_the_answer_to_expect_is_an_option_and_wrong(chapter: int, screen: AppTest) -> None:
    options = opened(screen, chapter).radio(key=f"predicted-{chapter}").options
    place = options.index(NOTES[chapter - 1]["expected"])
    assert CAME_TRUE not in predicted(screen, chapter, place)


def test_the_note_on_wirings_names_the_states_that_ask_on_its_cards() -> None:
    lesson = trace(DEFAULT, EXAMPLE, "")
    asked = changes(lesson)
    assert asked
    wirings = [pretrained(one.maker.name).network.config.wiring for one in both_wirings(lesson).values()]
    asking = ["s" + "₀₁₂₃₄"[asked.step - (wiring == "bahdanau")] for wiring in wirings]
    assert f"{' or '.join(asking)}?" in NOTES[7]["say"]
