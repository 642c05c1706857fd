"""What each chapter of the lesson reveals is what the numbers on screen make, without a browser."""

import math
from collections.abc import Callable
from html import unescape

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from app.screens.learn.chapters.learning import followed
from app.screens.learn.chapters.transformers import SHORTENED
from app.screens.learn.chapters.wirings import WIRINGS
from app.screens.learn.page import TO_COME
from app.screens.learn.progress import COUNT
from app.theme import component, percent
from app.visitor.question import EXAMPLE
from app.wording import plain_markdown
from model.analysis.annotation_shift import by_words, moved
from model.analysis.faithfulness import counterfactual, replaced
from model.analysis.model_comparison import likeness
from model.cards.card import read_scores
from model.checkpoint import DEFAULT, PRETRAINED, Pretrained, load
from model.examples.random_numbers import projected
from model.examples.self_attention import SELF_ATTENTION
from model.examples.wirings import BAHDANAU, LUONG
from model.synthetic.tasks import pair, sample
from model.training.snapshots import SNAPSHOTS, Snapshots
from model.translate import translate
from tests.support.lesson_visitor import (
    CAME_TRUE,
    SENTENCE,
    array,
    figure,
    html,
    lesson,
    markdown,
    opened,
    predicted,
    right_of,
)


@pytest.fixture
def screen() -> AppTest:
    return lesson()


def test_1_what_both_models_still_have_in_common_is_measured(screen: AppTest, shipped: Pretrained) -> None:
    opened(screen, 1)
    longest = "I love you in the park while a girl is reading a book under a big tree because it is a beautiful day."
    without = load(shipped.folder.parent / "en-fr-none")
    pairs = [[translate(model, [text])[0] for model in (shipped, without)] for text in (EXAMPLE, longest)]
    short, long = (likeness(one.alignment.target, other.alignment.target) for one, other in pairs)
    told = predicted(screen, 1, 0 if long == 1 else 1 if long > 0.5 else 2)
    assert CAME_TRUE in told
    assert f"both have {percent(short)} of the words in common; at its longest {percent(long)}" in told


def test_1_without_another_model_the_list_is_divided_by_the_tokens(
    screen: AppTest, offer: Callable[..., Pretrained]
) -> None:
    size = translate(offer(DEFAULT), [EXAMPLE])[0].annotations.shape[1]
    told = predicted(opened(screen, 1), 1, 1)
    assert CAME_TRUE in told
    assert f"{size} ÷ " in told


def test_1_the_sentence_grows_and_so_does_what_attention_hands_over(screen: AppTest, shipped: Pretrained) -> None:
    opened(screen, 1).select_slider(key="longer").set_value(1).run()
    grown = translate(shipped, ["I love you in the park."])[0]
    tokens, size = grown.annotations.shape
    assert f"{tokens} × {size} = {tokens * size:,} numbers" in html(screen)
    assert f">{size} numbers<" in html(screen)
    assert grown.text in html(screen)


def test_1_a_model_without_attention_writes_beside_it(screen: AppTest, offer: Callable[..., Pretrained]) -> None:
    offer(DEFAULT)
    without = offer("en-fr-none", score="none", initial_state="encoder")
    opened(screen, 1, sentence="I love you.").select_slider(key="longer").set_value(0).run()
    assert translate(without, ["I love you."])[0].text in html(screen)


def test_1_what_the_model_without_attention_is_handed_is_its_own(
    screen: AppTest, offer: Callable[..., Pretrained]
) -> None:
    offer(DEFAULT)
    without = offer("en-fr-none", score="none", initial_state="encoder", encoder_state=7)
    opened(screen, 1, sentence="I love you.").select_slider(key="longer").set_value(0).run()
    trace = translate(without, ["I love you."])[0]
    assert f">{trace.annotations.shape[1]} numbers<" in html(screen)
    np.testing.assert_allclose(array(figure(screen)["data"][0]["z"]).ravel(), trace.contexts[0], rtol=1e-5)
    assert f"has {trace.annotations.shape[1]} numbers for the whole sentence" in predicted(screen, 1, 0)


def test_2_the_first_annotation_moves_when_the_last_word_changes(screen: AppTest, shipped: Pretrained) -> None:
    before, after = (by_words(translate(shipped, [text])[0]) for text in (EXAMPLE, "I love me."))
    shares = moved(before, after)
    told = predicted(opened(screen, 2), 2, 1)
    assert f"“I” moves by {percent(shares[0])}" in told
    assert f"“you” by {percent(shares[2])}" in told
    assert (CAME_TRUE in told) == (0 < shares[0] < shares[2])


def test_2_the_bars_are_those_of_the_word_that_was_typed(screen: AppTest, shipped: Pretrained) -> None:
    opened(screen, 2).text_input(key="instead").set_value("hate").run()
    shares = moved(*(by_words(translate(shipped, [text])[0]) for text in (EXAMPLE, "I hate you.")))
    alt = screen.get("plotly_chart")[0].proto.alt
    assert "annotation of each word moved" in alt
    drawn = figure(screen)["data"][0]["y"]
    np.testing.assert_allclose(array(drawn), 100 * shares, rtol=1e-5)


