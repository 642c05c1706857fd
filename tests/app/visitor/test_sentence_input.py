from collections.abc import Callable

import pytest
from streamlit.testing.v1 import AppTest

from benchmarks.server import ROOT
from regard.model.checkpoint import Pretrained
from tests.support.screens import switch_page


def typed(text: str) -> AppTest:
    screen = AppTest.from_file(str(ROOT / "app/frame.py"), default_timeout=60).run()
    return screen.text_input(key="sentence").set_value(text).run()


def test_capitals_are_read_as_a_sentence_and_the_page_says_so_unless_they_are_to_be_kept(
    offer: Callable[..., Pretrained],
) -> None:
    offer("en-fr")
    screen = typed("I LOVE YOU")
    assert screen.session_state.visit.question.sentence == "I love you"
    assert screen.text_input(key="sentence").value == "I LOVE YOU"
    assert any("Read as “I love you”" in element.proto.body for element in screen.get("html"))
    screen.button(key="keep").click().run()
    assert screen.session_state.visit.question.sentence == screen.text_input(key="sentence").value == "I LOVE YOU"
    assert not [button for button in screen.button if button.key == "keep"]


def test_what_nobody_sees_is_left_out_named_and_never_kept(offer: Callable[..., Pretrained]) -> None:
    offer("en-fr")
    screen = typed("The inter\u00adna\u00adtion\u00adal agree\u00adment was signed.")
    assert screen.session_state.visit.question.sentence == "The international agreement was signed."
    chip = "Read as “The international agreement was signed.” (4 soft hyphens left out)"
    assert any(chip in element.proto.body for element in screen.get("html"))
    assert not [button for button in screen.button if button.key == "keep"]
    screen.text_input(key="sentence").set_value("I LOVE\u200f YOU").run().button(key="keep").click().run()
    assert screen.session_state.visit.question.sentence == "I LOVE YOU"
    assert any("Read as “I LOVE YOU” (1 direction mark left out)" in one.proto.body for one in screen.get("html"))
    assert not [button for button in screen.button if button.key == "keep"]


@pytest.mark.parametrize("screen_name", ["translate", "learn"])
def test_a_link_of_other_weights_says_so_until_something_else_is_asked(
    screen_name: str, offer: Callable[..., Pretrained]
) -> None:
    model = offer("en-fr")
    for weights, told in ((model.fingerprint[:8], 0), ("", 0), ("0" * 8, 1)):
        screen = AppTest.from_file(str(ROOT / "app/frame.py"), default_timeout=60)
        screen = switch_page(screen, f"screens/{screen_name}/screen.py")
        screen.query_params.update(
            {"sentence": "I see you.", "chapter": "2"} | ({"weights": weights} if weights else {})
        )
        screen.run()
        assert not screen.exception
        assert sum("numbers may differ from those in print" in info.value for info in screen.info) == told
    screen.text_input(key="sentence").set_value("I love you.").run()
    assert not any("in print" in info.value for info in screen.info)
    assert screen.query_params["weights"] in (model.fingerprint[:8], [model.fingerprint[:8]])
