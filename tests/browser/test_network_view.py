"""The network's picture opens first; the alignment is one press away."""

import re
from urllib.parse import quote

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from tests.support.axe import FORCED, at_rest, violations
from tests.support.browser_navigation import box_of, link_value
from tests.support.network_picture import MODELS, SENTENCE, STEP, picture_at

LARGE: ViewportSize = {"width": 1920, "height": 1080}


@pytest.mark.parametrize("size", [(1280, 720), (1366, 768), (1920, 1080)])
def test_the_network_opens_with_its_row_of_output_above_the_controls(
    page: Page, app_url: str, size: tuple[int, int]
) -> None:
    page.set_viewport_size({"width": size[0], "height": size[1]})
    long = "The man in a red coat and the woman in a blue coat see the old dog and the cat near the house."  # 24 tokens
    for sentence in (SENTENCE, long):
        picture = picture_at(page, f"{app_url}/?sentence={quote(sentence)}&step={STEP}")
        page.wait_for_timeout(200)  # until it is laid out
        row, bar = box_of(picture.locator(".written-row .current")), box_of(page.locator(".transport"))
        assert row["y"] + row["height"] <= bar["y"]
        box = picture.locator(".drawing-box")
        assert size[0] < 1366 or box.evaluate("box => box.scrollWidth <= box.clientWidth"), sentence
    expect(picture.locator(".half")).to_have_text(
        ["Encoder: reads the sentence once", "Decoder: asks again for every word"]
    )


def test_a_large_screen_opens_with_the_network_and_the_heatmap_beside_it(page: Page, family_url: str) -> None:
    page.set_viewport_size(LARGE)
    picture = picture_at(page, f"{family_url}/?sentence={quote(SENTENCE)}&model={MODELS[0]}&step={STEP}")
    assert link_value(page.url, "picture") == ""
    assert page.get_by_test_id("picture-network").get_attribute("aria-pressed") == "true"
    heat, drawing = box_of(page.locator(".heat")), box_of(picture)
    assert heat["x"] >= drawing["x"] + drawing["width"]
    assert heat["x"] + heat["width"] > 1920 - 100
    expect(page.get_by_test_id("heat-cell").first).to_be_visible()
    page.set_viewport_size({"width": 1366, "height": 768})
    for scheme in ("dark", "light"):
        page.emulate_media(color_scheme=scheme)
        at_rest(page, scheme)
        assert violations(page) == []
        page.emulate_media(color_scheme=scheme, forced_colors="active")
        at_rest(page, FORCED)
        assert violations(page, "color-contrast") == []
        page.emulate_media(forced_colors="none")


def test_present_goes_on_with_the_picture_and_columns_open_in_alignment(page: Page, family_url: str) -> None:
    page.set_viewport_size(LARGE)
    asked = f"sentence={quote(SENTENCE)}&model={MODELS[0]}&step={STEP}"
    picture = picture_at(page, f"{family_url}/?{asked}")
    page.get_by_test_id("large").click()
    expect(page.get_by_test_id("stepper")).to_have_class(re.compile(r"\blarge\b"))
    expect(picture).to_be_visible()
    for elsewhere in (f"?{asked}&edit=1", f"compare?{asked}"):
        page.goto(f"{family_url}/{elsewhere}")
        expect(page.get_by_test_id("target-token").first).to_be_visible()
        expect(page.get_by_test_id("network").first).to_be_hidden()