@pytest.mark.parametrize("typed", ["", "   ", "two words", "<b>", "\u0958", "ꙮ" * 40])
def test_2_what_is_no_single_word_is_a_hint(typed: str, screen: AppTest) -> None:
    opened(screen, 2).text_input(key="instead").set_value(typed).run()
    assert not screen.exception
    assert any("one word" in info.value for info in screen.info)


def test_3_scores_follow_the_sliders_and_double_with_the_query(screen: AppTest) -> None:
    opened(screen, 3).slider(key="query_1").set_value(-1.0).run()
    screen.segmented_control(key="arrow").set_value("you").run()
    screen.slider(key="you_2").set_value(3.0).run()
    score = -1.0 * -2.0 + 1.5 * 3.0
    assert f"<td>{component(score).rstrip('0')}</td>" in html(screen)
    told = predicted(screen, 3, 1)
    assert CAME_TRUE in told
    assert f"you {score:g} → {2 * score:g}" in told


def test_4_weights_follow_the_sliders_and_do_not_mind_what_all_scores_share(screen: AppTest) -> None:
    opened(screen, 4)
    for name, score in (("i", 0.0), ("love", 1.0), ("you", -2.0)):
        screen.slider(key=f"score_{name}").set_value(score).run()
    screen.select_slider(key="temperature").set_value(0.5).run()
    powers = [math.exp(score / 0.5) for score in (0.0, 1.0, -2.0)]
    shares = [power / sum(powers) for power in powers]
    np.testing.assert_allclose(array(figure(screen)["data"][0]["y"]), [100 * share for share in shares])
    told = predicted(screen, 4, 2)
    assert CAME_TRUE in told
    assert f"love {percent(shares[1])} → {percent(shares[1])}" in told


def test_5_the_context_is_the_weighted_sum_and_the_mean_where_all_weigh_the_same(screen: AppTest) -> None:
    opened(screen, 5)
    for name, parts in (("i", 1), ("love", 1), ("you", 0)):
        screen.slider(key=f"parts_{name}").set_value(parts).run()
    point = next(one for one in figure(screen)["data"] if one["name"] == "context")
    np.testing.assert_allclose([point["x"][0], point["y"][0]], [(2 + 1) / 2, (0 + 3) / 2])
    told = predicted(screen, 5, 1)
    assert CAME_TRUE in told
    assert "(0.333, 1.333)" in told


def test_5_no_parts_at_all_are_told_and_shared_alike(screen: AppTest) -> None:
    opened(screen, 5)
    for name in ("i", "love", "you"):
        screen.slider(key=f"parts_{name}").set_value(0).run()
    assert any("every word counts the same" in info.value for info in screen.info)


def test_6_a_probability_opens_its_arithmetic(screen: AppTest, shipped: Pretrained) -> None:
    opened(screen, 6)
    trace = translate(shipped, [EXAMPLE])[0]
    screen.button(key=f"token-{trace.top_ids[2, 0]}").click().run()
    assert not screen.exception
    assert "**Arithmetic** of the probability" in markdown(screen)
    assert "NumPy recomputation" in markdown(screen)
    screen.button(key="chapter-7").click().run()
    assert "**Arithmetic**" not in markdown(screen)


def test_7_the_reading_with_fewer_errors_is_the_one_that_was_measured(screen: AppTest, shipped: Pretrained) -> None:
    overall = read_scores(shipped.folder)["alignments"]["overall"]
    produced, fed = overall["output"]["aer"], overall["input"]["aer"]
    opened(screen, 7)
    assert right_of(screen, 7) == (0 if produced < fed else 1)
    assert component(produced) in markdown(screen)
    assert component(fed) in markdown(screen)


def test_7_the_rows_are_named_by_either_word(screen: AppTest, shipped: Pretrained) -> None:
    opened(screen, 7)
    assert figure(screen)["layout"]["yaxis"]["ticktext"][0] == "Je"
    screen.segmented_control(key="named").set_value("input").run()
    assert unescape(figure(screen)["layout"]["yaxis"]["ticktext"][0]) == "<s>"


def test_7_without_a_measurement_the_question_is_about_the_numbers(
    screen: AppTest, offer: Callable[..., Pretrained]
) -> None:
    offer(DEFAULT)
    told = predicted(opened(screen, 7), 7, 1)
    assert CAME_TRUE in told
    assert "is 0.00" in told


def test_8_another_word_moves_luongs_weights_alone(screen: AppTest) -> None:
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


def test_8_both_wirings_can_be_followed_to_their_ends(screen: AppTest) -> None:
    opened(screen, 8)
    for name, example in WIRINGS.items():
        screen.segmented_control(key="wiring").set_value(name).run()
        screen.pills(key="calculation").set_value(len(example.steps) - 1).run()
        assert not screen.exception
        assert plain_markdown(example.steps[-1].text) in markdown(screen)


