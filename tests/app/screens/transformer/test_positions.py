import json

import pytest
from streamlit.testing.v1 import AppTest

from regard.app.models.traces import REVERSER, WITHOUT_POSITIONS
from regard.app.screens.transformer.ideas import EXAMPLE, PARTS, read, reordered
from regard.app.theme import percent
from regard.model.checkpoint import PRETRAINED
from regard.model.synthetic.tasks import written
from regard.model.transformer.checkpoint import load_transformer
from regard.model.translate import translate
from tests.support.screens import on_screen, opened
from tests.support.sent import numbers


@pytest.fixture
def screen() -> AppTest:
    screen = opened(on_screen("transformer"), "waves", "counting")
    screen.query_params["part"] = PARTS["positions"]["title"]
    return screen


def said(screen: AppTest) -> str:
    return "\n".join(element.value for element in screen.markdown)


def test_what_reads_as_numbers_that_the_models_know() -> None:
    assert read("3 1  4") == (3, 1, 4)
    assert not any(map(read, ("", "12", "a", "1,2", "−1", "٣", " ".join("1" * 16))))
    assert reordered((3, 1, 2)) == ((2, 1, 3), (1, 2, 3))
    assert not reordered((1, 1))


def test_with_positions_the_sequence_is_reversed_and_without_its_order_makes_no_difference(screen: AppTest) -> None:
    screen.run()
    assert not screen.exception
    assert len(screen.get("plotly_chart")) == 5
    sequence = read(EXAMPLE)
    without = load_transformer(PRETRAINED / WITHOUT_POSITIONS)
    orders = [trace.text for trace in translate(without, list(map(written, (sequence, *reordered(sequence)))))]
    assert len(set(orders)) == 1
    told = said(screen)
    assert f"it writes {written(sequence[::-1])}, the sequence reversed" in told
    assert f"it writes {orders[0]}, not {written(sequence[::-1])}" in told
    assert f"the model without positions writes {orders[0]}, the same." in told
    for name in (REVERSER, WITHOUT_POSITIONS):
        scores = json.loads((PRETRAINED / name / "scores.json").read_text(encoding="utf-8"))
        assert f"**{percent(scores['task']['exact']['share'])}**" in told


def test_a_head_is_drawn_as_it_is_and_what_is_no_sequence_is_told(screen: AppTest) -> None:
    screen.run()
    screen.selectbox(key="crosshead").set_value("layer 1, head 2").run()
    trace = translate(load_transformer(PRETRAINED / REVERSER), [EXAMPLE])[0]
    specs = {element.proto.alt: json.loads(element.proto.spec) for element in screen.get("plotly_chart")}
    drawn = numbers(specs["With positions: where each step looks, layer 1, head 2"]["data"][0]["z"])
    assert drawn == pytest.approx(100 * trace.cross_attention.weights[0, 1])
    screen.text_input(key="sequence").set_value("3 <b> 12").run()
    assert not screen.exception
    assert any("is not a sequence that these models know" in error.value for error in screen.error)
