"""Bringing a model to the screen Import a model, and what the screen says then."""

from dataclasses import replace

from streamlit.testing.v1 import AppTest


def bring(screen: AppTest, zipped: bytes, name: str = "my model.zip") -> AppTest:
    screen.file_uploader[0].set_value((name, zipped, "application/zip"))
    screen.run()
    assert not screen.exception
    return screen


def names(screen: AppTest) -> list[str]:
    return list(screen.session_state["own"])


def html(screen: AppTest) -> str:
    return "".join(element.proto.body for element in screen.get("html"))


def button(screen: AppTest, label: str, number: int = 0) -> AppTest:
    [each for each in screen.button if each.label == label][number].click().run()
    assert not screen.exception
    return screen


def ask(screen: AppTest) -> None:
    """Make the model that was brought the one that is asked."""
    state = screen.session_state.visit
    state.question = replace(state.question, model=names(screen)[0], sentence="2 5 9")
