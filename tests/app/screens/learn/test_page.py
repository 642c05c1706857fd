import pytest
from streamlit.testing.v1 import AppTest

from regard.app.screens.learn.prediction import TO_COME
from regard.app.screens.learn.progress import COUNT
from tests.support.lesson_visitor import opened, predicted


def captions(screen: AppTest) -> list[str]:
    return [caption.value for caption in screen.caption]


@pytest.mark.parametrize("chapter", range(1, COUNT + 1))
def test_what_can_be_tried_is_hidden_until_something_is_predicted(chapter: int, screen: AppTest) -> None:
    opened(screen, chapter)
    assert TO_COME in captions(screen)
    predicted(screen, chapter, 0)
    assert TO_COME not in captions(screen)
    assert screen.button(key=f"again-{chapter}")
