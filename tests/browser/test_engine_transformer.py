import json
import random
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from regard.model.arithmetic.kinds import KINDS, SHARED, TRANSFORMER, with_terms
from regard.model.arithmetic.quantity import Quantity, accepted
from regard.model.arithmetic.transformer import work_out_transformer
from regard.model.changes.intervention import UNTOUCHED, Intervention
from regard.model.changes.marks import change_texts
from regard.model.changes.session import offered
from regard.model.changes.what_if import translate
from regard.model.checkpoint import shipped
from regard.model.decoding import beam
from regard.model.decoding.beam_tree import BeamSettings
from regard.model.input_error import InputError, on_screen
from regard.model.reference.transformer import load_transformer_parameters, recompute_transformer
from regard.model.transformer.checkpoint import PretrainedTransformer, load_transformer
from regard.model.transformer.trace import TransformerTrace
from tests.support.engine import (
    CHANGES_TOLD,
    NEAR,
    OPENED,
    Asked,
    apart,
    assert_same_working,
    disconnected,
    named,
    open_page,
)

SENTENCE = "2 5 9"  # four tokens with the end
GIVEN = "9 5 2"
CHANGES = (
    Intervention(hidden=(1,), temperature=2.0, bonus=((1, 2, 0.5),)),
    Intervention(tokens=((1, 264),), weights=((2, (0.25, 0.0, 0.5, 0.25)),)),
    Intervention(words=((0, "7 7"),)),
    Intervention(heads_off=(("cross", 1, 2), ("encoder", 0, 1))),
    Intervention(heads_off=tuple(("cross", 1, head) for head in range(4))),
    Intervention(
        hidden=(1,),
        head_weights=(
            ("cross", 0, 3, 1, (0.25, 0.0, 0.5, 0.25)),
            ("decoder", 1, 0, 2, (0.5, 0.25, 0.25)),
            ("encoder", 0, 1, 0, (0.25, 0.25, 0.25, 0.25)),
        ),
    ),
)
REFUSED = (
    {"heads_off": [["cross", 9, 0]]},
    {"heads_off": [["cross", 0, 0], ["cross", 0, 0]]},
    {"heads_off": [["sideways", 0, 0]]},
    {"heads_off": [["cross", 0, 0]], "head_weights": [["cross", 0, 0, 1, [0.5, 0.5, 0.0, 0.0]]]},
    {"head_weights": [["decoder", 0, 0, 1, [1.0]]]},
    {"head_weights": [["encoder", 0, 0, 9, [1.0, 0.0, 0.0, 0.0]]]},
    {"head_weights": [["cross", 0, 0, 1, [0.5, 0.0, 0.0, 0.0]]]},
    {"head_weights": [["cross", 0, 0, 1, [0.5, 0.5, 0.0, 0.0]]], "hidden": [0]},
)


@pytest.fixture(scope="module")
def model() -> PretrainedTransformer:
    return load_transformer(shipped("reverse-transformer"))


