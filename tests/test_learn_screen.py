"""The lesson keeps its promises, without a browser: what it reveals is what the numbers on screen make."""

import base64
import json
import math
import re
import shutil
from collections.abc import Callable, Iterator
from html import unescape
from pathlib import Path

import numpy as np
import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from app.lesson.chapters import CHAPTERS
from app.lesson.progress import COUNT
from app.lesson.transformers import SHORTENED
from app.session import EXAMPLE
from app.theme import component, percent
from model.card import read_scores
from model.checkpoint import DEFAULT, Pretrained
from model.displacement import by_words, moved
from model.faithfulness import counterfactual
from model.translate import translate
from model.worked.projected import projected
from model.worked.self_attention import SELF_ATTENTION
from model.worked.wirings import BAHDANAU, LUONG

FRAME = Path(__file__).parent.parent / "app" / "frame.py"
REVEALED = ("As you predicted.", "Not this time.")
SENTENCE = "The boy sees the old house."


@pytest.fixture
def screen() -> AppTest:
    return AppTest.from_file(FRAME, default_timeout=90).switch_page("screens/learn.py")


@pytest.fixture
def tiny(
    make_model: Callable[..., Pretrained], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Callable[..., Pretrained]]:
    """Put a tiny model where the app looks for models; one that nobody evaluated."""

    def put(name: str, **otherwise: str) -> Pretrained:
        model = make_model(**otherwise)
        shutil.copytree(model.folder, tmp_path / name)
        return model

    monkeypatch.setattr("app.loaders.PRETRAINED", tmp_path)
    st.cache_resource.clear()
    yield put
    st.cache_resource.clear()


def opened(screen: AppTest, chapter: int, **link: str) -> AppTest:
    screen.query_params.update({"chapter": str(chapter), **link})
    screen.run()
    assert not screen.exception
    return screen


def predicted(screen: AppTest, chapter: int, option: int) -> str:
    """Choose an option and reveal; what is said then, without its emphasis."""
    screen.radio(key=f"predicted-{chapter}").set_value(option).run()
    screen.button(key=f"reveal-{chapter}").click().run()
    assert not screen.exception
    told = [element.value for element in screen.markdown if any(said in element.value for said in REVEALED)]
    assert len(told) == 1
    return re.sub(r"\\(.)", r"\1", told[0].replace("**", ""))


def in_link(screen: AppTest, name: str) -> str:
    value = screen.query_params[name]
    return value if isinstance(value, str) else value[0]


def markdown(screen: AppTest) -> str:
    return "\n".join(element.value for element in screen.markdown)


def html(screen: AppTest) -> str:
    return "".join(unescape(element.proto.body) for element in screen.get("html"))


def figure(screen: AppTest) -> dict:
    return json.loads(screen.get("plotly_chart")[0].proto.spec)


def right_of(screen: AppTest, chapter: int) -> int:
    """Which option is right, found by asking until it is."""
    for option in range(3):
        if REVEALED[0] in predicted(screen, chapter, option):
            return option
        screen.button(key=f"again-{chapter}").click().run()
    pytest.fail("no option is right")


def test_the_first_page_is_the_first_chapter(screen: AppTest) -> None:
    screen.run()
    assert not screen.exception
    assert json.loads(screen.get("bidi_component")[0].proto.json)["title"] == CHAPTERS[0].title
    assert screen.radio(key="predicted-1").value is None
    assert screen.button(key="reveal-1").disabled
    assert dict(screen.query_params) == {}


def test_the_screen_says_how_many_chapters_there_are(screen: AppTest) -> None:
    assert f"{len(CHAPTERS)} short chapters" in html(screen.run())


