"""The screen of hand-made links, as its tests read it and open it on a sentence of the visitor's own."""

import json
from typing import Any

from streamlit.testing.v1 import AppTest

from regard.app.components.link_grid.mount import NAME

OWN = "Your own sentence"
SENTENCE = "She has a red car."
STORY = "ChatBotte_MasterCat"


def said(screen: AppTest) -> str:
    """All that stands on the screen in words."""
    assert not screen.exception
    kinds = (screen.markdown, screen.caption, screen.info, screen.error, screen.latex)
    texts = [element.value for kind in kinds for element in kind]
    return "\n".join([*texts, *(element.proto.body for element in screen.get("html"))])


def grid(screen: AppTest) -> dict[str, Any]:
    """Return the grid sent to the browser."""
    found = [each for each in screen.get("bidi_component") if each.proto.component_name == NAME]
    return json.loads(found[0].proto.json)


def own(screen: AppTest, marks: str = "", sentence: str = SENTENCE) -> AppTest:
    screen.query_params.update({"view": OWN, "sentence": sentence} | ({"marks": marks} if marks else {}))
    return screen.run()
