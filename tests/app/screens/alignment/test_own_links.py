from typing import Any, cast

import pytest
from streamlit.testing.v1 import AppTest

from regard.app.components.link_grid.mount import NAME
from regard.app.screens.alignment.stories import rate
from regard.model.checkpoint import Pretrained
from regard.model.translate import translate
from regard.model.word_alignment.alignment_error_rate import agreement
from tests.support.alignment_screen import SENTENCE, grid, own, said


def test_marks_are_measured_as_the_definition_says(screen: AppTest, shipped: Pretrained) -> None:
    alignment = translate(shipped, [SENTENCE])[0].alignment
    counts = agreement(alignment.links(), [(0, 0), (3, 2)], [(1, 1)])
    told = said(own(screen, "0-0 1p1 3-2"))
    assert f"**Alignment error rate {rate(counts.error_rate)}**" in told
    assert grid(screen)["marks"] == "0-0 1p1 3-2"
    assert screen.text_input(key="marks").value == "0-0 1p1 3-2"


def test_nothing_is_measured_before_the_first_link_and_the_weights_are_not_shown(screen: AppTest) -> None:
    told = said(own(screen))
    assert "Nothing is linked yet" in told
    assert "Alignment error rate" not in told
    assert (grid(screen)["weights"], grid(screen)["proposed"]) == ([], [])


@pytest.mark.parametrize("text", ["0-99", "hello", "0-0 1x1", "<b>$x$</b>"])
def test_a_wrong_link_is_told_and_the_last_right_ones_stay(screen: AppTest, text: str) -> None:
    own(screen, "0-0 1p1")
    screen.text_input(key="marks").set_value(text).run()
    assert "Your last links are kept" in screen.error[0].value
    assert grid(screen)["marks"] == "0-0 1p1"


def test_marks_belong_to_their_words_and_are_there_again_with_them(screen: AppTest) -> None:
    own(screen, "0-0 1p1").text_input(key="sentence").set_value("Where are you?").run()
    assert not screen.exception
    assert (grid(screen)["marks"], screen.text_input(key="marks").value) == ("", "")
    screen.text_input(key="sentence").set_value(SENTENCE).run()
    assert grid(screen)["marks"] == "0-0 1p1"


def test_marks_are_there_again_after_another_view(screen: AppTest) -> None:
    own(screen, "0-0 1p1")
    for view in ("set", "own"):
        cast(Any, screen.get_by_key("view")).set_value(view).run()
        mounted = [each.proto.component_name for each in screen.get("bidi_component")]
        assert (NAME in mounted) == (view == "own")
    assert grid(screen)["marks"] == "0-0 1p1"