@pytest.mark.parametrize("chapter", range(1, COUNT + 1))
def test_exactly_one_option_is_right_and_the_others_are_told_why_not(chapter: int, screen: AppTest) -> None:
    opened(screen, chapter, sentence=SENTENCE)
    right, texts = [], []
    for option in range(3):
        told = predicted(screen, chapter, option)
        right.append(REVEALED[0] in told)
        texts.append(told)
        mark = "123"[option] if right[-1] else "abc"[option]
        assert in_link(screen, "answers") == "-" * (chapter - 1) + mark
        assert screen.radio(key=f"predicted-{chapter}").disabled
        screen.button(key=f"again-{chapter}").click().run()
        assert "answers" not in screen.query_params
    assert sum(right) == 1
    asked = [option.replace("\\", "").replace("**", "") for option in screen.radio(key=f"predicted-{chapter}").options]
    for option, told in enumerate(texts):
        first = told.split("\n\n")[0]
        if not right[option]:
            assert f"You expected “{asked[option]}”" in first
            assert not first.endswith("”. ")
    assert len({text.split("\n\n", 1)[1] for text in texts}) == 1


def test_1_one_list_is_divided_by_the_tokens_of_the_longest_sentence(screen: AppTest, shipped: Pretrained) -> None:
    opened(screen, 1)
    longest = "I love you in the park while a girl is reading a book under a big tree because it is a beautiful day."
    short, long = (translate(shipped, [text])[0] for text in (EXAMPLE, longest))
    size = short.annotations.shape[1]
    told = predicted(screen, 1, 1)
    assert REVEALED[0] in told
    assert f"{size} ÷ {len(long.source)} = {size / len(long.source):.1f}" in told
    assert f"{size} ÷ {len(short.source)} = {size / len(short.source):.1f}" in told


def test_1_the_sentence_grows_and_so_does_what_attention_hands_over(screen: AppTest, shipped: Pretrained) -> None:
    opened(screen, 1).select_slider(key="longer").set_value(1).run()
    grown = translate(shipped, ["I love you in the park."])[0]
    tokens, size = grown.annotations.shape
    assert f"{tokens} × {size} = {tokens * size:,} numbers" in html(screen)
    assert f">{size} numbers<" in html(screen)
    assert grown.text in html(screen)


def test_1_a_model_without_attention_writes_beside_it(screen: AppTest, tiny: Callable[..., Pretrained]) -> None:
    tiny(DEFAULT)
    without = tiny("en-fr-none", score="none", initial_state="encoder")
    opened(screen, 1, sentence="I love you.").select_slider(key="longer").set_value(0).run()
    assert translate(without, ["I love you."])[0].text in html(screen)


def test_2_the_first_annotation_moves_when_the_last_word_changes(screen: AppTest, shipped: Pretrained) -> None:
    before, after = (by_words(translate(shipped, [text])[0]) for text in (EXAMPLE, "I love me."))
    shares = moved(before, after)
    told = predicted(opened(screen, 2), 2, 1)
    assert f"“I” moves by {percent(shares[0])}" in told
    assert f"“you” by {percent(shares[2])}" in told
    assert (REVEALED[0] in told) == (0 < shares[0] < shares[2])


def test_2_the_bars_are_those_of_the_word_that_was_typed(screen: AppTest, shipped: Pretrained) -> None:
    opened(screen, 2).text_input(key="instead").set_value("hate").run()
    shares = moved(*(by_words(translate(shipped, [text])[0]) for text in (EXAMPLE, "I hate you.")))
    alt = screen.get("plotly_chart")[0].proto.alt
    assert "annotation of each word moved" in alt
    drawn = figure(screen)["data"][0]["y"]
    np.testing.assert_allclose(_array(drawn), 100 * shares, rtol=1e-5)


def test_1_what_the_model_without_attention_is_handed_is_its_own(
    screen: AppTest, tiny: Callable[..., Pretrained]
) -> None:
    tiny(DEFAULT)
    without = tiny("en-fr-none", score="none", initial_state="encoder", encoder_state=7)
    opened(screen, 1, sentence="I love you.").select_slider(key="longer").set_value(0).run()
    trace = translate(without, ["I love you."])[0]
    assert f">{trace.annotations.shape[1]} numbers<" in html(screen)
    np.testing.assert_allclose(_array(figure(screen)["data"][0]["z"]).ravel(), trace.contexts[0], rtol=1e-5)
    assert f"one list of {trace.annotations.shape[1]} numbers" in markdown(screen)


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
    assert REVEALED[0] in told
    assert f"you {score:g} → {2 * score:g}" in told


