"""The Translate screen keeps its promises, without a browser."""

import re
from typing import Any, cast

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from regard.app.visitor.sentence_input import ROOM
from regard.app.visitor.suggestions import failures
from regard.app.wording import EXAMPLES, OPENINGS, compared, marked, out_of_ten, plain_markdown
from regard.model.analysis.model_preference import parting_step
from regard.model.checkpoint import PRETRAINED, Pretrained, load
from regard.model.doubt.chance import load as load_doubt
from regard.model.readable import SENTENCE_CHARACTERS
from regard.model.translate import force, translate, write
from tests.support.screens import FRAME, html
from tests.support.sent import numbers, sent

OPENING = OPENINGS["translate"]["en", "fr"]
HARD = "The agreement on the European Economic Area was signed in August 1992."


@pytest.fixture
def screen(shipped: Pretrained) -> AppTest:
    return AppTest.from_file(FRAME, default_timeout=60)


def stepper_data(screen: AppTest) -> dict:
    """Return the data sent to the browser."""
    return sent(screen.get("bidi_component")[0])


def weights(screen: AppTest) -> np.ndarray:
    return numbers(stepper_data(screen)["traces"][0]["arrays"]["weight"])


def translation(screen: AppTest) -> str:
    body = next(element.proto.body for element in screen.get("html") if "translation" in element.proto.body)
    return without_steps(body)


def without_steps(body: str) -> str:
    """Return the translation without the spans that name the step of each word."""
    return re.sub(r"<span data-[^>]*>|</span>", "", body)


def test_the_first_view_is_a_translation_of_the_example(screen: AppTest, shipped: Pretrained) -> None:
    screen.run()
    assert not screen.exception
    trace = translate(shipped, [OPENING])[0]
    assert np.array_equal(weights(screen), trace.weights)
    assert screen.text_input(key="sentence").value == OPENING


def test_how_many_like_it_are_right_is_said_first_and_the_weakest_word_and_what_was_left_out_are_marked(
    screen: AppTest, shipped: Pretrained
) -> None:
    doubt, (trace,) = load_doubt(shipped.folder, shipped.fingerprint), translate(shipped, [HARD])
    assert doubt
    screen.query_params["sentence"] = HARD
    screen.run()
    told = out_of_ten(doubt.of(trace))
    assert f"title=\"{told} · the model's translation · " in html(screen)
    assert without_steps(marked(trace, doubtful=True)) in translation(screen)
    assert stepper_data(screen)["traces"][0]["flags"] == [flag._asdict() for flag in doubt.flags(trace)]


def test_a_blank_sentence_is_a_hint_and_keeps_the_last_view(screen: AppTest) -> None:
    before = stepper_data(screen.run())["id"]
    screen.text_input(key="sentence").set_value("   ").run()
    assert "type a sentence" in screen.info[0].value
    assert f"Below is still “{plain_markdown(OPENING)}”" in screen.info[0].value
    assert stepper_data(screen)["id"] == before


def test_a_sentence_of_four_million_characters_is_cut_before_it_is_read(screen: AppTest) -> None:
    screen.run()
    screen.text_input(key="sentence").set_value("a\u0301\u0323 " * 1_000_000).run()
    assert len(screen.session_state.sentence) == ROOM == screen.text_input(key="sentence").proto.max_chars
    assert len(screen.session_state.visit.question.sentence) <= SENTENCE_CHARACTERS
    assert f"{ROOM:,} characters" in screen.error[0].value


def test_the_switch_takes_attention_away_from_the_same_sentence_and_gives_it_back(screen: AppTest) -> None:
    sentence = "She bought a red car and a black dress."
    screen.query_params["sentence"] = sentence
    screen.run()
    assert screen.toggle(key="attends").value
    first = translation(screen)
    screen.toggle(key="attends").set_value(False).run()
    assert not screen.exception
    assert screen.selectbox(key="model").value == "en-fr-none"
    assert screen.text_input(key="sentence").value == sentence
    without, attending = (write(load(PRETRAINED / name), [sentence])[0] for name in ("en-fr-none", "en-fr-general"))
    assert without in re.sub("<[^>]*>", "", translation(screen))
    assert without == "Elle a acheté une robe rouge et noire."
    assert compared(attending, without, "s")[0] in html(screen)
    screen.toggle(key="attends").set_value(True).run()
    assert translation(screen) == first


def test_a_sentence_that_breaks_the_model_opens_where_it_goes_wrong_with_what_it_shows(
    screen: AppTest, shipped: Pretrained
) -> None:
    failure = failures()[0]
    cast(Any, screen.run().get_by_key("try")).click(len(EXAMPLES["en", "fr"])).run()
    assert not screen.exception
    own, right = translate(shipped, [failure.sentence])[0], force(shipped, [(failure.sentence, failure.given)])[0]
    step = parting_step(own, right)
    assert step is not None
    assert stepper_data(screen)["step"] == step + 1
    assert f"{failure.shows} {failure.do}" in html(screen)
    assert any(link.proto.label == "Why?" and "given=" in link.proto.query_string for link in screen.get("page_link"))
