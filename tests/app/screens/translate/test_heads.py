import numpy as np
from streamlit.testing.v1 import AppTest

from benchmarks.server import ROOT
from regard.app.theme import component
from regard.model.analysis.head_ablation import ablated
from regard.model.changes.intervention import head_name
from regard.model.checkpoint import shipped
from regard.model.transformer.checkpoint import load_transformer
from regard.model.translate import translate
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


def test_a_link_opens_a_head_with_its_weights() -> None:
    data = drawn(opened(attention="decoder", layer="2", head="3"))
    assert (data["attention"], data["layer"], data["head"], data["posterior"]) == ("decoder", 2, 3, False)
    (told,) = translate(load_transformer(shipped(NAME)), [SENTENCE])
    shown = data["traces"][0]["heads"]["decoder"]["layers"][1]["heads"][2]
    assert np.array_equal(numbers(shown["weight"]), told.attention("decoder").weights[1, 2])


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
