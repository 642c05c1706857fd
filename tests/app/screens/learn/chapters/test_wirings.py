import numpy as np
from streamlit.testing.v1 import AppTest

from regard.app.models.models import pretrained
from regard.app.models.traces import trace
from regard.app.screens.learn.chapters.wirings import WIRINGS, both, changes, fed_anew
from regard.app.screens.learn.subject import Subject
from regard.app.theme import component
from regard.app.wording import plain_markdown
from regard.model.checkpoint import DEFAULT
from regard.model.examples.wirings import BAHDANAU, LUONG
from tests.support.lesson_visitor import CAME_TRUE, SENTENCE, markdown, opened, predicted


def test_another_word_moves_luongs_weights_alone() -> None:
    weights = {}
    for example in (BAHDANAU, LUONG):
        given = example.matrices()
        weights[example.name] = [example.run(given | {"y": sign * given["y"]})["weights"] for sign in (1, -1)]
    np.testing.assert_array_equal(*weights["bahdanau"])
    assert np.abs(np.subtract(*weights["luong"])).max() > 0.01


def test_another_token_moves_the_scores_of_luongs_model_alone(screen: AppTest) -> None:
    lesson = Subject(pretrained(DEFAULT), trace(DEFAULT, SENTENCE, ""))
    before, after = both(lesson).values(), fed_anew(lesson).values()
    asked = changes(lesson)
    assert asked
    moved = []
    for own, other in zip(before, after, strict=True):
        fed = asked.step - 2
        assert own.target_ids[:fed].tolist() == other.target_ids[:fed].tolist()
        assert own.target_ids[fed] != other.target_ids[fed]
        np.testing.assert_allclose(own.scores[: fed + 1], other.scores[: fed + 1], atol=1e-4)
        moved.append(float(np.abs(own.scores[fed + 1] - other.scores[fed + 1]).max()))
    assert moved[0] <= 1e-4 < moved[1]
    told = predicted(opened(screen, 8, sentence=SENTENCE), 8, 1)
    assert CAME_TRUE in told
    assert f"{component(moved[0])} in " in told
    assert f"{component(moved[1])} in " in told


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
