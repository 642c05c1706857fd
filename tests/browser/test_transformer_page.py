from urllib.parse import quote

import pytest
from playwright.sync_api import Page, expect

from regard.app.models.traces import REVERSER, transformer_beside, transformer_trace
from regard.app.screens.transformer.ideas import EXAMPLE, PARTS
from regard.app.visitor.question import EXAMPLE as SENTENCE
from regard.model.transformer.trace import TransformerTrace
from tests.support.axe import WIDTHS, check_open, readable, turn
from tests.support.browser_navigation import go, link_value, opened, settled


@pytest.fixture(scope="module")
def shown() -> TransformerTrace:
    """Return the trace that the screen opens with."""
    name = transformer_beside("en-fr")
    return transformer_trace(name, EXAMPLE if name == REVERSER else SENTENCE)


def choose(page: Page, title: str) -> None:
    page.locator(".st-key-part").get_by_text(title, exact=True).click()
    settled(page)


def test_from_the_first_page_a_trained_number_opens_its_sum_and_one_idea_follows_the_other(
    page: Page, app_url: str, console_errors: list[str], shown: TransformerTrace
) -> None:
    page.goto(app_url)
    settled(page)
    go(page, "From RNN attention to the Transformer")
    settled(page)
    page.get_by_text("Step by step").click()
    step = page.locator(".st-key-cross-step-Q")
    step.get_by_test_id("entry").nth(1).click()
    query = f"{abs(shown.cross_attention.queries[-1, 0, 0, 1]):.3f}"
    expect(step.get_by_test_id("sum")).to_contain_text(query[:-1])
    choose(page, PARTS["self"]["title"])
    expect(page.get_by_text("The sentence attends to itself")).to_be_visible()
    cells = page.locator(".js-plotly-plot g.heatmap-label text").filter(has_text=".")  # the others are blank
    expect(cells).to_have_count(shown.encoder_attention.weights[-1, 0].size)
    settled(page)
    assert link_value(page.url, "part") == PARTS["self"]["title"]
    assert console_errors == []
    page.reload()
    expect(page.get_by_text("The sentence attends to itself")).to_be_visible()


def test_everyone_can_read_it(page: Page, app_url: str) -> None:
    opened(page, f"{app_url}/transformer?part={quote(PARTS['masks']['title'])}", "dl.moves")
    for part in ("residual", "positions", "summary"):
        for scheme in WIDTHS:
            turn(page, scheme)
            readable(page, scheme)
        choose(page, PARTS[part]["title"])
        expect(page.locator("dl.moves")).to_have_count(1)  # the earlier part's stays until the run ends
    check_open(page)
