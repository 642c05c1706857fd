"""The screen *A text*: an example on first paint, a text of one's own, filters, and the way to the stepper and back."""

from collections.abc import Callable
from types import SimpleNamespace

import pytest
from streamlit.testing.v1 import AppTest

from regard.app.glossary.terms import DEFINITIONS, definition_text
from regard.app.screens.text import parts
from regard.app.screens.text.parts import FIELD, OPEN
from regard.app.visitor import translated_text
from regard.app.visitor.translated_text import TranslatedText
from regard.model.checkpoint import Pretrained
from regard.model.text_report.sentence_measures import NUMBERS
from tests.support.screens import html, switch_page

PASTED = "I love you.\tJe t'aime.\n\nShe is not here.\tElle n'est pas là.\nThe cat.\tUn chat."


@pytest.fixture
def screen(screen: AppTest, offer: Callable[..., Pretrained]) -> AppTest:
    offer("en-fr-general")
    return screen


def paste(screen: AppTest, text: str) -> AppTest:
    screen.button(key="text-another").click().run()
    screen.text_area(key=FIELD).set_value(text)
    return next(button for button in screen.button if button.label == "Translate the text").click().run()


def held(screen: AppTest) -> TranslatedText:
    return screen.session_state["translated_text"]


def test_a_text_of_ones_own_takes_its_place_and_stays_when_the_page_is_left(screen: AppTest) -> None:
    paste(screen.run(), PASTED)
    assert not screen.exception
    assert [*screen.dataframe[0].value["No."]] == [1, 2, 3, 4]
    assert PASTED not in str(screen.query_params)
    assert not screen.session_state[OPEN]
    switch_page(screen, "screens/translate/screen.py").run()
    again = switch_page(screen, "screens/text/screen.py").run()
    assert [*again.dataframe[0].value["English"]] == ["I love you.", "", "She is not here.", "The cat."]


@pytest.mark.parametrize(("name", "begin"), [("", "The file"), ("notes.txt", "Notes.txt"), ("a" * 99, "A" + "a" * 59)])
def test_a_file_that_cannot_be_read_is_named_if_it_has_a_name(
    name: str, begin: str, tiny_model: Pretrained, monkeypatch: pytest.MonkeyPatch
) -> None:
    class State(dict[str, object]):
        __getattr__, __setattr__ = dict.__getitem__, dict.__setitem__  # type: ignore[assignment]

    state = State({parts.FILE: SimpleNamespace(name=name, getvalue=lambda: b"\0")})
    monkeypatch.setattr(parts.st, "session_state", state)
    monkeypatch.setattr(parts, "any_pretrained", lambda _: tiny_model)
    parts._take("tiny")
    assert str(state["text_refused"]).startswith(f"{begin} cannot be read: ")


def test_what_was_read_otherwise_stands_there_as_it_was_typed_too(screen: AppTest) -> None:
    paste(screen.run(), "I LOVE YOU.\nThe cat.")
    shown = screen.dataframe[0].value
    assert ([*shown["English"]], [*shown["As typed"]]) == (["I love you.", "The cat."], ["I LOVE YOU.", ""])
    paste(screen, "The cat.")
    assert "As typed" not in {*screen.dataframe[0].value}


def test_the_terms_and_the_colours_are_those_of_the_measures_shown(screen: AppTest) -> None:
    def defined() -> set[str]:
        shown = {text.value for text in screen.markdown}
        return {name for name in ("bleu", "aer", "coverage") if definition_text(DEFINITIONS[name]) in shown}

    screen.run()
    assert defined() == {"bleu", "aer", "coverage"}
    paste(screen, "I love you.\nThe cat.")
    assert defined() == {"coverage"}
    across, up, colour = (screen.selectbox(key=f"text_axis_{axis}") for axis in ("across", "up", "colour"))
    assert {across.value, up.value} == {"mean_probability", "least_coverage"}
    assert not {NUMBERS[str(one.value)].label for one in (across, up)} & {*colour.options}


def test_a_filter_and_a_search_leave_the_rows_that_pass(screen: AppTest) -> None:
    paste(screen.run(), PASTED)
    screen.text_input(key="text_find").set_value("CAT").run()
    assert [*screen.dataframe[0].value["No."]] == [4]
    screen.text_input(key="text_find").set_value("").run()
    screen.selectbox(key="text_filter").set_value("empty").run()
    assert [*screen.dataframe[0].value["No."]] == [2]


def test_a_link_keeps_the_filter_the_search_and_the_axes(screen: AppTest) -> None:
    screen.query_params["text_filter"] = "stopped at the limit"
    screen.query_params["text_find"] = "sister"
    screen.query_params["text_axis_up"] = NUMBERS["bleu"].label
    screen.run()
    assert screen.selectbox(key="text_filter").value == "stopped at the limit"
    assert screen.text_input(key="text_find").value == "sister"
    assert screen.selectbox(key="text_axis_up").value == "bleu"
    assert screen.selectbox(key="text_axis_across").value == "mean_probability"


def test_a_row_opens_the_stepper_with_its_neighbours_and_the_way_back(screen: AppTest) -> None:
    paste(screen.run(), PASTED)
    held(screen).row = 1
    screen.run()
    screen.button(key="open-in-translate").click().run()
    assert not screen.exception
    assert screen.text_input(key="sentence").value == "I love you."
    assert "Sentence 1 of 4" in html(screen)
    switch_page(screen, "screens/translate/screen.py").button(key="text-next").click().run()
    assert screen.text_input(key="sentence").value == "She is not here."  # the empty line is passed over
    screen.text_input(key="sentence").set_value("The dog.").run()
    assert "Sentence 3 of 4" not in html(screen)


@pytest.mark.parametrize(("text", "told"), [("  ", "is empty"), ("a\0b", "zero bytes")])
def test_what_cannot_be_read_is_told_and_the_text_before_stays(screen: AppTest, text: str, told: str) -> None:
    before = held(screen.run()).name
    paste(screen, text)
    assert told in screen.error[0].value
    assert held(screen).name == before


def test_a_stopped_text_keeps_what_is_done_frees_the_server_and_goes_on(screen: AppTest) -> None:
    screen.run()
    text = held(screen)
    name = next(iter(text.measures))
    text.measures[name] = dict(list(text.measures[name].items())[:5])
    text.stop()
    screen.run()
    assert len(screen.dataframe[0].value) == 5
    assert f"Stopped: 5 of {len(text.text.lines)}" in html(screen)
    assert not translated_text._translating.locked()
    screen.button(key="go-on").click().run()
    assert len(screen.dataframe[0].value) == len(text.text.lines)


def test_the_whole_text_and_two_models_are_measured_when_they_are_opened(
    screen: AppTest, offer: Callable[..., Pretrained]
) -> None:
    offer("en-fr-dot", score="dot")
    screen.session_state["text-whole"] = screen.session_state["text-two-models"] = True
    screen.run()
    assert not screen.exception
    assert "version" in html(screen)
    said = " ".join(each.value for each in screen.markdown)
    assert "by paired bootstrap" in said
    assert "share the fewest words" in said
    assert len(held(screen).measures) == 2
