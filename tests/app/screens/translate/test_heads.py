import json

import numpy as np
from streamlit.testing.v1 import AppTest

from benchmarks.server import ROOT
from regard.app.theme import component
from regard.model.analysis.head_ablation import ablated
from regard.model.archive import to_json
from regard.model.changes import what_if
from regard.model.changes.intervention import Intervention, head_name
from regard.model.checkpoint import shipped
from regard.model.transformer.checkpoint import load_transformer
from tests.support.sent import numbers, sent

NAME, SENTENCE = "reverse-transformer", "2 5 9 1"


def opened(**link: str) -> AppTest:
    screen = AppTest.from_file(ROOT / "app" / "frame.py", default_timeout=60)
    for name, value in {"model": NAME, "sentence": SENTENCE, **link}.items():
        screen.query_params[name] = value
    screen.run()
    assert not screen.exception
    assert not screen.error
    return screen


def drawn(screen: AppTest) -> dict:
    """Return the data sent to the browser."""
    return sent(screen.get("bidi_component")[0])


def test_what_is_drawn_of_each_head_is_what_the_command_line_tells() -> None:
    data = drawn(opened(attention="decoder", layer="2", head="3"))
    told = json.loads(to_json(what_if.translate(load_transformer(shipped(NAME)), SENTENCE, Intervention())))
    assert (data["attention"], data["layer"], data["head"], data["posterior"]) == ("decoder", 2, 3, False)
    (trace,) = data["traces"]
    for attention in ("encoder", "decoder", "cross"):
        for layer, one in enumerate(trace["heads"][attention]["layers"]):
            for head, sent_head in enumerate(one["heads"]):
                expected = np.array(told[f"{attention}_attention.weights"][layer][head], dtype=np.float32)
                assert np.array_equal(numbers(sent_head["weight"]), expected)


def test_the_table_of_heads_tells_what_the_command_tells() -> None:
    screen = opened(sentence="2 5")
    screen.session_state["head-table"] = True
    screen.run()
    assert not screen.exception
    (told,) = [element.proto.body for element in screen.get("html") if "without each head" in element.proto.body]
    found = ablated(load_transformer(shipped(NAME)), "2 5")
    assert len(found) == told.count('<th scope="row">') == 24
    worst = max(found, key=lambda one: one.lost)
    first = told.partition('<th scope="row">')[2]
    assert first.startswith(f"{head_name(worst.head)}</th><td>{component(worst.lost)}</td><td>{worst.changed}</td>")
