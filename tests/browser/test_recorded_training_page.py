from urllib.parse import quote

from playwright.sync_api import Locator, Page, expect

from regard.model.checkpoint import Pretrained
from regard.model.training.snapshots import Snapshots
from tests.support.browser_navigation import link_value, opened, settled


def after(page: Page, update: int) -> None:
    """Wait until the page shows this moment."""
    expect(page.get_by_role("group", name=f"Its translation after update {update}", exact=True)).to_be_visible()
    expect(page.locator(".st-key-plot-moment")).to_be_visible()
    settled(page)


def cells(page: Page) -> Locator:
    """Return the percentages written in the matrix, row by row."""
    return page.locator(".st-key-figure-moment .hm text")


def test_the_keyboard_moves_through_training_to_the_recorded_weights_and_nothing_jumps(
    page: Page, family_url: str, recorded: Snapshots, tiny_model: Pretrained, console_errors: list[str]
) -> None:
    first, middle, last = [moment.update for moment in recorded.moments]
    opened(page, f"{family_url}/recorded_training?watched={quote(recorded.pairs[0].source)}", ".st-key-plot-moment")
    after(page, middle)
    place = page.locator(".st-key-plot-moment").bounding_box()
    page.get_by_role("slider", name="After update").focus()
    for key, number, update in (("ArrowLeft", 0, first), ("ArrowRight", 1, middle), ("ArrowRight", 2, last)):
        page.keyboard.press(key)
        after(page, update)
        assert page.locator(".st-key-plot-moment").bounding_box() == place
        weights = recorded.alignment(0, number, tiny_model.tokenizer).by_words("output").weights
        expect(cells(page)).to_have_text([f"{100 * weight:.1f}" for weight in weights.flat])
    assert link_value(page.url, "update") == str(last)
    page.reload()
    after(page, last)
    assert console_errors == []


def test_the_film_plays_to_its_end_and_can_be_stopped(page: Page, family_url: str) -> None:
    opened(page, f"{family_url}/recorded_training", ".st-key-plot-moment")
    page.get_by_role("button", name="Play").press("Enter")
    expect(page.get_by_role("button", name="Pause")).to_be_focused()
    after(page, 7)
    after(page, 30)
    expect(page.get_by_role("button", name="Play")).to_be_visible()
    page.get_by_role("button", name="Play").click()
    after(page, 1)
    page.get_by_role("button", name="Pause").click()
    expect(page.get_by_role("button", name="Play")).to_be_visible()
    held = page.locator(".moments").get_attribute("aria-label")
    page.wait_for_timeout(4000)  # longer than two moments
    assert page.locator(".moments").get_attribute("aria-label") == held