@pytest.fixture(scope="module")
def page(browser: Browser, model: PretrainedTransformer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    with disconnected(browser) as page:
        open_page(page, [model], tmp_path_factory.mktemp("page"))
        yield page


def test_what_is_changed_in_all_heads_or_in_one_changes_what_it_changes_in_pytorch(
    page: Page, model: PretrainedTransformer
) -> None:
    asked = [Asked(SENTENCE, changes, given) for changes in CHANGES for given in ("", GIVEN)]
    for (farthest, unequal), one in zip(apart(page, model, asked), asked, strict=True):
        assert (unequal, farthest < NEAR) == ((), True), (one, farthest)


def test_it_is_told_and_offered_as_the_app_does(page: Page, model: PretrainedTransformer) -> None:
    for changes in CHANGES:
        before, after = (translate(model, SENTENCE, some) for some in (UNTOUCHED, changes))
        found = page.evaluate(CHANGES_TOLD, [SENTENCE, json.loads(changes.to_json()), ""])
        expected = offered(before, after, None)
        for name in ("forced", "weights", "hidden", "heads_off", "head_weights", "words"):
            assert found["offered"][name] == json.loads(json.dumps(expected[name])), name
        texts = change_texts(model.tokenizer, SENTENCE, before, after)
        assert found["told"] == [change.text for change in texts]
        assert list(map(json.loads, found["without"])) == [json.loads(change.without.to_json()) for change in texts]


@pytest.mark.parametrize("changes", REFUSED, ids=str)
def test_what_cannot_be_changed_is_refused_in_the_same_words(
    page: Page, model: PretrainedTransformer, changes: dict[str, Any]
) -> None:
    with pytest.raises(InputError) as expected:
        translate(model, SENTENCE, Intervention.from_json(json.dumps(changes)))
    refused = page.evaluate(
        """([sentence, changes]) => Promise.resolve().then(() => regard.translate(sentence, changes))
          .catch((error) => error.message)""",
        [SENTENCE, changes],
    )
    assert refused == on_screen(expected.value)


def test_beam_search_ends_with_the_same_translations(page: Page, model: PretrainedTransformer) -> None:
    for settings in (BeamSettings(5), BeamSettings(3, 0.0, 0.4)):
        expected = beam.search(model, beam.encode(model, SENTENCE), settings)
        found = page.evaluate(
            """async ([sentence, settings]) =>
              regard.engine.search(await regard.modelCalled(regard.names[0]), sentence, settings)""",
            [SENTENCE, {"width": settings.width, "alpha": settings.alpha, "coverage": settings.coverage}],
        )
        assert [(one["ids"], one["stop"]) for one in found] == [(list(one.ids), one.stop) for one in expected]
        assert [one["score"] for one in found] == pytest.approx([one.score for one in expected], abs=NEAR)


def test_any_number_opens_to_the_terms_that_python_finds(page: Page, model: PretrainedTransformer) -> None:
    parameters = load_transformer_parameters(model.folder)
    for changes in (UNTOUCHED, CHANGES[0], CHANGES[3], CHANGES[5]):
        trace = translate(model, SENTENCE, changes)
        sizes = trace.weights.shape
        again = recompute_transformer(
            parameters, trace.source_ids, trace.target_ids, changes.steering(*sizes), changes.all_heads(*sizes[::-1])
        )
        asked = [quantity for kind in (*TRANSFORMER, *SHARED) for quantity in _some(kind, trace)]
        opened = page.evaluate(OPENED, [SENTENCE, json.loads(changes.to_json()), [*map(named, asked)], with_terms()])
        for mine, quantity in zip(opened, asked, strict=True):
            assert_same_working(mine, work_out_transformer(quantity, trace, again, parameters), quantity)


def test_heads_are_chosen_switched_off_opened_and_a_link_brings_them_back(
    page: Page, model: PretrainedTransformer
) -> None:
    page.get_by_label("Sequence").fill(SENTENCE)
    page.keyboard.press("Enter")
    expect(page.locator("#translation")).to_have_text(translate(model, SENTENCE).text)
    page.get_by_role("button", name="layer 1, head 2").click()
    expect(page.get_by_test_id("head-name")).to_have_text("layer 1, head 2")
    page.get_by_test_id("view").click()
    page.get_by_test_id("units-tokens").click()
    page.get_by_test_id("heat-cell").first.click()
    panel = page.get_by_role("region", name="The number that was clicked")
    expect(panel).to_contain_text("Weight of “2” at step 1, head 2, layer 1 of the cross-attention")
    panel.locator("button.number").first.click()
    expect(panel).to_contain_text("Score of “2” at step 1")
    expect(panel).not_to_contain_text("do not agree")
    page.get_by_test_id("head-off").click()
    expect(page.locator("#changes")).to_contain_text("cross attention, layer 1, head 2 is switched off")
    expect(page.get_by_test_id("head-name")).to_have_text("layer 1, head 2, switched off")
    page.wait_for_url(lambda url: "heads_off" in url and "head=2" in url)
    address = page.url
    page.goto("about:blank")
    page.goto(address)
    expect(page.get_by_test_id("head-name")).to_have_text("layer 1, head 2, switched off")
    expect(page.get_by_test_id("reading-posterior")).to_have_count(0)
    page.locator("#changes").get_by_test_id("undo").click()
    expect(page.locator("#changes")).to_contain_text("Nothing is changed.")


def _some(kind: str, trace: TransformerTrace) -> Iterator[Quantity]:
    """Numbers of a kind, wherever it has them."""
    chance = random.Random(kind)
    steps, positions = trace.weights.shape
    for _ in range(6):
        quantity = Quantity(kind)
        for name in KINDS[kind].indices:
            likeliest = trace.top_ids[quantity.step].tolist()
            every = {"step": range(steps), "position": range(positions), "component": range(64), "token": likeliest}
            values = accepted(quantity, name, trace) if kind in TRANSFORMER else every[name]
            quantity = Quantity(**{**vars(quantity), name: chance.choice(list(values))})
        yield quantity
