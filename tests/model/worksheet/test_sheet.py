from collections.abc import Callable
from itertools import product
from math import exp, fsum, log

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from regard.model.alignment import Alignment, Sentence, token_label
from regard.model.checkpoint import Pretrained
from regard.model.words import Span
from regard.model.worksheet.sheet import (
    VERSIONS,
    Products,
    chances,
    places,
    printed,
    products,
    reading,
    weights,
    widest,
    worksheet,
)
from tests.support.pupil import KINDS, SENTENCES, Case, made, redo, redo_chances, redo_products, redo_weights, sheets


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


def test_every_number_is_that_of_the_trace(shipped: Pretrained) -> None:
    case = made(shipped, "She bought a red car and a black dress.")
    for sheet in sheets(case):
        trace, step = case[0], sheet.step
        for values, exercise in ((trace.scores[step], sheet.score), (trace.contexts[step], sheet.context)):
            told = {printed(float(value), places(exercise.totals[0])) for value in values}
            assert set(exercise.totals) <= told
        for line, logit in zip(sheet.output.lines, trace.top_logits[step].tolist(), strict=False):
            chance = exp(logit - float(trace.log_normaliser[step]))
            assert (line.given[0], line.found[0]) == (
                printed(logit, places(line.given[0])), printed(chance, places(line.found[0])),
            )  # fmt: skip


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
        assert token_label(sheet.trace.target[sheet.step]) in [line.label for line in sheet.output.lines]


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


def test_a_sum_has_two_products_that_are_not_zero(shipped: Pretrained) -> None:
    case = made(shipped, "I love you.")
    for step, version in product(range(len(case[0].target) - 1), VERSIONS):
        found = worksheet(*case, step, version)
        for columns in (found.score, found.context):
            for place in range(len(columns.totals)):
                shown = [line.found[place] for line in columns.lines]
                assert sum(float(number) != 0 for number in shown) >= 2, shown


@given(st.data())
def test_products_of_any_numbers_come_out(data: st.DataObject) -> None:
    size = data.draw(st.integers(1, 8))
    number = st.floats(-20, 20, width=32)
    common, first, second = (data.draw(st.lists(number, min_size=size, max_size=size)) for _ in range(3))
    rests = data.draw(st.tuples(number, number))
    totals = [
        fsum([rest, *map(float.__mul__, common, other)]) for rest, other in zip(rests, (first, second), strict=True)
    ]
    found = products([str(place) for place in range(size)], common, [first, second], rests, 3, totals)
    redo_products(found)
    for shown, total in zip(found.totals, totals, strict=True):
        assert float(shown) == pytest.approx(total, abs=0.5 * 10 ** -places(shown) + 1e-9)


@given(st.lists(st.floats(-30, 30, width=32), min_size=2, max_size=30), st.integers(0, 10))
def test_a_softmax_of_any_scores_comes_out(scores: list[float], others: int) -> None:
    kept = max(1, len(scores) - others)
    powers = [exp(score - max(scores)) for score in scores]
    shares = [float(np.float32(power / fsum(powers))) for power in powers]
    found = weights([str(place) for place in range(kept)], scores[:kept], scores[kept:], shares[:kept])
    redo_weights(found)
    assert found.rest_count == len(scores) - kept
    for line, share in zip(found.lines, shares, strict=False):
        assert float(line.found[1]) == pytest.approx(share, abs=0.5 * 10 ** -places(line.found[1]) + 1e-9)


@given(st.lists(st.floats(-10, 20, width=32), min_size=1, max_size=5), st.floats(0, 8, width=32))
def test_probabilities_of_any_logits_come_out(logits: list[float], above: float) -> None:
    normaliser = log(fsum(map(exp, logits))) + above
    probabilities = [exp(logit - normaliser) for logit in logits]
    assume(fsum(probabilities) <= 1)
    found = chances([str(place) for place in range(len(logits))], logits, normaliser, probabilities)
    redo_chances(found)


def test_a_number_that_rounds_to_zero_has_no_sign() -> None:
    assert [printed(value, 2) for value in (-0.001, 0.0, -0.006, 12.345678)] == ["0.00", "0.00", "-0.01", "12.35"]


def test_numbers_that_make_something_else_are_refused() -> None:
    with pytest.raises(ValueError, match="cannot be written"):
        products(["a"], [1.0], [[1.0]], [0.0], 0, [2.0])
    with pytest.raises(ValueError, match="cannot be written"):
        weights(["a", "b"], [0.0, 0.0], [], [0.9, 0.1])
    with pytest.raises(ValueError, match="cannot be written"):
        chances(["a"], [0.0], 0.0, [0.25])


def test_products_by_hand() -> None:
    """0.5 · 0.3 + 0.5 · 0.7 and 1 more make 1.5: whole tenths would do, two decimals are what scores have."""
    found = products(["x", "y"], [0.5, 0.5], [[0.3, 0.7]], [1.0], 4, [1.5])
    assert [line.given for line in found.lines] == [("0.50", "0.30"), ("0.50", "0.70")]
    assert [line.found for line in found.lines] == [("0.15",), ("0.35",)]
    assert (found.rests, found.rest_count, found.totals) == (("1.00",), 4, ("1.50",))


def test_a_softmax_by_hand() -> None:
    """The scores 0 and log 3 weigh a quarter and three quarters."""
    found = weights(["x", "y"], [0.0, log(3)], [], [0.25, 0.75])
    assert [line.found[1] for line in found.lines] == ["0.250", "0.750"]
    assert float(found.total) == pytest.approx(4 / 3, abs=1e-2)
    assert found.greatest.startswith("1.09") or found.greatest == "1.10"


def sentence(words: tuple[str, ...]) -> Sentence:
    return Sentence(" ".join(words), "plain", words, words, tuple(range(len(words))), tuple(Span(0, 0) for _ in words))


def test_a_row_is_read_by_hand() -> None:
    """Two words alike are told apart by their places; two weights printed alike are both right."""
    table = np.array([[0.7, 0.2, 0.1], [0.1, 0.45, 0.45]])
    alignment = Alignment(sentence(("a", "b", "a")), sentence(("x", "y")), table)
    found = reading(alignment, 1)
    assert found.columns == ("a (1)", "b", "a (3)")
    assert found.cells == (("70.0", "20.0", "10.0"), ("10.0", "45.0", "45.0"))
    assert (found.row, found.heaviest) == (1, ("b", "a (3)"))
    assert reading(alignment, 0).heaviest == ("a (1)",)


def test_a_large_heatmap_is_cut_around_the_row_and_the_rest_added_up() -> None:
    """Forty source words that all weigh 2.5 %: ten columns keep 25 % of a row."""
    words = tuple(f"w{place}" for place in range(40))
    alignment = Alignment(sentence(words), sentence(words), np.full((40, 40), 1 / 40))
    for step in (0, 20, 39):
        found = reading(alignment, step)
        assert len(found.rows) == len(found.columns) == 10
        assert found.rows[found.row] == f"w{step}"
        assert set(found.others) == {"75.0"}
