import re
from collections.abc import Callable
from html import unescape
from urllib.parse import parse_qsl

import pytest
from streamlit.testing.v1 import AppTest

from regard.app.screens.worksheet.sheet import minus
from regard.model.checkpoint import Pretrained
from regard.model.input_error import InputError
from regard.model.reference.recompute import load_parameters, recompute
from regard.model.translate import translate
from regard.model.worksheet.sheet import Worksheet, widest, worksheet
from tests.support.screens import on_screen

SENTENCE = "The boy sees the old house."


def paper(screen: AppTest) -> str:
    """Return the sheet as shown."""
    (found,) = [element.proto.body for element in screen.get("html") if 'class="sheet"' in element.proto.body]
    return unescape(found)


def expected(model: Pretrained, sentence: str, version: str = "A") -> Worksheet:
    trace, parameters = translate(model, [sentence])[0], load_parameters(model.folder)
    found = recompute(parameters, trace.source_ids, trace.target_ids)
    return worksheet(trace, found, parameters, widest(trace), version)


def test_the_first_view_is_a_sheet_of_the_example_with_blanks(screen: AppTest, shipped: Pretrained) -> None:
    screen.run()
    assert not screen.exception
    made = expected(shipped, "I love you.")
    assert f"Step {made.step + 1} of {len(made.trace.target)}" in paper(screen)
    assert minus(made.score.rests[0]) in paper(screen)
    assert '<td class="asked"></td>' in paper(screen)
    assert "worked_examples" in {link.proto.page for link in screen.get("page_link")}
    assert {button.proto.label for button in screen.get("download_button")} == {
        "Worksheet",
        "Answer sheet",
        "All versions",
    }


def test_numbers_that_nobody_can_calculate_with_are_told(screen: AppTest, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object) -> Worksheet:
        raise InputError("step 1 has numbers that are <b>not</b> finite")

    monkeypatch.setattr("regard.model.worksheet.sheet.worksheet", refused)
    screen.run()
    assert not screen.exception
    assert r"numbers that are \<b\>not" in screen.error[0].value


def test_another_version_asks_for_something_else(screen: AppTest, shipped: Pretrained) -> None:
    screen.query_params["sheet_version"] = "C"
    screen.run()
    assert f'The score of “<strong lang="en">{expected(shipped, "I love you.", "C").word}' in paper(screen)


def test_the_step_can_be_chosen_and_another_sentence_opens_with_its_own(screen: AppTest, shipped: Pretrained) -> None:
    screen.run().number_input(key="sheet_step").set_value(1).run()
    assert "Step 1 of" in paper(screen)
    screen.text_input(key="sentence").set_value(SENTENCE).run()
    assert f"Step {expected(shipped, SENTENCE).step + 1} of" in paper(screen)


def test_the_address_on_the_sheet_makes_the_same_sheet(screen: AppTest) -> None:
    screen.run().text_input(key="sentence").set_value(SENTENCE).run()
    screen.number_input(key="sheet_step").set_value(2).run()
    address = re.search(r"worksheet\?(\S+?)<", paper(screen))
    assert address
    again = on_screen("worksheet")
    again.query_params.update(dict(parse_qsl(address[1])))
    assert paper(again.run()) == paper(screen)


def test_a_model_without_attention_makes_a_sheet_too(screen: AppTest, offer: Callable[..., Pretrained]) -> None:
    offer("en-fr-none", score="none", initial_state="encoder")
    screen.query_params["model"] = "en-fr-none"
    screen.run()
    assert not screen.exception
    assert "computes no scores" in paper(screen)
