from collections.abc import Callable
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from regard.app.visitor.question import EXAMPLE
from regard.app.wording import MEAN_OF_HEADS
from regard.model.checkpoint import DEFAULT, Pretrained, shipped
from regard.model.decoding import beam
from regard.model.decoding.beam import grow
from regard.model.decoding.beam_tree import BeamSettings
from regard.model.transformer.checkpoint import load_transformer
from tests.support.screens import on_screen
from tests.support.sent import sent

SENTENCE = "I don't love the red car."


@pytest.fixture
def tiny(offer: Callable[..., Pretrained]) -> Pretrained:
    """A tiny model, where the app looks for its own."""
    return offer(DEFAULT)


def drawn(screen: AppTest) -> dict[str, Any]:
    """Return the data sent to the browser."""
    assert not screen.exception
    return sent(screen.get("bidi_component")[0])


def test_the_settings_are_those_of_the_search(screen: AppTest, tiny: Pretrained) -> None:
    screen.run().slider(key="beam_width").set_value(3)
    screen.slider(key="beam_alpha").set_value(1.0)
    screen.slider(key="beam_coverage").set_value(0.3).run()
    shown, tree = drawn(screen), grow(tiny, EXAMPLE, BeamSettings(3, 1.0, 0.3))
    assert (shown["width"], shown["alpha"], shown["coverage"]) == (3, 1.0, 0.3)
    assert [one["score"] for one in shown["ranking"] if one["place"]] == [
        tree.nodes[node].score for node in tree.hypotheses
    ]


def test_a_link_restores_the_settings_and_what_was_added_by_hand(screen: AppTest, tiny: Pretrained) -> None:
    tree = grow(tiny, SENTENCE, BeamSettings(2))
    node = next(index for index, one in enumerate(tree.nodes) if one.fate == "pruned" and not one.ends)
    path = ".".join(map(str, tree.ids(node)))
    screen.query_params.update({"sentence": SENTENCE, "beam_width": "2", "expanded": path})
    shown = drawn(screen.run())
    assert screen.slider(key="beam_width").value == 2
    assert shown["added"] == [{"node": node, "text": path}]
    by_hand = shown["nodes"]["fates"].index("by hand")
    assert shown["nodes"]["fate"].count(by_hand) == 2
    assert screen.query_params["expanded"] == path


def test_another_sentence_begins_without_what_was_added(screen: AppTest, tiny: Pretrained) -> None:
    tree = grow(tiny, SENTENCE, BeamSettings())
    screen.query_params.update({"sentence": SENTENCE, "expanded": str(tree.nodes[-1].token_id)})
    screen.run().text_input(key="sentence").set_value("The cat sat on the mat.").run()
    assert drawn(screen)["added"] == []
    assert "expanded" not in screen.query_params


def test_a_transformer_is_searched_and_the_screen_says_which_weights_are_shown() -> None:
    model, settings = load_transformer(shipped("reverse-transformer")), BeamSettings(3, coverage=0.5)
    tree = grow(model, "2 5 9 1", settings)
    node = next(place for place, one in enumerate(tree.nodes) if one.fate == "pruned" and not one.ends)
    path = ".".join(map(str, tree.ids(node)))
    screen = on_screen("beam")
    link = {"model": model.name, "sentence": "2 5 9 1", "beam_width": "3", "beam_coverage": "0.5", "expanded": path}
    screen.query_params.update(link)
    shown = drawn(screen.run())
    assert not screen.info
    assert shown["ranking"][0]["text"] == beam.translate(model, ["2 5 9 1"], settings)[0].text == "1 9 5 2"
    assert shown["added"] == [{"node": node, "text": path}]
    assert f"{MEAN_OF_HEADS} Coverage counts the same weights." in [caption.value for caption in screen.caption]
    assert {name: screen.query_params[name] for name in link} == link
