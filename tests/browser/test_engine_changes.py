import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from regard.model.arithmetic.kinds import FORWARD, with_terms
from regard.model.arithmetic.quantity import DIRECTIONS, Quantity
from regard.model.arithmetic.recurrent import work_out
from regard.model.changes.intervention import UNTOUCHED, Intervention
from regard.model.changes.marks import change_texts
from regard.model.changes.rewording import tokens_of
from regard.model.changes.session import offered
from regard.model.changes.what_if import translate
from regard.model.checkpoint import Pretrained
from regard.model.decoding import beam
from regard.model.decoding.beam_tree import BeamSettings
from regard.model.input_error import InputError, on_screen
from regard.model.reference.recompute import load_parameters, recompute
from regard.model.trace import Trace
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

SENTENCE = "I don't love the red car."
CHANGES = (
    Intervention(tokens=((1, 300),)),
    Intervention(hidden=(0, 2)),
    Intervention(temperature=3.0, bonus=((0, 1, 2.5), (2, 0, -1.0))),
    Intervention(words=((1, "really do not"), (4, "x"))),
    Intervention(weights=((1, (0.25, 0.75) + (0.0,) * 50),)),
)
REFUSED = (
    Intervention(hidden=(99,)),
    Intervention(hidden=(*range(30),)),
    Intervention(tokens=((0, 99_999),)),
    Intervention(tokens=((500, 300),)),
    Intervention(words=((77, "x"),)),
    Intervention(words=((0, "z" * 200), (2, "no " * 60))),
    Intervention(weights=((0, (1.0,)),)),
)
NETWORKS = (
    {"score": "general"},
    {"score": "concat", "wiring": "bahdanau", "initial_state": "encoder"},
    {"score": "dot", "cell": "gru", "input_feeding": True},
    {"score": "none", "cell": "gru", "initial_state": "encoder"},
)


