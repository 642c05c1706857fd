"""The network's picture in a real browser: every cell and ribbon is the number that it stands for."""

import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import numpy as np
import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect

from regard.app.export.page import page as saved
from regard.app.export.translator.document import page as translator
from regard.model.checkpoint import Pretrained
from regard.model.trace import Trace
from regard.model.translate import force, translate
from tests.support.axe import violations
from tests.support.browser_navigation import link_value
from tests.support.engine import disconnected
from tests.support.network_picture import MODELS, SENTENCE, STEP, open_network, painted, strengths


@pytest.fixture(scope="module", params=MODELS)
def drawn(
    request: pytest.FixtureRequest, context: BrowserContext, family: dict[str, Pretrained], family_url: str
) -> Iterator[tuple[Locator, Trace]]:
    """The picture of each model's step, opened once for all that read it."""
    page = context.new_page()
    (trace,) = translate(family[request.param], [SENTENCE])
    yield open_network(page, family_url, request.param), trace
    page.close()


def test_every_cell_has_the_colour_of_its_number(drawn: tuple[Locator, Trace]) -> None:
    picture, trace = drawn
    axes, t = trace.maker.axes, STEP - 1
    half = trace.annotations.shape[1] // 2
    shown = {
        "embedding": axes["embedding"].coordinates(trace.embeddings),
        "fed_embedding": axes["fed_embedding"].coordinates(trace.fed_embeddings[t : t + 1]),
        "forwards": axes["forwards"].coordinates(trace.annotations[:, :half]),
        "backwards": axes["backwards"].coordinates(trace.annotations[:, half:]),
        "annotation": axes["annotation"].coordinates(trace.annotations),
        "context": axes["annotation"].coordinates(trace.contexts[t : t + 1]),
        "state": axes["state"].coordinates(trace.states[t - 1 : t + 1]),
        "share": axes["annotation"].coordinates(trace.annotations) * trace.weights[t][:, None],
    }
    if trace.maker.cell == "lstm":
        shown["cell"] = axes["cell"].coordinates(trace.cells[t - 1 : t + 1])
    for kind, numbers in shown.items():
        np.testing.assert_allclose(painted(picture, kind), strengths(numbers), atol=0.003, err_msg=kind)
    attentional = axes["attentional"].coordinates(trace.attentional[t - 1 : t + 1])
    drawn_of = slice(0, 2) if trace.maker.input_feeding else slice(1, 2)
    np.testing.assert_allclose(painted(picture, "attentional"), strengths(attentional[drawn_of]), atol=0.003)
    for gate in {"lstm": ("input", "forget", "output"), "gru": ("reset", "update")}[trace.maker.cell]:
        opening = trace.gates[t, trace.maker.gates.index(gate)].mean()
        box = picture.locator(f"[data-gate={gate}]")
        whole, part = box.locator("rect").evaluate_all("all => all.map(one => Number(one.getAttribute('width')))")
        assert part / whole == pytest.approx(opening, abs=1e-5)
        expect(box).to_contain_text(f"{gate} {100 * opening:.0f}%")


def test_ribbons_are_as_wide_as_weights_and_the_context_is_their_blend(drawn: tuple[Locator, Trace]) -> None:
    picture, trace = drawn
    weights = trace.weights[STEP - 1]
    ribbons = picture.locator(".ribbon")
    whole = picture.locator("[data-tile=context] .ground").evaluate("node => Number(node.getAttribute('width'))")
    widths = ribbons.evaluate_all("all => all.map(node => Number(node.dataset.width))")
    np.testing.assert_allclose(np.array(widths) / whole, weights, atol=1e-5)
    assert ribbons.evaluate_all("all => all.map(node => node.hasAttribute('hidden'))") == [w < 0.002 for w in weights]
    ends = [
        [float(x) for x in re.findall(r"-?[\d.]+", path)]
        for path in ribbons.evaluate_all("all => all.map(node => node.getAttribute('d'))")
    ]
    left = picture.locator("[data-tile=context] .ground").evaluate("node => Number(node.getAttribute('x'))")
    at = left
    for path, width in zip(ends, widths, strict=True):  # M x y C … x y L x y C … x y Z: where it meets the context
        assert path[6] == pytest.approx(at, abs=0.02)
        assert path[8] == pytest.approx(at + width, abs=0.02)
        at += width
    assert at == pytest.approx(left + whole, abs=0.05)
    mixed = weights @ trace.maker.axes["annotation"].coordinates(trace.annotations)
    np.testing.assert_allclose(painted(picture, "context")[0], strengths(mixed), atol=0.004)


def test_each_phase_says_this_steps_numbers(drawn: tuple[Locator, Trace]) -> None:
    picture, trace = drawn
    page = picture.page
    t, says = STEP - 1, page.get_by_test_id("announce")
    order = np.argsort(-trace.weights[t], kind="stable")
    for phase, number in {
        "mix": f"{100 * trace.weights[t][order[0]]:.1f}%",
        "weigh": f"{100 * trace.weights[t][order[0]]:.1f}%",
        "write": f"{100 * trace.top_probabilities[t, 0]:.1f}%",
        "ask": f"{trace.scores[t].max():.2f}".replace("-", "−") if trace.maker.score != "none" else "There is no query",
    }.items():
        page.get_by_test_id(f"phase-{phase}").click()
        expect(says).to_contain_text(number)
        page.wait_for_url(lambda url, phase=phase: link_value(url, "phase") == phase)
        named = picture.locator(f"[data-figure={phase}]").get_attribute("aria-label") or ""
        assert number in named
    asked = "" if trace.maker.wiring != "bahdanau" else str(STEP - 1)
    if asked:
        expect(says).to_contain_text(f"The state s{asked} is compared")