def test_8_a_calculation_is_chosen_by_its_name(screen: AppTest) -> None:
    opened(screen, 8)
    names = [option.partition(" ")[2] for option in screen.pills(key="calculation").options]
    assert names == [step.name for step in BAHDANAU.steps]


def test_8_a_matrix_that_is_named_in_a_sentence_is_a_symbol(screen: AppTest) -> None:
    place = [step.name for step in BAHDANAU.steps].index("mixed")
    opened(screen, 8, calculation=f"{place + 1} mixed")
    assert "Each row of $W_c$ times" in markdown(screen)


def test_9_the_tokens_that_stay_are_counted(screen: AppTest, shipped: Pretrained) -> None:
    trace = translate(shipped, [SENTENCE])[0]
    stays = counterfactual(shipped, trace, "uniform").stays
    opened(screen, 9, sentence=SENTENCE)
    share = stays.sum() / len(stays)
    right = 0 if share >= 2 / 3 else 1 if share > 1 / 3 else 2
    told = predicted(screen, 9, right)
    assert CAME_TRUE in told
    assert f"{stays.sum()} of {len(stays)} tokens stay" in told


def test_9_a_step_tells_whether_its_token_stays(screen: AppTest, shipped: Pretrained) -> None:
    trace = translate(shipped, [EXAMPLE])[0]
    even = counterfactual(shipped, trace, "uniform")
    opened(screen, 9)
    for step in range(len(trace.target)):
        screen.pills(key="even").set_value(step).run()
        assert ("**stays**" in markdown(screen)) == bool(even.stays[step])
        assert percent(float(even.probabilities[step])) in markdown(screen)


def test_11_words_that_change_places_keep_their_vectors(screen: AppTest, shipped: Pretrained) -> None:
    ids = translate(shipped, ["I love you."])[0].source_ids[:3]
    vectors = shipped.network.encoder.embedding.weight.detach().numpy()[ids]
    given = SELF_ATTENTION.matrices() | {"X": projected(vectors, SHORTENED)}
    contexts = SELF_ATTENTION.run(given)["contexts"]
    told = predicted(opened(screen, 11), 11, 1)
    assert CAME_TRUE in told
    assert f"({f'{contexts[0][0]:.4f}'.rstrip('0').replace('-', '−')}, " in told
    assert "difference is 0." in told


def test_9_the_state_does_not_change_with_the_source_and_attention_is_called_the_only_way(screen: AppTest) -> None:
    opened(screen, 9)
    assert "attention is the only way" in " ".join(markdown(screen).split())
    assert "its states differ by **exactly 0.0**" in markdown(screen)


def test_9_of_a_model_whose_state_has_seen_the_source_it_says_so(screen: AppTest) -> None:
    opened(screen, 9, model="en-fr-bahdanau")
    assert "the only way" not in markdown(screen)
    assert "remembers what earlier steps found" in markdown(screen)
    assert "although every word it was fed is the same" in markdown(screen)


def test_6_the_state_alone_keeps_as_many_tokens_as_come_out_without_a_context(
    screen: AppTest, shipped: Pretrained
) -> None:
    trace = translate(shipped, [SENTENCE])[0]
    stays = replaced(shipped, trace, np.zeros_like(trace.weights)).stays
    share = stays.sum() / len(stays)
    told = predicted(opened(screen, 6, sentence=SENTENCE), 6, 0 if share >= 2 / 3 else 1 if share > 1 / 3 else 2)
    assert CAME_TRUE in told
    assert f"{stays.sum()} of {len(stays)} still come out" in told


def test_10_attention_leaves_its_line_where_training_ended(screen: AppTest) -> None:
    """22 numbers: the line is followed to where the count of 20 is up, and then the first number is looked at."""
    model = load(PRETRAINED / "reverse-gru")
    trace = translate(model, [pair("reverse", sample(22, 10, 1)[0])[0]])[0]
    steps = followed(trace)
    assert 10 <= steps < 22
    assert trace.weights[-1].argmax() == 0
    told = predicted(opened(screen, 10), 10, 1)
    assert CAME_TRUE in told
    assert f"For {steps} steps it looks at the number whose turn it is" in told


def test_10_each_moment_of_the_run_has_its_weights(screen: AppTest) -> None:
    opened(screen, 10)
    watched = Snapshots.load(PRETRAINED / "reverse-gru" / SNAPSHOTS)
    for place in (0, len(watched.moments) - 1):
        screen.select_slider(key="moment").set_value(place).run()
        np.testing.assert_allclose(
            array(figure(screen)["data"][0]["z"]), 100 * watched.moments[place].weights[0], rtol=1e-4
        )


@pytest.mark.parametrize("chapter", range(1, COUNT + 1))
def test_what_can_be_tried_is_hidden_until_something_is_predicted(chapter: int, screen: AppTest) -> None:
    opened(screen, chapter)
    assert TO_COME in html(screen)
    predicted(screen, chapter, 0)
    assert TO_COME not in html(screen)
