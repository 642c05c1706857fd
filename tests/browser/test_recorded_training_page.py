from playwright.sync_api import Page, expect

from tests.support.browser_navigation import opened, settled


def after(page: Page, update: int) -> None:
    """Wait until the page shows this moment."""
    expect(page.get_by_role("group", name=f"Its translation after update {update}", exact=True)).to_be_visible()
    expect(page.locator(".st-key-plot-moment")).to_be_visible()
    settled(page)


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