def test_4_weights_follow_the_sliders_and_do_not_mind_what_all_scores_share(screen: AppTest) -> None:
    opened(screen, 4)
    for name, score in (("i", 0.0), ("love", 1.0), ("you", -2.0)):
        screen.slider(key=f"score_{name}").set_value(score).run()
    screen.select_slider(key="temperature").set_value(0.5).run()
    powers = [math.exp(score / 0.5) for score in (0.0, 1.0, -2.0)]
    shares = [power / sum(powers) for power in powers]
    np.testing.assert_allclose(_array(figure(screen)["data"][0]["y"]), [100 * share for share in shares])
    told = predicted(screen, 4, 2)
    assert REVEALED[0] in told
    assert f"love {percent(shares[1])} → {percent(shares[1])}" in told


def test_5_the_context_is_the_weighted_sum_and_the_mean_where_all_weigh_the_same(screen: AppTest) -> None:
    opened(screen, 5)
    for name, parts in (("i", 1), ("love", 1), ("you", 0)):
        screen.slider(key=f"parts_{name}").set_value(parts).run()
    point = next(one for one in figure(screen)["data"] if one["name"] == "context")
    np.testing.assert_allclose([point["x"][0], point["y"][0]], [(2 + 1) / 2, (0 + 3) / 2])
    told = predicted(screen, 5, 1)
    assert REVEALED[0] in told
    assert "(0.333, 1.333)" in told


def test_5_no_parts_at_all_are_told_and_shared_alike(screen: AppTest) -> None:
    opened(screen, 5)
    for name in ("i", "love", "you"):
        screen.slider(key=f"parts_{name}").set_value(0).run()
    assert any("every word counts the same" in info.value for info in screen.info)


def test_6_the_least_certain_step_is_right(screen: AppTest, shipped: Pretrained) -> None:
    opened(screen, 6, sentence=SENTENCE)
    trace = translate(shipped, [SENTENCE])[0]
    least = int(np.argmin(trace.log_probabilities))
    options = screen.radio(key="predicted-6").options
    right = next(place for place, option in enumerate(options) if option.startswith(f"step {least + 1},"))
    told = predicted(screen, 6, right)
    assert REVEALED[0] in told
    assert percent(float(np.exp(trace.log_probabilities[least]))) in told


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
    screen: AppTest, tiny: Callable[..., Pretrained]
) -> None:
    tiny(DEFAULT)
    told = predicted(opened(screen, 7), 7, 1)
    assert REVEALED[0] in told
    assert "is 0.00" in told


def test_8_another_word_moves_luongs_weights_alone(screen: AppTest) -> None:
    weights = {}
    for example in (BAHDANAU, LUONG):
        given = example.matrices()
        weights[example.name] = [example.run(given | {"y": sign * given["y"]})["weights"] for sign in (1, -1)]
    np.testing.assert_array_equal(*weights["bahdanau"])
    assert np.abs(np.subtract(*weights["luong"])).max() > 0.01
    told = predicted(opened(screen, 8), 8, 1)
    assert REVEALED[0] in told
    before, after = (share[0] for share in weights["luong"])
    assert f"I {percent(before)} → {percent(after)}" in told


def test_8_both_wirings_can_be_followed_to_their_ends(screen: AppTest) -> None:
    opened(screen, 8)
    for name, example in (("Bahdanau 2015", BAHDANAU), ("Luong 2015", LUONG)):
        screen.segmented_control(key="wiring").set_value(name).run()
        screen.slider(key="calculation").set_value(len(example.steps)).run()
        assert not screen.exception
        assert f"**{len(example.steps)} of {len(example.steps)}.**" in markdown(screen)


def test_8_a_matrix_that_is_named_in_a_sentence_is_a_symbol(screen: AppTest) -> None:
    opened(screen, 8, calculation=str([step.name for step in BAHDANAU.steps].index("mixed") + 1))
    assert "Each row of $W_c$ times" in markdown(screen)


