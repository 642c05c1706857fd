"""A page of its own from disk, without a network: it steps, its numbers are the command line's, and it asks nobody."""

import json
from collections.abc import Iterator
from html import escape
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Browser, Locator, Page, expect

import regard
from benchmarks.server import ROOT
from regard.model.archive import from_json
from regard.model.trace import TraceList
from tests.support.axe import violations
from tests.support.engine import disconnected
from tests.support.run_command import call

SENTENCE = "The boy who is wearing a blue shirt is playing football."


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of a sentence and beside it every number of its translation, both from one command."""
    folder = tmp_path_factory.mktemp("standalone")
    status, out, told = call("translate", "--json", "--html", str(folder / "page.html"), SENTENCE)
    assert status == 0, told
    (folder / "trace.json").write_bytes(out)
    return folder


@pytest.fixture
def offline(browser: Browser) -> Iterator[Page]:
    with disconnected(browser) as page:
        yield page


def test_it_steps_from_disk_and_its_numbers_are_the_command_lines(offline: Page, folder: Path) -> None:
    told = json.loads((folder / "trace.json").read_text(encoding="utf-8"))
    offline.goto(f"{(folder / 'page.html').as_uri()}#picture=alignment")
    stepper = offline.get_by_test_id("stepper")
    offline.keyboard.press("Home")
    expect(stepper).to_have_attribute("data-step", str(-len(told["source"])))
    offline.keyboard.press("End")
    expect(stepper).to_have_attribute("data-step", str(len(told["target"])))
    offline.get_by_test_id("view").click()
    offline.get_by_test_id("units-tokens").click()
    shown = stepper.get_by_test_id("heat-cell").evaluate_all("cells => cells.map(cell => +cell.dataset.value)")
    assert shown == pytest.approx([weight for row in told["weights"] for weight in row], abs=1e-7)
    scores = stepper.get_by_test_id("score-bar").evaluate_all("bars => bars.map(bar => +bar.dataset.value)")
    assert scores == pytest.approx(told["scores"][-1], abs=1e-6)
    expect(offline.get_by_role("heading", level=1)).to_have_text(SENTENCE)
    expect(offline.get_by_role("heading", level=2)).to_have_text(told["text"]["target"])


def test_a_click_tells_the_exact_number_and_the_address_keeps_the_step(offline: Page, folder: Path) -> None:
    told = json.loads((folder / "trace.json").read_text(encoding="utf-8"))
    offline.goto(f"{(folder / 'page.html').as_uri()}#picture=alignment")
    offline.keyboard.press("Home")
    for _ in range(len(told["source"]) + 2):
        offline.keyboard.press("ArrowRight")
    offline.get_by_test_id("score-bar").first.click()
    panel = offline.get_by_role("region", name="The number that was clicked")
    expect(panel).to_contain_text("Score of “The” at step 2")
    number = panel.locator("output").inner_text().replace("−", "-")
    assert float(number) == pytest.approx(told["scores"][1][0], rel=1e-6)
    offline.keyboard.press("ArrowRight")  # the keyboard stayed with the stepper
    expect(offline.get_by_test_id("stepper")).to_have_attribute("data-step", "3")
    offline.keyboard.press("Escape")
    expect(panel).to_be_hidden()
    offline.get_by_test_id("view").click()
    offline.get_by_test_id("units-tokens").click()
    offline.wait_for_url(lambda url: "step=3" in url and "units=tokens" in url)
    offline.reload()
    expect(offline.get_by_test_id("stepper")).to_have_attribute("data-step", "3")
    expect(offline.get_by_test_id("units-tokens")).to_have_attribute("aria-pressed", "true")
    offline.evaluate("location.hash = '#step=1e9&units=<b>&rows=&large=no'")
    expect(offline.get_by_test_id("units-words")).to_have_attribute("aria-pressed", "true")


def test_two_traces_in_a_notebook_step_apart_and_out_of_its_reach(offline: Page, folder: Path, tmp_path: Path) -> None:
    trace = from_json((folder / "trace.json").read_text(encoding="utf-8"))
    several = TraceList([trace, regard.translate(regard.load("reverse-transformer"), "2 5 9")])
    outputs = "".join(f"<p>{escape(repr(trace))}</p>{shown._repr_html_()}" for shown in (trace, several))
    notebook = tmp_path / "notebook.html"
    notebook.write_text(f"<!doctype html><meta charset='utf-8'><title>Notebook</title>{outputs}", encoding="utf-8")
    offline.goto(notebook.as_uri())
    first, second = (offline.frame_locator("iframe").nth(place).get_by_test_id("stepper") for place in (0, 1))
    opened = second.get_attribute("data-step") or ""
    assert offline.evaluate("document.activeElement.tagName") == "BODY"
    first.get_by_test_id("slider").press("Home")
    offline.keyboard.press("ArrowRight")
    expect(first).to_have_attribute("data-step", str(1 - len(trace.source)))
    expect(second).to_have_attribute("data-step", opened)
    reached = first.evaluate("() => { try { return parent.document.title } catch (error) { return error.name } }")
    assert reached == "SecurityError"
    offline.get_by_label("Translation").select_option(index=1)
    expect(second.get_by_test_id("target-token").nth(1)).to_have_text("9")


def test_heads_of_a_transformer_are_chosen_from_disk_with_the_command_lines_weights(
    offline: Page, tmp_path: Path
) -> None:
    file, model = tmp_path / "page.html", ROOT / "pretrained" / "en-fr-transformer"
    told = json.loads(call("translate", "--json", "--html", str(file), "--model", str(model), SENTENCE)[1])
    cross, own = (np.array(told[f"{name}_attention.weights"]) for name in ("cross", "decoder"))
    offline.goto(f"{file.as_uri()}#picture=alignment&units=tokens")
    stepper, name = offline.get_by_test_id("stepper"), offline.get_by_test_id("head-name")
    expect(name).to_have_text(f"layer {len(cross)}, mean of the heads")
    assert weights_in(stepper) == pytest.approx(cross[-1].mean(0), abs=1e-6)
    offline.get_by_role("button", name="layer 2, head 3", exact=True).click()
    assert weights_in(stepper) == pytest.approx(cross[1, 2], abs=1e-7)
    offline.get_by_test_id("slider").press("End")
    stepper.get_by_test_id("weight-bar").first.click()
    panel = offline.get_by_role("region", name="The number that was clicked")
    expect(panel).to_contain_text(f"at step {len(told['target'])}, head 3, layer 2 of the cross-attention")
    number = panel.locator("output").inner_text().replace("−", "-")
    assert float(number) == pytest.approx(cross[1, 2, -1, 0], rel=1e-6)
    offline.get_by_test_id("attention-decoder").click()
    offline.wait_for_url(lambda url: "attention=decoder&layer=2&head=3" in url)
    offline.reload()
    expect(name).to_have_text("layer 2, head 3")
    assert weights_in(stepper) == pytest.approx(own[1, 2], abs=1e-7)
    offline.evaluate("location.hash = '#picture=alignment&attention=<b>&layer=999&head=-1'")
    expect(name).to_have_text(f"layer {len(cross)}, mean of the heads")


def weights_in(stepper: Locator) -> np.ndarray:
    """The heatmap, row by row."""
    told = stepper.get_by_test_id("heat-cell").evaluate_all(
        "cells => cells.map(({ dataset }) => [+dataset.row, +dataset.value])"
    )
    return np.array([value for _, value in told]).reshape(int(told[-1][0]) + 1, -1)


def test_self_attention_has_its_mask_and_a_large_attention_is_a_canvas(offline: Page, tmp_path: Path) -> None:
    causal = np.tril(np.ones((1, 2, 3, 3))) / np.arange(1, 4)[:, None]
    regard.show(causal, ["▁the", "▁red", "▁car"]).save(tmp_path / "self.html")
    offline.goto((tmp_path / "self.html").as_uri())
    stepper = offline.get_by_test_id("stepper")
    offline.keyboard.press("End")
    expect(offline.get_by_test_id("announce")).to_contain_text(
        "Token 3 of 3: from car the mean of the heads of layer 1"
    )
    expect(stepper.get_by_test_id("heat-cell").nth(1)).to_have_text("masked")
    expect(stepper.get_by_test_id("heat-cell").nth(3)).to_have_text("50.0")
    large = np.eye(80, 90)
    regard.show(large, [f"▁s{i}" for i in range(90)], [f"▁t{i}" for i in range(80)]).save(tmp_path / "large.html")
    offline.goto((tmp_path / "large.html").as_uri())
    offline.keyboard.press("End")
    expect(stepper.get_by_test_id("weight-bar").nth(79)).to_contain_text("100.0%")
    expect(stepper.get_by_test_id("heat-cell")).to_have_count(0)
    offline.get_by_test_id("heat-canvas").click(position={"x": 1, "y": 1})
    expect(offline.get_by_role("region", name="The number that was clicked")).to_contain_text("s0")
    assert violations(offline) == []
