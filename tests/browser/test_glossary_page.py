import re

from playwright.sync_api import Page, expect

from regard.app.glossary.terms import DEFINITIONS, THEMES
from tests.support.axe import check_open
from tests.support.browser_navigation import go, opened, settled

TERMS = ".st-key-terms-part h2, .st-key-terms-found h2"
TOO_WIDE = """formulas => formulas.filter(formula => {
  const right = box => box.getBoundingClientRect().right;
  return right(formula) > right(formula.closest(".katex-display")) + 1;
}).map(formula => formula.textContent)"""


def test_every_formula_of_every_theme_is_drawn_and_fits_a_phone(
    page: Page, app_url: str, console_errors: list[str]
) -> None:
    page.goto(app_url)
    go(page, "Glossary")
    page.set_viewport_size({"width": 390, "height": 844})
    for theme, known in THEMES.items():
        page.get_by_role("radio", name=theme, exact=True).click()
        expect(page.locator(TERMS).first).to_have_text(next(iter(known.values())).term)
        settled(page)
        expect(page.locator(".katex-display")).to_have_count(sum(bool(term.formula) for term in known.values()))
        expect(page.locator(".katex-error")).to_have_count(0)
        assert page.locator(".katex-display .base").evaluate_all(TOO_WIDE) == []
    assert console_errors == []
    page.set_viewport_size({"width": 1366, "height": 768})
    settled(page)  # at the last theme, which is the longest
    assert page.evaluate("document.querySelector('[data-testid=stMain]').scrollHeight") <= 2 * 768


def test_a_definition_on_another_screen_leads_to_its_term_and_back_to_where_it_can_be_seen(
    page: Page, app_url: str
) -> None:
    opened(page, f"{app_url}/compare")
    page.get_by_role("button", name="Score", exact=True).click()
    page.get_by_role("link", name="In the glossary").click()
    expect(page).to_have_url(re.compile(r"/glossary\?term=score$"))
    expect(page.locator(".st-key-terms-opened h2")).to_have_text("Score")
    expect(page.locator(".st-key-terms-opened")).to_contain_text(DEFINITIONS["score"].text)
    check_open(page)
    page.locator(".st-key-terms-opened").get_by_role("link", name="See it: Translate").click()
    expect(page.get_by_test_id("stepper")).to_be_visible()
