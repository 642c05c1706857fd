"""Pictures, animations and links are kept from a real browser, whatever the page looks like."""

import html
import struct
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote
from xml.etree import ElementTree

import numpy as np
import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect

from tests.support.browser_navigation import opened, settled
from tests.support.network_picture import painted, picture_at

SENTENCE = "I love you."
SVG = "{http://www.w3.org/2000/svg}"
LINK = f"?sentence={quote(SENTENCE)}&model=en-fr-general&step=2"


@pytest.fixture(scope="module")
def dark(context: BrowserContext, family_url: str) -> Iterator[Page]:
    """A step of a sentence on a dark page, for those that only save it."""
    page = context.new_page()
    page.emulate_media(color_scheme="dark")
    opened(page, f"{family_url}/{LINK}&picture=alignment")
    yield page
    page.close()


def saved(page: Page, where: Locator, label: str) -> bytes:
    with page.expect_download() as download:
        where.get_by_role("button", name=label, exact=True).click()
    return Path(download.value.path()).read_bytes()


def png_size(content: bytes) -> tuple[int, ...]:
    assert content.startswith(b"\x89PNG")
    return struct.unpack(">II", content[16:24])


def test_a_step_is_kept_as_drawing_picture_animation_and_code(dark: Page) -> None:
    dark.get_by_test_id("share").click()
    keeping = dark.get_by_test_id("keeping")
    expect(keeping).to_be_visible()
    drawing = saved(dark, keeping, "Picture (SVG)").decode()
    said = dark.get_by_test_id("announce").inner_text()
    assert "Step 2 of" in said
    assert html.escape(said.split(" the decoder")[0]) in drawing
    assert 'fill="#FFFFFF"' in drawing
    assert "Made with Regard" in drawing
    assert drawing.count("<rect") == 1 + dark.get_by_test_id("heat-cell").count()
    assert png_size(saved(dark, keeping, "Picture (PNG)")) == (1920, 1080)
    animation = saved(dark, keeping, "Steps (GIF)")
    assert animation.startswith(b"GIF89a")
    last = int(dark.get_by_test_id("slider").get_attribute("max") or 0)
    assert animation.count(b"\x21\xf9\x04") >= last  # a control block before every frame
    dark.context.grant_permissions(["clipboard-read", "clipboard-write"])
    keeping.get_by_role("button", name="Copy embed code").click()
    expect(keeping.get_by_text("Copied")).to_be_visible()
    copied = dark.evaluate("navigator.clipboard.readText()")
    assert copied.startswith("<iframe src=")
    assert "embed=true" in copied


def test_the_networks_picture_is_kept_as_it_is_drawn_and_its_phases_as_an_animation(
    page: Page, family_url: str
) -> None:
    page.emulate_media(color_scheme="dark")
    picture_at(page, f"{family_url}/{LINK}&picture=network&phase=mix")
    page.get_by_test_id("share").click()
    keeping = page.get_by_test_id("keeping")
    kept = ElementTree.fromstring(saved(page, keeping, "Picture (SVG)"))
    assert page.get_by_test_id("announce").inner_text() in [text.text for text in kept.iter(f"{SVG}text")]
    (context,) = (one for one in kept.iter(f"{SVG}g") if one.get("data-tile") == "context")
    cells = [float(cell.get("fill-opacity", "")) for cell in context.iter(f"{SVG}rect") if cell.get("data-cell")]
    assert cells == pytest.approx(np.abs(painted(page.get_by_test_id("network"), "context")[0]), abs=0.001)
    parts = [one for one in kept.iter(f"{SVG}g") if one.get("data-phases")]
    assert {one.get("opacity") for one in parts if "mix" in str(one.get("data-phases")).split()} == {"1"}
    assert {one.get("opacity") for one in parts if "mix" not in str(one.get("data-phases")).split()} == {"0.68"}
    assert png_size(saved(page, keeping, "Picture (PNG)")) == (1920, 1080)
    assert saved(page, keeping, "Phases (GIF)").count(b"\x21\xf9\x04") >= 6


def test_all_that_can_be_saved_and_shared_is_in_the_pinned_bar(page: Page, family_url: str) -> None:
    page.goto(f"{family_url}/{LINK}&picture=alignment")
    share, menu = page.get_by_test_id("share"), page.get_by_test_id("keeping")
    expect(share).to_be_in_viewport()
    settled(page)
    copies = ["Copy translation", "Copy link", "Copy embed code"]
    pictures = ["Picture (SVG)", "Picture (PNG)", "Steps (GIF)"]
    files = ["Trace (JSON)", "Trace (NumPy)", "Weights (CSV)", "Page (HTML)", "Take it with you"]
    for width, height in ((1366, 768), (390, 844)):
        page.set_viewport_size({"width": width, "height": height})
        share.click()
        assert menu.get_by_role("button").all_inner_texts() == [*copies, *pictures, *files]
        for item in menu.get_by_role("button").all():
            expect(item).to_be_in_viewport(ratio=1)
        assert b"target" in saved(page, menu, "Trace (JSON)")
        expect(menu).to_be_hidden()
        share.click()
        page.keyboard.press("Escape")
        expect(menu).to_be_hidden()
        expect(share).to_be_focused()


def test_a_dialog_opened_from_the_menu_returns_the_keyboard_to_the_menus_button(page: Page, family_url: str) -> None:
    page.goto(f"{family_url}/{LINK}&picture=alignment")
    share, dialog = page.get_by_test_id("share"), page.get_by_role("dialog")
    share.focus()
    settled(page)
    page.keyboard.press("Enter")
    page.get_by_test_id("keeping").get_by_role("button", name="Take it with you").press("Enter")
    expect(dialog.get_by_role("button", name="Download")).to_be_visible()
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    expect(share).to_be_focused()


def test_a_figure_is_kept_light_titled_and_16_to_9_with_its_sentence(dark: Page) -> None:
    dark.get_by_role("button", name="More", exact=True).click()
    dark.get_by_text("Figures to study and save, below").click()
    dark.keyboard.press("Escape")
    expect(dark.locator(".st-key-figure-attention .js-plotly-plot")).to_be_visible()
    settled(dark)
    buttons = dark.locator(".st-key-save-attention")
    drawing = saved(dark, buttons, "SVG").decode()
    assert "Attention matrix: weights by step and source" in drawing
    assert SENTENCE in drawing
    assert "made with Regard" in drawing
    assert "rgb(255, 255, 255)" in drawing
    assert "rgb(201, 209, 219)" not in drawing  # the ink of a dark page
    assert png_size(saved(dark, buttons, "PNG")) == (1920, 1080)
    table = saved(dark, dark.locator(".st-key-plot-attention"), "CSV")
    assert table.count(b"\n") > 3
