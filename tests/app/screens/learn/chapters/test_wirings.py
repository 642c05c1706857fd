import numpy as np
from streamlit.testing.v1 import AppTest

from regard.app.models.models import pretrained
from regard.app.models.traces import trace
from regard.app.screens.learn.chapters.wirings import WIRINGS, both
from regard.app.screens.learn.subject import Subject
from regard.app.theme import percent
from regard.app.wording import plain_markdown
from regard.model.checkpoint import DEFAULT
from regard.model.examples.wirings import BAHDANAU, LUONG
from tests.support.lesson_visitor import CAME_TRUE, SENTENCE, markdown, opened, predicted


def test_another_word_moves_luongs_weights_alone(screen: AppTest) -> None:
    weights = {}
    for example in (BAHDANAU, LUONG):
        given = example.matrices()
        weights[example.name] = [example.run(given | {"y": sign * given["y"]})["weights"] for sign in (1, -1)]
    np.testing.assert_array_equal(*weights["bahdanau"])
    assert np.abs(np.subtract(*weights["luong"])).max() > 0.01
    told = predicted(opened(screen, 8), 8, 1)
    assert CAME_TRUE in told
    before, after = (share[0] for share in weights["luong"])
    assert f"I {percent(before)} → {percent(after)}" in told


def test_the_state_before_asks_in_one_picture_and_the_new_one_in_the_other(screen: AppTest) -> None:
    model = pretrained(DEFAULT)
    before, new = both(Subject(model, trace(DEFAULT, SENTENCE, ""))).values()
    assert [pretrained(one.maker.name).network.config.wiring for one in (before, new)] == ["bahdanau", "luong"]
    assert (new.maker.name, {one.alignment.source.text for one in (before, new)}) == (DEFAULT, {SENTENCE})
    opened(screen, 8)
    assert "$\\tilde h_t$" in markdown(screen)


def test_both_wirings_can_be_followed_to_their_ends(screen: AppTest) -> None:
    opened(screen, 8)
    for name, example in WIRINGS.items():
        screen.segmented_control(key="wiring").set_value(name).run()
        screen.pills(key="calculation").set_value(len(example.steps) - 1).run()
        assert not screen.exception
        assert plain_markdown(example.steps[-1].text) in markdown(screen)


def test_a_calculation_is_chosen_by_its_name(screen: AppTest) -> None:
    opened(screen, 8)
    names = [option.partition(" ")[2] for option in screen.pills(key="calculation").options]
    assert names == [step.name for step in BAHDANAU.steps]


def test_a_matrix_that_is_named_in_a_sentence_is_a_symbol(screen: AppTest) -> None:
    place = [step.name for step in BAHDANAU.steps].index("mixed")
    opened(screen, 8, calculation=f"{place + 1} mixed")
    assert "Each row of $W_c$ times" in markdown(screen)