def test_9_the_tokens_that_stay_are_counted(screen: AppTest, shipped: Pretrained) -> None:
    trace = translate(shipped, [SENTENCE])[0]
    stays = counterfactual(shipped, trace, "uniform").stays
    opened(screen, 9, sentence=SENTENCE)
    share = stays.sum() / len(stays)
    right = 0 if share >= 2 / 3 else 1 if share > 1 / 3 else 2
    told = predicted(screen, 9, right)
    assert REVEALED[0] in told
    assert f"{stays.sum()} of {len(stays)} tokens stay" in told


def test_9_a_step_tells_whether_its_token_stays(screen: AppTest, shipped: Pretrained) -> None:
    trace = translate(shipped, [EXAMPLE])[0]
    even = counterfactual(shipped, trace, "uniform")
    opened(screen, 9)
    for step in range(len(trace.target)):
        screen.pills(key="even").set_value(step).run()
        assert ("**stays**" in markdown(screen)) == bool(even.stays[step])
        assert percent(float(even.probabilities[step])) in markdown(screen)


def test_10_words_that_change_places_keep_their_vectors(screen: AppTest, shipped: Pretrained) -> None:
    ids = translate(shipped, ["I love you."])[0].source_ids[:3]
    vectors = shipped.network.encoder.embedding.weight.detach().numpy()[ids]
    given = SELF_ATTENTION.matrices() | {"X": projected(vectors, SHORTENED)}
    contexts = SELF_ATTENTION.run(given)["contexts"]
    told = predicted(opened(screen, 10), 10, 1)
    assert REVEALED[0] in told
    assert f"({f'{contexts[0][0]:.4f}'.rstrip('0').replace('-', '−')}, " in told
    assert "difference is 0." in told


@pytest.mark.parametrize(("chapter", "step", "value"), [(3, "scores", 0.0), (4, "weights", 0.71), (5, "context", 0.93)])
def test_a_number_computed_on_paper_is_checked(chapter: int, step: str, value: float, screen: AppTest) -> None:
    opened(screen, chapter).number_input(key=f"paper-{step}").set_value(value).run()
    assert not screen.exception
    assert "**Right.**" in markdown(screen)
    assert "The working:" not in markdown(screen)


def test_after_two_wrong_numbers_the_working_is_shown(screen: AppTest) -> None:
    field = opened(screen, 4).number_input(key="paper-weights")
    field.set_value(0.5).run()
    assert "too low by 0.2054" in markdown(screen)
    assert "The working:" not in markdown(screen)
    screen.number_input(key="paper-weights").set_value(3.0).run()
    assert "too high by" in markdown(screen)
    assert "The working:" in markdown(screen)
    assert any("20.0855" in element.value for element in screen.latex)


def test_another_sentence_is_another_question(screen: AppTest) -> None:
    opened(screen, 6)
    predicted(screen, 6, 0)
    screen.text_input(key="sentence").set_value(SENTENCE).run()
    assert not screen.exception
    assert screen.radio(key="predicted-6").value is None
    assert "answers" not in screen.query_params
    assert in_link(screen, "sentence") == SENTENCE


@pytest.mark.parametrize("chapter", [7, 9])
def test_a_prediction_of_another_sentence_is_no_answer(chapter: int, screen: AppTest) -> None:
    opened(screen, chapter)
    predicted(screen, chapter, 0)
    screen.text_input(key="sentence").set_value("I see you.").run()
    assert not screen.exception
    assert screen.radio(key=f"predicted-{chapter}").value is None
    assert "answers" not in screen.query_params


@pytest.mark.parametrize("forged", ["1", "b"])  # the second option is right, and the first is not
def test_a_link_cannot_say_whether_an_answer_was_right(forged: str, screen: AppTest) -> None:
    opened(screen, 1, answers=forged)
    assert in_link(screen, "answers") == {"1": "a", "b": "2"}[forged]
    assert f"{int(forged == 'b')} as predicted" in markdown(screen)
    assert (REVEALED[0] in markdown(screen)) == (forged == "b")


