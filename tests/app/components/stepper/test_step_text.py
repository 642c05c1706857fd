import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from regard.app.components.shared.packed import as_text
from regard.app.components.stepper.payload import payload
from regard.app.theme import percent
from regard.model.alignment import AFTER, ROWS, STEP, Alignment, Posterior
from regard.model.changes.intervention import Intervention
from regard.model.changes.marks import changes
from regard.model.trace import Trace
from tests.support.made_traces import MAKER, SOURCE, TARGET, made_of, sentence
from tests.support.step_text import named, said

WEIGHTS = np.array([[0.1, 0.1, 0.7, 0.1], [0.375, 0.25, 0.25, 0.125], [0.1, 0.1, 0.2, 0.6], [0, 0, 0, 1]], np.float32)


def shown(trace: Trace, *posteriors: Posterior) -> dict[str, Any]:
    return json.loads(as_text(payload([trace], posteriors=posteriors)))["traces"][0]


def weighed(weights: np.ndarray) -> Trace:
    """`foot`, `ball` are one word of the source, and steps 2 and 3 write one word of the target."""
    return replace(made_of(SOURCE, TARGET), alignment=Alignment(SOURCE, TARGET, weights))


def without_attention(**changed: Any) -> Trace:
    weights = np.tile(np.array([0.5, 0, 0, 0.5], np.float32), (4, 1))
    return replace(weighed(weights), maker=replace(MAKER, score="none"), **changed)


@pytest.mark.parametrize("rows", ROWS)
def test_words_are_told_with_what_this_step_gives_them_and_not_with_the_mean_of_its_word(rows: str) -> None:
    drawn = shown(weighed(WEIGHTS))
    assert " the decoder looks most at football (62.5%) and writes foot " in said(drawn, 2, rows=rows)
    assert " the decoder looks most at </s> (60.0%) and writes ·ball " in said(drawn, 3, rows=rows)
    assert " the decoder looks most at foot (37.5%) and writes foot " in said(drawn, 2, "tokens", rows)


def test_the_weight_of_a_word_opens_as_the_sum_of_its_tokens_and_that_of_a_token_as_its_own() -> None:
    drawn = shown(weighed(WEIGHTS))
    word = {"trace": 0, "kind": "word_weight", "rows": STEP, "row": 1, "column": 0}
    assert word in named(drawn, 2)
    assert {"trace": 0, "kind": "weight", "step": 2, "position": 3} in named(drawn, 3)
    merged = weighed(WEIGHTS).alignment.by_words(STEP)
    assert percent(float(merged.weights[word["row"], word["column"]])) == "62.5%"


def test_the_posterior_is_told_of_this_step_too() -> None:
    trace = made_of(SOURCE, TARGET)
    drawn = shown(trace, Posterior(trace.weights, np.ones_like(WEIGHTS), WEIGHTS))
    assert "Knowing it, the posterior is most at football (62.5%)." in said(drawn, 2, rows=AFTER)
    word = {"trace": 0, "kind": "word_posterior", "rows": STEP, "row": 1, "column": 0}
    assert word in named(drawn, 2, rows=AFTER)


def test_without_attention_nothing_is_looked_at_and_every_step_gets_the_same_mean() -> None:
    for step in (1, 2, 3, 4):
        told = said(shown(without_attention()), step)
        assert "gets the same mean of the first and last annotation as at every step (50.0% each) and writes " in told
        assert "look" not in told


def test_weights_that_a_person_gave_a_model_without_attention_are_told_as_what_its_context_is_made_of() -> None:
    changed = Intervention(weights=((1, (0.0, 0.0, 1.0, 0.0)),))
    weights = np.array(without_attention().weights)
    weights[1] = [0, 0, 1, 0]
    after = without_attention(alignment=Alignment(SOURCE, TARGET, weights), intervention=changed)
    drawn = shown(after) | {"changes": changes(without_attention(), after)}
    assert " the context is made most of . (100.0%) and the decoder " in said(drawn, 2)
    assert " the context is made equally of football and </s> (50.0% each) and the decoder " in said(drawn, 3)


def test_a_model_with_attention_that_weighs_two_alike_looks_equally_at_both() -> None:
    source = sentence("en", (" a", " b"), (0, 1))
    trace = replace(made_of(source, TARGET), alignment=Alignment(source, TARGET, np.full((4, 2), 0.5, np.float32)))
    assert " the decoder looks equally at a and b (50.0% each) and writes " in said(shown(trace), 1)
