import json
from collections.abc import Callable
from math import exp

import numpy as np
import pytest

from regard.model.archive import to_json
from regard.model.checkpoint import Pretrained
from regard.model.worksheet.rounding import Products, places, printed
from regard.model.worksheet.sheet import VERSIONS, widest, worksheet
from tests.support.pupil import KINDS, SENTENCES, Case, made, redo, sheets


@pytest.fixture(scope="module", params=KINDS)
def case(request: pytest.FixtureRequest, make_model: Callable[..., Pretrained]) -> Case:
    return made(make_model(**KINDS[request.param]), SENTENCES[1])


def test_who_calculates_finds_the_answers(case: Case) -> None:
    last = len(case[0].target) - 1
    for step in (0, 1, last // 2, last):
        for version in VERSIONS:
            redo(worksheet(*case, step, version))


@pytest.mark.parametrize("sentence", [*SENTENCES, "She bought a red car and a black dress."])
def test_who_calculates_finds_the_answers_of_the_shipped_model(sentence: str, shipped: Pretrained) -> None:
    for sheet in sheets(made(shipped, sentence)):
        redo(sheet)
        assert max(places(number) for line in sheet.score.lines for number in line.given) <= 7
        assert min(map(places, sheet.context.totals)) >= 1, "whole numbers would be 0 in every product"


def test_the_score_of_the_first_exercise_has_the_decimals_of_the_second(shipped: Pretrained) -> None:
    for sheet in sheets(made(shipped, SENTENCES[0])):
        assert sheet.score.totals == sheet.weights.lines[sheet.word_line].given


def test_every_number_is_that_of_the_json_trace(shipped: Pretrained) -> None:
    case = made(shipped, "She bought a red car and a black dress.")
    told = json.loads(to_json(case[0]))
    for sheet in sheets(case):
        step, labels = sheet.step, [line.label.split(" ")[0] for line in sheet.weights.lines]
        order = [token.strip() for token in told["source"]]
        assert sheet.score.totals[0] in {as_printed(score, sheet.score.totals[0]) for score in told["scores"][step]}
        for line in sheet.weights.lines:
            scores = zip(order, told["scores"][step], told["weights"][step], strict=True)
            mine = [(score, weight) for token, score, weight in scores if token == line.label.split(" ")[0]]
            assert (line.given[0], line.found[1]) in {
                (as_printed(score, line.given[0]), as_printed(weight, line.found[1])) for score, weight in mine
            }
        for component, total in zip(sheet.components, sheet.context.totals, strict=True):
            assert total == as_printed(told["contexts"][step][component], total)
        assert sheet.output.log_normaliser == as_printed(told["log_normaliser"][step], sheet.output.log_normaliser)
        for line, logit in zip(sheet.output.lines, told["top_logits"][step], strict=False):
            assert line.given[0] == as_printed(logit, line.given[0])
            assert line.found[0] == as_printed(exp(logit - told["log_normaliser"][step]), line.found[0])
        assert len(set(labels)) > 3


def as_printed(value: float, like: str) -> str:
    return printed(value, places(like))


def test_a_model_without_attention_has_no_score_to_calculate(make_model: Callable[..., Pretrained]) -> None:
    sheet = worksheet(*made(make_model(**KINDS["none"]), SENTENCES[1]), 1, "A")
    assert sheet.score == Products()
    assert [line.found for line in sheet.weights.lines] == [("1.000", "0.500"), ("1.000", "0.500")]


def test_the_state_before_asks_in_bahdanaus_wiring(make_model: Callable[..., Pretrained]) -> None:
    case = made(make_model(**KINDS["bahdanau"]), SENTENCES[0])
    assert [sheet.asking for sheet in sheets(case)][:2] == [-1, 0]


def test_a_long_sentence_keeps_its_heaviest_tokens_and_adds_up_the_rest(shipped: Pretrained) -> None:
    case = made(shipped, "The boy who is wearing a blue shirt is playing football with his friends in the park.")
    trace, sheet = case[0], worksheet(*case, 5, "A")
    assert len(sheet.weights.lines) == len(sheet.context.lines) == 7
    assert sheet.weights.rest_count == sheet.context.rest_count == len(trace.source) - 7
    kept = [line.label for line in sheet.weights.lines]
    assert trace.source[int(trace.weights[5].argmax())].strip() in [label.split(" ")[0] for label in kept]


def test_versions_ask_for_other_words_and_components(shipped: Pretrained) -> None:
    case = made(shipped, SENTENCES[1])
    found = [worksheet(*case, 3, version) for version in VERSIONS]
    assert len({sheet.word for sheet in found}) == len(VERSIONS)
    assert len({sheet.components for sheet in found}) == len(VERSIONS)
    assert len({sheet.weights for sheet in found}) == 1


def test_a_given_translation_is_among_the_next_tokens(shipped: Pretrained) -> None:
    case = made(shipped, "I love you.", "Nous mangeons.")
    for sheet in sheets(case):
        assert sheet.given
        assert sheet.produced in [line.label for line in sheet.output.lines]


def test_the_sheet_opens_with_a_word_that_has_much_to_calculate(shipped: Pretrained) -> None:
    trace = made(shipped, SENTENCES[1])[0]
    step = widest(trace)
    assert any(map(str.isalnum, trace.target[step]))
    assert trace.weights[step].max() <= np.median(trace.weights.max(1))


def test_a_step_with_nothing_to_compare_is_not_the_first_choice(make_model: Callable[..., Pretrained]) -> None:
    """In Bahdanau's wiring a state of zeros asks at the first step, and the dot score of each token is 0."""
    trace = made(make_model(score="dot", wiring="bahdanau"), SENTENCES[0])[0]
    assert not trace.scores[0].any()
    assert widest(trace) > 0


@pytest.mark.parametrize(
    ("step", "version", "named"), [(99, "A", "step"), (-1, "A", "step"), (0, "Z", "version"), (0, "AB", "version")]
)
def test_a_sheet_that_there_is_not_is_refused(step: int, version: str, named: str, case: Case) -> None:
    with pytest.raises(ValueError, match=f"{named} is"):
        worksheet(*case, step, version)


@pytest.mark.parametrize("version", VERSIONS)
def test_a_sum_has_two_products_that_are_not_zero(version: str, shipped: Pretrained) -> None:
    case = made(shipped, "I love you.")
    for step in range(len(case[0].target) - 1):
        found = worksheet(*case, step, version)
        for columns in (found.score, found.context):
            for place in range(len(columns.totals)):
                shown = [line.found[place] for line in columns.lines]
                assert sum(float(number) != 0 for number in shown) >= 2, shown