def test_progress_survives_another_screen(screen: AppTest) -> None:
    opened(screen, 3)
    predicted(screen, 3, 1)
    screen.switch_page("screens/translate.py").run()
    screen.query_params.clear()
    screen.switch_page("screens/learn.py").run()
    assert in_link(screen, "chapter") == "3"
    assert in_link(screen, "answers") == "--2"
    assert REVEALED[0] in markdown(screen)


def test_a_link_to_a_chapter_from_within_the_app_keeps_the_answers(screen: AppTest) -> None:
    opened(screen, 3)
    predicted(screen, 3, 1)
    screen.switch_page("screens/translate.py").run()
    screen.query_params.clear()
    screen.query_params["chapter"] = "5"
    screen.switch_page("screens/learn.py").run()
    assert in_link(screen, "chapter") == "5"
    assert in_link(screen, "answers") == "--2"


def test_start_over_forgets_everything(screen: AppTest) -> None:
    opened(screen, 4, answers="123abc")
    screen.number_input(key="paper-weights").set_value(3.0).run()
    next(button for button in screen.button if button.label == "Start over").click().run()
    assert dict(screen.query_params) == {}
    assert screen.radio(key="predicted-1").value is None
    screen.button(key="chapter-4").click().run()
    assert screen.number_input(key="paper-weights").value is None


def test_the_list_counts_and_marks_without_colour_alone(screen: AppTest) -> None:
    opened(screen, 2, answers="2a")
    told = markdown(screen)
    assert all(text in told for text in ("1 as predicted", "1 surprise", "8 to come"))
    icons = [screen.button(key=key).proto.icon for key in ("chapter-1", "chapter-2-here", "chapter-3")]
    assert len(set(icons)) == 3


def test_the_last_page_says_how_it_went_and_where_to_go(screen: AppTest) -> None:
    opened(screen, COUNT + 1, answers="22a")
    assert "Of 3 predictions, **2** came true and 1 turned out otherwise" in markdown(screen)
    assert "Of 10 questions, 7 still wait" in markdown(screen)
    pages = {link.proto.page for link in screen.get("page_link")}
    assert pages >= {"", "by_hand", "transformer", "glossary", "worksheet"}


@pytest.mark.parametrize(
    "link",
    [
        {"chapter": "99", "answers": "ZZZ"},
        {"chapter": "-1"},
        {"chapter": "3", "query_1": "nan", "answers": "\u0000💛"},
        {"chapter": "6", "output": "999 x"},
        {"chapter": "8", "calculation": "4000", "wiring": "<b>"},
        {"chapter": "2", "changed": "-5", "instead": "<script>$a$"},
        {"chapter": "1", "longer": "[]"},
    ],
)
def test_a_hostile_link_opens_a_page(link: dict[str, str], screen: AppTest) -> None:
    screen.query_params.update(link)
    screen.run()
    assert not screen.exception


@pytest.mark.parametrize("sentence", [".", "$a$ <b>bold</b> `💛`", "ab " * 70])
@pytest.mark.parametrize("chapter", [number for number, one in enumerate(CHAPTERS, 1) if one.own])
def test_any_sentence_leaves_the_page_whole(
    chapter: int, sentence: str, screen: AppTest, tiny: Callable[..., Pretrained]
) -> None:
    tiny(DEFAULT)
    opened(screen, chapter, sentence=sentence)
    assert not any("<b>bold" in element.proto.body for element in screen.get("html"))


def test_the_lesson_takes_a_model_with_attention(screen: AppTest, tiny: Callable[..., Pretrained]) -> None:
    attending = tiny("b-with")
    tiny("a-without", score="none", initial_state="encoder")
    opened(screen, 7, model="a-without")
    shown = figure(screen)["data"][0]["z"]
    np.testing.assert_allclose(_array(shown), 100 * translate(attending, [EXAMPLE])[0].weights, rtol=1e-4)


def _array(values: object) -> np.ndarray:
    """Numbers of a figure, which travel as a list or as bytes."""
    if isinstance(values, dict):
        shape = [int(size) for size in str(values.get("shape", "-1")).split(",")]
        return np.frombuffer(base64.b64decode(values["bdata"]), dtype=values["dtype"]).reshape(shape)
    return np.array(values)
