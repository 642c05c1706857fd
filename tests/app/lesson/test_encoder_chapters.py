import re
from collections.abc import Callable

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from regard.app.theme import percent
from regard.app.visitor.question import EXAMPLE
from regard.model.analysis.claims import by_words, moved
from regard.model.checkpoint import DEFAULT, Pretrained, load
from regard.model.translate import translate
from tests.support.lesson_visitor import CAME_TRUE, array, figure, opened, predicted
from tests.support.screens import html


def test_the_lists_that_are_mixed_without_attention_are_those_of_the_two_ends(
    screen: AppTest, shipped: Pretrained
) -> None:
    (trace,) = translate(load(shipped.folder.parent / "en-fr-none"), [EXAMPLE])
    told = predicted(opened(screen, 1), 1, 2)
    assert CAME_TRUE in told
    assert np.flatnonzero(trace.weights.any(0)).tolist() == [0, len(trace.source) - 1]
    first, last = map(percent, trace.weights[0, [0, -1]])
    start, end = trace.source[0].strip(), trace.source[-1]
    assert f"{first} comes from “{start}”, {last} from “{end}” and nothing from between" in told


def test_the_sentence_grows_and_so_does_what_attention_hands_over(screen: AppTest, shipped: Pretrained) -> None:
    slider = opened(screen, 1).select_slider(key="longer")
    assert slider.options[:3] == ["as it is", "1 more clause", "2 more clauses"]
    slider.set_value(1).run()
    grown = translate(shipped, ["I love you in the park."])[0]
    tokens, size = grown.annotations.shape
    assert f"{tokens} × {size} = {tokens * size:,} numbers" in html(screen)
    state = translate(load(shipped.folder.parent / "en-fr-none"), [EXAMPLE])[0].initial_state.size
    assert f">{size} + {state} = {size + state:,} numbers<" in html(screen)
    assert grown.text in html(screen)


def test_a_sequence_grows_by_symbols(screen: AppTest) -> None:
    opened(screen, 1, model="reverse-gru", sentence="7 7 1 3")
    assert screen.select_slider(key="longer").options[:3] == ["as it is", "3 more symbols", "6 more symbols"]
    assert "7 7 1 3 5 1 8 3 0 6" in html(screen)


def test_what_the_model_without_attention_is_handed_is_its_own(
    screen: AppTest, offer: Callable[..., Pretrained]
) -> None:
    offer(DEFAULT)
    without = offer("en-fr-none", score="none", initial_state="encoder", encoder_state=7)
    opened(screen, 1, sentence="I love you.").select_slider(key="longer").set_value(0).run()
    trace = translate(without, ["I love you."])[0]
    sizes = trace.annotations.shape[1], trace.initial_state.size
    assert trace.text in html(screen)
    assert f">{sizes[0]} + {sizes[1]} = {sum(sizes)} numbers<" in html(screen)
    np.testing.assert_allclose(array(figure(screen)["data"][0]["z"]).ravel(), trace.contexts[0], rtol=1e-5)
    assert f"gets {sizes[0]} + {sizes[1]} = {sum(sizes)} numbers for the whole sentence" in predicted(screen, 1, 0)


def test_the_first_annotation_moves_when_the_last_word_changes(screen: AppTest, shipped: Pretrained) -> None:
    before, after = (by_words(translate(shipped, [text])[0]) for text in (EXAMPLE, "I love me."))
    shares = moved(before, after)
    told = predicted(opened(screen, 2), 2, 1)
    assert f"“I” moves by {percent(shares[0])}" in told
    assert f"“you” by {percent(shares[2])}" in told
    assert (CAME_TRUE in told) == (0 < shares[0] < shares[2])


def test_the_bars_are_those_of_the_word_that_was_typed(screen: AppTest, shipped: Pretrained) -> None:
    opened(screen, 2).text_input(key="instead").set_value("hate").run()
    shares = moved(*(by_words(translate(shipped, [text])[0]) for text in (EXAMPLE, "I hate you.")))
    np.testing.assert_allclose(array(figure(screen)["data"][0]["y"]), 100 * shares, rtol=1e-5)


@pytest.mark.parametrize("typed", ["", "   ", "two words", "<b>", "\u0958", "ꙮ" * 40])
def test_what_is_no_single_word_is_a_hint(typed: str, screen: AppTest) -> None:
    opened(screen, 2).text_input(key="instead").set_value(typed).run()
    assert not screen.exception
    assert any("one word" in info.value for info in screen.info)


@pytest.mark.parametrize("sentence", ["7 7 1 3", "5 7 1 5"])
def test_a_model_of_numbers_is_given_other_numbers(sentence: str, screen: AppTest) -> None:
    first, *_, last = sentence.split()
    opened(screen, 2, model="reverse-gru", sentence=sentence)
    said = re.search("“([^”]+)”, is replaced by “([^”]+)”", screen.radio(key="predicted-2").label)
    assert said
    assert said[1] == last
    for old, new in ((last, said[2]), (first, str(screen.text_input(key="instead").value))):
        assert new != old
        assert new in "0123456789"
