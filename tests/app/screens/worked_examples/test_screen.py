import json
from html import unescape
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from regard.model.examples.documents import DOCUMENTS
from regard.model.examples.score_presets import PRESETS
from tests.support.screens import FRAME, switch_page

EXAMPLES = [(document, example) for document in DOCUMENTS for example in document.examples]


@pytest.fixture
def screen() -> AppTest:
    """The document that has errata, which a visitor finds one click away."""
    screen = switch_page(AppTest.from_file(FRAME, default_timeout=60), "screens/worked_examples/screen.py")
    screen.query_params["example"] = "luong-general"
    return screen


def test_a_newcomer_sees_an_example_that_is_right_and_the_errata_one_click_away() -> None:
    screen = switch_page(AppTest.from_file(FRAME, default_timeout=60), "screens/worked_examples/screen.py").run()
    assert screen.selectbox(key="document").value == "query"
    next(button for button in screen.button if button.label == "A tutorial that got it wrong").click().run()
    assert screen.selectbox(key="document").value == "i-love-you"
    assert not screen.exception


def test_a_link_with_changes_and_no_example_is_still_of_the_first_one() -> None:
    screen = switch_page(AppTest.from_file(FRAME, default_timeout=60), "screens/worked_examples/screen.py")
    screen.query_params["hand"] = "seed!7"
    assert screen.run().selectbox(key="document").value == "i-love-you"


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


def edit(screen: AppTest, name: str, row: int, column: int, text: str, version: int = 0) -> None:
    """As a visitor does it in the table of a matrix; columns count from 1."""
    key = f"hand-luong-general-{name}-{version}"
    screen.session_state[key] = {"edited_rows": {row: {str(column): text}}, "added_rows": [], "deleted_rows": []}
    screen.run()


def test_the_first_view_points_at_the_first_wrong_number_with_its_own_arithmetic(screen: AppTest) -> None:
    screen.run()
    assert not screen.exception
    assert screen.selectbox(key="document").value == "i-love-you"
    keys = steps(screen)["keys"]
    assert keys["points"]
    assert keys["open"] == [0, 1]
    assert keys["result"]["entries"][0][1]["difference"] == "printed 0.22, computed 0.28"
    assert [step["points"] for step in steps(screen).values()].count(True) == 1


def test_both_readings_are_shown_with_the_contradiction(screen: AppTest) -> None:
    screen.run()
    assert "The document contradicts itself." in said(screen)
    assert "first gives the most attention to “love”, the second to “you”" in said(screen)
    assert "0.3236\u20030.3749\u20030.3015" in said(screen)
    assert "0.2106\u20030.3579\u20030.4315" in said(screen)


def test_the_table_of_the_document_crosses_out_what_is_wrong(screen: AppTest) -> None:
    screen.run()
    table = next(element.proto.body for element in screen.get("html") if "printed-table" in element.proto.body)
    assert table.count("<s ") == 7 + 5 * 3
    assert table.count('class="slip"') == 7 + 3  # the first product, and W_c [q ; c]; the others carry on
    assert "<span>0.5886</span>" in table


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
    assert not steps(screen)
    next(button for button in screen.button if button.label == "Try it").click().run()
    assert screen.selectbox(key="document").value != "module"
    assert steps(screen)


def test_an_edit_changes_everything_after_it(screen: AppTest) -> None:
    screen.run()
    before = {name: step["result"]["cells"] for name, step in steps(screen).items()}
    edit(screen, "q", 0, 1, "1.6")
    after = {name: step["result"]["cells"] for name, step in steps(screen).items()}
    assert after["keys"] == before["keys"]
    assert all(after[name] != before[name] for name in before if name != "keys")
    assert after["scores"] == [["0.868"], ["0.785"], ["−0.083"]]
    assert screen.query_params["hand"] == "at-q!1.6_-0.4_0.5"
    assert "belong to its own matrices" in steps(screen)["keys"]["remark"]


@pytest.mark.parametrize("typed", ["x", "", "nan", "inf", "99999"])
def test_a_wrong_cell_is_named_and_the_last_steps_stay(typed: str, screen: AppTest) -> None:
    screen.run()
    edit(screen, "H", 1, 2, "0.9")
    before = numbers(screen, "probabilities")
    edit(screen, "H", 1, 2, typed)
    assert not screen.exception
    assert "row “love”, column 2" in said(screen)
    assert "Enter a number from −1000 to 1000" in said(screen)
    assert "last valid matrices" in said(screen)
    assert numbers(screen, "probabilities") == before
    assert screen.data_editor(key="hand-luong-general-H-0").value["name"].tolist() == ["I", "⚠ love", "you"]


