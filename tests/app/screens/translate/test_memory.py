"""Translate with a memory: what was met in training at a step, rare words, and translations with its help."""

import json
import re
from dataclasses import replace
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from regard.app.arithmetic import met_in_training
from regard.app.arithmetic.met_in_training import MetInTraining
from regard.app.components.stepper.payload import mark_rare, side
from regard.model.checkpoint import Pretrained
from regard.model.memory import datastore
from regard.model.memory.datastore import SHOWN, write
from regard.model.memory.occurrences import count
from regard.model.translate import translate
from tests.support.javascript import SHARED, evaluated
from tests.support.screens import FRAME, html

SENTENCE = "The man is reading a book."


@pytest.fixture
def screen(shipped: Pretrained) -> AppTest:
    screen = AppTest.from_file(FRAME, default_timeout=60)
    screen.query_params["sentence"] = SENTENCE
    return screen


def test_a_step_opens_the_nearest_moments_of_training(screen: AppTest, shipped: Pretrained) -> None:
    screen.run()
    screen.session_state.visit.opened = (MetInTraining(0, 2),)
    screen.run()
    assert not screen.exception
    drawn = html(screen)
    assert drawn.count('data-testid="moment"') == SHOWN
    assert drawn.count("<mark>") == 2 * SHOWN
    store = datastore.load(shipped.folder, shipped.fingerprint)
    assert store is not None
    nearest = store.nearest(translate(shipped, [SENTENCE])[0].attentional[2:3], 1).distances[0, 0]
    assert f"1 · {nearest:.2f} away" in drawn
    told = " ".join(element.value for element in screen.markdown)
    assert f"over the {store.pairs:,} that the memory was made from. The model was trained on 391,182 " in told


@pytest.mark.parametrize(("far", "warned"), [(0.0, True), (1e9, False)])
def test_it_is_said_where_nothing_in_the_memory_is_close(
    far: float, warned: bool, screen: AppTest, shipped: Pretrained, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = datastore.load(shipped.folder, shipped.fingerprint)
    assert store is not None
    monkeypatch.setattr(met_in_training, "memory", lambda _: replace(store, far=far))
    screen.run()
    screen.session_state.visit.opened = (MetInTraining(0, 2),)
    screen.run()
    assert any("Nothing in the memory is close" in warning.value for warning in screen.warning) == warned


def test_the_memory_has_its_share_in_the_translation_and_in_the_link(screen: AppTest, shipped: Pretrained) -> None:
    screen.query_params["memory"] = "0.9"
    screen.run()
    assert not screen.exception
    store = datastore.load(shipped.folder, shipped.fingerprint)
    assert store is not None
    encoding = shipped.tokenizer.encode(SENTENCE, "en")
    (ids,) = write(shipped, store, [encoding], 0.9)
    drawn = html(screen)
    assert shipped.tokenizer.decode(ids) in re.sub("</?mark>", "", drawn)
    assert "written with 90% memory" in drawn
    assert "the model alone" in drawn
    assert screen.query_params["memory"] == "0.9"
    screen.slider(key="memory_share").set_value(0.0).run()
    assert not screen.exception
    assert "memory" not in screen.query_params
    assert "the model's translation" in html(screen)


def test_rare_words_and_tokens_have_their_counts(shipped: Pretrained) -> None:
    trace = translate(shipped, [SENTENCE])[0]
    text = [("The man is the man.", trace.text)] * 9 + [("the the", "le")]
    drawn: dict[str, Any] = {name: side(getattr(trace.alignment, name)) for name in ("source", "target")}
    mark_rare(drawn, trace, count(shipped.tokenizer, text))
    assert drawn["source"]["rare"]["words"] == [None, None, 9, 0, 0, 0, 9, None]
    assert set(drawn["target"]["rare"]["tokens"][:-1]) == {9}
    words = evaluated(f"labelled({json.dumps(drawn['source'])}).words", {SHARED / "alignment.js": "labelled"})
    assert [word.get("rare") for word in words] == [None, None, 9, 0, 0, 0, 9, None]
    assert words[3]["title"] == "rare: does not occur in the training text"
