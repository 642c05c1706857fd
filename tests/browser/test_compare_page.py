"""A journey through the Compare screen in a real browser, with four tiny models."""

import re
import shutil
from collections.abc import Callable, Iterator
from typing import Literal

import numpy as np
import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from app.figures.difference import largest
from app.session import EXAMPLE
from benchmarks.server import serve
from model.checkpoint import Pretrained
from model.contrast import contrast
from model.translate import force, translate
from tests.browser.accessibility import violations
from tests.browser.navigation import go, settled

FAMILY = {
    "en-fr-general": {},
    "en-fr-bahdanau": {"score": "concat", "wiring": "bahdanau"},
    "en-fr-dot": {"score": "dot", "cell": "gru"},
    "en-fr-none": {"score": "none", "initial_state": "encoder"},
}
SHOWN = ("en-fr-general", "en-fr-bahdanau", "en-fr-none")  # to a newcomer
ALL = "?" + "&".join(f"models={title}" for title in ("general", "Bahdanau", "dot,+GRU", "no+attention"))


@pytest.fixture(scope="module")
def family(make_model: Callable[..., Pretrained]) -> dict[str, Pretrained]:
    return {name: make_model(**otherwise) for name, otherwise in FAMILY.items()}


@pytest.fixture(scope="module")
def family_url(family: dict[str, Pretrained], tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of the app with these models in place of its own."""
    folder = tmp_path_factory.mktemp("family")
    for name, model in family.items():
        shutil.copytree(model.folder, folder / name)
    with serve(environment=[("REGARD_PRETRAINED", str(folder))]) as served:
        yield served.url


def open_page(page: Page, url: str, link: str = "", models: int = 3) -> Locator:
    page.goto(f"{url}/compare{link}")
    expect(page.get_by_test_id("model")).to_have_count(models, timeout=60_000)
    settled(page)
    return page.get_by_test_id("stepper")


def column(page: Page, place: int) -> Locator:
    return page.get_by_test_id("stepper").locator("article").nth(place)


def test_the_screen_is_reached_from_the_first_page_without_an_error(
    page: Page, family_url: str, console_errors: list[str]
) -> None:
    page.goto(family_url)
    go(page, "Compare")
    expect(page.get_by_test_id("model")).to_have_count(3, timeout=60_000)
    expect(page.locator(".st-key-figure-difference .js-plotly-plot")).to_be_visible(timeout=60_000)
    settled(page)
    assert console_errors == []


def test_the_columns_show_the_weights_of_their_models(
    page: Page, family_url: str, family: dict[str, Pretrained]
) -> None:
    open_page(page, family_url, ALL + "&units=tokens", models=4)
    page.keyboard.press("End")
    for place, model in enumerate(family.values()):
        cells = column(page, place).get_by_test_id("heat-cell")
        shown = cells.evaluate_all("cells => cells.map(cell => +cell.dataset.value)")
        weights = translate(model, [EXAMPLE])[0].weights
        assert np.allclose(shown, weights.ravel(), atol=1e-6)


def test_the_columns_step_together_and_each_says_its_step(page: Page, family_url: str) -> None:
    stepper = open_page(page, family_url)
    page.keyboard.press("Home")
    first = int(stepper.get_attribute("data-step") or "")
    page.keyboard.press("ArrowRight")
    expect(stepper).to_have_attribute("data-step", str(first + 1))
    places = stepper.get_by_test_id("here")
    expect(places).to_have_count(3)
    told = [place.inner_text() for place in places.all()]
    assert all(text.startswith("Reading 2 of") for text in told)
    announced = stepper.get_by_test_id("announce").text_content() or ""
    assert re.findall(r"(general|Bahdanau|no attention): Reading 2 of", announced) == [
        "general",
        "Bahdanau",
        "no attention",
    ]


def test_the_same_part_begins_at_the_same_height_in_every_column(page: Page, family_url: str) -> None:
    open_page(page, family_url, ALL, models=4)
    for part in (".facts", ".here", ".sources", ".heat-box", ".panel .head", ".bars", ".likely"):
        tops = [column(page, place).locator(part).first.bounding_box() for place in range(4)]
        assert len({round(box["y"]) for box in tops if box}) == 1, part


def test_words_that_the_first_column_has_not_are_marked(
    page: Page, family_url: str, family: dict[str, Pretrained]
) -> None:
    open_page(page, family_url)
    for place, name in enumerate(SHOWN):
        written = column(page, place).get_by_test_id("written")
        expect(written).to_have_attribute("lang", "fr")
        whole = written.evaluate("node => [...node.childNodes].filter(part => part.className !== 'missing')"
                                 ".map(part => part.textContent).join('')")  # fmt: skip
        assert whole == translate(family[name], [EXAMPLE])[0].text
    expect(column(page, 0).locator("mark")).to_have_count(0)
    marked = column(page, 1).locator("mark").first
    expect(marked).to_have_css("font-weight", "700")
    assert "underline" in marked.evaluate("node => getComputedStyle(node).textDecorationLine")


@pytest.mark.parametrize(("place", "title"), [(0, "general"), (1, "Bahdanau")])
def test_a_number_opens_the_arithmetic_of_its_own_model(page: Page, family_url: str, place: int, title: str) -> None:
    open_page(page, family_url)
    score = column(page, place).get_by_test_id("score-bar").first
    shown = float(score.get_attribute("data-value") or "")
    score.click()
    panel = page.locator(".st-key-arithmetic")
    expect(panel).to_contain_text(f"· {title}", timeout=60_000)
    expect(panel).to_contain_text("NumPy recomputation:")
    expect(panel).not_to_contain_text("do not agree")
    told = re.search(r"shown (−?[\d.e−-]+)", panel.inner_text())
    assert told
    assert float(told[1].replace("−", "-")) == pytest.approx(shown, abs=1e-4)


def test_another_model_keeps_the_step_and_a_reload_restores_both(page: Page, family_url: str) -> None:
    stepper = open_page(page, family_url)
    page.keyboard.press("ArrowRight")
    step = stepper.get_attribute("data-step") or ""
    page.get_by_role("button", name="dot, GRU").click()
    expect(page.get_by_test_id("model")).to_have_count(4, timeout=60_000)
    settled(page)
    expect(stepper).to_have_attribute("data-step", step)
    expect(page).to_have_url(re.compile(rf"[?&]step={step}(&|$)"))
    page.reload()
    expect(page.get_by_test_id("model")).to_have_count(4, timeout=60_000)
    expect(stepper).to_have_attribute("data-step", step)


def test_the_largest_difference_is_told_as_python_computes_it(
    page: Page, family_url: str, family: dict[str, Pretrained]
) -> None:
    open_page(page, family_url)
    text = translate(family["en-fr-general"], [EXAMPLE])[0].text
    one, other = (force(family[name], [(EXAMPLE, text)])[0].alignment for name in SHOWN[:2])
    told = largest(contrast(one, other), "general", "Bahdanau", ("en", "fr"))
    expect(page.get_by_text("points more at")).to_have_text(re.sub(r"<.*?>", "", told), timeout=60_000)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1400, 390])
def test_axe_finds_nothing_of_our_making(
    browser: Browser, family_url: str, scheme: Literal["light", "dark"], width: int
) -> None:
    context = browser.new_context(
        color_scheme=scheme, viewport={"width": width, "height": 900}, reduced_motion="reduce"
    )
    page = context.new_page()
    open_page(page, family_url, ALL, models=4)
    expect(page.locator(".st-key-figure-difference .js-plotly-plot")).to_be_visible(timeout=60_000)
    settled(page)
    assert violations(page) == []
    assert page.evaluate("document.scrollingElement.scrollWidth - innerWidth") <= 0
    context.close()


def test_columns_that_do_not_fit_scroll_within_themselves(page: Page, family_url: str) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    open_page(page, family_url, ALL, models=4)
    frames = page.get_by_test_id("stepper").locator(".frames")
    assert frames.evaluate("frames => frames.scrollWidth > frames.clientWidth")
    last = column(page, 3)
    last.locator("h2").scroll_into_view_if_needed()
    expect(last.locator("h2")).to_be_in_viewport()
