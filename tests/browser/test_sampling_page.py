import re
from urllib.parse import quote, urlsplit

from playwright.sync_api import Locator, Page, expect

from regard.app.components.sample_list.mount import first_like, first_of_each
from regard.app.theme import component
from regard.model.alignment import token_label
from regard.model.checkpoint import Pretrained
from regard.model.decoding.sampling import Sample, sample
from regard.model.decoding.token_sampling import SamplingSettings
from regard.model.translate import translate
from tests.support.axe import check
from tests.support.browser_navigation import PATIENCE, go, settled

SENTENCE = "She bought a red car and a black dress."
CUT = SamplingSettings(temperature=1.5, top_k=5)  # with which the screen opens


def open_page(page: Page, url: str, link: str = "") -> Page:
    page.goto(f"{url}/sampling?sentence={quote(SENTENCE)}{link}")
    expect(page.locator(".js-plotly-plot")).to_have_count(2, timeout=PATIENCE)
    settled(page)
    page.get_by_text("Every number of this sample").click()
    expect(page.get_by_test_id("stepper")).to_be_visible(timeout=PATIENCE)
    settled(page)
    return page


def rows(page: Page) -> Locator:
    return page.locator(".listing tbody tr:not(.greedy)")


def place_of_a_surprise(drawn: list[Sample]) -> int:
    """A sample after the first, and unlike those before it, that has a token that was not the likeliest."""
    return next(index for index in first_of_each(drawn) if index and any(one.place for one in drawn[index].draws))


def different(drawn: list[Sample]) -> list[str]:
    """The texts of the rows: equal samples stand in one."""
    return [drawn[index].trace.text for index in first_of_each(drawn)]


def row_of(drawn: list[Sample], place: int) -> int:
    return first_of_each(drawn).index(first_like(drawn, place))


def test_the_screen_is_reached_from_the_first_page_and_lists_what_python_draws(
    page: Page, app_url: str, console_errors: list[str], shipped: Pretrained
) -> None:
    page.goto(f"{app_url}/?sentence={quote(SENTENCE)}")
    expect(page.get_by_test_id("stepper")).to_be_visible(timeout=PATIENCE)
    go(page, "Sampling")
    drawn = sample(shipped, SENTENCE, CUT)
    expect(page.get_by_test_id("sample")).to_have_text(different(drawn), timeout=PATIENCE)
    expect(page.get_by_test_id("greedy")).to_contain_text(translate(shipped, [SENTENCE])[0].text)
    settled(page)
    assert console_errors == []


def test_a_sample_opens_in_the_stepper_with_the_log_probability_of_the_list(
    page: Page, app_url: str, shipped: Pretrained
) -> None:
    drawn = sample(shipped, SENTENCE, CUT)
    place = place_of_a_surprise(drawn)
    open_page(page, app_url, "&sampling_temperature=0.5")
    preset = page.get_by_role("radio", name="too free, but cut")
    preset.press("Space")
    expect(page.get_by_test_id("sample")).to_have_text(different(drawn), timeout=PATIENCE)
    settled(page)
    expect(preset).to_be_focused()  # also of a page that has just opened
    page.get_by_test_id("sample").nth(0).focus()
    for row in range(1, row_of(drawn, place) + 1):
        page.keyboard.press("ArrowDown")
        expect(page.get_by_test_id("sample").nth(row)).to_be_focused()
    page.keyboard.press("Enter")  # the heading may name this sample before: the first that is not greedy is open
    expect(page).to_have_url(re.compile(f"[?&]sample={place + 1}(&|$)"), timeout=PATIENCE)
    expect(page.get_by_role("heading", name=f"How sample {place + 1} was drawn")).to_be_visible(timeout=PATIENCE)
    expect(rows(page).nth(row_of(drawn, place))).to_contain_text(component(drawn[place].trace.log_probability))
    expect(page.get_by_test_id("model")).to_contain_text(f"Sample {place + 1}")
    expect(page.get_by_test_id("written")).to_have_text(drawn[place].trace.text)
    settled(page)
    page.get_by_test_id("model").get_by_text(component(drawn[place].trace.log_probability)).click()
    expect(page.locator(".st-key-arithmetic")).to_contain_text("log-probability of the whole target", timeout=PATIENCE)
    expect(page).to_have_url(re.compile(f"[?&]sample={place + 1}(&|$)"))


def test_the_link_restores_settings_sample_draw_and_step_and_a_token_moves_the_stepper(
    page: Page, app_url: str, shipped: Pretrained
) -> None:
    drawn = sample(shipped, SENTENCE, CUT)
    place = place_of_a_surprise(drawn)
    open_page(page, app_url, f"&sampling_temperature=1.5&top_k=5&sample={place + 1}&step=2")
    expect(page.get_by_test_id("sample")).to_have_text(different(drawn))
    expect(page.get_by_test_id("sample").nth(row_of(drawn, place))).to_have_attribute("aria-pressed", "true")
    expect(page.get_by_test_id("stepper")).to_have_attribute("data-step", "2")
    last = len(drawn[place].draws)
    token = token_label(drawn[place].trace.target[-1])
    page.locator(".st-key-draw").get_by_text(f"{last} {token}", exact=True).click()
    expect(page.get_by_text(f"Step {last} of {last} draws")).to_be_visible(timeout=PATIENCE)
    expect(page.get_by_test_id("stepper")).to_have_attribute("data-step", str(last))
    settled(page)
    page.reload()
    expect(page.get_by_text(f"Step {last} of {last} draws")).to_be_visible(timeout=PATIENCE)
    page.get_by_role("button", name="Draw again").click()
    again = sample(shipped, SENTENCE, SamplingSettings(temperature=1.5, top_k=5, seed=1))
    expect(page.get_by_test_id("sample")).to_have_text(different(again), timeout=PATIENCE)
    expect(page).to_have_url(re.compile(r"[?&]sampling_seed=1(&|$)"))
    settled(page)
    page.reload()
    expect(page.get_by_test_id("sample")).to_have_text(different(again), timeout=PATIENCE)


def test_a_sample_opens_in_translate_as_a_given_translation(page: Page, app_url: str, shipped: Pretrained) -> None:
    drawn = sample(shipped, SENTENCE, CUT)
    place = place_of_a_surprise(drawn)
    open_page(page, app_url, f"&sampling_temperature=1.5&top_k=5&sample={place + 1}")
    page.get_by_role("link", name="Open in Translate").click()
    expect(page.get_by_role("heading", name="Regard", level=1)).to_be_visible(timeout=PATIENCE)
    page.get_by_role("button", name="More", exact=True).click()
    given = page.get_by_role("textbox", name="Force a translation (French, optional)")
    expect(given).to_have_value(drawn[place].trace.text, timeout=PATIENCE)
    expect(page.get_by_label("English sentence")).to_have_value(SENTENCE)
    expect(page).to_have_url(re.compile("[?&]given="))


def test_a_click_with_control_opens_translate_in_another_tab(page: Page, app_url: str) -> None:
    page.goto(f"{app_url}/sampling?sentence=I+love+you.")
    link = page.get_by_role("link", name="Open in Translate")
    with page.context.expect_page() as opened:
        link.click(modifiers=["Control"], timeout=PATIENCE)
    assert opened.value.url.startswith(f"{app_url}/?sentence=I+love+you.&given=")
    opened.value.close()
    assert urlsplit(page.url).path == "/sampling"


def test_everyone_can_read_it(page: Page, app_url: str) -> None:
    check(page, lambda: open_page(page, app_url, "&sampling_temperature=1.5&samples=4"))
