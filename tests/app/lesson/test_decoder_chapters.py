from collections.abc import Callable
from html import unescape

import numpy as np
from streamlit.testing.v1 import AppTest

from regard.app.lesson.decoder_chapters import EXAMPLE as FOUR_TOKENS
from regard.app.lesson.decoder_chapters import WIRINGS, both_wirings, changes, fed_anew, pieces
from regard.app.models.models import pretrained
from regard.app.models.traces import trace
from regard.app.screens.learn.page import NO_QUESTION
from regard.app.theme import component, percent
from regard.app.visitor.question import EXAMPLE, telling_step
from regard.app.wording import plain_markdown
from regard.model.alignment import token_label
from regard.model.analysis.faithfulness import replaced
from regard.model.cards.record_files import read_scores
from regard.model.checkpoint import DEFAULT, Pretrained
from regard.model.translate import translate
from tests.support.lesson_visitor import CAME_TRUE, SENTENCE, figure, markdown, opened, predicted


def test_a_probability_opens_its_arithmetic(screen: AppTest, shipped: Pretrained) -> None:
    opened(screen, 6)
    trace = translate(shipped, [EXAMPLE])[0]
    screen.button(key=f"token-{trace.top_ids[2, 0]}").click().run()
    assert not screen.exception
    assert "**Arithmetic** of the probability" in markdown(screen)
    screen.button(key="chapter-7").click().run()
    assert "**Arithmetic**" not in markdown(screen)


def test_the_state_alone_keeps_as_many_tokens_as_come_out_without_a_context(
    screen: AppTest, shipped: Pretrained
) -> None:
    trace = translate(shipped, [SENTENCE])[0]
    stays = replaced(shipped, trace, np.zeros_like(trace.weights)).stays
    step = telling_step(trace) - 1
    options = sorted(plain_markdown(token_label(token)) for token in trace.top_tokens[step][:3])
    likeliest = plain_markdown(token_label(trace.top_tokens[step][0]))
    told = predicted(opened(screen, 6, sentence=SENTENCE), 6, options.index(likeliest))
    assert CAME_TRUE in told
    assert f"has {percent(float(trace.top_probabilities[step, 0]))}" in told
    assert f"Of all {len(stays)} steps, each changed on its own, {stays.sum()} would still write the same token" in told


def test_the_reading_with_fewer_errors_is_the_one_that_was_measured(screen: AppTest, shipped: Pretrained) -> None:
    overall = read_scores(shipped.folder)["alignments"]["overall"]
    produced, fed = overall["output"]["aer"], overall["input"]["aer"]
    assert CAME_TRUE in predicted(opened(screen, 7), 7, 0 if produced < fed else 1)
    assert component(produced) in markdown(screen)
    assert component(fed) in markdown(screen)


def test_the_rows_are_named_by_either_word(screen: AppTest) -> None:
    opened(screen, 7)
    assert figure(screen)["layout"]["yaxis"]["ticktext"][0] == "Je"
    screen.segmented_control(key="named").set_value("input").run()
    assert unescape(figure(screen)["layout"]["yaxis"]["ticktext"][0]) == "<s>"


def test_without_a_measurement_there_is_no_question(screen: AppTest, offer: Callable[..., Pretrained]) -> None:
    offer(DEFAULT)
    assert NO_QUESTION in [info.value for info in opened(screen, 7).info]


def test_another_token_moves_the_scores_of_luongs_model_alone(screen: AppTest) -> None:
    lesson = trace(DEFAULT, SENTENCE, "")
    before, after = both_wirings(lesson).values(), fed_anew(lesson).values()
    assert [pretrained(one.maker.name).network.config.wiring for one in before] == ["bahdanau", "luong"]
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


def test_each_wiring_can_be_followed_to_its_end(screen: AppTest) -> None:
    opened(screen, 8)
    for name, example in WIRINGS.items():
        screen.segmented_control(key="wiring").set_value(name).run()
        screen.pills(key="calculation").set_value(len(example.steps) - 1).run()
        assert not screen.exception
        assert plain_markdown(example.steps[-1].text) in markdown(screen)


def test_the_weight_of_a_word_of_four_tokens_is_their_sum(shipped: Pretrained) -> None:
    lesson = translate(shipped, [FOUR_TOKENS])[0]
    alignment, asked = lesson.alignment, pieces(lesson)
    assert asked
    assert asked.question.startswith("The model reads “firefighter” as 4 tokens: ")
    word = alignment.source.words.index("firefighter")
    weights = alignment.weights[:, np.array(alignment.source.word_of) == word].sum(1)
    assert asked.options[asked.right].partition(":")[0] in {percent(float(weight)) for weight in weights}
    assert len(set(asked.options)) == 3


def test_a_sentence_without_such_a_word_asks_nothing_and_offers_one(screen: AppTest) -> None:
    opened(screen, 7)
    assert "What is the weight of the word?" not in markdown(screen)
    next(button for button in screen.button if FOUR_TOKENS in button.label).click().run()
    assert not screen.exception
    assert "What is the weight of the word?" in markdown(screen)
