import re
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from regard.app.export.page import page, words
from regard.model.arithmetic.quantity import Quantity, merged_words, sides
from regard.model.changes import what_if
from regard.model.changes.intervention import Intervention
from regard.model.changes.kinds import ATTENTIONS
from regard.model.trace import entropy
from regard.model.transformer.trace import TransformerTrace
from regard.model.translate import translate
from tests.support.exported_page import SENTENCE, told_by_page
from tests.support.javascript import STEPPER
from tests.support.small_transformer import small_transformer

Place = dict[str, str | int]
OF_HEAD = {"head_query": "queries", "head_key": "keys", "head_value": "values", "head_mixed": "mixed"}
OF_LAYER = {"normalised": "normalised", "heads_joined": "output", "attention_stream": "stream"}
OF_SIDE = {"hidden": "hidden", "feed_forward": "output", "feed_forward_stream": "stream"}
LAYERS = ({"layer": 0}, {"layer": 1})


@pytest.fixture(scope="module")
def traces() -> tuple[TransformerTrace, TransformerTrace]:
    """Before and after everything that can be changed of heads is."""
    model = small_transformer()
    (before,) = translate(model, [SENTENCE])
    row = tuple(float(position == 1) for position in range(len(before.source)))
    heads = Intervention(
        weights=((2, row),), hidden=(0,), bonus=((0, 2, 1.5),), temperature=2.0,
        heads_off=(("cross", 0, 1), ("decoder", 1, 0)), head_weights=(("cross", 1, 0, 1, row),),
    )  # fmt: skip
    return before, what_if.translate(model, SENTENCE, heads)


def weights(trace: TransformerTrace) -> Iterator[Place]:
    """Weights and scores of every head and mean."""
    for attention in ATTENTIONS:
        looking, looked = sides(trace, attention)
        last = len(looking.tokens) - 1
        for layer, head in ((layer, head) for layer in (0, 1) for head in (-1, 0, 1)):
            at: Place = {"attention": attention, "layer": layer, "head": head}
            for row, column in ((0, 0), (0, 1), (1, 1), (2, 1), (last, 2), (last, len(looked.tokens) - 1)):
                yield {"kind": "head_weight", **at, "row": row, "column": column}
                if head >= 0 and (attention != "decoder" or column <= row):
                    yield {"kind": "head_score", **at, "row": row, "column": column}
            yield {"kind": "head_entropy", **at, "row": 1}
            for rows in ("output", "step") if attention == "encoder" else ("output", "input", "step"):
                yield {"kind": "head_word_weight", **at, "rows": rows, "row": 1, "column": 1}


def vectors() -> Iterator[Place]:
    """Components of every vector that the stepper shows."""
    for attention in ATTENTIONS:
        for layer in LAYERS:
            at: Place = {"attention": attention, **layer}
            yield from ({"kind": kind, **at, "row": 1, "component": 2} for kind in OF_LAYER)
            for kind in OF_HEAD:
                which = "column" if kind in ("head_key", "head_value") else "row"
                yield from ({"kind": kind, **at, "head": head, which: 1, "component": 3} for head in (0, 1))
            if attention != "cross":
                yield from ({"kind": kind, **at, "row": 1, "component": 2} for kind in OF_SIDE)
    yield {"kind": "annotation", "position": 1, "component": 2}
    yield {"kind": "attentional", "step": 1, "component": 2}


def value_of(trace: TransformerTrace, asked: Quantity) -> Any:
    layer, row, component = asked.layer, asked.row, asked.component
    match asked.kind:
        case "annotation" | "attentional":
            return {"annotation": trace.annotations, "attentional": trace.attentional}[asked.kind][1, component]
        case "head_word_weight":
            return merged_words(trace, asked)[0].weights[row, asked.column]
    if asked.kind in OF_SIDE:
        side = trace.encoder_feed_forward if asked.attention == "encoder" else trace.decoder_feed_forward
        return getattr(side, OF_SIDE[asked.kind])[layer, row, component]
    numbers = trace.attention(asked.attention)
    if asked.kind in OF_LAYER:
        return getattr(numbers, OF_LAYER[asked.kind])[layer, row, component]
    if asked.kind in OF_HEAD:
        place = asked.column if asked.kind in ("head_key", "head_value") else row
        return getattr(numbers, OF_HEAD[asked.kind])[layer, asked.head, place, component]
    if asked.kind == "head_entropy":
        rows = numbers.weights[layer, asked.head] if asked.head >= 0 else numbers.mean(layer)
        return np.float32(entropy(rows)[row])
    if asked.head < 0:
        return numbers.mean(layer)[row, asked.column]
    return {"head_weight": numbers.weights, "head_score": numbers.scores}[asked.kind][
        layer, asked.head, row, asked.column
    ]


def test_every_vector_of_the_panel_is_among_those_asked_for_here(
    traces: tuple[TransformerTrace, TransformerTrace],
) -> None:
    heads, panel = ((STEPPER / name).read_text("utf-8") for name in ("trace_reading.js", "panel.js"))
    named = dict(re.findall(r'(\w+): \["(?:head|looked|layer|side)", "(\w+)"\]', heads))
    panel = panel[panel.index("const OF_HEAD") :]
    shown = [named[name] for name in re.findall(r'^  \["(\w+)", "[^"]+", "\w"\]', panel, re.MULTILINE)]
    assert {*shown} == {*OF_HEAD, *OF_LAYER, *OF_SIDE}
    assert {
        *shown,
        "head_score",
        "head_weight",
        "head_entropy",
        "head_word_weight",
        "annotation",
        "attentional",
    } <= words(traces[0].maker).keys()


def test_a_number_of_a_head_is_told_by_the_apps_name_and_its_exact_value(
    traces: tuple[TransformerTrace, TransformerTrace],
) -> None:
    after = traces[1]
    asked = [{"trace": 1, **place} for place in (*weights(after), *vectors())]
    assert len(asked) > 150
    for place, told in zip(asked, told_by_page(page(traces), asked), strict=True):
        quantity = Quantity.parse(place)
        quantity.check(after)
        assert told["name"] == quantity.name(after)
        assert np.float32(told["value"].replace("−", "-")) == value_of(after, quantity), place
        assert told["words"]


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
