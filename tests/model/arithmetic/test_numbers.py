import json
import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import asdict, replace
from itertools import product
from string import Template
from typing import Any

import numpy as np
import pytest

from regard.app.arithmetic.equations import formula
from regard.model.arithmetic.kinds import (
    AFTERWARDS,
    FORMS,
    FORWARD,
    KINDS,
    SCORES,
    SHARED,
    TRANSFORMER,
    for_pages,
)
from regard.model.arithmetic.quantity import Quantity, accepted
from regard.model.arithmetic.recurrent import work_out
from regard.model.arithmetic.terms import Derivation
from regard.model.arithmetic.transformer import work_out_transformer
from regard.model.cells import CELLS
from regard.model.changes import what_if
from regard.model.changes.intervention import UNTOUCHED, Intervention
from regard.model.checkpoint import Pretrained, shipped
from regard.model.decoder import WIRINGS
from regard.model.reference.recompute import load_parameters, recompute, recompute_posterior
from regard.model.reference.transformer import load_transformer_parameters, recompute_transformer
from regard.model.scores import SCORES as CLASSES
from regard.model.trace import Maker
from regard.model.transformer.checkpoint import load_transformer
from regard.model.word_alignment.posterior import posterior
from tests.support.every_number import is_there, places
from tests.support.javascript import APP, evaluated

ENGINE = APP / "export" / "engine"
SENTENCES = ("I love you.", "The old house!", "She's here.")
DIGITS = "2 5 9"
STEERED = Intervention(bonus=((1, 0, 0.5),), hidden=(2,))
Worked = tuple[Derivation, Maker]


def recurrent(model: Pretrained, sentence: str, changes: Intervention) -> Iterator[Worked]:
    """Some numbers of every kind of one translation, opened."""
    trace, weights = what_if.translate(model, sentence, changes), load_parameters(model.folder, np.float64)
    row = np.full(len(trace.source), 1 / len(trace.source))
    found = recompute(weights, trace.source_ids, trace.target_ids, changes.steering(*trace.weights.shape))
    for kind in FORWARD:
        for asked in spread(places(kind, trace), trace):
            yield work_out(asked, trace, found, weights), trace.maker
    shown, again = posterior(model, trace), recompute_posterior(weights, found)
    for kind in AFTERWARDS:
        for asked in spread(places(kind, trace), trace):
            yield work_out(asked, trace, found, weights, shown, again, model.tokenizer.token), trace.maker
    by_hand = replace(found, steering=replace(found.steering, weights=row[None].repeat(len(trace.target), 0),
                      replaced=np.ones((len(trace.target), 1), dtype=bool)))  # fmt: skip
    yield work_out(Quantity("weight"), trace, by_hand, weights), trace.maker


def spread(asked: Iterator[Quantity], trace: Any) -> list[Quantity]:
    """A few numbers of a kind, in several gates, directions and steps."""
    there = [one for one in asked if is_there(one, trace)]
    kept: dict[tuple[object, ...], Quantity] = {}
    for one in there:
        kept.setdefault((one.step, one.gate, one.direction, one.position == 0, one.component < 12), one)
    return list(kept.values())


def heads(positions: bool, changes: Intervention) -> Iterator[Worked]:
    """Open every number of a Transformer."""
    model = load_transformer(shipped("reverse-transformer" if positions else "reverse-transformer-nopos"))
    trace, parameters = what_if.translate(model, DIGITS, changes), load_transformer_parameters(model.folder)
    steps, sources = trace.weights.shape
    again = recompute_transformer(
        parameters,
        trace.source_ids,
        trace.target_ids,
        changes.steering(steps, sources),
        changes.all_heads(sources, steps),
    )
    for kind, attention in product((*TRANSFORMER, *SHARED), ("encoder", "decoder", "cross")):
        indices = KINDS[kind].indices
        for last in (0, -1):
            asked = Quantity(kind, step=1, position=1, component=2, token=int(trace.target_ids[1]))
            if "attention" in indices:
                asked = replace(asked, attention=attention)
                if attention not in accepted(asked, "attention", trace):
                    continue
                for name in [name for name in indices if name not in ("attention", "rows")]:
                    asked = replace(asked, **{name: accepted(asked, name, trace)[last]})
            yield work_out_transformer(asked, trace, again, parameters), trace.maker


