from html import unescape
from typing import Any, cast

import pytest
from streamlit.testing.v1 import AppTest

from regard.app.glossary.terms import DEFINITIONS, THEMES, definition_text


def shown(screen: AppTest) -> list[str]:
    """The terms on the page, in order."""
    bodies = (unescape(element.proto.body) for element in screen.get("html"))
    return [body.removeprefix("<h2>").removesuffix("</h2>") for body in bodies if body.startswith("<h2>")]


def terms(names: list[str]) -> list[str]:
    return [DEFINITIONS[name].term for name in names]


@pytest.mark.parametrize("link", [{}, *({"theme": theme} for theme in THEMES)], ids=str)
def test_a_theme_has_its_terms_in_full_and_the_first_is_attention(link: dict[str, str], screen: AppTest) -> None:
    screen.query_params.update(link)
    screen.run()
    assert not screen.exception
    known = THEMES[link.get("theme", "Attention")]
    assert shown(screen) == terms(list(known))
    assert [element.value for element in screen.markdown] == [definition_text(term).strip() for term in known.values()]


def test_a_link_to_a_term_opens_it_alone_until_a_theme_is_chosen(screen: AppTest) -> None:
    screen.query_params["term"] = "beam"
    screen.run()
    assert shown(screen) == ["Beam search"]
    cast(Any, screen.get_by_key("theme")).set_value("Decoding").run()
    assert shown(screen) == terms(list(THEMES["Decoding"]))
    assert "term" not in screen.query_params


def test_what_is_typed_is_found_and_the_link_no_longer_names_a_term(screen: AppTest) -> None:
    screen.query_params["term"] = "beam"
    screen.run().text_input(key="find").set_value("hidden state").run()
    assert shown(screen)[0] == "State"
    assert "term" not in screen.query_params
    assert len(shown(screen)) < 10


def test_nothing_found_says_what_to_try(screen: AppTest) -> None:
    screen.run().text_input(key="find").set_value("atention").run()
    assert "No term has “atention”" in screen.info[0].value
    assert "Attention" in shown(screen)
    screen.text_input(key="find").set_value("<b>*zzz*").run()
    assert r"\<b\>\*zzz\*" in screen.info[0].value
    assert shown(screen) == ["Attention", "Score", "Weight", "Context"]
