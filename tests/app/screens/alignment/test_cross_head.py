from typing import Any, cast

import pytest
from streamlit.testing.v1 import AppTest

from regard.app.models.models import scores
from regard.app.screens.alignment.stories import rate
from regard.app.visitor.pickers import head_names
from regard.model.checkpoint import shipped as shipped_folder
from regard.model.transformer.checkpoint import load_transformer
from regard.model.translate import translate
from regard.model.word_alignment.alignment_error_rate import agreement
from regard.model.word_alignment.from_attention import MEAN, CrossHead, alignment_of, of_words
from tests.support.alignment_screen import SENTENCE, STORY, grid, own, said

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
