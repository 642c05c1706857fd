import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect

from tests.support.axe import check_open
from tests.support.browser_navigation import opened, settled

OLD = ("general", "Bahdanau", "dot,+GRU", "no+attention")  # as links called models until 0.6
ALL = "?" + "&".join(f"models={title}" for title in OLD)


def column(page: Page, place: int) -> Locator:
    return page.get_by_test_id("stepper").locator("article").nth(place)


@pytest.fixture(scope="module")
def four(context: BrowserContext, family_url: str) -> Iterator[Page]:
    """The page with every model there is."""
    page = context.new_page()
    opened(page, f"{family_url}/compare{ALL}")
    expect(page.get_by_test_id("model")).to_have_count(4)
    page.get_by_role("button", name="Scores, states and next tokens").click()
    settled(page)
    yield page
    page.close()


def test_the_columns_step_together_and_each_says_its_step(four: Page) -> None:
    stepper = four.get_by_test_id("stepper")
    four.keyboard.press("Home")
    first = int(stepper.get_attribute("data-step") or "")
    four.keyboard.press("ArrowRight")
    expect(stepper).to_have_attribute("data-step", str(first + 1))
    places = stepper.get_by_test_id("here")
    expect(places).to_have_count(4)
    told = [place.inner_text() for place in places.all()]
    assert all(text.startswith("Reading 2 of") for text in told)
    announced = stepper.get_by_test_id("announce").text_content() or ""
    assert re.findall(r"(Luong, general score|Bahdanau|no attention): Reading 2 of", announced) == [
        "Luong, general score",
        "Bahdanau",
        "no attention",
    ]


def test_a_number_opens_the_arithmetic_of_its_own_model(four: Page) -> None:
    panel = four.locator(".st-key-arithmetic")
    four.keyboard.press("End")
    for place, title in enumerate(("Luong, general score", "Bahdanau")):
        score = column(four, place).get_by_test_id("score-bar").first
        shown = float(score.get_attribute("data-value") or "")
        score.click()
        expect(panel).to_contain_text(f"· {title}")
        expect(panel).to_contain_text("NumPy recomputation:")
        settled(four)
        expect(panel).not_to_contain_text("do not agree")
        expect(panel).to_contain_text(re.compile(r"shown −?\d"), use_inner_text=True)
        told = re.search(r"shown (−?[\d.e−-]+)", panel.inner_text())
        assert told
        assert float(told[1].replace("−", "-")) == pytest.approx(shown, abs=1e-4)
    settled(four)
    panel.get_by_role("button", name="Close").click()  # it would cover what the next test presses
    expect(panel.locator("p")).to_have_count(0)


def test_columns_that_do_not_fit_scroll_within_themselves_and_everyone_can_read_them(four: Page) -> None:
    four.set_viewport_size({"width": 390, "height": 844})
    frames = four.get_by_test_id("stepper").locator(".frames")
    assert frames.evaluate("frames => frames.scrollWidth > frames.clientWidth")
    last = column(four, 3)
    last.locator("h2").scroll_into_view_if_needed()
    expect(last.locator("h2")).to_be_in_viewport()
    four.get_by_text("The difference between two").click()
    expect(four.locator(".st-key-figure-difference .js-plotly-plot")).to_be_visible()
    check_open(four)
