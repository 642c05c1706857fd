import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from regard.app.components.shared.modules import STEPPER, script
from regard.app.export.page import page, words
from regard.model.arithmetic.kinds import KINDS
from regard.model.arithmetic.quantity import Quantity, sides
from regard.model.cells import CELLS
from regard.model.changes import what_if
from regard.model.changes.intervention import ATTENTIONS, Intervention
from regard.model.decoder import WIRINGS
from regard.model.scores import SCORES
from regard.model.trace import Trace
from regard.model.transformer.trace import TransformerTrace
from regard.model.translate import translate
from tests.support.exported_page import SENTENCE, told_by_page
from tests.support.made_traces import MAKER
from tests.support.small_transformer import small_transformer


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


def clickable(trace: Trace) -> list[dict[str, str | int]]:
    """One or more of each kind of number in a trace, as the browser names them."""
    last, produced = len(trace.target) - 1, int(trace.target_ids[-1])
    places: list[dict[str, str | int]] = [
        *({"kind": "score", "step": last, "position": position} for position in range(len(trace.source))),
        *({"kind": "weight", "step": step, "position": 2} for step in range(last + 1)),
        *({"kind": "word_weight", "rows": rows, "row": 0, "column": 1} for rows in ("output", "input", "step")),
        {"kind": "annotation", "position": 1, "component": 3},
        {"kind": "embedding", "position": 1, "component": 3},
        {"kind": "fed_embedding", "step": 1, "component": 3},
        *({"kind": kind, "step": step, "component": 2} for kind in ("state", "cell") for step in (-1, last)),
        *({"kind": kind, "step": last, "component": 2} for kind in ("context", "attentional")),
        *({"kind": "attentional", "step": -1, "component": 2} for _ in range(trace.maker.input_feeding)),
        *({"kind": "probability", "step": last, "token": token} for token in (*trace.top_ids[-1].tolist(), produced)),
        {"kind": "rest", "step": 0},
        *({"kind": "entropy", "step": step} for step in range(last + 1)),
        {"kind": "log_probability", "step": 1},
        {"kind": "total_log_probability"},
    ]
    return [{"trace": 1, **place} for place in places]


def value_of(trace: Trace, asked: Quantity) -> float:
    match asked.kind:
        case "word_weight":
            return trace.alignment.by_words(asked.rows).weights[asked.row, asked.column]
        case "annotation" | "embedding":
            return getattr(trace, f"{asked.kind}s")[asked.position, asked.component]
        case "state" | "cell" | "attentional" if asked.step < 0:
            return getattr(trace, f"initial_{asked.kind}")[asked.component]
        case "probability":
            ids = trace.top_ids[asked.step].tolist()
            listed = asked.token in ids
            found = trace.top_probabilities[asked.step, ids.index(asked.token)] if listed else None
            return np.exp(trace.log_probabilities[asked.step]) if found is None else found
        case "rest":
            return trace.rest[asked.step]
        case "entropy":
            return float(np.float32(trace.entropy[asked.step]))
        case "log_probability":
            return trace.log_probabilities[asked.step]
        case "total_log_probability":
            return trace.log_probability
        case "score" | "weight":
            return {"score": trace.scores, "weight": trace.weights}[asked.kind][asked.step, asked.position]
    arrays = {"state": trace.states, "cell": trace.cells, "context": trace.contexts, "attentional": trace.attentional}
    arrays |= {"fed_embedding": trace.fed_embeddings}
    return arrays[asked.kind][asked.step, asked.component]


def test_a_clicked_number_is_told_by_the_apps_name_and_its_exact_value(before: Trace, after: Trace) -> None:
    asked = clickable(after)
    for place, told in zip(asked, told_by_page(page([before, after]), asked), strict=True):
        quantity = Quantity.parse(place)
        quantity.check(after)
        assert told["name"] == quantity.name(after)
        number = float(told["value"].replace("−", "-"))
        wanted = value_of(after, quantity)
        assert number == wanted if quantity.kind == "total_log_probability" else np.float32(number) == wanted


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
    model = small_transformer()
    (before,) = translate(model, [SENTENCE])
    row = tuple(float(position == 1) for position in range(len(before.source)))
    heads = Intervention(
        weights=((2, row),), hidden=(0,), bonus=((0, 2, 1.5),), temperature=2.0,
        heads_off=(("cross", 0, 1), ("decoder", 1, 0)), head_weights=(("cross", 1, 0, 1, row),),
    )  # fmt: skip
    return before, what_if.translate(model, SENTENCE, heads)


def of_heads(trace: TransformerTrace) -> Iterator[Place]:
    """One or more of each kind of number that belongs to a head or a layer, as the browser names them."""
    for attention, layer in product(ATTENTIONS, (0, 1)):
        last, at = len(sides(trace, attention)[0].tokens) - 1, {"attention": attention, "layer": layer}
        for head, (row, column) in product((-1, 0, 1), ((0, 0), (1, 1), (last, 2))):
            place: Place = {**at, "head": head, "row": row}
            yield {"kind": "head_weight", **place, "column": column}
            yield {"kind": "head_entropy", **place}
            yield {"kind": "head_word_weight", **place, "rows": "output", "column": 1} | {"row": 1}
            if head >= 0:
                yield {"kind": "head_query", **place, "component": 3}
                yield {"kind": "head_key", **at, "head": head, "column": 1, "component": 3}
        yield {"kind": "heads_joined", **at, "row": 1, "component": 2}
        if attention != "cross":
            yield {"kind": "feed_forward", **at, "row": 1, "component": 2}


def test_a_number_of_a_head_is_told_by_the_apps_name(traces: tuple[TransformerTrace, TransformerTrace]) -> None:
    asked = [{"trace": 1, **place} for place in of_heads(traces[1])]
    for place, told in zip(asked, told_by_page(page(traces), asked), strict=True):
        assert told["name"] == Quantity.parse(place).name(traces[1])
        assert float(told["value"].replace("−", "-")) == pytest.approx(0, abs=1e3)
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
