import inspect
import json
from html import unescape
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from regard.model.examples.documents import DOCUMENTS
from regard.model.examples.program import in_torch, script
from regard.model.examples.pytorch_module import EntryByEntry, GeneralAttention
from regard.model.examples.score_presets import PRESETS
from regard.model.examples.tutorials import LUONG_GENERAL
from tests.support.screens import html, on_screen

EXAMPLES = [(document, example) for document in DOCUMENTS for example in document.examples]


@pytest.fixture
def screen() -> AppTest:
    """The document that has errata, which a visitor finds one click away."""
    screen = on_screen("worked_examples")
    screen.query_params["example"] = "luong-general"
    return screen


def test_a_newcomer_sees_an_example_that_is_right_and_the_errata_one_click_away() -> None:
    screen = on_screen("worked_examples").run()
    assert screen.selectbox(key="document").value == "query"
    next(button for button in screen.button if button.label == "A tutorial that got it wrong").click().run()
    assert screen.selectbox(key="document").value == "i-love-you"
    assert not screen.exception


def steps(screen: AppTest) -> dict[str, dict[str, Any]]:
    """Return the data sent to the browser for every step, by name."""
    components = [each for each in screen.get("bidi_component") if "matrices" in each.proto.component_name]
    found = [json.loads(each.proto.json) for each in components]
    return {step["name"].split(" ", 1)[1]: step for step in found}


def numbers(screen: AppTest, name: str) -> list[list[str]]:
    return steps(screen)[name]["result"]["cells"]


def said(screen: AppTest) -> str:
    html = "".join(unescape(element.proto.body) for element in screen.get("html"))
    return html + "".join(element.value for element in screen.markdown)


def choose(screen: AppTest, key: str, value: str) -> None:
    """One of a row of pills."""
    pills: Any = screen.get_by_key(key)
    pills.set_value(value).run()


def edit(screen: AppTest, name: str, row: int, column: int, number: object) -> None:
    """As a visitor does it in the table of a matrix; columns count from 1."""
    edits = {"edited_rows": {row: {str(column): number}}, "added_rows": [], "deleted_rows": []}
    screen.session_state[f"hand-luong-general-{name}-0"] = edits
    screen.run()


def test_the_first_view_has_both_readings_and_opens_the_first_wrong_number(screen: AppTest) -> None:
    screen.run()
    assert not screen.exception
    assert "The document contradicts itself." in said(screen)
    assert "first gives the most attention to “love” (32.4% of “I”, 37.5% of “love”, 30.1% of “you”)" in said(screen)
    assert "the second the most attention to “you” (21.1% of “I”, 35.8% of “love”, 43.1% of “you”)" in said(screen)
    assert steps(screen)["keys"]["open"] == [0, 1]


@pytest.mark.parametrize(("document", "example"), EXAMPLES, ids=lambda value: value.name)
def test_every_example_is_reached_by_a_link_and_computed(document: Any, example: Any, screen: AppTest) -> None:
    screen.query_params["example"] = example.name
    screen.run()
    assert not screen.exception
    assert screen.selectbox(key="document").value == document.name
    assert list(steps(screen)) == [step.name for step in example.steps]


def test_the_module_is_shown_repaired_with_its_types(screen: AppTest) -> None:
    screen.query_params["example"] = "module"
    screen.run()
    assert not screen.exception
    assert {inspect.getsource(module).strip() for module in (EntryByEntry, GeneralAttention)} <= {
        block.value for block in screen.code
    }
    assert "RuntimeError: The size of tensor a (4) must match the size of tensor b (5)" in html(screen)
    assert "<td>None</td>" in html(screen)
    next(button for button in screen.button if button.label == "Try it").click().run()
    assert screen.selectbox(key="document").value != "module"
    assert steps(screen)


def test_an_edit_changes_everything_after_it_the_code_too(screen: AppTest) -> None:
    screen.run()
    before = {name: step["result"]["cells"] for name, step in steps(screen).items()}
    edit(screen, "q", 0, 1, 1.6)
    after = {name: step["result"]["cells"] for name, step in steps(screen).items()}
    assert after["keys"] == before["keys"]
    assert all(after[name] != before[name] for name in before if name != "keys")
    assert after["scores"] == [["0.868"], ["0.785"], ["−0.083"]]
    assert screen.query_params["hand"] == "at-q!1.6_-0.4_0.5"
    matrices = LUONG_GENERAL.matrices() | {"q": LUONG_GENERAL.matrices()["q"] + [1, 0, 0]}
    for library, make in (("NumPy", script), ("PyTorch", in_torch)):
        screen.segmented_control(key="library-hand").set_value(library).run()
        assert screen.code[0].value == make(LUONG_GENERAL, matrices).strip()


@pytest.mark.parametrize("number", [None, 1001, "x", [1], float("nan")])
def test_what_no_table_sends_or_accepts_changes_nothing(screen: AppTest, number: object) -> None:
    screen.run()
    before = numbers(screen, "probabilities")
    edit(screen, "H", 1, 2, number)
    assert numbers(screen, "probabilities") == before
    assert "hand" not in screen.query_params


def test_random_numbers_are_in_the_link_until_reset_brings_the_documents_back(screen: AppTest) -> None:
    screen.run()
    before = numbers(screen, "probabilities")
    next(button for button in screen.button if button.label == "Randomise").click().run()
    assert numbers(screen, "probabilities") != before
    assert screen.query_params["hand"] == "seed!1"
    next(button for button in screen.button if button.label == "Reset").click().run()
    assert numbers(screen, "probabilities") == before
    assert "hand" not in screen.query_params


def test_sizes_go_up_to_eight(screen: AppTest) -> None:
    screen.run().number_input(key="hand-size-S").set_value(8).run()
    assert not screen.exception
    assert steps(screen)["keys"]["result"]["shape"] == "8 × 3"
    assert steps(screen)["weights"]["result"]["columns"] == ["I", "love", "you", "4", "5", "6", "7", "8"]
    assert numbers(screen, "keys")[0] == ["0.65", "0.28", "−0.12"]
    assert screen.query_params["hand"] == "size-S!8"


def test_a_preset_says_what_it_did_and_is_in_the_link(screen: AppTest) -> None:
    screen.run()
    choose(screen, "hand-preset", "equal")
    assert PRESETS["equal"].text in said(screen)
    assert screen.query_params["hand"] == "preset!equal"
    assert numbers(screen, "weights")[0] == ["0.3333"] * 3


def test_a_link_brings_back_an_edited_example(screen: AppTest) -> None:
    screen.query_params["hand"] = "size-S!2~at-q!0_1_0~preset!negative"
    screen.run()
    assert not screen.exception
    assert screen.number_input(key="hand-size-S").value == 2
    assert [float(score.replace("−", "-")) <= -5 + 1e-4 for (score,) in numbers(screen, "scores")] == [True, True]


def test_what_was_edited_is_there_after_another_example(screen: AppTest) -> None:
    screen.run()
    edit(screen, "q", 0, 1, 1.6)
    before = numbers(screen, "scores")
    choose(screen, "i-love-you-example", "luong-summary")
    assert "hand" not in screen.query_params
    choose(screen, "i-love-you-example", "luong-general")
    assert numbers(screen, "scores") == before
    assert screen.query_params["hand"] == "at-q!1.6_-0.4_0.5"
