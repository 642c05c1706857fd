import json
from collections.abc import Callable
from dataclasses import replace
from html import unescape

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from regard.app.figures.heatmap import largest
from regard.app.models import registry
from regard.app.wording import OPENINGS, SCREEN_TOKENS
from regard.model.analysis.model_comparison import contrast
from regard.model.checkpoint import WEIGHTS, Pretrained, save
from regard.model.seq2seq import Seq2Seq
from regard.model.tokenizer import train_tokenizer
from regard.model.translate import force, translate
from tests.support.screens import html
from tests.support.sent import numbers, sent

OPENED = ("difference-of-two",)

FAMILY = {
    "en-fr-general": {},
    "en-fr-bahdanau": {"score": "concat", "wiring": "bahdanau"},
    "en-fr-dot": {"score": "dot"},
    "en-fr-none": {"score": "none", "initial_state": "encoder"},
}
GENERAL, DOT = "Luong, general score", "Luong, dot score"
TITLES = {"en-fr-general": GENERAL, "en-fr-bahdanau": "Bahdanau", "en-fr-dot": DOT, "en-fr-none": "no attention"}
OPENING = OPENINGS["compare"]["en", "fr"]


@pytest.fixture
def family(offer: Callable[..., Pretrained]) -> dict[str, Pretrained]:
    """Tiny models of four kinds, in a folder where the app looks for them."""
    return {name: offer(name, **otherwise) for name, otherwise in FAMILY.items()}


def columns(screen: AppTest) -> list[dict]:
    """Return the columns sent to the browser."""
    return sent(screen.get("bidi_component")[0])["traces"]


def titles(screen: AppTest) -> list[str]:
    return [column["head"]["title"] for column in columns(screen)]


def drawn(screen: AppTest) -> np.ndarray:
    """The cells of the difference."""
    return numbers(json.loads(screen.get("plotly_chart")[0].proto.spec)["data"][0]["z"])


def test_every_column_is_the_translation_of_its_model(screen: AppTest, family: dict[str, Pretrained]) -> None:
    screen.query_params["models"] = list(TITLES.values())
    screen.run()
    for column, (name, model) in zip(columns(screen), family.items(), strict=True):
        trace = translate(model, [OPENING])[0]
        assert column["name"] == name
        assert np.array_equal(numbers(column["arrays"]["weight"]), trace.weights)
        assert column["head"]["log_probability"] == pytest.approx(trace.log_probability)
        assert ["parameters", f"{model.parameters:,}"] in column["head"]["facts"]


def test_a_model_that_cannot_be_read_is_told_by_name_and_the_others_go_on(
    screen: AppTest, family: dict[str, Pretrained]
) -> None:
    (registry.PRETRAINED / "en-fr-general" / WEIGHTS).write_bytes(b"cut short")
    screen.run()
    assert not screen.exception
    assert "general score cannot be shown" in screen.error[0].value
    assert titles(screen) == ["Bahdanau", "no attention"]


def test_a_sentence_too_long_for_one_model_is_told_by_name_and_the_others_go_on(
    screen: AppTest, family: dict[str, Pretrained]
) -> None:
    letters = train_tokenizer([("en", ["a b c"]), ("fr", ["a b c"])], ("en", "fr"), 265)
    config = replace(family["en-fr-general"].config, vocabulary=len(letters))
    save(Seq2Seq(config), letters, registry.PRETRAINED / "en-fr-general")
    screen.query_params["sentence"] = "The old boy has read a red book. " * 3
    screen.run()
    assert not screen.exception
    assert "general score cannot show this sentence" in screen.warning[0].value
    assert str(SCREEN_TOKENS - 1) in screen.warning[0].value
    assert titles(screen) == ["Bahdanau", "no attention"]


def test_the_difference_is_that_of_two_models_that_read_one_translation(
    screen: AppTest, family: dict[str, Pretrained]
) -> None:
    screen.query_params.update({"first": "Bahdanau", "second": "no attention", "reading": "model B"})
    screen.run()
    assert not screen.exception
    text = translate(family["en-fr-none"], [OPENING])[0].text
    one, other = (force(family[name], [(OPENING, text)])[0] for name in ("en-fr-bahdanau", "en-fr-none"))
    difference = contrast(one.alignment, other.alignment)
    assert np.allclose(drawn(screen), 100 * difference.more)
    assert unescape(largest(difference, "Bahdanau", "no attention", ("en", "fr"))) in html(screen)


def test_a_model_that_is_no_longer_compared_gives_its_place_in_the_difference_to_another(
    screen: AppTest, family: dict[str, Pretrained]
) -> None:
    screen.run()
    screen.button_group(key="models").set_value(["en-fr-bahdanau", "en-fr-none"]).run()
    assert not screen.exception
    assert {screen.selectbox(key=field).value for field in ("first", "second")} == {"en-fr-bahdanau", "en-fr-none"}
    assert screen.get("plotly_chart")
