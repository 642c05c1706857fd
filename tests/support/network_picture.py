"""The network's picture in a browser: opened, and read back as the numbers that its cells show."""

from base64 import b64decode
from io import BytesIO
from urllib.parse import quote

import numpy as np
from numpy import ndarray
from PIL import Image
from playwright.sync_api import Locator, Page, expect

from regard.app.theme import STRIP
from tests.support.browser_navigation import settled

SENTENCE = "I don't love the red car."
STEP = 3
MODELS = ("en-fr-general", "en-fr-bahdanau", "en-fr-dot", "en-fr-none")  # of the fixture `family`
REACH = 2.0  # standard deviations at which a cell is as strong as it can be
IMAGES = """tiles => tiles.map(tile => tile.querySelector("image")).map(
  image => [image.getAttribute("href"), Number(image.getAttribute("opacity"))])"""


def picture_at(page: Page, address: str) -> Locator:
    """Open a link and return the picture when it is drawn."""
    page.goto(address)
    picture = page.get_by_test_id("network")
    expect(picture).to_be_visible()
    settled(page)
    return picture


def open_network(page: Page, url: str, model: str, more: str = "") -> Locator:
    """Open the picture of a model's step."""
    return picture_at(page, f"{url}/?sentence={quote(SENTENCE)}&model={model}&step={STEP}&picture=network{more}")


def painted(picture: Locator, kind: str) -> ndarray:
    """Return the numbers that the cells of this kind of vector show, a row for each tile, 1 being the strongest."""
    images = picture.locator(f"[data-tile={kind}]").evaluate_all(IMAGES)
    return np.array([_numbers(href) * fade for href, fade in images])


def _numbers(href: str) -> ndarray:
    pixels = np.asarray(Image.open(BytesIO(b64decode(href.partition(",")[2])))).reshape(-1, 4)
    pixels = pixels[pixels.any(1)]  # the last row may have fewer cells
    below, above = ((pixels[:, :3] == tuple(bytes.fromhex(hue[1:]))).all(1) for hue in STRIP)
    assert (below ^ above).all()
    return np.where(below, -1, 1) * pixels[:, 3] / 255


def strengths(coordinates: ndarray) -> ndarray:
    """Return the numbers that cells of these coordinates show."""
    return np.clip(coordinates / REACH, -1, 1)
