"""The network's picture in a browser: opened, and read back as the numbers that its cells show."""

import re
from urllib.parse import quote, unquote

import numpy as np
from numpy import ndarray
from playwright.sync_api import Locator, Page

from regard.app.theme import STRIP
from tests.support.browser_navigation import opened

SENTENCE = "I don't love the red car."
STEP = 3
MODELS = ("en-fr-general", "en-fr-bahdanau", "en-fr-dot", "en-fr-none")  # of the fixture `family`
REACH = 2.0  # standard deviations at which a cell is as strong as it can be
IMAGES = """tiles => tiles.map(tile => tile.querySelector("image")).map(
  image => [image.getAttribute("href"), Number(image.getAttribute("opacity"))])"""


def picture_at(page: Page, address: str) -> Locator:
    """Open a link and return the picture when it is drawn."""
    return opened(page, address, "[data-testid=network]")


def open_network(page: Page, url: str, model: str, more: str = "") -> Locator:
    """Open the picture of a model's step."""
    return picture_at(page, f"{url}/?sentence={quote(SENTENCE)}&model={model}&step={STEP}&picture=network{more}")


def painted(picture: Locator, kind: str) -> ndarray:
    """Return the numbers that the cells of this kind of vector show, a row for each tile, 1 being the strongest."""
    images = picture.locator(f"[data-tile={kind}]").evaluate_all(IMAGES)
    return np.array([_numbers(href) * fade for href, fade in images])


def _numbers(href: str) -> ndarray:
    cells = re.findall(r'fill="(#\w+)" fill-opacity="([\d.]+)"', unquote(href))
    assert {hue for hue, _ in cells} <= {*STRIP}
    return np.array([(-1 if hue == STRIP[0] else 1) * float(opacity) for hue, opacity in cells])


def strengths(coordinates: ndarray) -> ndarray:
    """Return the numbers that cells of these coordinates show."""
    return np.clip(coordinates / REACH, -1, 1)