@pytest.fixture(scope="module")
def tiny_page(browser: Browser, tiny_model: Pretrained, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    with disconnected(browser) as page:
        open_page(page, [tiny_model], tmp_path_factory.mktemp("page"))
        yield page


@pytest.mark.parametrize("given", ["", "Je n'aime pas la voiture rouge."])
def test_what_is_changed_changes_what_it_changes_in_pytorch(
    tiny_page: Page, tiny_model: Pretrained, given: str
) -> None:
    positions = len(translate(tiny_model, SENTENCE).source)
    rows = [replace(one, weights=tuple((step, row[:positions]) for step, row in one.weights)) for one in CHANGES]
    asked = [Asked(SENTENCE, changes, given) for changes in rows]
    for (farthest, unequal), one in zip(apart(tiny_page, tiny_model, asked), asked, strict=True):
        assert (unequal, farthest < NEAR) == ((), True), (one, farthest)


@pytest.mark.parametrize("changes", CHANGES[:4])
@pytest.mark.parametrize("given", ["", "Je n'aime pas la voiture rouge."])
def test_it_is_told_and_offered_as_the_app_does(
    tiny_page: Page, tiny_model: Pretrained, changes: Intervention, given: str
) -> None:
    before, after = (translate(tiny_model, SENTENCE, some, given) for some in (UNTOUCHED, changes))
    found = tiny_page.evaluate(CHANGES_TOLD, [SENTENCE, _values(changes), given])
    expected = offered(before, after, None)
    for name in ("forced", "fed", "weights", "hidden", "temperature", "temperatures", "words"):
        assert found["offered"][name] == expected[name], name
    words = change_texts(tiny_model.tokenizer, SENTENCE, before, after)
    assert found["told"] == [change.text for change in words]
    assert [json.loads(text) for text in found["without"]] == [_values(change.without) for change in words]


@pytest.mark.parametrize("text", ["l'", "qu'", "l'eau", "'", "rouge", "·s", ", et", "aujourd'hui"])
@pytest.mark.parametrize("step", [0, 2])
def test_typed_text_is_read_as_the_same_tokens(tiny_page: Page, tiny_model: Pretrained, text: str, step: int) -> None:
    given = "Je n'aime pas la voiture rouge."
    before = translate(tiny_model, SENTENCE, UNTOUCHED, given).target_ids[:step].tolist()
    changed = tiny_page.evaluate(
        """async ([sentence, given, step, text]) => {
          const { engine } = regard, model = await regard.modelCalled(regard.names[0]);
          const translated = (changes) => engine.translate(model, sentence, changes, given);
          const translator = { tokenizer: model.tokenizer, sentence, translate: translated };
          const { make, NOTHING_CHANGED } = engine.changes;
          return make(NOTHING_CHANGED, { kind: "text", step, text }, translator).history.present.tokens;
        }""",
        [SENTENCE, given, step, text],
    )
    assert [token for _, token in changed] == list(tokens_of(tiny_model.tokenizer, before, text, step))


@pytest.mark.parametrize("changes", REFUSED)
def test_what_cannot_be_changed_is_refused_in_the_same_words(
    tiny_page: Page, tiny_model: Pretrained, changes: Intervention
) -> None:
    with pytest.raises(InputError) as expected:
        translate(tiny_model, SENTENCE, changes)
    refused = tiny_page.evaluate(
        "([sentence, changes]) => regard.translate(sentence, changes).catch((error) => error.message)",
        [SENTENCE, _values(changes)],
    )
    assert refused == on_screen(expected.value)


@pytest.mark.parametrize("settings", [BeamSettings(5), BeamSettings(1), BeamSettings(4, 0.0, 0.4)])
def test_beam_search_ends_with_the_same_translations(
    tiny_page: Page, tiny_model: Pretrained, settings: BeamSettings
) -> None:
    expected = beam.search(tiny_model, beam.encode(tiny_model, SENTENCE), settings)
    found = tiny_page.evaluate(
        """async ([sentence, settings]) =>
          regard.engine.search(await regard.modelCalled(regard.names[0]), sentence, settings)""",
        [SENTENCE, {"width": settings.width, "alpha": settings.alpha, "coverage": settings.coverage}],
    )
    assert [(one["ids"], one["stop"]) for one in found] == [(list(one.ids), one.stop) for one in expected]
    for name, field in (("logProbability", "log_probability"), ("score", "score")):
        assert [one[name] for one in found] == pytest.approx([getattr(one, field) for one in expected], abs=NEAR)


@pytest.mark.parametrize("network", NETWORKS)
def test_any_number_opens_to_the_terms_that_python_finds(
    browser: Browser, make_model: Callable[..., Pretrained], network: dict[str, Any], tmp_path: Path
) -> None:
    model = make_model(**network)
    changes = Intervention(bonus=((1, 1, 0.5),), hidden=(2,)) if network["score"] != "none" else UNTOUCHED
    trace, weights = translate(model, SENTENCE, changes), load_parameters(model.folder)
    steering = changes.steering(len(trace.target), len(trace.source))
    found = recompute(weights, trace.source_ids, trace.target_ids, steering)
    asked = [quantity for quantity in _quantities(trace) if _has(quantity, trace)]
    assert {quantity.kind for quantity in asked} >= {"score", "weight", "state", "context", "probability", "gate"}
    with disconnected(browser) as page:
        open_page(page, [model], tmp_path)
        opened = page.evaluate(OPENED, [SENTENCE, _values(changes), [named(one) for one in asked], with_terms()])
    for mine, quantity in zip(opened, asked, strict=True):
        theirs = work_out(quantity, trace, found, weights)
        assert_same_working(mine, theirs, quantity)


def _quantities(trace: Trace) -> Iterator[Quantity]:
    """Return some quantities of every kind, at both ends of each index."""
    steps, positions = (-1, 0, 1, len(trace.target) - 1), (0, 1, len(trace.source) - 1)
    for kind, (fields, *_) in FORWARD.items():
        gates = trace.maker.gates if "gate" in fields else ("",)
        directions = DIRECTIONS if "direction" in fields else ("",)
        for step, position, gate, direction in product(steps, positions, gates, directions):
            token = int(trace.top_ids[max(step, 0)][position % trace.top_ids.shape[1]])
            given = {
                "step": step, "position": position, "component": 13 - position, "token": token, "row": 1, "column": 2,
                "rows": {0: "input", 1: "step"}.get(step, "output"), "gate": gate, "direction": direction,
            }  # fmt: skip
            yield Quantity(kind, **{name: given[name] for name in fields})


def _has(quantity: Quantity, trace: Trace) -> bool:
    try:
        quantity.check(trace)
    except ValueError:
        return False
    return True


def _values(changes: Intervention) -> dict[str, Any]:
    return json.loads(changes.to_json())
