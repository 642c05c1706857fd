import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from regard.app.components.shared.modules import STEPPER, script
from regard.app.export.page import page, words
from regard.model.arithmetic.quantity import KINDS
from regard.model.cells import CELLS
from regard.model.changes import what_if
from regard.model.changes.intervention import Intervention
from regard.model.checkpoint import AnyModel, Pretrained, shipped
from regard.model.decoder import WIRINGS
from regard.model.scores import SCORES
from regard.model.trace import AnyTrace, Trace
from regard.model.transformer.checkpoint import load_transformer
from regard.model.transformer.trace import TransformerTrace
from regard.model.translate import translate
from tests.support.every_number import named, opener, some
from tests.support.exported_page import told_by_page
from tests.support.made_traces import MAKER

REVERSING, DIGITS = load_transformer(shipped("reverse-transformer")), "2 5 9"
CLICKABLE = """score weight word_weight annotation embedding fed_embedding state cell context attentional probability
    rest entropy log_probability total_log_probability""".split()
OF_HEADS = """head_score head_weight head_word_weight head_entropy head_query head_key head_value head_mixed
    heads_joined attention_stream hidden feed_forward feed_forward_stream embedded""".split()


def test_every_number_that_can_be_clicked_has_words_whatever_the_model() -> None:
    between = {"score", "weight", "word_weight", "posterior", "word_posterior"}
    clicked = {"state", "cell", "context", "attentional"} | between
    clicked |= set(re.findall(r'kind: "(\w+)"', script(STEPPER / "stepper.js")))
    kinds = clicked & KINDS.keys()
    assert len(kinds) > 10
    for score, wiring, cell in product(SCORES, WIRINGS, CELLS):
        told = words(replace(MAKER, score=score, wiring=wiring, cell=cell))
        assert kinds <= told.keys()
        assert not re.search(r"\{(?!bonus|temperature)", "".join(told.values()))


def assert_told(model: AnyModel, traces: Sequence[AnyTrace], kinds: Sequence[str]) -> None:
    """Check that the page tells numbers of the second trace by the app's names, with the exact values."""
    asked = [replace(one, trace=1) for kind in kinds for one in some(kind, traces[1])]
    open_number = opener(model, traces[1])
    for quantity, told in zip(asked, told_by_page(page(traces), [*map(named, asked)]), strict=True):
        assert told["name"] == quantity.name(traces[1])
        assert told["words"]
        number, wanted = float(told["value"].replace("−", "-")), open_number(quantity).shown
        assert np.float32(number) == np.float32(wanted), quantity


def test_a_clicked_number_is_told_by_the_apps_name_and_its_exact_value(
    tiny_model: Pretrained, before: Trace, after: Trace
) -> None:
    assert_told(tiny_model, [before, after], CLICKABLE)


def test_how_a_number_is_made_holds_where_a_person_changed_it(before: Trace, after: Trace) -> None:
    places: dict[str, dict[str, str | int]] = {
        "1.5 that a person added, all divided by the temperature 2": {"kind": "score", "step": 0, "position": 2},
        "0 that a person added, all divided by the temperature 2": {"kind": "score", "step": 1, "position": 2},
        "Set by hand.": {"kind": "weight", "step": 2, "position": 1},
        "may not be looked at": {"kind": "weight", "step": 0, "position": 0},
        "softmax": {"kind": "weight", "step": 0, "position": 1},
        "starts from nothing": {"kind": "state", "step": -1, "component": 0},
    }
    asked = [{"trace": 1, **place} for place in places.values()]
    told = told_by_page(page([before, after]), asked)
    for words_, one in zip(places, told, strict=True):
        assert words_ in one["words"]


# A Transformer's numbers


Place = dict[str, str | int]


@pytest.fixture(scope="module")
def traces() -> tuple[TransformerTrace, TransformerTrace]:
    """Before and after everything that can be changed of heads is."""
    (before,) = translate(REVERSING, [DIGITS])
    row = tuple(float(position == 1) for position in range(len(before.source)))
    heads = Intervention(
        weights=((2, row),), hidden=(0,), bonus=((0, 2, 1.5),), temperature=2.0,
        heads_off=(("cross", 0, 1), ("decoder", 1, 0)), head_weights=(("cross", 1, 0, 1, row),),
    )  # fmt: skip
    return before, what_if.translate(REVERSING, DIGITS, heads)


def test_a_number_of_a_head_is_told_by_the_apps_name(traces: tuple[TransformerTrace, TransformerTrace]) -> None:
    assert_told(REVERSING, traces, OF_HEADS)


def test_how_a_weight_of_a_head_is_made_holds_where_a_person_changed_it(
    traces: tuple[TransformerTrace, TransformerTrace],
) -> None:
    def weight(attention: str, layer: int, head: int, row: int, column: int) -> Place:
        place: Place = {"attention": attention, "layer": layer, "head": head, "row": row, "column": column}
        return {"trace": 1, "kind": "head_weight", **place}

    expected = {
        "this head is switched off": weight("cross", 0, 1, 1, 1),
        "Set by hand.": weight("cross", 1, 0, 1, 1),  # of this head
        "Set by hand": weight("cross", 1, 1, 2, 1),  # of all heads
        "may not be looked at": weight("cross", 1, 1, 1, 0),  # masked
        "this token may not be looked at": weight("decoder", 0, 0, 1, 2),  # still to come
        "divided by how many heads": weight("cross", 1, -1, 1, 1),
        "(softmax)": weight("encoder", 0, 0, 1, 0),
        "1.5 that a person added, all divided by the temperature 2": {
            **weight("cross", 1, 0, 0, 2),
            "kind": "head_score",
        },
        "square root": {**weight("decoder", 0, 0, 1, 1), "kind": "head_score"},  # the temperature is of cross-attention
    }
    told = told_by_page(page(traces), list(expected.values()))
    for part, one in zip(expected, told, strict=True):
        assert part in one["words"]
