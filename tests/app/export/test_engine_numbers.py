"""Numbers opened by the engine in Node come apart into the terms that Python finds."""

import json
import re
from collections.abc import Callable
from typing import Any

import pytest

from regard.model.arithmetic.quantity import AFTERWARDS, FORWARD, SHARED, TRANSFORMER, as_text, with_terms
from regard.model.changes.intervention import UNTOUCHED, Intervention
from regard.model.changes.what_if import translate
from regard.model.checkpoint import WEIGHTS, AnyModel, Pretrained, shipped
from regard.model.transformer.checkpoint import load_transformer
from regard.pretrained.recipe.node_engine import about
from tests.support.engine import NEAR
from tests.support.every_number import named, opener, some
from tests.support.javascript import APP, evaluated

ENGINE = APP / "export" / "engine" / "index.js"
SENTENCE, DIGITS = "I don't love the red car.", "2 5 9"
STEERED = Intervention(bonus=((1, 1, 0.5),), hidden=(2,), temperature=0.7)
NETWORKS: tuple[tuple[dict[str, Any], Intervention], ...] = (
    ({"score": "general"}, STEERED),
    ({"score": "concat", "wiring": "bahdanau", "initial_state": "encoder"}, STEERED),
    ({"score": "dot", "cell": "gru", "input_feeding": True}, STEERED),
    ({"score": "concat", "cell": "gru", "wiring": "bahdanau"}, STEERED),
    ({"score": "none", "cell": "gru", "initial_state": "encoder"}, UNTOUCHED),
)
HEADS = (
    UNTOUCHED,
    Intervention(hidden=(1,), temperature=2.0, bonus=((1, 2, 0.5),)),
    Intervention(heads_off=(("cross", 1, 2), ("encoder", 0, 1))),
    Intervention(hidden=(1,), head_weights=(("cross", 0, 3, 1, (0.25, 0.0, 0.5, 0.25)),
                 ("decoder", 1, 0, 2, (0.5, 0.25, 0.25)), ("encoder", 0, 1, 0, (0.25, 0.25, 0.25, 0.25)))),
)  # fmt: skip
BEFORE = """const {{ readFileSync }} = await import("node:fs");
const given = JSON.parse({given});
const model = engine.modelOf({{ ...given.about, weights: new Uint8Array(readFileSync(given.weights)) }});
const plain = engine.translate(model, given.sentence, engine.interventionOf(given.changes));
const work = engine.isTransformer(plain) ? null : engine.posterior(model, plain);
let made = {{ done: !work }};
while (!made.done) made = work.next();
const trace = {{ ...plain, posterior: made.value }};"""
OPENED = """given.asked.map((one) =>
  ({ ...engine.workOut(one, trace, model, given.table), name: engine.nameOf(one, trace, given.table.phrases) }))"""


def assert_same(model: AnyModel, sentence: str, changes: Intervention, kinds: tuple[str, ...]) -> None:
    """Check that both describe each number alike: its form, its formula, its terms and their result."""
    trace = translate(model, sentence, changes)
    asked, open_number = [one for kind in kinds for one in some(kind, trace)], opener(model, trace)
    given = {
        "about": about(model), "weights": str(model.folder / WEIGHTS), "sentence": sentence,
        "changes": json.loads(changes.to_json()), "asked": [*map(named, asked)], "table": with_terms(),
    }  # fmt: skip
    opened = evaluated(OPENED, {ENGINE: "engine"}, BEFORE.format(given=json.dumps(json.dumps(given))))
    for mine, quantity in zip(opened, asked, strict=True):
        theirs = open_number(quantity)
        formula = re.sub(r"_\{(\w)\}", r"_\1", mine["formula"])  # braces are for more than one character
        assert (mine["form"], mine["name"], formula) == (theirs.form, theirs.name, as_text(theirs.formula))
        assert mine["redone"] == pytest.approx(theirs.combined, abs=NEAR), quantity
        assert (mine["shown"] is None) == (theirs.shown is None), quantity
        assert mine["agrees"], quantity
        assert mine["tolerance"] == pytest.approx(theirs.tolerance, rel=0.01, abs=1e-9), quantity
        assert len(mine["terms"]) + mine["more"] == len(theirs.terms) + theirs.rest_count
        if not mine["more"]:  # of many terms the largest are shown, and of those alike either
            leads = [one for term in mine["terms"] for one in term["opens"]]
            assert all(named(one) in leads for one in theirs.opens), quantity
            assert sorted(term["label"] for term in mine["terms"]) == sorted(term.label for term in theirs.terms)


@pytest.mark.parametrize(("network", "changes"), NETWORKS)
def test_any_number_of_a_recurrent_network_opens_alike(
    make_model: Callable[..., Pretrained], network: dict[str, Any], changes: Intervention
) -> None:
    assert_same(make_model(**network), SENTENCE, changes, (*FORWARD, *AFTERWARDS))


@pytest.mark.parametrize("changes", HEADS)
def test_any_number_of_a_transformer_opens_alike(changes: Intervention) -> None:
    assert_same(load_transformer(shipped("reverse-transformer")), DIGITS, changes, (*TRANSFORMER, *SHARED))
