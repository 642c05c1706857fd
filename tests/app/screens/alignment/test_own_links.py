from typing import Any, cast

import pytest
from streamlit.testing.v1 import AppTest

from regard.app.components.link_grid.mount import NAME
from regard.app.models.models import scores
from regard.app.screens.alignment.links import rate
from regard.app.visitor.pickers import head_names
from regard.model.checkpoint import Pretrained
from regard.model.checkpoint import shipped as shipped_folder
from regard.model.transformer.checkpoint import load_transformer
from regard.model.translate import translate
from regard.model.word_alignment.alignment_error_rate import agreement
from regard.model.word_alignment.from_attention import MEAN, CrossHead, alignment_of, of_words
from tests.support.alignment_screen import SENTENCE, STORY, grid, own, said


def test_marks_are_measured_as_the_definition_says(screen: AppTest, shipped: Pretrained) -> None:
    alignment = translate(shipped, [SENTENCE])[0].alignment
    counts = agreement(alignment.links(), [(0, 0), (3, 2)], [(1, 1)])
    told = said(own(screen, "0-0 1p1 3-2"))
    assert f"**Alignment error rate {rate(counts.error_rate)}**" in told
    assert grid(screen)["marks"] == "0-0 1p1 3-2"
    assert screen.text_input(key="marks").value == "0-0 1p1 3-2"


def test_nothing_is_measured_before_the_first_link_and_the_weights_are_not_shown(screen: AppTest) -> None:
    told = said(own(screen))
    assert "Nothing is linked yet" in told
    assert "Alignment error rate" not in told
    assert (grid(screen)["weights"], grid(screen)["proposed"]) == ([], [])


@pytest.mark.parametrize("text", ["0-99", "hello", "0-0 1x1", "<b>$x$</b>"])
def test_a_wrong_link_is_told_and_the_last_right_ones_stay(screen: AppTest, text: str) -> None:
    own(screen, "0-0 1p1")
    screen.text_input(key="marks").set_value(text).run()
    assert "Your last links are kept" in screen.error[0].value
    assert grid(screen)["marks"] == "0-0 1p1"


def test_marks_belong_to_their_words_and_are_there_again_with_them(screen: AppTest) -> None:
    own(screen, "0-0 1p1").text_input(key="sentence").set_value("Where are you?").run()
    assert not screen.exception
    assert (grid(screen)["marks"], screen.text_input(key="marks").value) == ("", "")
    screen.text_input(key="sentence").set_value(SENTENCE).run()
    assert grid(screen)["marks"] == "0-0 1p1"


def test_marks_are_there_again_after_another_view(screen: AppTest) -> None:
    own(screen, "0-0 1p1")
    for view in ("set", "own"):
        cast(Any, screen.get_by_key("view")).set_value(view).run()
        mounted = [each.proto.component_name for each in screen.get("bidi_component")]
        assert (NAME in mounted) == (view == "own")
    assert grid(screen)["marks"] == "0-0 1p1"


TRANSFORMER = "en-fr-transformer"


@pytest.mark.parametrize("rows", ["output", "input"])
def test_links_are_measured_against_the_head_that_is_chosen(screen: AppTest, rows: str) -> None:
    model = load_transformer(shipped_folder(TRANSFORMER))
    (trace,) = translate(model, [SENTENCE])
    screen.query_params["model"] = TRANSFORMER
    own(screen, "0-0 1p1 3-2")
    cast(Any, screen.get_by_key("read_from")).set_value(rows).run()
    names = head_names(model.config)
    picker = screen.selectbox(key="cross_head")
    assert picker.options == list(names.values())
    assert names[cast(CrossHead, picker.value)] == "layer 3, mean of the heads"  # what every other screen shows
    for place in (CrossHead(1, 2), CrossHead(2, MEAN), CrossHead(MEAN, MEAN)):
        screen.selectbox(key="cross_head").set_value(place).run()
        counts = agreement(alignment_of(trace, place).links(rows), [(0, 0), (3, 2)], [(1, 1)])
        assert f"**Alignment error rate {rate(counts.error_rate)}**" in said(screen)
    screen.toggle(key="seen").set_value(True).run()
    weights = of_words(frozenset(), frozenset(), alignment_of(trace, CrossHead(MEAN, MEAN)), rows).weights
    assert grid(screen)["weights"] == weights.tolist()


def test_the_total_of_a_story_by_a_head_is_that_of_scores_json(screen: AppTest) -> None:
    found = scores(TRANSFORMER)["alignments"]["heads"]["chosen_on_the_others"][STORY]
    names = head_names(load_transformer(shipped_folder(TRANSFORMER)).config)
    head = names[CrossHead(found["layer"], found["head"])]
    read_from = {"output": "weights, output word", "input": "weights, input word"}[found["rows"]]
    screen.query_params.update({"model": TRANSFORMER, "cross_head": head, "read_from": read_from})
    told = said(screen.run())
    assert names[cast(CrossHead, screen.selectbox(key="cross_head").value)] == head
    assert f"AER {rate(found['aer'])}" in told
