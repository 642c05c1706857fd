"""The cards of the lesson: a phase of the network's picture on the visitor's own sentence."""

from urllib.parse import quote

import numpy as np
from playwright.sync_api import Page, expect

from regard.model.checkpoint import Pretrained
from regard.model.translate import translate
from tests.support.axe import violations
from tests.support.browser_navigation import settled
from tests.support.network_picture import painted, strengths

SENTENCE = "I don't love the red car."
MODEL = "en-fr-general"


def test_a_chapter_shows_its_phase_on_the_visitors_sentence_and_covers_what_is_to_be_predicted(
    page: Page, family: dict[str, Pretrained], family_url: str
) -> None:
    (trace,) = translate(family[MODEL], [SENTENCE])
    page.set_viewport_size({"width": 1366, "height": 768})
    page.goto(f"{family_url}/learn?chapter=5&model={MODEL}&sentence={quote(SENTENCE)}")
    card = page.get_by_test_id("phase-card")
    expect(card.locator("[data-card=mix]")).to_be_visible()
    expect(card.locator("[data-card=ask]")).to_be_hidden()
    cell = card.locator("[data-card=mix] [data-tile=context] image").first
    expect(card.locator("[data-card=mix] .card-says")).to_contain_text("hidden until you predict")
    expect(cell).to_be_hidden()
    opening = card.locator(".where").text_content()
    card.get_by_label("Step forward").click()
    expect(cell).to_be_visible()
    step = int((card.locator(".where").text_content() or "").split()[1])
    context = trace.maker.axes["annotation"].coordinates(trace.contexts[step - 1 : step])
    np.testing.assert_allclose(painted(card.locator("[data-card=mix]"), "context"), strengths(context), atol=0.003)
    page.locator(".st-key-question [role=radiogroup] label").first.click()
    page.get_by_role("button", name="Reveal").click()
    expect(card.locator(".where")).to_have_text(opening or "")
    expect(cell).to_be_visible()
    expect(card.locator("[data-card=mix] .card-says")).to_contain_text("is the weighted sum of the annotations")
    expect(card.locator("[data-figure=mix]")).to_have_count(1)
    settled(page)
    assert violations(page) == []


def test_both_wirings_ask_side_by_side_and_step_together(
    page: Page, family: dict[str, Pretrained], family_url: str
) -> None:
    page.goto(f"{family_url}/learn?chapter=8&model={MODEL}&sentence={quote(SENTENCE)}")
    both = page.get_by_test_id("phase-card")
    both.get_by_label("Step forward").click()
    step = int((both.locator(".where").text_content() or "").split()[1])
    cards = both.locator("[data-card=ask]")
    for card, model, before in zip(cards.all(), ("en-fr-bahdanau", MODEL), (1, 0), strict=True):
        (trace,) = translate(family[model], [SENTENCE])
        at = min(step, len(trace.target))  # a card stays at its last step
        asking = trace.maker.axes["state"].coordinates(trace.states[at - 1 - before : at - before])
        np.testing.assert_allclose(painted(card, "state"), strengths(asking), atol=0.003)
        expect(card.locator(".card-says")).to_contain_text(f"s{at - before} is compared")
        expect(card.locator(".figure").first).to_have_text(f"{trace.scores[at - 1, 0]:.2f}".replace("-", "−"))
    settled(page)
    assert violations(page) == []
    cards.first.locator(".figure").first.click()
    expect(page.get_by_text("NumPy recomputation:")).to_be_visible()
