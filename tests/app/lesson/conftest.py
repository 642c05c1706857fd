"""The lesson as AppTest opens it."""

import pytest
from streamlit.testing.v1 import AppTest

from tests.support.screens import on_screen


@pytest.fixture
def screen() -> AppTest:
    return on_screen("learn")
