"""The screen whose folder a test is in, as a new visitor opens it."""

import pytest
from streamlit.testing.v1 import AppTest

from tests.support.screens import on_screen


@pytest.fixture
def screen(request: pytest.FixtureRequest) -> AppTest:
    """Before its first run; what `OPENED` of the test's module names, by its keys, is open."""
    return on_screen(request.path.parent.name, *getattr(request.module, "OPENED", ()))
