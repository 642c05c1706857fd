"""The lesson as AppTest opens it."""

import pytest
from streamlit.testing.v1 import AppTest

from tests.support.lesson_visitor import lesson


@pytest.fixture
def screen() -> AppTest:
    return lesson()
