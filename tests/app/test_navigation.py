from regard.app.navigation import CHAPTERS
from regard.app.screens.learn.path import COUNT


def test_the_way_to_the_lesson_tells_its_chapters() -> None:
    assert CHAPTERS == COUNT