def test_the_keyboard_goes_from_phase_to_phase_and_on_to_the_next_step(page: Page, family_url: str) -> None:
    picture = open_network(page, family_url, MODELS[0])
    for phase in ("read", "ask", "weigh", "mix", "write"):
        page.keyboard.press("Shift+ArrowRight")
        expect(picture).to_have_attribute("data-phase", phase)
    page.keyboard.press("Shift+ArrowRight")
    expect(picture).to_have_attribute("data-phase", "read")
    page.wait_for_url(lambda url: link_value(url, "step") == str(STEP + 1))
    page.keyboard.press("Shift+ArrowLeft")
    expect(picture).to_have_attribute("data-phase", "write")
    dim = picture.locator(".part.dim").count()
    assert 0 < dim < picture.locator(".part").count()


@pytest.mark.parametrize("model", [MODELS[0], MODELS[3]])
@pytest.mark.parametrize("computes", [False, True], ids=["saved page", "one file"])
def test_it_is_drawn_alike_offline(
    browser: Browser, family: dict[str, Pretrained], tmp_path: Path, model: str, computes: bool
) -> None:
    given = "Chaise verte hier."
    (trace,) = force(family[model], [(SENTENCE, given)])
    file = tmp_path / "page.html"
    file.write_text(translator([family[model]]) if computes else saved([trace]), encoding="utf-8")
    asked = f"sentence={quote(SENTENCE)}&given={quote(given)}&" if computes else ""
    with disconnected(browser) as page:
        page.goto(f"{file.as_uri()}#{asked}step={STEP}&picture=network&phase=mix")
        picture = page.get_by_test_id("network")
        expect(picture).to_have_attribute("data-phase", "mix")
        axes = trace.maker.axes["annotation"]
        for kind, numbers in {"annotation": trace.annotations, "context": trace.contexts[STEP - 1 : STEP]}.items():
            shown = painted(picture, kind)
            np.testing.assert_allclose(shown, strengths(axes.coordinates(numbers)), atol=0.003)
        embedded = trace.maker.axes["embedding"].coordinates(trace.embeddings)
        np.testing.assert_allclose(painted(picture, "embedding"), strengths(embedded), atol=0.003)
        gate = trace.maker.gates[0]
        mean = trace.gates[STEP - 1, 0].mean()
        expect(picture.locator(f"[data-gate={gate}]")).to_contain_text(f"{gate} {100 * mean:.0f}%")
        written = picture.locator(".candidate.taken")  # also if it is none of the likeliest
        expect(written).to_contain_text(trace.target[STEP - 1].strip())
        expect(written).to_contain_text(f"{100 * np.exp(trace.log_probabilities[STEP - 1]):.1f}%")
        assert trace.target_ids[STEP - 1] not in trace.top_ids[STEP - 1, :5]
        expect(picture.locator(".candidate")).to_have_count(5)


def test_narrow_pages_have_a_card_for_each_phase(page: Page, family: dict[str, Pretrained], family_url: str) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    picture = open_network(page, family_url, MODELS[1])
    (trace,) = translate(family[MODELS[1]], [SENTENCE])
    for phase in ("read", "ask", "weigh", "mix", "write"):
        expect(picture.locator(f"[data-card={phase}]")).to_be_visible()
    weights = trace.weights[STEP - 1]
    widths = picture.locator(".ribbon").evaluate_all("all => all.map(node => Number(node.dataset.width))")
    np.testing.assert_allclose(np.array(widths) / sum(widths), weights, atol=1e-5)
    context = trace.maker.axes["annotation"].coordinates(trace.contexts[STEP - 1 : STEP])
    np.testing.assert_allclose(painted(picture, "context"), strengths(np.repeat(context, 2, axis=0)), atol=0.003)
    assert page.evaluate("document.scrollingElement.scrollWidth - innerWidth") <= 0
    tiles = picture.locator("[data-card=mix] .tile").evaluate_all(
        "all => all.map(one => one.getBoundingClientRect().width)"
    )
    assert min(tiles) >= 64
    assert violations(page) == []


def test_any_vector_is_one_press_away_by_mouse_and_keyboard(
    page: Page, family: dict[str, Pretrained], family_url: str
) -> None:
    (trace,) = translate(family[MODELS[0]], [SENTENCE])
    picture = open_network(page, family_url, MODELS[0])
    whole, components = page.get_by_test_id("whole-vector"), page.get_by_test_id("whole-vector").get_by_role("slider")
    picture.locator("[data-tile=annotation]").nth(1).click()
    expect(whole).to_contain_text(
        f"annotation h2 of {trace.source[1].strip()}: all {len(trace.annotations[1])} components"
    )
    expect(components).to_be_focused()
    page.keyboard.press("ArrowRight")
    expect(components).to_have_attribute("aria-valuetext", f"component 2: {said(trace.annotations[1, 1])}")
    page.keyboard.press("Escape")
    expect(whole).to_be_hidden()
    page.get_by_test_id("whole-vector-open").press("Enter")
    expect(components).to_have_attribute("aria-valuetext", f"component 1: {said(trace.contexts[STEP - 1, 0])}")
    expect(whole).to_contain_text(f"context c{STEP}")


def said(value: float) -> str:
    half = float(np.float16(value))  # as it is sent
    return f"≈ {float(f'{half:.6f}' if abs(half) < 1e-3 else f'{half:.3g}'):g}".replace("-", "−")
