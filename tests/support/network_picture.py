"""The network's picture in a browser: opened, and read back as the numbers that its cells show."""

import numpy as np
from numpy import ndarray
from playwright.sync_api import Locator, Page, expect

from regard.app.theme import STRIP
from tests.support.browser_navigation import settled

CELLS = """tiles => tiles.map(tile => [...tile.querySelectorAll("[data-cell]")].map(
  cell => [cell.getAttribute("fill"), Number(cell.getAttribute("fill-opacity"))]))"""


def picture_at(page: Page, address: str) -> Locator:
    """Open a link and return the picture when it is drawn."""
    page.goto(address)
    picture = page.get_by_test_id("network")
    expect(picture).to_be_visible()
    settled(page)
    return picture


def painted(picture: Locator, kind: str) -> ndarray:
    """Return the numbers that the cells of this kind of vector show, a row for each tile, 1 being the strongest."""
    tiles = picture.locator(f"[data-tile={kind}]").evaluate_all(CELLS)
    return np.array([[strength * (-1 if hue == STRIP[0] else 1) for hue, strength in tile] for tile in tiles])