def test_reset_brings_the_documents_numbers_back(screen: AppTest) -> None:
    screen.run()
    before = numbers(screen, "probabilities")
    edit(screen, "W", 0, 1, "5")
    assert numbers(screen, "probabilities") != before
    next(button for button in screen.button if button.label == "Reset").click().run()
    assert numbers(screen, "probabilities") == before
    assert "hand" not in screen.query_params
    assert steps(screen)["keys"]["points"]


def test_random_numbers_are_those_of_the_seed_that_is_shown(screen: AppTest) -> None:
    screen.run()
    next(button for button in screen.button if button.label == "Randomise").click().run()
    assert screen.number_input(key="hand-seed").value == 1
    first = numbers(screen, "probabilities")
    screen.number_input(key="hand-seed").set_value(7).run()
    assert numbers(screen, "probabilities") != first
    assert screen.query_params["hand"] == "seed!7"
    screen.number_input(key="hand-seed").set_value(1).run()
    assert numbers(screen, "probabilities") == first
    screen.number_input(key="hand-seed").set_value(0).run()
    assert steps(screen)["keys"]["points"]


def test_sizes_go_up_to_eight(screen: AppTest) -> None:
    screen.run().number_input(key="hand-size-S").set_value(8).run()
    assert not screen.exception
    assert steps(screen)["keys"]["result"]["shape"] == "8 × 3"
    assert steps(screen)["weights"]["result"]["columns"] == ["I", "love", "you", "4", "5", "6", "7", "8"]
    assert numbers(screen, "keys")[0] == ["0.65", "0.28", "−0.12"]
    assert screen.query_params["hand"] == "size-S!8"


@pytest.mark.parametrize("preset", PRESETS.values(), ids=lambda preset: preset.name)
def test_a_preset_says_what_it_did_and_is_in_the_link(preset: Any, screen: AppTest) -> None:
    screen.run()
    choose(screen, "hand-preset", preset.name)
    assert not screen.exception
    assert preset.text in said(screen)
    assert screen.query_params["hand"] == f"preset!{preset.name}"
    weights = numbers(screen, "weights")[0]
    assert (weights == ["0.3333"] * 3) == (preset.name in ("equal", "zero"))


def test_scores_are_divided_and_multiplied_back(screen: AppTest) -> None:
    screen.run()
    before = numbers(screen, "scores")
    screen.toggle(key="hand-scaled").set_value(True).run()
    assert [f"{float(score) / 3**0.5:.4f}" for (score,) in before] == [score for (score,) in numbers(screen, "scores")]
    screen.toggle(key="hand-scaled").set_value(False).run()
    assert numbers(screen, "scores") == before


def test_a_link_brings_back_an_edited_example(screen: AppTest) -> None:
    screen.query_params["hand"] = "size-S!2~at-q!0_1_0~preset!negative"
    screen.run()
    assert not screen.exception
    assert screen.number_input(key="hand-size-S").value == 2
    assert PRESETS["negative"].text in said(screen)
    assert [float(score.replace("−", "-")) <= -5 + 1e-4 for (score,) in numbers(screen, "scores")] == [True, True]


@pytest.mark.parametrize("link", ["<script>", "at-q!a_b_c", "size-S!-1~seed!x", "~" * 9000, "at-H!1*2*3"])
def test_a_hostile_link_is_the_example_as_it_is(link: str, screen: AppTest) -> None:
    screen.query_params.update({"hand": link, "example": "<b>"})
    screen.run()
    assert not screen.exception
    assert steps(screen)["keys"]["points"]


def test_matrices_as_text_replace_those_in_the_tables(screen: AppTest) -> None:
    screen.run()
    field = screen.text_area[0]
    assert "q = [0.6, -0.4, 0.5]" in (field.value or "")
    field.set_value("q = 1 0 0").run()
    assert numbers(screen, "scores") == [["0.65"], ["0.42"], ["−0.23"]]
    screen.text_area[0].set_value("q = 1 0").run()
    assert any("q has shape 2; 3 is needed" in error.value.replace("\\", "") for error in screen.error)
    assert numbers(screen, "scores") == [["0.65"], ["0.42"], ["−0.23"]]


def test_what_was_edited_is_there_after_another_example(screen: AppTest) -> None:
    screen.run()
    edit(screen, "q", 0, 1, "1.6")
    before = numbers(screen, "scores")
    choose(screen, "i-love-you-example", "luong-summary")
    assert "hand" not in screen.query_params
    choose(screen, "i-love-you-example", "luong-general")
    assert numbers(screen, "scores") == before
    assert screen.query_params["hand"] == "at-q!1.6_-0.4_0.5"


def test_the_code_of_the_example_ends_the_screen(screen: AppTest) -> None:
    screen.run()
    assert any("keys = H @ W" in block.value for block in screen.code)
