import inspect
import re

import pytest
from streamlit.testing.v1 import AppTest

from regard.app.components.matrices.sums import difference_bound
from regard.app.theme import percent
from regard.model.examples.pytorch_module import EntryByEntry, GeneralAttention, compare, distance, trial
from tests.support.screens import html


def page() -> None:
    from regard.app.screens.worked_examples.pytorch_module import repaired

    repaired("module")


def grid() -> None:
    from regard.app.screens.worked_examples.pytorch_module import GridRow, weighed

    weighed("a < b", ["<i>"], [GridRow("<b>", ["1"], [0.5], {0}), GridRow("last", ["2"], [1.0], ruled=True)])


@pytest.fixture
def screen() -> AppTest:
    return AppTest.from_function(page, default_timeout=60)


def test_the_source_of_both_modules_is_shown(screen: AppTest) -> None:
    screen.run()
    assert not screen.exception
    shown = [block.value for block in screen.code]
    assert {inspect.getsource(module).strip() for module in (EntryByEntry, GeneralAttention)} <= {*shown}


def test_it_begins_with_the_tutorials_five_positions_and_says_what_pytorch_says(screen: AppTest) -> None:
    text = html(screen.run())
    assert text.count("<td>None</td>") == 2
    assert "RuntimeError: The size of tensor a (4) must match the size of tensor b (5) at non-singleton" in text
    assert "ValueError: needed [sentences, 4] and [sentences, positions, 4], found [1, 5, 4] and [1, 5, 4]" in text
    assert "5 × context [1, 4], weights [1, 5]" in text


def test_doubled_parameters_are_shown_to_change_one_module_alone(screen: AppTest) -> None:
    text = html(screen.run())
    made = compare(trial(5, 4, 0), 0)
    same = " · ".join(map(percent, made.at_once))
    assert text.count(f"<td>{same}</td><td>{same}</td>") == 2
    own = " · ".join(map(percent, made.repaired))
    assert f"<td>{own}</td>" in text
    assert f"<td>{own}</td><td>{own}</td>" not in text


@pytest.mark.parametrize("step", [0, 2])
def test_the_weights_of_a_chosen_step_stand_below_each_other(screen: AppTest, step: int) -> None:
    screen.run().segmented_control(key="module_step").set_value(step).run()
    made = compare(trial(5, 4, 0), step)
    text = html(screen)
    for row in made:
        assert "".join(f">{percent(weight)}</td>" for weight in row) in cells(text)
    less = [f"{100 * points:+.1f}".replace("-", "−") for points in made.repaired - made.at_once]
    assert "".join(f">{points}</td>" for points in less) in cells(text)


def test_the_scores_that_the_tutorials_module_makes_are_outlined(screen: AppTest) -> None:
    lines = [line.split("<td")[1:] for line in re.findall(r"<tr><th scope=\"row\">q\d.*?</tr>", html(screen.run()))]
    assert [[place for place, cell in enumerate(line) if "outlined" in cell] for line in lines] == [
        [place] for place in range(5)
    ]


def cells(text: str) -> str:
    """The grid without what is said of each cell."""
    return "".join(f">{part.split('>', 1)[1]}" for part in text.split("<td") if ">" in part)


def test_other_sizes_and_another_seed_are_other_numbers(screen: AppTest) -> None:
    screen.run()
    screen.selectbox(key="module_positions").set_value(3).run()
    screen.selectbox(key="module_size").set_value(256).run()
    screen.number_input(key="module_seed").set_value(12).run()
    assert not screen.exception
    made = compare(trial(3, 256, 12), 0)
    assert all("".join(f">{percent(weight)}</td>" for weight in row) in cells(html(screen)) for row in made)
    assert "**Queries of 1, 2 and 3 steps.**" in "".join(element.value for element in screen.markdown)


def test_a_step_that_fewer_positions_leave_out_is_the_first_one(screen: AppTest) -> None:
    screen.run().segmented_control(key="module_step").set_value(4).run()
    screen.selectbox(key="module_positions").set_value(3).run()
    assert not screen.exception
    assert "Weights at step 1" in html(screen)


def test_a_link_restores_the_numbers_and_a_strangers_link_does_no_harm(screen: AppTest) -> None:
    screen.query_params.update({"module_positions": "6", "module_seed": "3"})
    screen.run()
    assert (screen.selectbox(key="module_positions").value, screen.number_input(key="module_seed").value) == (6, 3)
    stranger = AppTest.from_function(page, default_timeout=60)
    stranger.query_params.update({"module_positions": "99", "module_size": "<b>", "module_seed": "-1e9"})
    stranger.run()
    assert not stranger.exception
    assert stranger.selectbox(key="module_positions").value == 5


def test_numpy_is_told_to_agree(screen: AppTest) -> None:
    said = "".join(element.value for element in screen.run().markdown)
    assert said.endswith(f"weights and numbers of contexts differ {difference_bound(distance(trial(5, 4, 0)))}.")
    assert distance(trial(5, 4, 0)) < 1e-5


def test_a_grid_of_numbers_escapes_its_words() -> None:
    text = "".join(element.proto.body for element in AppTest.from_function(grid).run().get("html"))
    assert "&lt;b&gt;" in text
    assert "<b>" not in text
    assert "<i>" not in text
    assert 'style="--share: 0.500" class=outlined>1<' in text
