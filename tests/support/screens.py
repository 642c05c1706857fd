"""Switching between screens without a browser."""

from pathlib import Path

from streamlit.testing.v1 import AppTest
from streamlit.util import calc_hash


def switch_page(page: AppTest, script: str) -> AppTest:
    """Name a screen by its script: "screens/beam/screen.py".

    Before its first run, `AppTest.switch_page` takes the name of a file for the address of its page; ours are all
    called alike, and a page's address is the name of its folder.
    """
    page._page_hash = calc_hash(Path(script).parent.name)
    return page
