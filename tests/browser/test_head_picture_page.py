"""The picture of a Transformer's head in a real browser: every cell and ribbon is the number that it stands for."""

import re
from urllib.parse import quote

import numpy as np
import pytest
from playwright.sync_api import Locator, Page, expect

from regard.model.checkpoint import shipped
from regard.model.transformer.checkpoint import PretrainedTransformer, load_transformer
from regard.model.transformer.trace import TransformerTrace
from regard.model.translate import translate
from tests.support.browser_navigation import box_of, link_value
from tests.support.network_picture import painted, picture_at

SENTENCE, MODEL, STEP, LAYER, HEAD = "2 5 9 1", "reverse-transformer", 3, 1, 2
WIDTHS = "all => all.map(node => Number(node.dataset.width))"


@pytest.fixture(scope="module")
def model() -> PretrainedTransformer:
    return load_transformer(shipped(MODEL))


@pytest.fixture(scope="module")
def trace(model: PretrainedTransformer) -> TransformerTrace:
    (made,) = translate(model, [SENTENCE])
    assert isinstance(made, TransformerTrace)
    return made


def open_head(page: Page, url: str, attention: str = "cross", more: str = f"&layer={LAYER}&head={HEAD}") -> Locator:
    """Open the picture at a step; of the encoder at the token that it is the row of."""
    step = f"&step={STEP}&attention={attention}" if attention != "encoder" else f"&step={STEP - 6}"
    return picture_at(page, f"{url}/?sentence={quote(SENTENCE)}&model={MODEL}&picture=network{step}{more}")


def check_cells(picture: Locator, trace: TransformerTrace, attention: str) -> None:
    numbers, t, at = trace.attention(attention), STEP - 1, (LAYER - 1, HEAD - 1)
    after = trace.encoder_feed_forward if attention == "encoder" else trace.decoder_feed_forward
    values, mixed = numbers.values[at], numbers.mixed[LAYER - 1, :, t]
    seen = slice(None, STEP if attention == "decoder" else None)
    most = max(np.abs(values).max(), np.abs(numbers.mixed[LAYER - 1]).max())
    embedded = trace.target_embedded if attention == "decoder" else trace.source_embedded
    shown = {
        "embedded": (embedded[seen], np.abs(embedded).max()),
        "key": (numbers.keys[at][seen], np.abs(numbers.keys[at]).max()),
        "query": (numbers.queries[at][t : t + 1], np.abs(numbers.queries[at]).max()),
        "value": (values[seen], most),
        "share": ((values * numbers.weights[at][t][:, None])[seen], most),
        "mixed": (mixed[HEAD - 1 : HEAD], most),
        "other": (mixed, most),
        "normalised": (numbers.normalised[0, t : t + 1], np.abs(numbers.normalised[0]).max()),
        "stream": (numbers.stream[0, t : t + 1], np.abs(numbers.stream[0]).max()),
    }
    if attention != "decoder":
        shown["stream_after"] = (after.stream[0, t : t + 1], np.abs(after.stream[0]).max())
    for kind, (own, reach) in shown.items():
        cells = painted(picture, kind)[: len(own)]
        np.testing.assert_allclose(cells, own / reach, atol=0.0025, err_msg=f"{attention}: {kind}")
    np.testing.assert_allclose(painted(picture, "share").sum(0), painted(picture, "mixed")[0], atol=0.005)
    ribbons = picture.locator(".ribbon").evaluate_all(WIDTHS)
    whole = picture.locator("[data-tile=mixed] .ground").evaluate("node => Number(node.getAttribute('width'))")
    np.testing.assert_allclose(np.array(ribbons) / whole, numbers.weights[at][t], atol=1e-5)


@pytest.mark.parametrize("attention", ["cross", "decoder", "encoder"])
def test_every_cell_and_ribbon_is_its_number_and_what_is_mixed_is_the_sum_of_the_shares(
    page: Page, app_url: str, trace: TransformerTrace, attention: str, console_errors: list[str]
) -> None:
    picture = open_head(page, app_url, attention)
    check_cells(picture, trace, attention)
    if attention == "decoder":  # a token that is still to come is not there
        assert picture.locator("[data-tile=key].future").count() == len(trace.target) - STEP
    assert picture.locator("[data-net-rank]").count() == (0 if attention == "encoder" else 5)
    assert console_errors == []


def test_phases_say_the_rows_numbers_a_cell_opens_and_a_single_head_is_shown(
    page: Page, app_url: str, trace: TransformerTrace
) -> None:
    page.set_viewport_size({"width": 1366, "height": 768})
    picture = open_head(page, app_url, more="")
    drawing, bar = box_of(picture.locator(".drawing-box")), box_of(page.locator(".bar-below"))
    assert drawing["y"] + drawing["height"] <= bar["y"]
    expect(page.get_by_test_id("head-name")).to_have_text("layer 2, head 1")  # where none was chosen, as here
    expect(page.get_by_role("button", name=re.compile("mean of the heads"))).to_have_count(0)
    page.get_by_role("button", name=f"layer {LAYER}, head {HEAD}").click()
    at, t, says = (LAYER - 1, HEAD - 1), STEP - 1, page.get_by_test_id("announce")
    numbers = trace.cross_attention
    most = f"{100 * numbers.weights[at][t].max():.1f}%"
    score = f"{numbers.scores[at][t].max():.2f}".replace("-", "−")
    likeliest = f"{100 * trace.top_probabilities[t, 0]:.1f}%"
    said = {"read": "16 components", "ask": score, "weigh": most, "mix": most, "write": likeliest}
    for phase, number in said.items():
        page.keyboard.press("Shift+ArrowRight")
        expect(picture).to_have_attribute("data-phase", phase)
        expect(says).to_contain_text(number)
        expect(picture.locator(f"[data-figure={phase}]")).to_have_attribute("aria-label", re.compile(re.escape(number)))
    expect(picture.locator(".part.dim").first).to_be_visible()
    page.get_by_test_id("picture-alignment").click()
    page.wait_for_url(lambda url: link_value(url, "head") == str(HEAD))
    expect(page.get_by_role("button", name="layer 1, mean of the heads")).to_be_visible()
    page.get_by_test_id("picture-network").click()
    query = box_of(picture.locator("[data-tile=query] image"))
    page.mouse.click(query["x"] + query["width"] / 8, query["y"] + 3 * query["height"] / 8)  # the fifth of 4 × 4 cells
    expect(page.get_by_text("omponent 5 of the query").first).to_be_visible()
