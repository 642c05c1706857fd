"""The lesson without a browser: opening a chapter, predicting, and reading what is there."""

import json
import re

import numpy as np
from streamlit.testing.v1 import AppTest

from tests.support.sent import numbers

CAME_TRUE = "As you predicted."
REVEALED = (CAME_TRUE, "Not this time.")
SENTENCE = "The boy sees the old house."


def opened(screen: AppTest, chapter: int, **link: str) -> AppTest:
    screen.query_params.update({"chapter": str(chapter), **link})
    screen.run()
    assert not screen.exception
    return screen


def predicted(screen: AppTest, chapter: int, option: int) -> str:
    """Choose an option and reveal; what is said then, without its emphasis."""
    screen.radio(key=f"predicted-{chapter}").set_value(option).run()
    screen.button(key=f"reveal-{chapter}").click().run()
    assert not screen.exception
    told = [element.value for element in screen.markdown if any(said in element.value for said in REVEALED)]
    assert len(told) == 1
    return re.sub(r"\\(.)", r"\1", told[0].replace("**", ""))


def in_link(screen: AppTest, name: str) -> str:
    value = screen.query_params[name]
    return value if isinstance(value, str) else value[0]


def markdown(screen: AppTest) -> str:
    return "\n".join(element.value for element in screen.markdown)


def figure(screen: AppTest, place: int = 0) -> dict:
    return json.loads(screen.get("plotly_chart")[place].proto.spec)


def array(values: object) -> np.ndarray:
    """Numbers of a figure, which travel as a list or as bytes."""
    return numbers(values) if isinstance(values, dict) else np.array(values)
