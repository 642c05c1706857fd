from collections.abc import Iterator

import pytest
from streamlit.testing.v1 import AppTest

from regard.app.models.result_cache import forget_all
from regard.app.models.settings import MODELS_SETTING
from regard.app.navigation import SCREENS, TITLES
from regard.app.wording import OPENINGS
from tests.support.other_language_models import SENTENCE, digits, unknown, write_model
from tests.support.screens import on_screen, switch_page


@pytest.fixture(scope="module", autouse=True)
def _models(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Models that a server is started with, beside those that ship."""
    folder = tmp_path_factory.mktemp("foreign")
    write_model(folder / "digits", digits())
    write_model(folder / "digits-none", digits(), score="none", initial_state="encoder")
    write_model(folder / "unknown", unknown())
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(MODELS_SETTING, str(folder))
        forget_all()
        yield
    forget_all()


def opened(screen: str, **link: str) -> AppTest:
    page = on_screen(screen)
    for name, value in link.items():
        page.query_params[name] = value
    return page.run()


@pytest.mark.parametrize("screen", TITLES)
@pytest.mark.parametrize("model", ["digits", "digits-none", "unknown"])
def test_every_screen_opens(screen: str, model: str) -> None:
    link = {"sentence": SENTENCE} if model == "unknown" else {}
    page = opened(screen, model=model, **link)
    assert not page.exception
    assert not page.error


def test_a_transformer_goes_from_screen_to_screen_and_one_that_cannot_show_it_says_so() -> None:
    page = opened("glossary", model="reverse-transformer", sentence="2 5 9")
    for name, screen in SCREENS.items():
        page = switch_page(page, f"screens/{name}/screen.py").run()
        assert not page.exception, name
        assert not page.error, name
        told = any("has many heads" in note.value for note in page.info)
        assert told != screen.heads, name
        assert (page.session_state.visit.question.model == "reverse-transformer") == screen.heads, name


def choose(page: AppTest, key: str, title: str) -> AppTest:
    page.selectbox(key=key).select(title).run()
    assert not page.exception
    return page


def test_another_language_brings_an_example_of_its_own_and_forgets_the_last_sentences() -> None:
    page = opened("translate", sentence="I see a cat.", given="Je vois un chat.")
    choose(page, "model", "Luong, general score · symbols (digits)")
    assert (page.text_input(key="sentence").value, page.text_input(key="given").value) == ("2 5 9", "")
    assert page.text_input(key="sentence").label == "Sequence of symbols"
    assert not page.error
    choose(page, "model", "Luong, dot score")
    assert page.text_input(key="sentence").value == OPENINGS["translate"]["en", "fr"]


def test_of_a_language_without_examples_the_field_is_empty_and_says_what_to_do() -> None:
    page = choose(opened("translate"), "model", "Luong, general score · xx to yy (unknown)")
    assert page.text_input(key="sentence").value == ""
    assert page.text_input(key="sentence").placeholder == "Type a sentence in xx and press Enter"
    assert "type a sentence in xx" in page.info[0].value
    assert not page.get("bidi_component")  # nothing of the languages before
    page.text_input(key="sentence").set_value(SENTENCE).run()
    assert not page.exception
    assert page.get("bidi_component")