@pytest.fixture(scope="module")
def worked(make_model: Callable[..., Pretrained]) -> list[Worked]:
    """Numbers of every kind in every wiring: of every score, cell and start, changed and unchanged; and of heads."""
    found: list[Worked] = []
    for number, (score, wiring, cell) in enumerate(product(CLASSES, WIRINGS, CELLS)):
        model = make_model(
            score=score,
            wiring=wiring,
            cell=cell,
            initial_state="encoder" if cell == "gru" else "zero",
            input_feeding=(score, wiring) == ("dot", "luong"),
        )
        changes = UNTOUCHED if score == "none" else STEERED
        found += recurrent(model, SENTENCES[number % len(SENTENCES)], changes)
    off = Intervention(heads_off=(("cross", 1, 3),), bonus=((0, 0, 0.5),), hidden=(1,))
    for positions, changes in ((True, UNTOUCHED), (True, off), (False, UNTOUCHED)):
        found += heads(positions, changes)
    return found


def test_the_terms_make_every_number_again_and_numpy_confirms_what_is_shown(worked: list[Worked]) -> None:
    for working, maker in worked:
        if working.form == "given":
            continue
        heads = maker.wiring == "transformer"  # whose numbers are float32, all others float64
        again = pytest.approx(working.recomputed, rel=1e-4 * heads, abs=working.tolerance if heads else 1e-10)
        assert not working.terms or working.combined == again, working.name
        assert working.agrees, working.name


def test_every_form_that_an_opener_yields_is_in_the_table_and_none_else(worked: list[Worked]) -> None:
    assert {working.form for working, _ in worked} == FORMS.keys()


def test_both_languages_write_the_same_formula_for_every_number(worked: list[Worked]) -> None:
    sent = [
        {
            "working": {
                "form": working.form,
                "reads": working.reads,
                "terms": [{"opens": [asdict(one) for one in working.opens]}],
            },
            "asked": {"kind": working.quantity.kind}
            | {name: getattr(working.quantity, name) for name in KINDS[working.quantity.kind].indices},
            "asking": working.asking,
        }
        for working, _ in worked
    ]
    table = json.dumps(for_pages(), ensure_ascii=False)
    before = f"const numbers = {table};\nconst given = {json.dumps(sent)};"
    written = evaluated(
        "given.map((one) => formulaOf(one.working, one.asked, one.asking, numbers))",
        {ENGINE / "quantity.js": "formulaOf"},
        before,
    )
    for (working, _), text in zip(worked, written, strict=True):
        assert text == formula(working, "text"), working.quantity
        assert not re.search(r"\$|undefined|NaN", text + formula(working, "latex")), working.quantity


def test_latex_and_text_of_a_form_have_the_same_placeholders() -> None:
    for name, form in (FORMS | KINDS).items():
        latex, text = (Counter(Template(one).get_identifiers()) for one in (form.latex, form.text))
        assert latex == text, name


def test_the_engine_describes_each_score_as_the_table_does() -> None:
    assert evaluated("SCORES", {ENGINE / "seq2seq.js": "SCORES"}) == {
        name: {"keys": score.keys, "compares": score.compares, "scaled": score.scaled} for name, score in SCORES.items()
    }
    assert SCORES.keys() == CLASSES.keys()


@pytest.mark.parametrize("name", SCORES)
def test_a_score_has_the_parameters_that_the_table_names(name: str) -> None:
    keys = SCORES[name].keys
    assert keys == "" or hasattr(CLASSES[name](4, 4), keys)
    assert f"score/{name}" in FORMS
    assert keys == "" or f"key/{keys}" in FORMS
